"""Runs one peer; answers with lines of JSON. Run by the interpreter of the peers.

    serve.py MODULE WAY GAME

It warms up and says {"version": ...}. Then, for every line with a number of seconds, it plays
for about so long and says {"decisions": ..., "chance_steps": ..., "seconds": ...}; null stands
for chance steps that cannot be counted. It ends with its input.

A module has PACKAGE, and a function for every way (`python`, `compiled`) that is given the
game, and returns a function that plays so many units (whatever they are) and returns decisions
and chance steps.
"""

import importlib
import json
import os
import sys
import time
from collections.abc import Callable
from importlib.metadata import version
from typing import TextIO

Units = Callable[[int], tuple[float, float | None]]
BURST = 0.01
"""Seconds between two looks at the clock, about."""


def main() -> None:
    """Warm up, then play whenever told to."""
    answers = own_output()
    name, way, game = sys.argv[1:]
    peer = importlib.import_module(name)
    play_units: Units = getattr(peer, way)(game)
    burst = fitting_burst(play_units)
    answer(answers, {"version": version(peer.PACKAGE)})
    for line in sys.stdin:
        answer(answers, timed(play_units, burst, float(line)))


def own_output() -> TextIO:
    """The standard output for answers only: what libraries print goes to the error stream."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    return answers


def answer(answers: TextIO, content: dict[str, object]) -> None:
    """One line."""
    print(json.dumps(content), file=answers, flush=True)


def fitting_burst(play_units: Units) -> int:
    """How many units take long enough to be worth a look at the clock."""
    play_units(1)
    burst = 1
    while True:
        started = time.perf_counter()
        play_units(burst)
        if time.perf_counter() - started >= BURST:
            return burst
        burst *= 2


def timed(play_units: Units, burst: int, seconds: float) -> dict[str, object]:
    """Play for about so long."""
    decisions, chance_steps = 0.0, None
    started = now = time.perf_counter()
    while now - started < seconds:
        more_decisions, more_chance = play_units(burst)
        decisions += more_decisions
        if more_chance is not None:
            chance_steps = (chance_steps or 0.0) + more_chance
        now = time.perf_counter()
    return {
        "decisions": round(decisions),
        "chance_steps": None if chance_steps is None else round(chance_steps),
        "seconds": now - started,
    }


if __name__ == "__main__":
    main()
