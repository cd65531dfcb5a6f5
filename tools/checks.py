"""Every check of the project, one after the other, with a summary at the end.

./test            all of them
./test NAME ...   some of them, by name
"""

import os
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PYTEST = ("pytest", "-q", "-n", "2", "--dist", "worksteal")
RULES_ONLY = ("--ignore-glob=tests/test_server*", "--ignore=tests/test_soak.py")
"""Uncompiled, the server would be tried a second time for nothing: it has nothing to compile."""
COVERAGE = ("--cov", "--cov-report=term", "--cov-fail-under=100")

CHECKS: dict[str, tuple[tuple[str, ...], dict[str, str]]] = {
    "format": (("ruff", "format", "--check", "."), {}),
    "lint": (("ruff", "check", "."), {}),
    "types": (("mypy",), {}),
    "compiled": (PYTEST, {}),
    "uncompiled": ((*PYTEST, *COVERAGE, *RULES_ONLY), {"NUMBA_DISABLE_JIT": "1"}),
}
"""Name, Python module to run with its arguments, and what it adds to the environment."""


def main(names: list[str]) -> int:
    """Run the named checks, or all; 0 if every one is good, 2 for a name there is not."""
    unknown = [name for name in names if name not in CHECKS]
    if unknown:
        print(f"test: no check {unknown[0]!r}; there are {', '.join(CHECKS)}", file=sys.stderr)
        return 2
    results = [(name, *run(name)) for name in names or CHECKS]
    print("\n== summary")
    for name, good, seconds in results:
        print(f"{'ok    ' if good else 'FAILED'}  {name:12} {seconds:6.1f} s")
    return 0 if all(good for _, good, _ in results) else 1


def run(name: str) -> tuple[bool, float]:
    """Run one check: whether it is good, and how long it took."""
    command, environment = CHECKS[name]
    print(f"\n== {name}: {' '.join(command)}", flush=True)
    started = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-m", *command], cwd=ROOT, env={**os.environ, **environment}
    )
    return done.returncode == 0, time.monotonic() - started


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
