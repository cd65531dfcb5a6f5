"""What goes out of a table: the one place where messages to viewers are made, from views alone."""

from collections.abc import Mapping
from itertools import takewhile
from typing import Any

from caramba.bodies import ChapterShown
from caramba.bots.levels import DEFAULT
from caramba.games.contract import SPECTATOR
from caramba.language import languages, words
from caramba.match.match import Match
from caramba.server.tables import absence, dealing
from caramba.server.tables.table import Table
from caramba.wire import News, SeatShown, TableFacts, TableShown, Told, Undo, WindowShown


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


def show_news(table: Table, seat: int | None, since: int, language: str, shown: TableShown) -> News:
    """What has happened from a step on, and how it stands, as a seat or a watcher may see it."""
    match = table.match
    assert match is not None
    viewer = SPECTATOR if seat is None else seat
    view = match.view(viewer)
    catalogue = words(language)
    return News(
        number=table.number,
        steps=table.steps_at[-1],
        since=since,
        events=told(match, viewer, since, table.steps_at[-1], language),
        view=view,
        phrases=[table.game.say(view, action, catalogue) for action in view.legal],
        table=shown,
    )


def told(match: Match, viewer: int, since: int, until: int, language: str) -> list[Told]:
    """What a viewer was told from a step on, before another."""
    catalogue = words(language)
    return [
        Told(
            step=step,
            kind=event.kind,
            seat=event.seat,
            facts=dict(event.facts),
            text=match.game.tell(event, match.names, catalogue),
        )
        for step, event in takewhile(lambda found: found[0] < until, match.events(viewer, since))
    ]


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
        for chapter in match.chapters()
    ]
