"""What goes out of a table: the one place where messages to viewers are made, from views alone."""

from bisect import bisect_left
from collections.abc import Iterator, Mapping
from gettext import NullTranslations
from itertools import takewhile
from typing import Any

import msgspec

from caramba.bodies import ChapterShown
from caramba.bots.levels import DEFAULT
from caramba.games.contract import SPECTATOR, Event
from caramba.language import languages, words
from caramba.match.match import Match
from caramba.match.story import chapters
from caramba.server.tables import absence, dealing
from caramba.server.tables.table import Table
from caramba.wire import Change, News, SeatShown, TableFacts, TableShown, Told, Undo, WindowShown


def spoken(language: str) -> str:
    """The language, if we speak it; else English."""
    return language if language in languages() else "en"


def show_table(table: Table, gone: Mapping[int, float], watching: int, now: float) -> TableShown:
    """All but the game itself: the same for everybody. `gone` says since when seats have been."""
    kept, deadline = table.kept, table.deadline
    facts: dict[str, Any] = {name: getattr(kept, name) for name in TableFacts.__struct_fields__}
    facts["status"] = table.status
    facts["code"] = kept.code if table.status == "open" else None
    return TableShown(
        **facts,
        seats=[_seat(table, seat, gone.get(seat), now) for seat in range(len(table.places))],
        watching=watching,
        commitment=table.fair.commitment,
        entropy=[place.entropy if table.match else None for place in table.places],
        awaited=dealing.awaited(table),
        seed=kept.seed.hex() if table.status == "over" else None,
        deadline=None if deadline is None else round(max(0.0, deadline - now), 1),
        undo=_undo(table),
    )


def _seat(table: Table, seat: int, gone: float | None, now: float) -> SeatShown:
    place = table.places[seat]
    vote_at = absence.vote_at(table, seat, gone)
    return SeatShown(
        kind=place.kind,
        name=place.name,
        level=place.level or (DEFAULT if place.away else None),
        here=gone is None or place.kind == "bot",
        away=place.away,
        seconds=None if place.seconds is None else round(place.seconds, 1),
        vote_in=None if vote_at is None else round(max(0.0, vote_at - now), 1),
        votes=sorted(place.votes),
        mixes=place.mixes,
        promise=place.promise,
        taken_back=table.log.taken_back[seat],
    )


def _undo(table: Table) -> Undo | None:
    wish = table.wish
    if wish is None:
        return None
    return Undo(
        wish=wish.name,
        seat=wish.seat,
        steps=table.steps_at[-1] - wish.keep,
        agreed=sorted(wish.agreed),
        asked=sorted(wish.asked),
    )


def show_windows(table: Table, seat: int | None, language: str) -> list[WindowShown]:
    """The questions that the table can answer for a seat, and whether it does."""
    if seat is None:
        return []
    text = words(language).gettext
    return [
        WindowShown(name=window.phase, title=text(window.title), ask=table.asks(seat, window))
        for window in table.game.windows
    ]


def show_news(
    table: Table,
    seat: int | None,
    since: int,
    language: str,
    shown: TableShown | None,
    follows: bool,
) -> News:
    """What has happened from a step on, and how it stands, as a seat or a watcher may see it.

    Whoever follows the game gets the table right after each thing that happened.
    """
    match = table.match
    assert match is not None
    viewer = SPECTATOR if seat is None else seat
    news = news_of(match, viewer, since, language, since if follows else match.length)
    news.number, news.table = table.number, shown
    return news


def news_of(match: Match, viewer: int, since: int, language: str, follows: int) -> News:
    """How a game stands, what happened from a step on, and from another on with each table."""
    view = match.view(viewer)
    catalogue = words(language)
    found = list(match.told(viewer, since))
    events = [_told(match, step, event, catalogue) for step, event, _ in found]
    first = bisect_left(found, follows, key=lambda one: one[0])
    packed = [state for _, _, state in found[first:]]
    _add_tables(events[first:], packed, match, viewer, view)
    return News(
        number=match.length,
        steps=match.length,
        since=since,
        events=events,
        view=view,
        phrases=[match.game.say(view, action, catalogue) for action in view.legal],
        brings=[dict(match.game.brings(view, action)) for action in view.legal],
        table=None,
    )


def told(match: Match, viewer: int, since: int, until: int, language: str) -> list[Told]:
    """What a viewer was told from a step on, before another."""
    found = takewhile(lambda one: one[0] < until, match.events(viewer, since))
    return [_told(match, step, event, words(language)) for step, event in found]


def _told(match: Match, step: int, event: Event, catalogue: NullTranslations) -> Told:
    text = match.game.tell(event, match.names, catalogue)
    facts = dict(event.facts)
    return Told(step=step, kind=event.kind, seat=event.seat, facts=facts, text=text)


def _add_tables(
    events: list[Told], packed: list[bytes], match: Match, viewer: int, view: Any
) -> None:
    """Say for each event how the view right after it differs from that after the next one.

    What is dealt or drawn piece by piece is as good as one thing that happens.
    """
    later = view
    for told, following, state in reversed(list(zip(events, events[1:], packed, strict=False))):
        if told.kind != following.kind or told.step == following.step:
            then = match.view_of(state, viewer)
            told.then = list(differences(then, later))
            later = then


def differences(then: Any, later: Any, *path: str | int) -> Iterator[Change]:
    """What has to be changed in a later view to get that of then."""
    if then is later or then == later:
        return
    parts, others = _parts(then), _parts(later)
    if parts is None or others is None or parts.keys() != others.keys():
        yield list(path), then
        return
    for name, value in parts.items():
        yield from differences(value, others[name], *path, name)


def _parts(value: Any) -> dict[Any, Any] | None:
    """What a part of a view is made of; None for what is sent as a whole."""
    if isinstance(value, msgspec.Struct):
        return {name: getattr(value, name) for name in value.__struct_fields__}
    if isinstance(value, tuple):
        return dict(enumerate(value))
    return value if isinstance(value, dict) else None


def story(match: Match, language: str) -> list[ChapterShown]:
    """How a game that is over came about."""
    catalogue = words(language)

    def in_words(event: Any) -> str:
        return match.game.tell(event, match.names, catalogue)

    return [
        ChapterShown(
            step=chapter.step,
            began=in_words(chapter.began),
            decided=[in_words(event) for event in chapter.decided],
            points=list(chapter.points),
        )
        for chapter in chapters(match)
    ]
