"""Compares the exact odds of the Race with a million sampled turns.

Run it from the checkout: .venv/bin/python bench/odds.py [SAMPLES]. For several positions and
numbers of dice it compares the exact distribution of where a turn ends, and its expected cost,
with sampled turns. Reports the largest deviation in standard errors; beyond 5 something is wrong.
"""

import math
import sys
from random import Random
from typing import Any

import numpy as np
from rich.progress import track

from caramba.games.chance import streams
from caramba.games.compiled import compiled
from caramba.games.contract import CHANCE
from caramba.games.generic import actor, apply, random_step
from caramba.games.race.odds import MINE, turn_odds
from caramba.games.race.rules import roll
from caramba.games.race.state import SPACES
from caramba.match.match import Match

POSITIONS = 10


@compiled
def sample(start, states, hat, dice, samples, rng, mask, ends, money):  # type: ignore[no-untyped-def]
    """Roll the same turn again and again; count where it ends and what it brings."""
    for _ in range(samples):
        states[0] = start[0]
        s = states[0]
        seat = s.seat
        before = int(s.money[seat])
        roll(s, dice)
        space = int(s.position[hat])
        while s.race == start[0].race and actor(s) == CHANCE and s.order[s.place] == hat:
            apply(s, random_step(s, CHANCE, mask, rng))
            space = int(s.position[hat]) if s.arrival[hat] == 0 else MINE
        ends[space] += 1
        gain = int(s.money[seat]) - before
        money[0] += gain
        money[1] += gain * gain


def positions() -> list[Match]:
    """Positions in which a mover is to choose its dice, and the race cannot end at once."""
    found: list[Match] = []
    seed = 0
    while len(found) < POSITIONS:
        random, match = Random(seed), Match("race", players=4 + seed % 3, seed=seed)
        seed += 1
        while match.actor is not None and len(found) < POSITIONS:
            match.deal()
            if match.actor is None:
                break
            view = match.view(match.actor)
            crowded = sum(hat.space is not None for hat in view.hats) > 2
            if view.phase == "dice" and crowded and random.random() < 0.05:
                found.append(match.copy())
                break
            match.play(random.choice([text for text in match.legal() if "offer" not in text]))
    return found


def deviation(match: Match, dice: int, samples: int, rng: Any) -> float:
    """The largest difference between exact and sampled, in standard errors."""
    view = match.view(match.actor or 0)
    ends, money = np.zeros(SPACES + 1, np.int64), np.zeros(2, np.int64)
    mask = np.zeros(5, np.uint64)
    state = match.state.copy()
    sample(match.state, state, view.order[0], dice, samples, rng, mask, ends, money)
    odds = turn_odds(view, dice)
    worst = 0.0
    for space, exact in odds.ends.items():
        p = float(exact)
        error = math.sqrt(max(p * (1 - p), 1e-12) / samples)
        worst = max(worst, abs(ends[space] / samples - p) / max(error, 1e-9))
    mean = money[0] / samples
    spread = math.sqrt(max(money[1] / samples - mean**2, 1e-12) / samples)
    difference = abs(mean + float(odds.cost))
    return max(worst, difference / spread if difference > 1e-9 else 0.0)


def main(samples: int) -> int:
    """Compare, and print a table."""
    rng = streams(1, 1)[0]
    rows = []
    for match in track(positions(), description="sampling turns"):
        rows += [(match, dice, deviation(match, dice, samples, rng)) for dice in (1, 2, 4)]
    for match, dice, worst in rows:
        print(f"{match.players} players, step {len(match.steps):4}, {dice} dice: {worst:5.2f}")
    largest = max(worst for _, _, worst in rows)
    print(f"largest deviation: {largest:.2f} standard errors in {len(rows)} turns of {samples:,}")
    return 0 if largest < 5 else 1


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000))
