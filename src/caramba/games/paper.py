"""A game on paper: its state in Python's own numbers and lists, and its rules as plain Python.

For one game that people play this is many times faster than calling compiled code from Python,
and it is where the rules tell what happens: `tell` stands in them at the very lines where it
does. Compiled, or on a record, it is nothing at all.
"""

import sys
from struct import Struct
from types import FunctionType, ModuleType, SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
from numba.extending import overload

from caramba.games.compiled import IS_COMPILED

CODES = {"i1": "b", "i2": "h", "i8": "q"}
"""By type of a number in a record: how `struct` writes it."""


class Told(NamedTuple):
    """Something that happened: what, in the numbers of the rules, and the table right after it."""

    what: int
    facts: tuple[int, ...]
    table: bytes


class Paper(SimpleNamespace):
    """A state on paper; it has the fields of the record."""

    layout: "Layout"
    journal: list[Told]
    """What was told since the last step."""


def tell(s: Any, what: int, *facts: int) -> None:
    """Something happens that people at the table want to know: to whom first, where there is one.

    What is meant for some eyes only is sorted out later, where events are made of this.
    """
    if isinstance(s, Paper):
        s.journal.append(Told(what, facts, s.layout.pack(s)))


@overload(tell)
def _nothing(s: Any, what: Any, *facts: Any) -> Any:  # pragma: no cover - runs while compiling
    return lambda s, what, *facts: None


class Layout:
    """Where the numbers of a state are in its record."""

    def __init__(self, record: np.dtype) -> None:
        self.record = record
        fields = {name: field[0] for name, field in (record.fields or {}).items()}
        self._shapes = {name: fields[name].shape for name in record.names or ()}
        codes = (CODES[kind.base.str[1:]] * _many(kind.shape) for kind in fields.values())
        self._struct = Struct("<" + "".join(codes))

    def pack(self, s: Paper) -> bytes:
        """The state as the bytes of its record."""
        numbers: list[int] = []
        for name, shape in self._shapes.items():
            value = getattr(s, name)
            if not shape:
                numbers.append(value)
            elif len(shape) == 1:
                numbers += value
            else:
                for row in value:
                    numbers += row
        return self._struct.pack(*numbers)

    def unpack(self, packed: bytes) -> Paper:
        """The state of such bytes, with an empty journal."""
        numbers = self._struct.unpack(packed)
        s, at = Paper(layout=self, journal=[]), 0
        for name, shape in self._shapes.items():
            many = _many(shape)
            if not shape:
                value: Any = numbers[at]
            elif len(shape) == 1:
                value = list(numbers[at : at + many])
            else:
                value = [list(numbers[i : i + shape[1]]) for i in range(at, at + many, shape[1])]
            setattr(s, name, value)
            at += many
        return s

    def states(self, packed: bytes) -> np.ndarray:
        """The state of such bytes as an array of one record, for compiled code."""
        return np.frombuffer(packed, self.record).copy()


def _many(shape: tuple[int, ...]) -> int:
    """How many numbers a field of this shape has."""
    return int(np.prod(shape, dtype=int))


# The rules


_rooms: dict[str, dict[str, Any]] = {}


def on_paper(module: ModuleType) -> Any:
    """A module of compiled functions as plain Python: the same lines, which call each other."""
    return SimpleNamespace(**_room(module.__name__)) if IS_COMPILED else module


def _room(module: str) -> dict[str, Any]:
    """The names of a module, each compiled function replaced by its own source."""
    if module not in _rooms:
        room = _rooms[module] = dict(vars(sys.modules[module]))
        for name, value in vars(sys.modules[module]).items():
            source = getattr(value, "py_func", None)
            if source and source.__module__ == module:
                room[name] = FunctionType(source.__code__, room, name, source.__defaults__)
            elif source:
                room[name] = _room(source.__module__)[source.__name__]
    return _rooms[module]
