"""How a game came about: its turns, races or deals, and what decided each."""

from dataclasses import dataclass
from itertools import pairwise

from caramba.games.contract import REFEREE, Event
from caramba.match.match import Match


@dataclass(frozen=True, slots=True)
class Chapter:
    """A turn, a race or a deal: its first step, how it began, what decided it in which step, and
    everybody's points before and after it.
    """

    step: int
    began: Event
    decided: tuple[tuple[int, Event], ...]
    before: tuple[int, ...]
    points: tuple[int, ...]


def chapters(match: Match) -> list[Chapter]:
    """The story so far, told openly. What decides nothing before the first turn is no chapter."""
    begun: list[tuple[int, Event, list[tuple[int, Event]]]] = []
    for step, event in match.events(REFEREE):
        if event.kind == match.game.chapter or not begun:
            begun.append((step, event, []))
        elif event.kind in match.game.decisive:
            begun[-1][2].append((step, event))
    if len(begun) > 1 and begun[0][1].kind != match.game.chapter and not begun[0][2]:
        del begun[0]
    ends = [step + 1 for step, _, _ in begun[1:]] + [match.length]
    points = [match.points_after(end) for end in (0, *ends)]
    return [
        Chapter(step, began, tuple(decided), before, after)
        for (step, began, decided), (before, after) in zip(begun, pairwise(points), strict=True)
    ]
