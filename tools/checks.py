"""Every check of the project, one after the other, with a summary at the end.

./test            all of them but `long`
./test NAME ...   some of them, by name
"""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from threading import Lock

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))

import engines  # noqa: E402

PYTHON = (sys.executable, "-m")
NPM = (str(Path(sys.executable).with_name("npm")), "--prefix", "web", "run", "--silent")
PYTEST = (*PYTHON, "pytest", "-q", "-n", "3", "--dist", "worksteal")
AGAIN = ("--reruns", "1", "-rfERs", "--durations", "12")
"""Real browsers and servers on a crowded machine: what fails is tried once more, and named; and so
are the slowest."""
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
    "compiled": (((*PYTEST, *AGAIN, BROWSER),), {}),
    "uncompiled": (((*PYTEST, *COVERAGE, *PLAIN),), {"NUMBA_DISABLE_JIT": "1"}),
    "browser": (((*PYTEST, *AGAIN, "tests/browser"),), {}),
    "long": (((*PYTEST, "-m", "long"),), {}),
}
"""Name, commands, and what they add to the environment."""
ON_REQUEST = ("long",)
"""What takes so long that it runs only when it is named."""


def main(names: list[str]) -> int:
    """Run the named checks, or all; 0 if every one is good, 2 for a name there is not."""
    unknown = [name for name in names if name not in CHECKS]
    if unknown:
        print(f"test: no check {unknown[0]!r}; there are {', '.join(CHECKS)}", file=sys.stderr)
        return 2
    chosen = names or [name for name in CHECKS if name not in ON_REQUEST]
    for name in chosen:
        for work in PREPARE.get(name, ()):
            begun(work)
    results = [(name, *run(name)) for name in chosen]
    print("\n== summary")
    for name, good, seconds in results:
        print(f"{'ok    ' if good else 'FAILED'}  {name:12} {seconds:6.1f} s")
    print(f"        {'all':12} {sum(seconds for _, _, seconds in results):6.1f} s")
    for engine in engines.missing():
        print(f"NOT RUN {engine:12} is not here: nothing was tested with it")
    return 0 if all(good for _, good, _ in results) else 1


def run(name: str) -> tuple[bool, float]:
    """Run one check: whether it is good, and how long it took."""
    commands, environment = CHECKS[name]
    started = time.monotonic()
    for work in PREPARE.get(name, ()):
        begun(work).result()
    good = [is_good(name, command, environment) for command in commands]
    return all(good), time.monotonic() - started


def is_good(name: str, command: tuple[str, ...], environment: dict[str, str]) -> bool:
    """Run one command of a check: whether it has nothing to complain about."""
    print(f"\n== {name}: {' '.join(command)}", flush=True)
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(command, cwd=ROOT, env={**os.environ, "PATH": path, **environment})
    return done.returncode == 0


def install_browser() -> None:
    """Debian's Chromium, without windows where there is such a one; else the tests say so."""
    from browser_kit import SHELL, find_browser

    if not shutil.which(SHELL):
        install(SHELL)
    if not find_browser():
        install("chromium")


def install_engines() -> None:
    """Debian's PostgreSQL and Redis, where there are none: tests start their own from these."""
    if names := engines.missing():
        install(*(engines.NEEDED[name][1] for name in names))


def install(*packages: str) -> None:
    """Debian's packages, where we may install them."""
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        return
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    with ONE_AT_A_TIME, no_services():
        print(f"installing {' and '.join(packages)} for the tests ...", flush=True)
        for command in (
            ("apt-get", "update", "-qq"),
            ("apt-get", "install", "-y", "-qq", "--no-install-recommends", *packages),
        ):
            subprocess.run(command, env=quiet, stdout=subprocess.DEVNULL)


@contextmanager
def no_services() -> Iterator[None]:
    """What is installed meanwhile is not started: Debian asks this file, where there is one."""
    policy = Path("/usr/sbin/policy-rc.d")
    if policy.exists():
        yield
        return
    policy.write_text("#!/bin/sh\nexit 101\n")
    policy.chmod(0o755)
    try:
        yield
    finally:
        policy.unlink()


def compile_rules() -> None:
    """All rules, once, rather than in every process that tests."""
    subprocess.run([*PYTHON, "caramba", "compile"], check=True)


PREPARE: dict[str, tuple[Callable[[], None], ...]] = {
    "compiled": (compile_rules, install_engines),
    "browser": (compile_rules, install_browser),
    "long": (compile_rules, install_browser),
}
"""What has to be there first."""
ONE_AT_A_TIME = Lock()
ASIDE = ThreadPoolExecutor()


@cache
def begun(work: Callable[[], None]) -> Future[None]:
    """Something that is done once, beside the checks that do not need it."""
    return ASIDE.submit(work)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
