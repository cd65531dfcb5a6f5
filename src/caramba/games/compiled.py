"""Compiling the rules: one decorator."""

from pathlib import Path
from typing import Any

import numba
from numba.core.caching import (
    CompileResultCacheImpl,
    FunctionCache,
    UserProvidedCacheLocator,
)
from numba.extending import overload

from caramba.games.cache import alone_in, cache_of

settings: Any = numba.config
IS_COMPILED = not settings.DISABLE_JIT
"""False where NUMBA_DISABLE_JIT=1 has the rules run as plain Python."""
_njit: Any = numba.njit


def cached_in(folder: Path, **more: Any) -> Any:
    """A decorator: the function is compiled once, then read from this folder."""

    def compiled(function: Any) -> Any:
        settings.CACHE_DIR = str(folder)  # read when a function is decorated
        options = {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True, **more}
        dispatcher = _njit(**options)(function)
        if IS_COMPILED:  # pragma: no cover - else there is nothing to keep
            dispatcher._cache = SharedCache(function, folder)
        return dispatcher

    return compiled


class ByName(UserProvidedCacheLocator):  # pragma: no cover - where rules are compiled
    """Functions are found by the names of their modules: the same ones elsewhere are the same."""

    def __init__(self, function: Any, file: str) -> None:
        super().__init__(function, file)  # type: ignore[no-untyped-call]
        self._cache_path = f"{settings.CACHE_DIR}/{function.__module__}"


class ResultsByName(CompileResultCacheImpl):
    """What is kept, and where."""

    _locator_classes = [ByName]  # noqa: RUF012 - as Numba has it


class SharedCache(FunctionCache):  # pragma: no cover - where rules are compiled
    """Numba's, where several processes write to one folder at a time.

    It numbers a new file by those it has just seen: two that write one function for two games
    might take the same number, and each game would be played by the code of the other.
    """

    _impl_class = ResultsByName

    def __init__(self, function: Any, folder: Path) -> None:
        super().__init__(function)  # type: ignore[no-untyped-call]
        self._folder = folder

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep what was compiled for these types."""
        with alone_in(self._folder):
            super().save_overload(sig, data)  # type: ignore[no-untyped-call]


CACHE = cache_of()
compiled = cached_in(CACHE)
"""Marks a function of the rules: compiled once, then read from the cache."""


def no_such_phase() -> int:
    """Where no game can be: an error as plain Python, and nothing that costs time when compiled."""
    raise AssertionError("there is no such phase, or nothing to be done in it")


@overload(no_such_phase)
def _nothing() -> Any:  # pragma: no cover - runs while compiling
    return lambda: 0
