"""Builds the page for the browser from web/, where it is not built yet or its sources have changed.

Runs on a bare Python: standard library only. Node.js comes from the environment in .venv.
"""

import hashlib
import os
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
NODE = ROOT / ".venv" / "bin"
WEB = ROOT / "web"
PACKAGES = WEB / "node_modules" / "installed.txt"
"""Which packages are there."""
PAGE = ROOT / "src" / "caramba" / "page" / "index.html"
MADE_FROM = ROOT / ".venv" / "page.txt"
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


def build(progress: Progress) -> None:
    """Fetch what the page is built with, if need be, and build it."""
    made_from = sources()
    install(progress)
    npm("building the page", progress, "run", "build", "--silent")
    MADE_FROM.write_text(made_from)


def install(progress: Progress) -> None:
    """Fetch the packages that are declared, unless they are there."""
    wanted = hashlib.sha256((WEB / "package-lock.json").read_bytes()).hexdigest()
    if not says(PACKAGES, wanted):
        # As locked, but unlike `ci` content with a mirror that lacks packages for other systems.
        quietly = ("--no-save", "--no-audit", "--no-fund")
        npm("fetching what the page is built with, 105 MB", progress, "install", *quietly)
        PACKAGES.write_text(wanted)


def says(file: Path, text: str) -> bool:
    """Whether a file says just that."""
    return file.exists() and file.read_text() == text


def npm(doing: str, progress: Progress, *arguments: str) -> None:
    """Run npm in the folder of the page, telling every second that it is still at it."""
    environment = {**os.environ, "PATH": f"{NODE}{os.pathsep}{os.environ.get('PATH', '')}"}
    started = time.monotonic()
    with tempfile.TemporaryFile("w+") as said:
        running = subprocess.Popen(
            [NODE / "npm", *arguments], cwd=WEB, env=environment, stdout=said, stderr=said
        )
        try:
            while running.poll() is None:
                progress(f"{doing} ({time.monotonic() - started:.0f} s) ...")
                time.sleep(0.5)
        finally:
            running.terminate()
            progress("")
        said.seek(0)
        if running.returncode:
            raise NotBuilt(explain(doing, said.read()))


def explain(doing: str, output: str) -> str:
    """What went wrong, and what helps."""
    if any(word in output for word in UNREACHABLE):
        return (
            "the npm registry cannot be reached, and the page is not built yet. Connect to the"
            " network, then run this again."
        )
    lines = [line for line in output.splitlines() if line.strip()][-20:]
    return "\n".join([f"{doing} failed. npm says:", *lines])
