"""Who may write to a table, where several workers share a database: the last one that took it.

A worker that was thought to be gone may come back at any time, and would not know. So each table
counts how often it was taken, and whoever writes shows the count at which they took it.
"""

from collections.abc import Iterable
from typing import NamedTuple

import sqlalchemy as sql

from caramba.server.store.changes import THIS_TABLE
from caramba.server.store.schema import tables

TAKE = (
    sql.update(tables).where(THIS_TABLE).values(taken=tables.c.taken + 1).returning(tables.c.taken)
)
OURS = (
    sql.select(tables.c.id, tables.c.taken)
    .where(tables.c.id == sql.any_(sql.bindparam("ours", type_=sql.ARRAY(sql.Text))))
    .order_by(tables.c.id)
    .with_for_update(key_share=True)
)
"""The same words however many there are, so that the database need understand them only once."""


class Hold(NamedTuple):
    """That a table was taken, and how often that had been by then."""

    table: str
    taken: int


def take(connection: sql.Connection, table: str) -> Hold | None:
    """Take a table, if there is one; whoever held it before holds it no longer.

    What they are just writing is waited for: the row is theirs until then.
    """
    taken = connection.scalar(TAKE, {"this_table": table})
    return None if taken is None else Hold(table, taken)


def lost(connection: sql.Connection, holds: Iterable[Hold | None]) -> set[Hold]:
    """Which of these are void by now; nobody takes the tables of the others before the end."""
    shown = set(filter(None, holds))
    if not shown:
        return set()
    found = connection.execute(OURS, {"ours": sorted(hold.table for hold in shown)})
    return shown - {Hold(*row) for row in found}
