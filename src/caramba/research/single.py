"""One game by numbers, as fast as Python can drive it: no texts, no log, no checks.

`caramba.Match` is the safe and friendly way; this one is for loops that only need numbers.
"""

from collections.abc import Mapping
from typing import Any

from caramba.games.chance import streams
from caramba.games.contract import Game, check_options, check_players, load
from caramba.games.generic import draw_for
from caramba.games.stepping import NOTHING, Stepper


class Single(Stepper):
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
        self._start = self.game.setup(players, check_options(self.game, players, options or {}))
        self._rng = streams(seed, 1)[0]
        super().__init__(self.game, self._start.copy())

    def reset(self) -> None:
        """Back to the start."""
        self.states[:] = self._start
        self.apply(NOTHING)

    def draw(self) -> int:
        """An outcome of chance by its weight, from the seed."""
        return int(draw_for(self.states, self._rng))
