"""Everybody on one scale: ratings by maximum likelihood, and how sure they are.

Each seat of a table wins with odds that grow tenfold with 400 points of rating (Bradley and Terry,
with more players Luce). Who has always lost, or won, would be infinitely far away: a faint belief
that nobody is that far keeps them on the scale. For the intervals, deals are drawn anew.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

POINTS = 400 / np.log(10)
"""Points of rating for odds that are e times as good."""
FAR = 1500 / POINTS
"""The faint belief: a normal distribution this wide."""
STEPS = 100
ALMOST = 1e-9
REDRAWN = 1000
"""So often deals are drawn anew."""


class Meeting(NamedTuple):
    """Games of one bot alone among others who are all alike; bots are known by numbers."""

    one: int
    others: int
    players: int
    won: np.ndarray
    """By deal: the share of victory of the one, added up."""
    games: np.ndarray
    """By deal: how many there were."""


class Rating(NamedTuple):
    """How strong somebody is, with a 95 % interval."""

    points: float
    low: float
    high: float


def ratings(meetings: Sequence[Meeting], bots: int, zero: int) -> list[Rating]:
    """The rating of every bot, compared with that of number `zero`."""
    rng = np.random.default_rng(0)
    found = fit(meetings, [np.ones(len(one.games)) for one in meetings], bots, zero)
    redrawn = [fit(meetings, draw_deals(meetings, rng), bots, zero) for _ in range(REDRAWN)]
    lows, highs = np.percentile(redrawn, [2.5, 97.5], axis=0)
    return [Rating(*map(float, one)) for one in zip(found, lows, highs, strict=True)]


def draw_deals(meetings: Sequence[Meeting], rng: np.random.Generator) -> list[np.ndarray]:
    """How often each deal counts if as many are drawn from those there were."""
    many = [len(one.games) for one in meetings]
    return [rng.multinomial(deals, np.full(deals, 1 / deals)) for deals in many]


def fit(
    meetings: Sequence[Meeting], counts: Sequence[np.ndarray], bots: int, zero: int
) -> np.ndarray:
    """The most likely ratings, by Newton's method in steps that are not too long."""
    won = np.array([c @ one.won for c, one in zip(counts, meetings, strict=True)])
    games = np.array([c @ one.games for c, one in zip(counts, meetings, strict=True)])
    crowd = np.log([one.players - 1 for one in meetings])
    sides = np.zeros((len(meetings), bots))
    for row, one in zip(sides, meetings, strict=True):
        row[one.one], row[one.others] = 1, -1
    strength = np.zeros(bots)
    for _ in range(STEPS):
        expected = 1 / (1 + np.exp(crowd - sides @ strength))
        slope = sides.T @ (won - games * expected) - strength / FAR**2
        bend = (sides.T * (games * expected * (1 - expected))) @ sides + np.eye(bots) / FAR**2
        step = np.linalg.solve(bend, slope)
        strength += step / max(1.0, np.abs(step).max())
        if np.abs(step).max() < ALMOST:
            break
    return (strength - strength[zero]) * POINTS
