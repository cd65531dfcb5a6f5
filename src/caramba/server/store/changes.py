"""Everything that can be changed in the database, by name.

The statements are made once: to put one together takes longer than to execute it.
"""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import sqlalchemy as sql

from caramba.server.store.schema import chat, log, pulse, seats, tables
from caramba.server.tables.kept import Entry, Row
from caramba.wire import Said


class Change(NamedTuple):
    """A statement and the rows it is executed for, all of which have the same columns."""

    statement: Any
    rows: Sequence[Row]


THIS_TABLE = tables.c.id == sql.bindparam("this_table")
THIS_SEAT = (seats.c.table_id == sql.bindparam("this_table")) & (
    seats.c.seat == sql.bindparam("this_seat")
)
NEW_TABLE, NEW_SEAT, NEW_ENTRY, NEW_LINE = map(sql.insert, (tables, seats, log, chat))
UPDATE_TABLE = sql.update(tables).where(THIS_TABLE)
UPDATE_SEAT = sql.update(seats).where(THIS_SEAT)
REMOVE_TABLE = sql.delete(tables).where(THIS_TABLE)
BEAT = sql.update(pulse)


def new_table(row: Row) -> Change:
    """A table that was not there before."""
    return Change(NEW_TABLE, [row])


def new_seats(table: str, places: Iterable[Row]) -> Change:
    """All its seats, in their order."""
    rows = [{"table_id": table, "seat": seat, **row} for seat, row in enumerate(places)]
    return Change(NEW_SEAT, rows)


def append(table: str, number: int, entries: Iterable[Entry]) -> Change:
    """Add entries to a log; the first has this number."""
    rows = [
        {"table_id": table, "number": number + place, **entry._asdict()}
        for place, entry in enumerate(entries)
    ]
    return Change(NEW_ENTRY, rows)


def say(table: str, said: Said) -> Change:
    """Add a line of chat."""
    row = {"seat": said.seat, "name": said.name, "text": said.text, "at": said.at}
    return Change(NEW_LINE, [{"table_id": table, **row}])


def update_table(table: str, **values: Any) -> Change:
    """Change a table."""
    return Change(UPDATE_TABLE, [{"this_table": table, **values}])


def update_seat(table: str, seat: int, **values: Any) -> Change:
    """Change a seat."""
    return Change(UPDATE_SEAT, [{"this_table": table, "this_seat": seat, **values}])


def remove_table(table: str) -> Change:
    """Remove a table, and all that belongs to it."""
    return Change(REMOVE_TABLE, [{"this_table": table}])
