"""Every check of the project, one after the other, with a summary at the end.

./test            all of them
./test NAME ...   some of them, by name
"""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PYTHON = (sys.executable, "-m")
NPM = (str(Path(sys.executable).with_name("npm")), "--prefix", "web", "run", "--silent")
PYTEST = (*PYTHON, "pytest", "-q", "-n", "2", "--dist", "worksteal")
BROWSER = "--ignore=tests/browser"
RULES = ("cache", "choices", "compiled", "contract", "match", "paper", "play", "secrecy")
PLAIN = ("tests/games", *(f"tests/test_{name}.py" for name in RULES))
"""What runs a second time as plain Python: all that is about the rules."""
COVERAGE = ("--cov", "--cov-report=term", "--cov-fail-under=100")

CHECKS: dict[str, tuple[tuple[tuple[str, ...], ...], dict[str, str]]] = {
    "format": (((*PYTHON, "ruff", "format", "--check", "."), (*NPM, "format-check")), {}),
    "lint": (((*PYTHON, "ruff", "check", "."),), {}),
    "types": (((*PYTHON, "mypy"),), {}),
    "page-types": (((*NPM, "check"),), {}),
    "page-logic": (((*NPM, "test"),), {}),
    "compiled": (((*PYTEST, BROWSER),), {}),
    "uncompiled": (((*PYTEST, *COVERAGE, *PLAIN),), {"NUMBA_DISABLE_JIT": "1"}),
    "browser": (((*PYTEST, "tests/browser"),), {}),
}
"""Name, commands, and what they add to the environment."""


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
    print(f"        {'all':12} {sum(seconds for _, _, seconds in results):6.1f} s")
    return 0 if all(good for _, good, _ in results) else 1


def run(name: str) -> tuple[bool, float]:
    """Run one check: whether it is good, and how long it took."""
    commands, environment = CHECKS[name]
    started = time.monotonic()
    PREPARE.get(name, lambda: None)()
    good = [is_good(name, command, environment) for command in commands]
    return all(good), time.monotonic() - started


def is_good(name: str, command: tuple[str, ...], environment: dict[str, str]) -> bool:
    """Run one command of a check: whether it has nothing to complain about."""
    print(f"\n== {name}: {' '.join(command)}", flush=True)
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(command, cwd=ROOT, env={**os.environ, "PATH": path, **environment})
    return done.returncode == 0


def install_browser() -> None:
    """Debian's Chromium, where there is none and we may install it; else the tests say so."""
    sys.path.insert(0, str(ROOT / "tests"))
    from browser_kit import find_browser

    if find_browser() or os.geteuid() != 0 or not shutil.which("apt-get"):
        return
    print("installing chromium for the tests in a browser ...", flush=True)
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for command in (
        "apt-get update -qq",
        "apt-get install -y -qq --no-install-recommends chromium",
    ):
        subprocess.run(command.split(), env=quiet, stdout=subprocess.DEVNULL)


PREPARE: dict[str, Callable[[], None]] = {"browser": install_browser}
"""What has to be there first."""


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
