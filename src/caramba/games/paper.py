"""A game on paper: its state in Python's own numbers and lists, and its rules as plain Python.

For one game that people play this is cheaper than calling compiled code from Python,
and it is where the rules tell what happens: `tell` stands in them at the very lines where it
does. Compiled, or on a record, it is nothing at all.
"""

import sys
from collections.abc import Callable
from itertools import accumulate
from math import prod
from struct import Struct, calcsize
from types import FunctionType, ModuleType, SimpleNamespace
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numba.extending import overload

from caramba.games.compiled import IS_COMPILED

T = TypeVar("T")
CODES = {"i1": "b", "i2": "h", "i8": "q"}
"""By type of a number in a record: how `struct` writes it."""


class Noted(NamedTuple):
    """Something that happened: what, in the numbers of the rules, and the table right after it."""

    what: int
    facts: tuple[int, ...]
    table: bytes


class Paper(SimpleNamespace):
    """A state on paper; it has the fields of the record."""

    layout: "Layout"
    journal: list[Noted]
    """What was noted since the last step."""
    shared: dict[str, Any]
    """What was worked out from it for all eyes, until the next step."""
    fixed: dict[str, Any]
    """What was worked out from those of its fields that never change."""


class Glimpse(Paper):
    """A state of which only what is read gets written down: cheaper where that is little."""

    packed: bytes

    def __getattr__(self, name: str) -> Any:
        value = self.layout.field(self.packed, name)
        setattr(self, name, value)
        return value


def tell(s: Any, what: int, *facts: int) -> None:
    """Something happens that people at the table want to know: to whom first, where there is one.

    What is meant for some eyes only is sorted out later, where events are made of this.
    """
    if isinstance(s, Paper):
        s.journal.append(Noted(what, facts, s.layout.pack(s)))


@overload(tell)
def _nothing(s, what, *facts):  # type: ignore[no-untyped-def]  # pragma: no cover - when compiling
    return lambda s, what, *facts: None


class Layout:
    """Where the numbers of a state are in its record."""

    def __init__(self, record: np.dtype) -> None:
        self.record = record
        shapes = {name: record[name].shape for name in record.names or ()}
        codes = [CODES[record[name].base.str[1:]] * prod(shapes[name]) for name in shapes]
        self._struct = Struct("<" + "".join(codes))
        # All fields in one expression: many times as fast as going from one to the next.
        self._numbers_of = eval(f"lambda s: ({''.join(map(_flat, shapes, shapes.values()))})")
        self._fields_of = eval(f"lambda n: dict({_fields(shapes)})")
        starts = accumulate(map(calcsize, ("<" + code for code in codes)), initial=0)
        self._where = {
            name: (Struct("<" + code).unpack_from, start, eval(f"lambda n: {_field(shape, 0)}"))
            for (name, shape), code, start in zip(shapes.items(), codes, starts, strict=False)
        }

    def pack(self, s: Paper) -> bytes:
        """The state as the bytes of its record."""
        return self._struct.pack(*self._numbers_of(s))

    def unpack(self, packed: bytes, fixed: dict[str, Any] | None = None) -> Paper:
        """The state of such bytes, with an empty journal, and what is known of its game already."""
        fields = self._fields_of(self._struct.unpack(packed))
        known = {} if fixed is None else fixed
        return Paper(layout=self, journal=[], shared={}, fixed=known, **fields)

    def glimpse(self, packed: bytes, fixed: dict[str, Any]) -> Glimpse:
        """The same, field by field."""
        return Glimpse(layout=self, packed=packed, journal=[], shared={}, fixed=fixed)

    def field(self, packed: bytes, name: str) -> Any:
        """One field of such bytes."""
        if name not in self._where:
            raise AttributeError(name)
        unpack_from, start, shaped = self._where[name]
        return shaped(unpack_from(packed, start))

    def states(self, packed: bytes) -> np.ndarray:
        """The state of such bytes as an array of one record, for compiled code."""
        return np.frombuffer(packed, self.record).copy()


def _flat(name: str, shape: tuple[int, ...]) -> str:
    """The numbers of a field, one after the other."""
    if len(shape) < 2:
        return f"*s.{name}, " if shape else f"s.{name}, "
    return "".join(f"*s.{name}[{row}], " for row in range(shape[0]))


def _fields(shapes: dict[str, tuple[int, ...]]) -> str:
    """The fields, each from its numbers."""
    starts = [0, *accumulate(map(prod, shapes.values()))]
    fields = zip(shapes.items(), starts, strict=False)
    return ", ".join(f"{name}={_field(shape, start)}" for (name, shape), start in fields)


def _field(shape: tuple[int, ...], start: int) -> str:
    if not shape:
        return f"n[{start}]"
    if len(shape) == 1:
        return f"[*n[{start}:{start + shape[0]}]]"
    rows = (_field(shape[1:], start + row * shape[1]) for row in range(shape[0]))
    return f"[{', '.join(rows)}]"


def once(work: Callable[[Any], T]) -> Callable[[Any], T]:
    """A function of a state on paper that is worked out once for all who look at it."""
    return _kept(work, "shared")


def for_good(work: Callable[[Any], T]) -> Callable[[Any], T]:
    """A function of what never changes in a state: worked out once a game, if it is on paper."""
    return _kept(work, "fixed")


def _kept(work: Callable[[Any], T], where: str) -> Callable[[Any], T]:
    name = f"{work.__module__}.{work.__name__}"

    def found(s: Any) -> T:
        if not isinstance(s, Paper):
            return work(s)
        kept: dict[str, T] = getattr(s, where)
        if name not in kept:
            kept[name] = work(s)
        return kept[name]

    return found


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
