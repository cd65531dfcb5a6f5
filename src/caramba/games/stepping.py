"""A game that Python drives by compiled rules: one call takes a step and lists what can come."""

import numpy as np

from caramba.games import masks
from caramba.games.compiled import compiled
from caramba.games.contract import CHANCE, OVER, Game
from caramba.games.generic import actor, apply, chances, legal

NOTHING = -1
"""The number for no step at all."""


class Stepper:
    """One game by compiled rules: where it stands, who acts, and what can come next."""

    def __init__(self, game: Game, states: np.ndarray) -> None:
        self.states = states
        self._mask = np.zeros(masks.width(game.actions), np.uint64)
        self._choices = np.zeros((2, max(game.actions, game.widest_chance)), np.int64)
        self._numbers, self._weights = self._choices
        self.actor = OVER
        """A seat, CHANCE or OVER."""
        self._many = 0
        self.apply(NOTHING)

    def apply(self, number: int) -> None:
        """Take one step, an action or an outcome of chance, that is possible: nothing checks it."""
        self.actor, self._many = advance(self.states, number, self._mask, self._choices)

    def legal(self) -> list[int]:
        """The numbers of the legal actions, or of the possible outcomes of chance."""
        numbers: list[int] = self._numbers[: self._many].tolist()
        return numbers

    def weights(self) -> list[int]:
        """The weights of the outcomes of chance, in the same order."""
        weights: list[int] = self._weights[: self._many].tolist()
        return weights


@compiled
def advance(states, number, mask, choices):
    """Take a step, then list what can come next; return who acts, and how many choices."""
    s = states[0]
    if number != NOTHING:
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
