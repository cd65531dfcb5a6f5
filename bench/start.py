"""How long the first compile and a cached start take.

Run it from the checkout: .venv/bin/python bench/start.py. How fast play is: caramba bench.
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping

REPEATS = 5


def timed(*arguments: str, environment: Mapping[str, str] | None = None) -> float:
    """Seconds that a caramba command takes."""
    started = time.perf_counter()
    subprocess.run(
        [sys.executable, "-m", "caramba", *arguments],
        env={**os.environ, **(environment or {})},
        capture_output=True,
        check=True,
    )
    return time.perf_counter() - started


def main() -> None:
    """Measure, and print a table."""
    with tempfile.TemporaryDirectory() as folder:
        cache = {"CARAMBA_CACHE_DIR": folder}
        first = timed("compile", environment=cache)
        print(f"first compile of all games          {first:8.1f} s")
        helps = [timed("--help") for _ in range(REPEATS)]
        print(f"caramba --help                      {statistics.median(helps):8.2f} s")
        one = ["simulate", "cards", "--games", "1"]
        starts = [timed(*one, environment=cache) for _ in range(REPEATS)]
        print(f"cached start to the first game      {statistics.median(starts):8.2f} s")


if __name__ == "__main__":
    main()
