"""Everything that can be changed in the database, by name.

The statements are made once: to put one together takes longer than to execute it.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec
import sqlalchemy as sql

from caramba.server.store.schema import chat, log, pulse, seats, tables
from caramba.server.tables.kept import Entry, KeptSeat, KeptTable
from caramba.wire import Said

Row = dict[str, Any]
"""Columns by name."""


class Change(NamedTuple):
    """A statement and the rows it is executed for, all of which have the same columns."""

    statement: Any
    rows: list[Row]


THIS_TABLE = tables.c.id == sql.bindparam("this_table")
THIS_SEAT = (seats.c.table_id == sql.bindparam("this_table")) & (
    seats.c.seat == sql.bindparam("this_seat")
)
NEW_TABLE, NEW_SEAT, NEW_ENTRY, NEW_LINE = map(sql.insert, (tables, seats, log, chat))
UPDATE_TABLE = sql.update(tables).where(THIS_TABLE)
UPDATE_SEAT = sql.update(seats).where(THIS_SEAT)
REMOVE_TABLE = sql.delete(tables).where(THIS_TABLE)
BEAT = sql.update(pulse)
KINDS = (NEW_TABLE, NEW_SEAT, NEW_ENTRY, NEW_LINE, UPDATE_TABLE, UPDATE_SEAT, REMOVE_TABLE)
ORDER: dict[Any, int] = {kind: place for place, kind in enumerate(KINDS)}
"""In which order changes of several kinds are made. Whoever writes beside us keeps to it, too, and
table by table: so nobody holds what the other one waits for."""


def in_order(change: Change) -> int:
    """Which place a change has among others."""
    return ORDER.get(change.statement, len(ORDER))


def whose(row: Mapping[str, Any]) -> str:
    """The table that a row belongs to."""
    return str(row.get("this_table") or row.get("table_id") or row.get("id"))


def new_table(table: KeptTable, seats: Sequence[KeptSeat]) -> list[Change]:
    """A table that was not there before, with all its seats."""
    rows = [
        {"table_id": table.id, "seat": number, **_row(seat, KeptSeat)}
        for number, seat in enumerate(seats)
    ]
    return [Change(NEW_TABLE, [_row(table, KeptTable)]), Change(NEW_SEAT, rows)]


def _row(kept: msgspec.Struct, columns: type[msgspec.Struct]) -> Row:
    """What is kept of something, as columns."""
    row = {name: getattr(kept, name) for name in columns.__struct_fields__}
    plain: Row = msgspec.to_builtins(row, builtin_types=(bytes,))
    return plain


def append(table: str, number: int, entries: Iterable[Entry]) -> Change:
    """Add entries to a log; the first has this number."""
    rows = [
        {"table_id": table, "number": number + place, **entry._asdict()}
        for place, entry in enumerate(entries)
    ]
    return Change(NEW_ENTRY, rows)


def chat_line(table: str, said: Said) -> Change:
    """Add a line of chat."""
    row = {"seat": said.seat, "name": said.name, "text": said.text, "at": said.at}
    return Change(NEW_LINE, [{"table_id": table, **row}])


def update_table(table: str, **values: Any) -> Change:
    """Change a table."""
    return Change(UPDATE_TABLE, [{"this_table": table, **values}])


def update_seat(table: str, seat: int, **values: Any) -> Change:
    """Change a seat."""
    return Change(UPDATE_SEAT, [{"this_table": table, "this_seat": seat, **values}])


def keep_seat(table: str, seat: int, place: KeptSeat) -> Change:
    """A seat as it is now, whole."""
    return update_seat(table, seat, **_row(place, KeptSeat))


def remove_table(table: str) -> Change:
    """Remove a table, and all that belongs to it."""
    return Change(REMOVE_TABLE, [{"this_table": table}])
