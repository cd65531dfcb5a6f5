"""What goes out of a table: the one place where messages to viewers are made, from views alone."""

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from gettext import NullTranslations
from itertools import groupby, takewhile
from typing import Any

import msgspec

from caramba.bodies import ChapterShown, StoryLine
from caramba.bots.levels import DEFAULT
from caramba.games.contract import SPECTATOR, Event
from caramba.language import languages, words
from caramba.match.match import Match
from caramba.match.story import chapters
from caramba.server.tables import absence, dealing
from caramba.server.tables.log import Part
from caramba.server.tables.table import Table
from caramba.server.tables.taking_back import can_take_back
from caramba.wire import Change, News, SeatShown, TableFacts, TableShown, Told, Undo, WindowShown


def spoken(language: str) -> str:
    """The language, if we speak it; else English."""
    return language if language in languages() else "en"


def show_table(
    table: Table, gone: Mapping[int, float], watching: int, preparing: bool, now: float
) -> TableShown:
    """All but the game itself: the same for everybody. `gone` says since when seats have been."""
    kept = table.kept
    closes_at = table.closes_at
    limits = [limit for limit in (table.deadline, closes_at) if limit is not None]
    facts: dict[str, Any] = {name: getattr(kept, name) for name in TableFacts.__struct_fields__}
    facts["status"] = table.status
    facts["code"] = kept.code if table.status == "open" else None
    return TableShown(
        **facts,
        seats=[_seat(table, seat, gone.get(seat), now) for seat in range(len(table.places))],
        watching=watching,
        commitment=table.commitment,
        entropy=[place.entropy if table.match else None for place in table.places],
        awaited=dealing.awaited(table),
        seed=kept.seed.hex() if table.status == "over" else None,
        deadline=round(max(0.0, min(limits) - now), 1) if limits else None,
        closes=bool(limits) and closes_at == min(limits),
        undo=show_undo(table),
        preparing=preparing,
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


def show_undo(table: Table) -> Undo | None:
    """Who wants to take something back, and who has agreed."""
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
    missed: Part,
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
    news = news_of(match, viewer, missed.since, language, missed.since if follows else match.length)
    news.number, news.same, news.table = table.number, missed.same, shown
    news.can_take_back = seat is not None and can_take_back(table, seat)
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
        same=since,
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
    text = _in_words(match, event, catalogue)
    return Told(step=step, kind=event.kind, seat=event.seat, facts=event.facts, text=text)


def _in_words(match: Match, event: Event, catalogue: NullTranslations) -> str:
    """What happened: the same sentence for all who see as much of it and speak a language."""
    kept: tuple[Event, str] | None = match.memory.get((id(event), catalogue))
    if kept is None:  # with the event, so that no other one gets its number meanwhile
        kept = event, match.game.tell(event, match.names, catalogue)
        match.memory[id(event), catalogue] = kept
    return kept[1]


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
            told.then = differences(then, later, match.memory)
            later = then


def differences(then: Any, later: Any, memory: dict[Any, Any]) -> list[Change]:
    """What has to be changed in a later view to get that of then.

    What is the same for several viewers is the same object in their views, and compared once.
    """
    names = _names(then)
    if names is None or type(then) is not type(later) or names != _names(later):
        return [([], then)]
    found: list[Change] = []
    for name, value, other in zip(names, _values(then), _values(later), strict=True):
        if value is not other and value != other:
            pair = id(value), id(other)
            if pair not in memory:
                memory[pair] = value, other, differences(value, other, memory)
            found += [([name, *path], part) for path, part in memory[pair][2]]
    return found


def _names(value: Any) -> Sequence[Any] | None:
    """How the parts of a view are called; None for what is sent as a whole."""
    if isinstance(value, msgspec.Struct):
        return value.__struct_fields__
    if isinstance(value, tuple):
        return range(len(value))
    return list(value) if isinstance(value, dict) else None


def _values(value: Any) -> Iterable[Any]:
    """The parts, in the same order."""
    if isinstance(value, msgspec.Struct):
        return msgspec.structs.astuple(value)
    return value.values() if isinstance(value, dict) else value


def story(match: Match, language: str) -> list[ChapterShown]:
    """How a game that is over came about: a line for each step that decided something."""
    catalogue = words(language)

    def in_words(*events: Event) -> str:
        if match.game.recount and len(events) > 1:
            return match.game.recount(events, match.names, catalogue)
        return " ".join(match.game.tell(event, match.names, catalogue) for event in events)

    return [
        ChapterShown(
            step=chapter.step,
            began=in_words(chapter.began),
            decided=[
                StoryLine(step=step, text=in_words(*(event for _, event in together)))
                for step, together in groupby(chapter.decided, key=lambda decided: decided[0])
            ],
            before=list(chapter.before),
            points=list(chapter.points),
        )
        for chapter in chapters(match)
    ]
