"""The rules of whichever game a state belongs to, for code that is generic over games.

Compiled code (playouts, batches, search) calls these; the type of the record selects the
game at compile time, so the code is as fast as if written for one game, and it is cached,
which a closure over a game's functions would not be. Uncompiled, it is a look-up, and
the record is unpacked: Python reads the fields of a record very slowly.
"""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
from numba.extending import overload

from caramba.games.chance import below
from caramba.games.compiled import compiled
from caramba.games.contract import CHANCE, game_of
from caramba.games.masks import count, nth, ones


def selected(name: str, source: Callable[[Any], Any] = game_of) -> Any:
    """The function of that name in the game of its first argument, a state record.

    Another source may be asked instead of the game: it is told the type of the state.
    """

    def rule(s, *others):
        fields = {field: np.void.__getitem__(s, field) for field in s.dtype.names}
        unpacked = SimpleNamespace(**fields)
        answer = getattr(source(s.dtype), name)(unpacked, *others)
        for field, value in vars(unpacked).items():
            if value is not fields[field]:  # arrays are shared and need no writing back
                s[field] = value
        return answer

    @overload(rule)
    def select(s, *others):  # pragma: no cover - runs while compiling
        of_this_game = getattr(source(s), name)
        return lambda s, *others: of_this_game(s, *others)

    return rule


actor = selected("actor")
legal = selected("legal")
apply = selected("apply")
chances = selected("chances")
draw = selected("draw")
outcome = selected("outcome")
observe = selected("observe")
resample = selected("resample")


# From Python, an array of states is passed rather than a record: it costs a quarter.


@compiled
def actor_of(states):
    """Who acts in the first of these states."""
    return actor(states[0])


@compiled
def legal_of(states, mask):
    """Set the mask to what the actor may do."""
    mask[:] = 0
    legal(states[0], mask)


@compiled
def apply_to(states, number):
    """Take one step."""
    apply(states[0], number)


@compiled
def chances_of(states, weights):
    """Fill in weights; return the first outcome's number and how many there are."""
    return chances(states[0], weights)


@compiled
def draw_for(states, rng):
    """An outcome of chance by its weight, from a random stream."""
    return draw(states[0], rng)


@compiled
def outcome_of(states, points):
    """Fill in points; return the end (0 while playing) and the winners as bits."""
    return outcome(states[0], points)


@compiled
def observe_from(states, seat, out):
    """Set a vector to what a seat may know."""
    out[:] = 0
    observe(states[0], seat, out)


@compiled
def resample_for(states, seat, rng):
    """Redraw all that a seat cannot know."""
    resample(states[0], seat, rng)


@compiled
def random_step(s, who, mask, rng):
    """A uniformly random action, or an outcome of chance by its weight."""
    if who == CHANCE:
        return draw(s, rng)
    mask[:] = 0
    legal(s, mask)
    return nth(mask, below(rng, count(mask)))


@compiled
def share_victory(winners, shares):
    """Divide 1 among the winners, who are given as bits."""
    sharing = ones(winners)
    for p in range(len(shares)):
        shares[p] = (winners >> p & 1) / sharing
