"""A judge of luck that knows nothing, and games that are played in this process."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from caramba.bots.arena import ArenaSettings, Played, Round, play_round
from caramba.bots.network.champion import sight, width_of_features
from caramba.bots.network.kept import Origin, keep
from caramba.bots.network.network import fresh
from caramba.games.contract import Game, check_options


def some_judge(folder: Path, game: Game, sure: float = 5, sees: str | None = None) -> Path:
    """A network that knows nothing of a game of two, and judges all the same."""
    features = 2 * width_of_features(game.setup(2, check_options(game, 2, {})))
    made: Any = (*(0,) * 3, 0.0, *("",) * 3, [], True)
    origin = Origin(game.name, game.version, [2], [{}], features, sees or sight(game), *made)
    keep(folder / "judge.npz", sure * fresh(features, 5, np.random.default_rng(4)), origin)
    return folder / "judge.npz"


class Here:
    """Plays in this process, however many are asked for."""

    def __init__(self, many: int | None = None) -> None:
        pass

    def play_all(self, settings: ArenaSettings, rounds: Iterable[Round]) -> Iterator[Played]:
        return (play_round(settings, which) for which in rounds)
