"""Caramba! Three games of one name, from Python.

>>> import caramba
>>> match = caramba.Match("auction", players=3, seed=7)
>>> match.deal()[0]
'first 1'
>>> match.legal()[:2]
['bid d7 d', 'bid g3a4 g']

Numba and NumPy are loaded on first use, so that the command line can answer at once.
"""

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

_HOMES = {
    "Match": "caramba.match.match",
    "load": "caramba.games.contract",
    "register": "caramba.games.contract",
    "CHANCE": "caramba.games.contract",
    "SPECTATOR": "caramba.games.contract",
    "REFEREE": "caramba.games.contract",
    "CarambaError": "caramba.games.errors",
    "InvalidSetup": "caramba.games.errors",
    "InvalidFile": "caramba.games.errors",
    "InvalidAction": "caramba.games.errors",
    "IllegalAction": "caramba.games.errors",
}

__all__ = list(_HOMES)

if TYPE_CHECKING:
    from caramba.games.contract import CHANCE, REFEREE, SPECTATOR, load, register
    from caramba.games.errors import (
        CarambaError,
        IllegalAction,
        InvalidAction,
        InvalidFile,
        InvalidSetup,
    )
    from caramba.match.match import Match


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'caramba' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)
