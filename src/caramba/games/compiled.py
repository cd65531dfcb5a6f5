"""Compiling the rules: one decorator, and a cache that notices every change.

Numba keys its cache on a function's own file and does not see that a function it calls
has changed elsewhere. So the cache folder is named after everything the rules are made of.
"""

import hashlib
import os
import platform
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numba

from caramba.games.errors import InvalidSetup

RULES = Path(__file__).parent


def cache_root() -> Path:
    """Where compiled rules are kept: CARAMBA_CACHE_DIR, or the user's cache folder."""
    if chosen := os.environ.get("CARAMBA_CACHE_DIR"):
        return Path(chosen)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "caramba"


def fingerprint(*folders: Path) -> str:
    """A short name for the sources in these folders under these versions."""
    digest = hashlib.sha256()
    for part in (version("numba"), version("numpy"), platform.python_version()):
        digest.update(part.encode() + b"\0")
    for folder in folders:
        for source in sorted(folder.rglob("*.py")):
            digest.update(source.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def usable(folder: Path) -> Path:
    """The folder, made if need be."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "in use").touch()
    except OSError as error:
        raise InvalidSetup(
            f"cannot keep compiled rules in {folder}: {error.strerror};"
            " set CARAMBA_CACHE_DIR to a folder of yours"
        ) from None
    return folder


def cache_of(*folders: Path) -> Path:
    """The folder of what is compiled from the rules and from these sources."""
    return usable(cache_root() / fingerprint(RULES, *folders))


settings: Any = numba.config
IS_COMPILED = not settings.DISABLE_JIT
"""False where NUMBA_DISABLE_JIT=1 has the rules run as plain Python."""
_njit: Any = numba.njit


def cached_in(folder: Path) -> Any:
    """A decorator: the function is compiled once, then read from this folder."""

    def compiled(function: Any) -> Any:
        settings.CACHE_DIR = str(folder)  # read when a function is decorated
        options = {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True}
        return _njit(cache=True, **options)(function)

    return compiled


CACHE = cache_of()
compiled = cached_in(CACHE)
"""Marks a function of the rules: compiled once, then read from the cache."""
