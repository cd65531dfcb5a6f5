"""One game by numbers, as fast as Python can drive it: no texts, no log, no checks.

`caramba.Match` is the safe and friendly way; this one is for loops that only need numbers.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from caramba.games import masks
from caramba.games.chance import streams
from caramba.games.compiled import compiled
from caramba.games.contract import CHANCE, OVER, Game, check_options, check_players, load
from caramba.games.generic import actor, apply, chances, draw_for, legal

BEGIN = -1


class Single:
    """A game that is told numbers. What is not legal must not be applied: nothing checks it."""

    def __init__(
        self,
        game: str | Game,
        *,
        players: int,
        seed: int = 0,
        options: Mapping[str, Any] | None = None,
    ) -> None:
        self.game = load(game) if isinstance(game, str) else game
        check_players(self.game, players)
        start = self.game.setup(players, check_options(self.game, players, options or {}))
        self.states = np.concatenate([start, start])
        """The true state, and the one to begin with."""
        self._mask = np.zeros(masks.width(self.game.actions), np.uint64)
        self._choices = np.zeros((2, max(self.game.actions, self.game.widest_chance)), np.int64)
        self._numbers, self._weights = self._choices
        self._rng = streams(seed, 1)[0]
        self.actor = OVER
        """A seat, CHANCE or OVER."""
        self._many = 0
        self.reset()

    def reset(self) -> None:
        """Back to the start."""
        self.apply(BEGIN)

    def apply(self, number: int) -> None:
        """Take one step: an action, or an outcome of chance."""
        self.actor, self._many = advance(self.states, number, self._mask, self._choices)

    def legal(self) -> list[int]:
        """The numbers of the legal actions, or of the possible outcomes of chance."""
        numbers: list[int] = self._numbers[: self._many].tolist()
        return numbers

    def weights(self) -> list[int]:
        """The weights of the outcomes of chance, in the same order."""
        weights: list[int] = self._weights[: self._many].tolist()
        return weights

    def draw(self) -> int:
        """An outcome of chance by its weight, from the seed."""
        return int(draw_for(self.states, self._rng))


@compiled
def advance(states, number, mask, choices):
    """Take a step, then list what can come next; return who acts, and how many choices."""
    s = states[0]
    if number == BEGIN:
        states[0] = states[1]
    else:
        apply(s, number)
    who = actor(s)
    if who == OVER:
        return who, 0
    if who == CHANCE:
        return who, list_outcomes(s, choices)
    mask[:] = 0
    legal(s, mask)
    return who, masks.list_members(mask, choices[0])


@compiled
def list_outcomes(s, choices):
    """The outcomes of chance that are possible, and their weights; return how many."""
    first, many = chances(s, choices[1])
    found = 0
    for i in range(many):
        if choices[1][i]:
            choices[0][found] = first + i
            choices[1][found] = choices[1][i]
            found += 1
    return found
