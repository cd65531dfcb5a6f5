"""A player whose network has learned the game; where it has not, somebody else takes its place."""

from functools import cache
from pathlib import Path

import numpy as np

from caramba.bots import advice
from caramba.bots.advice import fits, strong
from caramba.bots.compiled import compiled
from caramba.bots.knowledge import Bot, Knowledge
from caramba.bots.network.champion import best_of, desk_for, sight
from caramba.bots.network.kept import Origin, read
from caramba.bots.network.network import Weights
from caramba.games.chance import streams
from caramba.games.contract import Game, load
from caramba.games.errors import InvalidSetup


class Champion:
    """Takes the action after which it likes best what it knows. It remembers nothing.

    The network is that in a file, or the one that came with the game. Where it has not learned to
    play, with so many players or such options, somebody else takes its place.
    """

    def __init__(
        self, seed: int = 0, file: Path | None = None, otherwise: Bot | None = None
    ) -> None:
        self.file, self.otherwise = file, otherwise
        self.rng = streams(seed, 1)[0]

    def choose(self, knowledge: Knowledge) -> int:
        """The best action."""
        game, seat, mask = knowledge.game, knowledge.seat, knowledge.mask
        world = knowledge.imagine(self.rng)
        file = network_to_play(game, world, knowledge.players, self.file)
        if file is None:
            if self.otherwise:
                return self.otherwise.choose(knowledge)
            return int(by_rules(world, mask, self.rng))
        weights, origin = network_for(game, file)
        desk = desk_for(world, game, origin.features)
        return int(best_of(world, seat, mask, weights, desk))


@cache
def champion_of(game: Game) -> Path | None:
    """The network that came with a game, in the folder of its advice."""
    file = Path(advice.__file__).with_name(game.name) / "champion.npz"
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
    """The network in that file, or that of the game, if it has learned to play here.

    That is with so many players, and with these options.
    """
    file = file or champion_of(game)
    if file is None:
        return None
    return file if players in network_for(game, file)[1].players and knows(world) else None


@compiled
def knows(states):
    """Whether the network has learned to play with these options."""
    return fits(states[0])


@compiled
def by_rules(states, mask, rng):
    """What to do where the network has nothing to say."""
    return strong(states[0], mask, rng)
