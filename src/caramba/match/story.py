"""How a game came about: its turns, races or deals, and what decided each."""

from dataclasses import dataclass

from caramba.games.contract import REFEREE, Event
from caramba.match.match import Match


@dataclass(frozen=True, slots=True)
class Chapter:
    """A turn, a race or a deal: its first step, how it began, what decided it, points after it."""

    step: int
    began: Event
    decided: tuple[Event, ...]
    points: tuple[int, ...]


def chapters(match: Match) -> list[Chapter]:
    """The story so far, told openly. The first begins with whatever happens first."""
    begun: list[tuple[int, Event, list[Event]]] = []
    for step, event in match.events(REFEREE):
        if event.kind == match.game.chapter or not begun:
            begun.append((step, event, []))
        elif event.kind in match.game.decisive:
            begun[-1][2].append(event)
    ends = [step + 1 for step, _, _ in begun[1:]] + [match.length]
    return [
        Chapter(step, began, tuple(decided), match.points_after(end))
        for (step, began, decided), end in zip(begun, ends, strict=True)
    ]
