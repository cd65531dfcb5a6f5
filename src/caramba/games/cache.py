"""Where compiled rules are kept, and when they are forgotten.

Numba keys its cache on a function's own file and does not see that a function it calls
has changed elsewhere. So a folder is named after everything the rules are made of, and the
folders of rules as they once were are cleared away when nobody has used them for long.

The root is a folder of the user's, who may keep anything else there: only what is proved to
be ours is deleted, by its place, its name and the marker in it.
"""

import fcntl
import hashlib
import os
import platform
import re
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.metadata import version
from pathlib import Path

from llvmlite.binding import get_host_cpu_name

from caramba.games.errors import InvalidSetup

RULES = Path(__file__).parent
HOME = "compiled-rules"
"""The folder in the root where all compiled rules are."""
MARKER = "made by caramba"
"""The file in a folder of ours; it is as old as the last start that used the folder."""
WORDS = "Caramba keeps compiled rules here, and deletes this folder when it is not used.\n"
MONTH = 30 * 24 * 3600


def root() -> Path:
    """Where things are kept that can be made again: CARAMBA_CACHE_DIR, or the user's cache."""
    if chosen := os.environ.get("CARAMBA_CACHE_DIR"):
        return Path(chosen)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "caramba"


def fingerprint(*folders: Path) -> str:
    """A short name for the sources in these folders under these versions, on this processor."""
    digest = hashlib.sha256()
    processor = os.environ.get("NUMBA_CPU_NAME") or get_host_cpu_name()
    for part in (version("numba"), version("numpy"), platform.python_version(), processor):
        digest.update(part.encode() + b"\0")
    for folder in folders:
        for source in sorted(folder.rglob("*.py")):
            digest.update(source.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def cache_of(*folders: Path) -> Path:
    """The folder of what is compiled from the rules and from these sources."""
    return usable(root() / HOME / fingerprint(RULES, *folders))


def usable(folder: Path) -> Path:
    """The folder, made if need be, and marked as ours and in use."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with suppress(FileExistsError), (folder / MARKER).open("x") as marker:
            marker.write(WORDS)
        os.utime(folder / MARKER, follow_symlinks=False)
    except OSError as error:
        raise InvalidSetup(
            f"cannot keep compiled rules in {folder}: {error.strerror};"
            " set CARAMBA_CACHE_DIR to a folder of yours"
        ) from None
    return folder


@contextmanager
def alone_in(folder: Path) -> Iterator[None]:
    """Nobody else writes to the folder meanwhile, in this process or another."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def is_ours(folder: Path) -> bool:
    """Whether we made it: a true folder, named as we name, with the marker that only we write."""
    named = re.fullmatch("[0-9a-f]{16}", folder.name)
    return bool(named) and not folder.is_symlink() and _is_marker(folder / MARKER)


def _is_marker(file: Path) -> bool:
    return file.is_file() and not file.is_symlink() and file.read_bytes() == WORDS.encode()


def forget_unused(home: Path) -> None:
    """Delete the compiled rules in our folder that no start has used for a month."""
    if home.is_symlink():
        return
    for folder in home.iterdir():
        with suppress(OSError):  # somebody else may be clearing away, too
            if is_ours(folder) and _unused(folder):
                shutil.rmtree(folder)


def _unused(folder: Path) -> bool:
    return time.time() - (folder / MARKER).lstat().st_mtime > MONTH
