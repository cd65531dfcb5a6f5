"""How long the first compile, a cached start and random play take; the last also uncompiled.

Run it from the checkout: .venv/bin/python bench/start.py. Medians of several runs. This says
nothing about other software; it compares Caramba with itself in one run.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping

REPEATS = 5
Table = tuple[str, int, tuple[str, ...]]


def timed(*arguments: str, environment: Mapping[str, str] | None = None) -> tuple[float, str]:
    """Seconds that a caramba command takes, and what it prints."""
    started = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-m", "caramba", *arguments],
        env={**os.environ, **(environment or {})},
        capture_output=True,
        text=True,
        check=True,
    )
    return time.perf_counter() - started, done.stdout


TABLES: tuple[Table, ...] = (
    ("auction", 2, ()),
    ("auction", 3, ()),
    ("auction", 4, ()),
    ("race", 4, ()),
    ("race", 4, ("-o", "persuasion=false")),
    ("race", 6, ()),
    ("race", 6, ("-o", "persuasion=false")),
    ("cards", 2, ()),
    ("cards", 4, ()),
    ("cards", 8, ()),
)
"""Game, players, options."""


def speed(table: Table, games: int, environment: Mapping[str, str]) -> float:
    """Decisions a second of random play."""
    game, players, options = table
    arguments = ["--players", str(players), "--games", str(games), "--seed", "1", "--json"]
    _, out = timed("simulate", game, *arguments, *options, environment=environment)
    figures = json.loads(out)
    return float(figures["decisions"]) / float(figures["seconds"])


def median(values: list[float]) -> float:
    """The middle one."""
    return statistics.median(values)


def main() -> None:
    """Measure, and print a table."""
    with tempfile.TemporaryDirectory() as folder:
        cache = {"CARAMBA_CACHE_DIR": folder}
        plain = {"NUMBA_DISABLE_JIT": "1"}
        first, _ = timed("compile", environment=cache)
        print(f"first compile                       {first:8.1f} s")
        helps = [timed("--help")[0] for _ in range(REPEATS)]
        print(f"caramba --help                      {median(helps):8.2f} s")
        one = ["simulate", "auction", "--games", "1"]
        starts = [timed(*one, environment=cache)[0] for _ in range(REPEATS)]
        print(f"cached start to the first game      {median(starts):8.2f} s")
        for table in TABLES:
            fast, slow = [], []
            for _ in range(REPEATS):
                fast.append(speed(table, 10_000, cache))
                slow.append(speed(table, 3, plain))
            ratio = median([f / s for f, s in zip(fast, slow, strict=True)])
            game, players, options = table
            print(
                f"{game}, {players} players{' without persuasion' if options else ''}:"
                f" {median(fast):,.0f} decisions a second, {ratio:,.0f} times uncompiled"
            )


if __name__ == "__main__":
    main()
