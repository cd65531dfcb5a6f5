"""An environment of their own for the peers: exactly these versions, installed once."""

import errno
import fcntl
import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from caramba.games import cache

PINS = Path(__file__).with_name("pins.txt")
PACKAGES = {
    "OpenSpiel": ("open-spiel",),
    "Pgx": ("pgx", "jax"),
    "RLCard": ("rlcard",),
    "PettingZoo": ("pettingzoo", "rlcard", "shimmy", "open-spiel", "pygame-ce"),
}
"""What to install for each peer; versions, also of what these need, are in pins.txt."""
BUSY = ("Collecting", "Downloading", "Processing", "Installing collected", "Building")
UNREACHABLE = (
    "NewConnectionError",
    "ConnectTimeout",
    "name resolution",
    "NameResolutionError",
    "ProxyError",
    "(from versions: none)",
)
WORDS = "Caramba keeps the peers of its benchmark here, and empties this folder to renew them.\n"
SOMETHING_ELSE = "there is something else in it"
NO_NETWORK = "not installed, the package registry cannot be reached"

Tell = Callable[[str], None]


class Environment:
    """A folder of our own with an interpreter and the peers; a stamp says which are complete."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = (folder or cache.root() / "bench-peers").absolute()
        self.made = self.folder / "environment"
        self.python = self.made / "bin" / "python"
        self.stamp = self.made / "peers.json"

    def complete(self) -> set[str]:
        """The peers that are installed in these versions."""
        try:
            stamp = json.loads(self.stamp.read_text())
            return set(stamp["complete"]) if stamp["pins"] == PINS.read_text() else set()
        except (OSError, ValueError, KeyError, TypeError):
            return set()

    def prepare(self, tell: Tell) -> dict[str, str]:
        """Install what is missing; return the peers that cannot be had, with reasons."""
        try:
            with self.claim().open() as lock:
                fcntl.flock(lock, fcntl.LOCK_EX)
                return self._install_missing(tell)
        except OSError as error:
            reason = f"cannot keep peers in {self.folder}: {error.strerror}"
            tell(f"{reason}; going on without them")
            return dict.fromkeys(PACKAGES, reason)

    def claim(self) -> Path:
        """The marker in our folder; the environment in it, which will be emptied, has one, too."""
        marker = _marker_of(self.folder)
        if self.made.is_symlink():
            raise OSError(errno.EEXIST, SOMETHING_ELSE)
        _marker_of(self.made)
        return marker

    def _install_missing(self, tell: Tell) -> dict[str, str]:
        complete = self.complete()
        if complete >= PACKAGES.keys():
            return {}
        if not complete and (reason := self._make(tell)):
            tell(f"{reason}; going on without peers")
            return dict.fromkeys(PACKAGES, reason)
        failed: dict[str, str] = {}
        for name in [name for name in PACKAGES if name not in complete]:
            if NO_NETWORK in failed.values():
                failed[name] = NO_NETWORK
            elif reason := self._install(name, tell):
                failed[name] = reason
            else:
                complete.add(name)
                stamp = {"pins": PINS.read_text(), "complete": sorted(complete)}
                self.stamp.write_text(json.dumps(stamp))
        _tell_failures(failed, tell)
        return failed

    def _make(self, tell: Tell) -> str:
        """Make an environment with pip in it; return what went wrong, if anything."""
        tell(f"setting up an environment of about 750 MB for the peers in {self.folder} (once)")
        _empty(self.made)
        base = getattr(sys, "_base_executable", sys.executable)
        made = subprocess.run([base, "-m", "venv", self.made], capture_output=True, text=True)
        if made.returncode == 0:
            return ""
        lines = (made.stdout + made.stderr).strip().splitlines()
        return f"could not make an environment: {lines[-1] if lines else 'no reason given'}"

    def _install(self, name: str, tell: Tell) -> str:
        """Install one peer, showing each package; return what went wrong, if anything."""
        command = [str(self.python), "-I", "-m", "pip", "install", "--no-input", "--retries", "2"]
        command += ["--disable-pip-version-check", "--constraint", str(PINS), *PACKAGES[name]]
        lines = []
        with subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        ) as pip:
            assert pip.stdout
            for line in map(str.strip, pip.stdout):
                lines.append(line)
                if line.startswith(BUSY):
                    tell(f"{name}: {line[:100]}")
        return _reason(lines) if pip.returncode else ""


def _marker_of(folder: Path) -> Path:
    """The marker that only we write. A folder that holds something, but not this, is not ours."""
    folder.mkdir(parents=True, exist_ok=True)
    marker = folder / cache.MARKER
    if not any(folder.iterdir()):
        marker.write_text(WORDS)
    if marker.is_symlink() or not marker.is_file() or marker.read_bytes() != WORDS.encode():
        raise OSError(errno.EEXIST, SOMETHING_ELSE)
    return marker


def _empty(folder: Path) -> None:
    """Delete what is in a folder but the marker: also if this is broken off, it is still ours."""
    for path in folder.iterdir():
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        elif path.name != cache.MARKER:
            path.unlink()


def _reason(lines: list[str]) -> str:
    """Why pip failed."""
    text = "\n".join(lines)
    if any(word in text for word in UNREACHABLE):
        return NO_NETWORK
    errors = [line for line in lines if line.startswith("ERROR")]
    return f"not installed, {errors[-1][7:100] if errors else 'pip gave no reason'}"


def _tell_failures(failed: dict[str, str], tell: Tell) -> None:
    """One line a reason."""
    for reason in dict.fromkeys(failed.values()):
        who = ", ".join(name for name in failed if failed[name] == reason)
        tell(f"{who}: {reason}; going on without")
