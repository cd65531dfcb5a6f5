"""Bringing a network nearer to what decisions came to: Adam, on the squares of its errors."""

from typing import NamedTuple

import numpy as np

from caramba.bots.compiled import in_any_order
from caramba.bots.network.network import NARROW, QUIET, WIDE, judge_sums, sum_rows
from caramba.bots.network.sheet import HEAD, YESES

FIRST, SECOND, TINY = np.float32(0.9), np.float32(0.999), np.float32(1e-8)
ONE = np.float32(1)
"""Adam's constants: how long it remembers slopes and their squares."""


class Bench(NamedTuple):
    """Room for what is worked out on the way."""

    sums: np.ndarray
    narrow: np.ndarray
    pull: np.ndarray


def bench() -> Bench:
    """Room for one thread."""
    return Bench(
        np.zeros(WIDE, np.float32), np.zeros(NARROW, np.float32), np.zeros(WIDE, np.float32)
    )


@in_any_order
def add_slopes(weights, sheets, targets, order, slopes, bench):
    """Add up the slopes of these decisions; return the sum of the squared errors."""
    squares = 0.0
    for place in order:
        sheet = sheets[place]
        sum_rows(weights, sheet, bench.sums)
        error = judge_sums(weights, bench.sums, bench.narrow) - targets[place]
        squares += error * error
        back_through(weights, sheet, error, slopes, bench)
    return squares


@in_any_order
def back_through(weights, sheet, error, slopes, bench):
    """The slopes of one decision, from the answer back to the rows of its yeses."""
    slopes.out[NARROW] += error
    bench.pull[:] = 0
    for j in range(NARROW):
        if bench.narrow[j] > 0:
            slopes.out[j] += error * bench.narrow[j]
            pull_back(weights.across[j], slopes.across[j], error * weights.out[j], bench)
            slopes.narrow[j] += error * weights.out[j]
    for i in range(WIDE):
        if bench.sums[i] <= 0:
            bench.pull[i] = 0
        slopes.wide[i] += bench.pull[i]
    for i in range(HEAD, HEAD + sheet[YESES]):
        slope = slopes.rows[sheet[i]]
        for j in range(WIDE):
            slope[j] += bench.pull[j]


@in_any_order
def pull_back(row, slope, pull, bench):
    """The slopes of one unit of the second layer, and how it pulls at those of the first."""
    for i in range(WIDE):
        slope[i] += pull * max(bench.sums[i], QUIET)
        bench.pull[i] += pull * row[i]


@in_any_order
def step_down(theta, mean, slopes, first, second, part, rate, warm, keep):
    """One step of Adam for slopes that were added up; each was so small a part of them.

    They are forgotten then. `warm` makes up for what the two memories are short of at the
    beginning. `mean` is a running mean of the weights, of which so much is kept.
    """
    for i in range(len(theta)):
        slope = slopes[i] * part
        slopes[i] = 0
        first[i] = FIRST * first[i] + (ONE - FIRST) * slope
        second[i] = SECOND * second[i] + (ONE - SECOND) * slope * slope
        theta[i] -= rate * (first[i] * warm[0]) / (np.sqrt(second[i] * warm[1]) + TINY)
        mean[i] = keep * mean[i] + (ONE - keep) * theta[i]
