"""A game on paper: its state in Python's own numbers and lists, and its rules as plain Python.

For one game that people play this is many times faster than calling compiled code from Python,
and it is where the rules tell what happens: `tell` stands in them at the very lines where it
does. Compiled, or on a record, it is nothing at all.
"""

import sys
from collections.abc import Callable
from functools import lru_cache
from struct import Struct
from types import FunctionType, ModuleType, SimpleNamespace
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numba.extending import overload

from caramba.games.compiled import IS_COMPILED

T = TypeVar("T")
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
    shared: dict[str, Any]
    """What was worked out from it for all eyes, until the next step."""


def tell(s: Any, what: int, *facts: int) -> None:
    """Something happens that people at the table want to know: to whom first, where there is one.

    What is meant for some eyes only is sorted out later, where events are made of this.
    """
    if isinstance(s, Paper):
        s.journal.append(Told(what, facts, s.layout.pack(s)))


@overload(tell)
def _nothing(s, what, *facts):  # type: ignore[no-untyped-def]  # pragma: no cover - when compiling
    return lambda s, what, *facts: None


class Layout:
    """Where the numbers of a state are in its record: single ones, rows, and rows of rows."""

    def __init__(self, record: np.dtype) -> None:
        self.record = record
        self._singles: list[tuple[str, int]] = []
        self._rows: list[tuple[str, slice]] = []
        self._tables: list[tuple[str, list[slice]]] = []
        codes, at = "<", 0
        for name in record.names or ():
            kind, many = record[name], int(np.prod(record[name].shape, dtype=int))
            self._place(name, kind.shape, at)
            codes, at = codes + CODES[kind.base.str[1:]] * many, at + many
        self._struct, self._many = Struct(codes), at

    def _place(self, name: str, shape: tuple[int, ...], at: int) -> None:
        match shape:
            case ():
                self._singles.append((name, at))
            case (length,):
                self._rows.append((name, slice(at, at + length)))
            case (rows, length):  # pragma: no branch
                starts = range(at, at + rows * length, length)
                self._tables.append((name, [slice(start, start + length) for start in starts]))

    def pack(self, s: Paper) -> bytes:
        """The state as the bytes of its record."""
        fields, numbers = s.__dict__, [0] * self._many
        for name, at in self._singles:
            numbers[at] = fields[name]
        for name, row in self._rows:
            numbers[row] = fields[name]
        for name, rows in self._tables:
            for row, values in zip(rows, fields[name], strict=True):
                numbers[row] = values
        return self._struct.pack(*numbers)

    def unpack(self, packed: bytes) -> Paper:
        """The state of such bytes, with an empty journal."""
        numbers = list(self._struct.unpack(packed))
        s = Paper(layout=self, journal=[], shared={})
        fields = s.__dict__
        for name, at in self._singles:
            fields[name] = numbers[at]
        for name, row in self._rows:
            fields[name] = numbers[row]
        for name, rows in self._tables:
            fields[name] = [numbers[row] for row in rows]
        return s

    def glance(self, packed: bytes) -> Paper:
        """The same, to be looked at only: whoever looks at it next gets the same one."""
        return _glance(self, packed)

    def states(self, packed: bytes) -> np.ndarray:
        """The state of such bytes as an array of one record, for compiled code."""
        return np.frombuffer(packed, self.record).copy()


@lru_cache(200)
def _glance(layout: Layout, packed: bytes) -> Paper:
    return layout.unpack(packed)


def once(work: Callable[[Any], T]) -> Callable[[Any], T]:
    """A function of a state on paper that is worked out once for all who look at it."""
    name = f"{work.__module__}.{work.__name__}"

    def shared(s: Any) -> T:
        if name not in s.shared:
            s.shared[name] = work(s)
        found: T = s.shared[name]
        return found

    return shared


# The rules


_rooms: dict[str, dict[str, Any]] = {}


def on_paper(module: ModuleType) -> Any:
    """A module of compiled functions as plain Python: the same lines, which call each other."""
    return SimpleNamespace(**_room(module.__name__)) if IS_COMPILED else module


def _room(module: str) -> dict[str, Any]:  # pragma: no cover - where rules are compiled
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
