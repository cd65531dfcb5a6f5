"""Random numbers for compiled code: one 64-bit word of state a stream.

Multiply-with-carry on 32-bit halves: nothing in it overflows, so compiled and plain
Python draw the same numbers. Fair deals between people do not use this: see `match.fair`.
"""

import numpy as np

from caramba.games.compiled import compiled

MULTIPLIER = np.uint64(4294883355)
LOW_HALF = np.uint64(0xFFFFFFFF)
HALF = np.uint64(32)


def streams(seed: int, many: int) -> np.ndarray:
    """Independent random streams, one a row; the first ones do not depend on how many."""
    state = np.random.SeedSequence(seed).generate_state(many, np.uint64)
    return np.maximum(state, 1)[:, np.newaxis]


@compiled
def below(rng, n):
    """A uniform whole number from 0 to n - 1."""
    low = rng[0] & LOW_HALF
    high = rng[0] >> HALF
    rng[0] = low * MULTIPLIER + high
    return np.int64((low ^ high) * np.uint64(n) >> HALF)


@compiled
def pick(weights, n, rng):
    """One of the first n places of a list of weights, by weight."""
    total = 0
    for i in range(n):
        total += int(weights[i])
    left = below(rng, total)
    for i in range(n):
        left -= int(weights[i])
        if left < 0:
            return i
    return -1
