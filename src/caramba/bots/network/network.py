"""The network: what a seat knows, as a sheet, to how well it will do.

Two hidden layers of units that are quiet below zero. The first is a sum of one row of weights
for each yes; for the next action, which changes a few yeses, only these are added and taken away.
"""

from typing import NamedTuple

import numpy as np

from caramba.bots.compiled import in_any_order
from caramba.bots.network.sheet import HEAD, YESES

WIDE, NARROW = 128, 32
"""Units of the first hidden layer, and of the second."""


QUIET = np.float32(0)


class Weights(NamedTuple):
    """All that is learned."""

    rows: np.ndarray  # (features, WIDE)
    wide: np.ndarray  # (WIDE,)
    across: np.ndarray  # (NARROW, WIDE)
    narrow: np.ndarray  # (NARROW,)
    out: np.ndarray  # (NARROW + 1,): the last one is added


def size_of(features: int) -> int:
    """How many weights there are in all."""
    return features * WIDE + WIDE + WIDE * NARROW + NARROW + NARROW + 1


def weights_in(theta: np.ndarray, features: int) -> Weights:
    """The weights in one long array: views, so that what changes one changes the other."""
    ends = np.cumsum([features * WIDE, WIDE, WIDE * NARROW, NARROW])
    rows, wide, across, narrow, out = np.split(theta, ends)
    return Weights(rows.reshape(features, WIDE), wide, across.reshape(NARROW, WIDE), narrow, out)


def fresh(features: int, yeses: float, rng: np.random.Generator) -> np.ndarray:
    """Weights that know nothing, for sheets with about so many yeses."""
    theta = np.zeros(size_of(features), np.float32)
    weights = weights_in(theta, features)
    weights.rows[:] = rng.normal(0, (1 / yeses) ** 0.5, weights.rows.shape)
    weights.across[:] = rng.normal(0, (2 / WIDE) ** 0.5, weights.across.shape)
    weights.out[:-1] = rng.normal(0, 0.01 / NARROW**0.5, NARROW)
    return theta


@in_any_order
def sum_rows(weights, sheet, sums):
    """The first layer, from nothing."""
    sums[:] = weights.wide
    for i in range(HEAD, HEAD + sheet[YESES]):
        row = weights.rows[sheet[i]]
        for j in range(WIDE):
            sums[j] += row[j]


@in_any_order
def change_rows(weights, before, after, marks, sums):
    """The first layer after a change: rows of new yeses are added, those of old ones taken away.

    `marks` is a place for each feature, all 0 before and after.
    """
    rows = weights.rows  # handing on all the weights for each row would take longer than the sums
    for i in range(HEAD, HEAD + after[YESES]):
        marks[after[i]] += 1
    for i in range(HEAD, HEAD + before[YESES]):
        marks[before[i]] -= 1
    for sheet in (before, after):
        for i in range(HEAD, HEAD + sheet[YESES]):
            often = np.float32(marks[sheet[i]])
            if often != 0:
                marks[sheet[i]] = 0
                row = rows[sheet[i]]
                for j in range(WIDE):
                    sums[j] += often * row[j]


@in_any_order
def judge_sums(weights, sums, narrow):
    """The rest of the network, and its answer."""
    answer = weights.out[NARROW]
    for j in range(NARROW):
        row = weights.across[j]
        total = weights.narrow[j]
        for i in range(WIDE):
            total += max(sums[i], QUIET) * row[i]
        narrow[j] = max(total, QUIET)
        answer += narrow[j] * weights.out[j]
    return answer
