"""What a bot is handed: the knowledge of one seat, and nothing else."""

from functools import cached_property
from typing import Any, Protocol

import numpy as np

from caramba.games import generic, masks
from caramba.games.chance import streams
from caramba.games.contract import Game, Vocabulary


class Knowledge:
    """What a seat knows where it is to act: a view, and worlds like the true one to it.

    The true state does not get in here: it is forgotten at the door, by a draw that is the
    same in all worlds which the seat cannot tell apart.
    """

    def __init__(self, game: Game, states: np.ndarray, seat: int, players: int) -> None:
        self.game, self.seat, self.players = game, seat, players
        self._world = states.copy()
        generic.resample_for(self._world, seat, streams(0, 1)[0])
        self.mask = np.zeros(masks.words(game.actions), np.uint64)
        """What the seat may do, as bits."""
        generic.legal_of(self._world, self.mask)

    @cached_property
    def legal(self) -> list[int]:
        """The numbers of what the seat may do."""
        return masks.members(self.mask)

    @cached_property
    def view(self) -> Any:
        """The table as a person in this seat sees it."""
        actions = tuple(self._vocabulary.write(number) for number in self.legal)
        eyes = frozenset([self.seat])
        common = {"seat": self.seat, "actor": self.seat, "legal": actions, "result": None}
        return self.game.view(self._world[0], eyes, **common)

    def observation(self) -> np.ndarray:
        """The same as a vector, in the order of `game.features`."""
        out = np.zeros(self.game.observation, np.float32)
        generic.observe_from(self._world, self.seat, out)
        return out

    def imagine(self, rng: np.ndarray) -> np.ndarray:
        """A world that may be the true one for all this seat knows: an array of one state."""
        world = self._world.copy()
        generic.resample_for(world, self.seat, rng)
        return world

    def text(self, number: int) -> str:
        """An action in notation."""
        action = self._vocabulary.write(number)
        assert action is not None
        return action.text

    def number(self, text: str) -> int:
        """The legal action of that text."""
        return next(number for number in self.legal if self.text(number) == text)

    @cached_property
    def _vocabulary(self) -> Vocabulary:
        return self.game.vocabulary(self._world[0], self.seat)


class Bot(Protocol):
    """One way to be a player."""

    def choose(self, knowledge: Knowledge) -> int:
        """The number of a legal action."""
