"""Many games at once, for experiments and learning.

`Batch` is many games side by side in arrays, `Single` one game by numbers.
"""

from typing import TYPE_CHECKING, Any

_HOMES = {"Batch": "caramba.research.batch", "Single": "caramba.research.single"}

__all__ = list(_HOMES)

if TYPE_CHECKING:
    from caramba.research.batch import Batch as Batch
    from caramba.research.single import Single as Single


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'caramba.research' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)
