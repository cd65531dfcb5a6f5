"""A player whose network has learned the game; where it has not, it plays by rules."""

from functools import cache
from pathlib import Path

import numpy as np

from caramba.bots import advice
from caramba.bots.advice import fits, strong
from caramba.bots.compiled import compiled
from caramba.bots.knowledge import Knowledge
from caramba.bots.network.champion import Desk, best_of, desk_for, sight
from caramba.bots.network.kept import Origin, read
from caramba.bots.network.network import Weights
from caramba.games.chance import streams
from caramba.games.contract import Game, load
from caramba.games.errors import InvalidSetup


class Champion:
    """Takes the action after which it likes best what it knows. It remembers nothing.

    The network is that in a file, or the one that came with the game. Where it has not learned to
    play, with so many players or such options, it does what a strong player by rules would.
    """

    def __init__(self, seed: int = 0, file: Path | None = None) -> None:
        self.file = file
        self.rng = streams(seed, 1)[0]

    def choose(self, knowledge: Knowledge) -> int:
        """The best action."""
        game, world = knowledge.game, knowledge.imagine(self.rng)
        file = network_to_play(game, world, knowledge.players, self.file)
        if file is None:
            return int(by_rules(world, knowledge.mask, self.rng))
        weights, origin = network_for(game, file)
        return self.decide(world, knowledge, weights, desk_for(world, game, origin.features))

    def decide(self, world: np.ndarray, knowledge: Knowledge, weights: Weights, desk: Desk) -> int:
        """What the network likes best."""
        return int(best_of(world, knowledge.seat, knowledge.mask, weights, desk))


@cache
def champions_of(game: Game) -> tuple[Path, ...]:
    """The networks that came with a game; those for fewer numbers of players come first."""
    files = Path(advice.__file__).with_name(game.name).glob("champion*.npz")
    return tuple(sorted(files, key=lambda file: len(network_for(game, file)[1].players)))


@cache
def came_along(game: Game, name: str) -> Path | None:
    """The file of that name in the folder of a game's advice, if it is there."""
    file = Path(advice.__file__).with_name(game.name) / name
    return file if file.exists() else None


@cache
def network(file: Path) -> tuple[Weights, Origin]:
    """A network, read once."""
    return read(file)


def game_of(file: Path) -> Game:
    """The game that a network has learned."""
    return load(network(file)[1].game)


@cache
def network_for(game: Game, file: Path, judges: bool = False) -> tuple[Weights, Origin]:
    """A network that plays, or judges, if it has learned this game as it is today."""
    weights, origin = network(file)
    if origin.judges != judges:
        can, cannot = ("judge", "play") if origin.judges else ("play", "judge")
        raise InvalidSetup(f"{file} has learned to {can}, and cannot {cannot}")
    if origin.game != game.name or origin.rules != game.version:
        raise InvalidSetup(f"{file} has learned {origin.game}, version {origin.rules}")
    if origin.sees != sight(game):
        raise InvalidSetup(f"{file} has learned from other features than {game.name} has now")
    return weights, origin


def network_to_play(
    game: Game, world: np.ndarray, players: int, file: Path | None = None
) -> Path | None:
    """The network in that file, or one that came with the game, if it has learned to play here.

    That is with so many players, and with these options.
    """
    if not knows(world):
        return None
    files = (file,) if file else champions_of(game)
    return next((one for one in files if players in network_for(game, one)[1].players), None)


@compiled
def knows(states):
    """Whether the network has learned to play with these options."""
    return fits(states[0])


@compiled
def by_rules(states, mask, rng):
    """What to do where the network has nothing to say."""
    return strong(states[0], mask, rng)
