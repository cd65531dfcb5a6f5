"""Builds the page for the browser from web/, where it is not built yet or its sources have changed.

Runs on a bare Python: standard library only. Node.js is that of the environment in .venv, or the
machine's where that is new enough.
"""

import hashlib
import json
import os
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
NODE = ROOT / ".venv" / "bin"
WEB = ROOT / "web"
PACKAGES = WEB / "node_modules" / "installed.txt"
"""Which packages are there."""
PAGE = ROOT / "src" / "caramba" / "page" / "index.html"
MADE_FROM = WEB / "node_modules" / "built.txt"
"""What the page was built from."""
UNREACHABLE = ("ECONNREFUSED", "ENOTFOUND", "ETIMEDOUT", "EAI_AGAIN", "ECONNRESET")

Progress = Callable[[str], None]


class NotBuilt(Exception):
    """Why there is no page."""


def sources() -> str:
    """What the page is made from, by name, size and time: enough to notice a change."""
    folders = (WEB.glob("*.*"), (WEB / "src").rglob("*"), (WEB / "public").rglob("*"))
    files = sorted(path for folder in folders for path in folder if path.is_file())
    facts = ((path.relative_to(WEB), path.stat()) for path in files)
    text = "".join(f"{name} {stat.st_size} {stat.st_mtime_ns}\n" for name, stat in facts)
    return hashlib.sha256(text.encode()).hexdigest()


def is_built() -> bool:
    """Whether the page is that of the sources; where there are none, it came with the package."""
    return not WEB.exists() or (PAGE.exists() and says(MADE_FROM, sources()))


def is_due(tests: bool) -> bool:
    """Whether there is something to fetch or to build: for its tests more than for the page."""
    return not is_built() or (tests and WEB.exists() and not has_packages(tests))


def build(progress: Progress, tests: bool) -> None:
    """Fetch what the page is built with, if need be, and build it."""
    made_from, npm = sources(), npm_here()
    if not npm:
        raise NotBuilt("there is no Node.js to build the page with; run this again to install it.")
    if not has_packages(tests):
        # As locked, but unlike `ci` content with a mirror that lacks packages for other systems.
        how = ("--no-save", "--no-audit", "--no-fund", *(() if tests else ("--omit=dev",)))
        run("fetching what the page is built with", progress, npm, "install", *how)
        PACKAGES.write_text(locked(tests))
    run("building the page", progress, npm, "run", "build", "--silent")
    MADE_FROM.write_text(made_from)


def has_packages(tests: bool) -> bool:
    """Whether all packages are there that are declared: the tests need more."""
    return says(PACKAGES, locked(True)) or (not tests and says(PACKAGES, locked(False)))


def locked(tests: bool) -> str:
    """Which packages are declared."""
    digest = hashlib.sha256((WEB / "package-lock.json").read_bytes()).hexdigest()
    return f"{digest} with those for tests" if tests else digest


def says(file: Path, text: str) -> bool:
    """Whether a file says just that."""
    return file.exists() and file.read_text() == text


def run(doing: str, progress: Progress, *command: str) -> None:
    """Run npm in the folder of the page, telling every second that it is still at it."""
    path = f"{NODE}{os.pathsep}{os.environ.get('PATH', '')}"
    started = time.monotonic()
    with tempfile.TemporaryFile("w+") as said:
        running = subprocess.Popen(
            command, cwd=WEB, env={**os.environ, "PATH": path}, stdout=said, stderr=said
        )
        try:
            while running.poll() is None:
                progress(f"{doing} ({time.monotonic() - started:.0f} s) ...")
                with suppress(subprocess.TimeoutExpired):
                    running.wait(0.5)
        finally:
            running.terminate()
        progress("")
        said.seek(0)
        if running.returncode:
            raise NotBuilt(explain(doing, said.read()))


def npm_here() -> str | None:
    """The npm to use: that of the environment, or the machine's if its Node.js is new enough."""
    ours = NODE / "npm"
    if ours.exists():
        return str(ours)
    node, npm = shutil.which("node"), shutil.which("npm")
    return npm if node and npm and is_new_enough(node) else None


def is_new_enough(node: str) -> bool:
    """Whether the page can be built with it, as package.json says under `engines`."""
    try:
        told = subprocess.run([node, "--version"], capture_output=True, text=True).stdout
    except OSError:
        return False
    engines = json.loads((WEB / "package.json").read_text())["engines"]["node"]
    version = _numbers(told)
    return any(_suits(version, wanted.strip()) for wanted in engines.split("||"))


def _suits(version: tuple[int, ...], wanted: str) -> bool:
    """Whether a version is as told: `^20.19`, so or newer with the same first number; or `>=24`."""
    least = _numbers(wanted)
    return version >= least and (wanted.startswith(">=") or version[0] == least[0])


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(map(int, re.findall(r"\d+", text)))


def explain(doing: str, output: str) -> str:
    """What went wrong, and what helps."""
    if any(word in output for word in UNREACHABLE):
        return (
            "the npm registry cannot be reached, and the page is not built yet. Connect to the"
            " network, then run this again."
        )
    lines = [line for line in output.splitlines() if line.strip()][-20:]
    return "\n".join([f"{doing} failed. npm says:", *lines])
