"""What is worth knowing of each game: for players by rules, and for those who learn.

One package a game, of the same name. A game without one gets advice that knows nothing.
All functions are compiled and are handed a world as its actor may imagine it, never the true
state: `s` is a state record, `mask` what the actor may do.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np
from numba.extending import overload

from caramba.bots.compiled import compiled
from caramba.bots.network.sheet import guess, scaled
from caramba.games import folder_of, names
from caramba.games.chance import below
from caramba.games.contract import Game, game_of
from caramba.games.generic import observe, selected
from caramba.games.masks import count, nth


@compiled
def anything(s, mask, rng):
    """A uniformly random action."""
    return nth(mask, below(rng, count(mask)))


@compiled
def keep_all(s, mask):
    """Nothing is ruled out."""


@compiled
def one_stage(s):
    """A game that is not divided."""
    return 0


@compiled
def nobody_ahead(s, shares):
    """Everybody is as likely to win."""
    shares[:] = 1 / len(shares)


def width_of(s: Any) -> int:
    """How many numbers an observation of this game has."""
    return game_of(s.dtype).observation


@overload(width_of)
def _width_of(s):  # pragma: no cover - runs while compiling
    width = game_of(s).observation
    return lambda s: width


@compiled
def observed(s, seat, sheet):
    """The numbers of the observation, roughly: for a game that has no features of its own."""
    guess(sheet, 1 / int(s.players))
    numbers = np.zeros(width_of(s), np.float32)
    observe(s, seat, numbers)
    for number in numbers:
        scaled(sheet, number)


@compiled
def no_way(s, seat, number):
    """Nobody looks at what chance may do next."""
    return -1.0


@compiled
def always(s):
    """Whatever the options are."""
    return True


@compiled
def softmax(scores):
    """Turn scores into shares: a lead of 1 makes a win e times as likely as another's."""
    most = scores.max()
    total = 0.0
    for p in range(len(scores)):
        scores[p] = math.exp(scores[p] - most)
        total += scores[p]
    scores /= total


Choice = Callable[[Any, np.ndarray, np.ndarray], int]
"""(s, mask, random stream) to the number of an action."""


@dataclass(frozen=True, kw_only=True)
class Advice:
    """How to play one game."""

    easy: Choice = anything
    """Sensible, but fallible."""
    medium: Choice = anything
    """A good player without looking ahead."""
    strong: Choice = anything
    """As good as rules of thumb make it: who plays where no network has learned to, and the
    measure of those that learn."""
    stage: Callable[[Any], int] = one_stage
    """A number that grows from time to time: a deal, a race."""
    worth: Callable[[Any, np.ndarray], None] = nobody_ahead
    """Fill in how likely each player is to win, where a stage has just begun."""
    features: Callable[[Any, int, np.ndarray], None] = observed
    """(s, seat, sheet): note what the seat knows, for the network."""
    consider: Callable[[Any, np.ndarray], None] = keep_all
    """Take out of a mask what the network need not judge, for something as good stays."""
    foresee: Callable[[Any, int], None] | None = None
    """Take a step as far as its player knows what comes of it; the step itself unless told."""
    way: Callable[[Any, int, int], float] = no_way
    """(s, seat, number): where chance goes on after a seat's own action, have it go that way, as
    far as the seat knows. Its weight, 0 if it goes no such way, or -1 if there are no more. The
    network is asked what it thinks of each, and learns that for all seats."""
    learns_by_stage: bool = False
    """Whether the network learns what a stage brings, rather than the game: where `worth` is
    good, and a game has many stages."""
    scale: float = 0.7
    """How large the network's values are for a whole victory: larger where it learns small parts of
    one, stage by stage."""
    trace: float = 0.8
    """Lambda: how much of the end shows in each decision before it, when the network learns; less
    is better where rules of thumb `guess` well from the beginning."""
    looks_ahead: bool = False
    """Whether looking a turn ahead beats the network alone, beyond doubt: by the arena."""
    fits: Callable[[Any], bool] = always
    """Whether the network has learned to play with the options of this game."""
    unlearned: str = ""
    """The same in words: with which options somebody else takes its place."""
    variants: tuple[dict[str, Any], ...] = ({},)
    """Options that the network learns to play with; the first ones are the standard."""


@cache
def advice_on(game: Game) -> Advice:
    """The advice on a game."""
    if game.name not in names():
        return Advice(foresee=game.apply)
    module = f"{__name__}.{folder_of(game.name).name}"
    advice: Advice = import_module(module).ADVICE if find_spec(module) else Advice()
    return advice if advice.foresee else replace(advice, foresee=game.apply)


def _advice_of(state_type: Any) -> Advice:
    return advice_on(game_of(state_type))


easy = selected("easy", _advice_of)
medium = selected("medium", _advice_of)
strong = selected("strong", _advice_of)
stage = selected("stage", _advice_of)
worth = selected("worth", _advice_of)
features = selected("features", _advice_of)
consider = selected("consider", _advice_of)
foresee = selected("foresee", _advice_of)
way = selected("way", _advice_of)
fits = selected("fits", _advice_of)
