"""Who can be played against: the levels, and bots of other people by the name of their file."""

import importlib
import importlib.util
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from caramba.bots.advice import advice_on, anything, easy, medium
from caramba.bots.budget import Budget
from caramba.bots.compiled import compiled
from caramba.bots.knowledge import Bot, Knowledge, printing_aside
from caramba.bots.network.lookahead import LookAhead
from caramba.bots.network.player import Champion, game_of, network_for, network_to_play
from caramba.games.chance import streams
from caramba.games.contract import marked
from caramba.games.errors import InvalidSetup

RANDOM, EASY, MEDIUM = range(3)
NETWORK = ".npz"
"""How the file of a network ends that `caramba train` has made."""


class Advised:
    """A player who follows advice, without looking ahead."""

    def __init__(self, advice: int, seed: int) -> None:
        self.advice = advice
        self.rng, self.other_rng = streams(seed, 2)

    def choose(self, knowledge: Knowledge) -> int:
        """What the advice says."""
        return self._draw(knowledge, self.rng)

    def again(self, knowledge: Knowledge) -> int:
        """What it might say as well."""
        return self._draw(knowledge, self.other_rng)

    def _draw(self, knowledge: Knowledge, rng: np.ndarray) -> int:
        world = knowledge.imagine(rng)
        return int(advise(world, self.advice, knowledge.mask, rng))


@compiled
def advise(states, advice, mask, rng):
    """What to do in the first of these states."""
    if advice == EASY:
        return easy(states[0], mask, rng)
    if advice == MEDIUM:
        return medium(states[0], mask, rng)
    return anything(states[0], mask, rng)


@dataclass(frozen=True)
class Level:
    """A strength of play."""

    name: str
    title: str
    description: str
    make: Callable[[int], Bot]
    """A player of this level, from a seed."""
    learned: bool = False
    """Whether it plays by a network, which has to be compiled; the others need not."""
    searches: bool = False
    """Whether it looks ahead where that is of use, which takes a while."""


LEVELS = {
    level.name: level
    for level in (
        Level(
            "random",
            marked("random"),
            marked("plays anything the rules allow"),
            lambda seed: Advised(RANDOM, seed),
        ),
        Level(
            "easy",
            marked("easy"),
            marked("knows what is good, and is careless now and then"),
            lambda seed: Advised(EASY, seed),
        ),
        Level(
            "medium",
            marked("medium"),
            marked("plays by sound rules of thumb, at once"),
            lambda seed: Advised(MEDIUM, seed),
        ),
        Level(
            "hard",
            marked("hard"),
            marked("plays by what it has learned against itself, at once"),
            Champion,
            learned=True,
        ),
        Level(
            "expert",
            marked("expert"),
            marked("looks a turn ahead with that, up to a second and a half, where it helps"),
            lambda seed: LookAhead(Budget(seconds=1.5), seed),
            learned=True,
            searches=True,
        ),
    )
}


def takes_long(name: str, knowledge: Knowledge) -> bool:
    """Whether a player of that level looks ahead here."""
    if not LEVELS[name].searches or not advice_on(knowledge.game).looks_ahead:
        return False
    world = knowledge.imagine(streams(0, 1)[0])
    return network_to_play(knowledge.game, world, knowledge.players) is not None


DEFAULT = "medium"
"""The level of opponents unless told."""


def make_bot(name: str, seed: int) -> Bot:
    """A level by its name, or a bot of one's own: FILE.py:NAME or MODULE:NAME, or a network.

    A level remembers nothing between decisions.
    """
    if name in LEVELS:
        return LEVELS[name].make(seed)
    if name.endswith(NETWORK):
        check_bot(name)
        return Champion(seed, Path(name))
    try:
        make = _named(name)
        with printing_aside():
            bot: Bot = make(seed)
    except TypeError as error:
        raise InvalidSetup(f"{name[:200]!r} makes no bot from a seed: {error}") from None
    if not callable(getattr(bot, "choose", None)):
        raise InvalidSetup(f"{name[:200]!r} makes no bot: what it makes cannot choose")
    return bot


def check_bot(name: str) -> str:
    """The name, if there is such a bot."""
    if name.endswith(NETWORK):
        network_for(game_of(Path(name)), Path(name))
    elif name not in LEVELS:
        _named(name)
    return name


def name_anywhere(name: str) -> str:
    """The name by which a bot is found from every folder: its file with the whole path."""
    if name.endswith(NETWORK):
        return os.path.realpath(name)
    place, _, attribute = name.rpartition(":")
    return f"{os.path.realpath(place)}:{attribute}" if place.endswith(".py") else name


def _named(name: str) -> Callable[[int], Any]:
    """What NAME is in a file or module; it is called with a seed and gives a bot."""
    place, colon, attribute = name.rpartition(":")
    if not colon:
        raise InvalidSetup(
            f"there is no level {name[:60]!r}; the levels are {', '.join(LEVELS)},"
            " and a bot of your own is FILE.py:NAME, or a network FILE.npz"
        )
    try:
        with printing_aside():
            is_file = place.endswith(".py")
            module = _module_in(Path(place)) if is_file else importlib.import_module(place)
        factory: Callable[[int], Any] = getattr(module, attribute)
    except (Exception, SystemExit) as error:  # whatever a file of somebody else's may do
        reason = f"{type(error).__name__}: {error}"
        raise InvalidSetup(f"cannot load the bot {name[:200]!r}: {reason[:300]}") from None
    return factory


def _module_in(file: Path) -> Any:
    """The module in a file, read once."""
    name = str(file.resolve())
    if name not in sys.modules:
        spec = importlib.util.spec_from_file_location(name, file)
        if spec is None or spec.loader is None:
            raise ImportError(f"{file} is not a Python file")
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        sys.modules[name] = module
    return sys.modules[name]


def fill(names: Sequence[str], players: int) -> tuple[str, ...]:
    """A bot for each seat: the last named takes the seats that are left."""
    if not 1 <= len(names) <= players:
        raise InvalidSetup(f"name 1 to {players} bots, one a seat, such as easy,medium")
    for name in names:
        check_bot(name)
    return (*names, *[names[-1]] * (players - len(names)))
