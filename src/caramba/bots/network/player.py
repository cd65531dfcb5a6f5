"""A player whose network has learned the game; by rules where it has not learned the variant."""

from functools import cache
from pathlib import Path

import numpy as np

from caramba.bots.advice import fits, strong
from caramba.bots.compiled import compiled
from caramba.bots.knowledge import Knowledge
from caramba.bots.network.champion import best_of, desk_for, width_of_features
from caramba.bots.network.kept import Origin, read
from caramba.bots.network.network import Weights
from caramba.games.chance import streams
from caramba.games.contract import Game, check_options, load
from caramba.games.errors import InvalidSetup


class Champion:
    """Takes the action after which it likes best what it knows. It remembers nothing."""

    def __init__(self, file: Path, seed: int = 0) -> None:
        self.game = game_of(file)
        self.weights, origin = network_for(self.game, file)
        start = standard_start(self.game)
        self.desk = desk_for(start, self.game.actions, origin.features)
        self.rng = streams(seed, 1)[0]

    def choose(self, knowledge: Knowledge) -> int:
        """The best action."""
        if knowledge.game != self.game:
            raise InvalidSetup(f"a network that has learned {self.game.name} plays no other game")
        world = knowledge.imagine(self.rng)
        if not knows(world):
            return int(by_rules(world, knowledge.mask, self.rng))
        return int(best_of(world, knowledge.seat, knowledge.mask, self.weights, self.desk))


@cache
def network(file: Path) -> tuple[Weights, Origin]:
    """A network, read once."""
    return read(file)


def game_of(file: Path) -> Game:
    """The game that a network has learned."""
    return load(network(file)[1].game)


def network_for(game: Game, file: Path) -> tuple[Weights, Origin]:
    """A network, if it has learned this game as it is today."""
    weights, origin = network(file)
    if origin.game != game.name or origin.rules != game.version:
        raise InvalidSetup(f"{file} has learned {origin.game}, version {origin.rules}")
    if origin.features != width_of_features(standard_start(game)):
        raise InvalidSetup(f"{file} has learned from other features than {game.name} has now")
    return weights, origin


def standard_start(game: Game) -> np.ndarray:
    """A game without options, before its first step."""
    players = game.players[0]
    return game.setup(players, check_options(game, players, {}))


@compiled
def knows(states):
    """Whether the network has learned to play with these options."""
    return fits(states[0])


@compiled
def by_rules(states, mask, rng):
    """What to do where the network has nothing to say."""
    return strong(states[0], mask, rng)
