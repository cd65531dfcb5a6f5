"""When a question is settled: whether one bot is better than another, however often one looks.

An interval that may be looked at after every deal: it holds the truth at all times together
with 95 %, for many deals (Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas, 2024), where a usual
one, looked at until it says something, would sooner or later say anything.
"""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from caramba.bots.levels import name_anywhere
from caramba.games.errors import InvalidSetup

if TYPE_CHECKING:
    from caramba.bots.arena import ArenaSettings, Played

DOUBT = 0.05
NARROWEST = 200
"""The interval is as narrow as it can be after about so many deals."""
FEWEST = 20
"""Deals without which nothing is settled."""


def error_at_all_times(values: Sequence[float] | np.ndarray) -> float:
    """Half the width of the interval around the mean of these."""
    many = len(values)
    if many < FEWEST:
        return math.inf
    doubt = -2 * math.log(DOUBT)
    weight = (doubt + math.log(doubt + 1)) / NARROWEST
    inner = many * weight + 1
    spread = float(np.std(values, ddof=1))
    return spread * math.sqrt(2 * inner / (many**2 * weight) * math.log(math.sqrt(inner) / DOUBT))


class Question:
    """Whether one bot is better than another: 'hard>medium'."""

    def __init__(self, text: str, settings: "ArenaSettings") -> None:
        names = [name_anywhere(part.strip()) for part in text.split(">")]
        if len(names) != 2 or not set(names) <= set(settings.bots) or names[0] == names[1]:
            raise InvalidSetup(f"ask for two of the bots, such as 'hard>medium', not {text!r:.60}")
        self.better, self.worse = names
        self.seatings = settings.seatings()
        self.shares: dict[int, list[tuple[str, float]]] = {}
        """By deal, of those that are not counted yet."""
        self.differences: list[float] = []
        """Deal by deal, from the first one on: how much better the one was than the other."""

    def hear(self, game: "Played") -> None:
        """Take note of a game; a deal counts when it and all before it are finished."""
        names = self.seatings[game.seating]
        shares = self.shares.setdefault(game.deal, [])
        shares += [(name, game.adjusted(seat)) for seat, name in enumerate(names)]
        whole = sum(map(len, self.seatings))
        while len(self.shares.get(len(self.differences), ())) == whole:
            deal = self.shares.pop(len(self.differences))
            mine, theirs = (
                [share for name, share in deal if name == wanted]
                for wanted in (self.better, self.worse)
            )
            self.differences.append(float(np.mean(mine) - np.mean(theirs)))

    @property
    def answer(self) -> bool | None:
        """Yes, no, or not settled yet."""
        error = error_at_all_times(self.differences)
        mean = float(np.mean(self.differences)) if self.differences else 0.0
        return None if abs(mean) <= error else mean > 0
