"""What moves change, in one statement: PostgreSQL is asked once, instead of once for each part.

A move writes entries of a log and perhaps how its table and a seat stand. All that is to be written
of many tables goes there as one text, and the statement, which is a transaction by itself, holds
the tables, too. Whatever is more than that takes the long way, in writer.py.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any, NamedTuple

import msgspec
import sqlalchemy as sql

from caramba.server.store.changes import (
    NEW_ENTRY,
    UPDATE_SEAT,
    UPDATE_TABLE,
    Change,
    Row,
    whose,
)
from caramba.server.store.holding import OURS, Hold
from caramba.server.store.schema import log, seats, tables

PARTS = {NEW_ENTRY: log, UPDATE_TABLE: tables, UPDATE_SEAT: seats}
"""By statement: the table of the database that it changes."""
KEYS = {
    UPDATE_TABLE: {"this_table": "id"},
    UPDATE_SEAT: {"this_table": "table_id", "this_seat": "seat"},
}
"""By statement: which row it changes, as it is told and as it is kept."""
SHOWN = "shown"
"""At which count the table of a row was taken."""


class Kind(NamedTuple):
    """Changes that are made in the same words."""

    statement: Any
    columns: tuple[str, ...]


Kinds = dict[Kind, list[Row]]


def sorted_out(jobs: Iterable[tuple[Hold | None, Sequence[Change]]]) -> Kinds | None:
    """All changes, by kind; None if they cannot be made at once.

    The parts of a statement do not see each other, and change a row only once: so each job needs a
    table of its own, and is of nothing twice.
    """
    kinds: Kinds = {}
    seen = set[str]()
    for hold, changes in jobs:
        if hold is None or hold.table in seen or not _is_plain(hold, changes):
            return None
        seen.add(hold.table)
        for statement, rows in changes:
            shown = [{**row, SHOWN: hold.taken} for row in rows]
            kinds.setdefault(Kind(statement, tuple(shown[0])), []).extend(shown)
    return kinds


def _is_plain(hold: Hold, changes: Sequence[Change]) -> bool:
    statements = {change.statement for change in changes}
    return (
        len(statements) == len(changes)
        and statements <= PARTS.keys()
        and all(whose(row) == hold.table for change in changes for row in change.rows)
    )


def make_at_once(
    kinds: Kinds, holds: Iterable[Hold], gone: set[Hold], connection: sql.Connection
) -> None:
    """All but those of tables that another worker has by now, which are named."""
    shown = {*holds}
    given: Row = {
        f"given_{place}": msgspec.json.encode(rows).decode()
        for place, rows in enumerate(kinds.values())
    }
    given["ours"] = sorted(hold.table for hold in shown)
    words = _statement(tuple(kinds), connection.dialect)
    gone |= shown - {Hold(*row) for row in connection.exec_driver_sql(words, given)}


@cache
def _statement(kinds: tuple[Kind, ...], dialect: sql.Dialect) -> str:
    """In the words of the engine: to have them made anew would take longer than to be answered."""
    held = OURS.cte("held")
    parts = [_part(kind, held, place).cte(f"part_{place}") for place, kind in enumerate(kinds)]
    whole = sql.select(held.c.id, held.c.taken).add_cte(*parts)
    return str(whole.compile(dialect=dialect))


def _part(kind: Kind, held: sql.CTE, place: int) -> Any:
    """Changes of one kind, of those tables that are still ours."""
    table, keys = PARTS[kind.statement], KEYS.get(kind.statement, {})
    columns = {name: table.c[keys.get(name, name)] for name in kind.columns if name != SHOWN}
    typed = [sql.column(name, column.type) for name, column in columns.items()]
    text = sql.func.json_to_recordset(sql.bindparam(f"given_{place}", type_=sql.JSON))
    rows = text.table_valued(*typed, sql.column(SHOWN, sql.Integer))
    given = rows.render_derived(name=f"rows_{place}", with_types=True).c
    ours = (held.c.id == given[next(iter(columns))]) & (held.c.taken == given[SHOWN])
    if not keys:
        chosen = sql.select(*(given[name] for name in columns)).where(ours)
        return sql.insert(table).from_select(list(columns), chosen)
    these = sql.and_(ours, *(columns[name] == given[name] for name in keys))
    values = {name: given[name] for name in columns if name not in keys}
    return sql.update(table).where(these).values(values)
