"""Compiling the rules: one decorator."""

from pathlib import Path
from typing import Any

import numba
from numba.extending import overload

from caramba.games.cache import cache_of

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


def no_such_phase() -> int:
    """Where no game can be: an error as plain Python, and nothing that costs time when compiled."""
    raise AssertionError("there is no such phase, or nothing to be done in it")


@overload(no_such_phase)
def _nothing() -> Any:  # pragma: no cover - runs while compiling
    return lambda: 0
