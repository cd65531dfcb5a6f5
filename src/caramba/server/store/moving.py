"""Moving all tables from a file to another database: all of them arrive, or none.

The file is only read. All that is written is one transaction: whoever is interrupted begins anew.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import sqlalchemy as sql
from sqlalchemy.exc import SQLAlchemyError

from caramba.games.errors import InvalidSetup
from caramba.server.store.changes import Row
from caramba.server.store.database import claim, connect, file_of, is_up_to_date, migrate
from caramba.server.store.engines import in_short, name_of, sqlite, wait_to_be_alone
from caramba.server.store.file import DatabaseFile
from caramba.server.store.schema import chat, log, seats, tables
from caramba.server.store.store import load
from caramba.server.tables.kept import Kept

PARTS = {
    tables: (tables.c.id, tables.c.id),
    seats: (seats.c.table_id, seats.c.seat),
    log: (log.c.table_id, log.c.number),
    chat: (chat.c.table_id, chat.c.id),
}
"""All that a table consists of: to which table a row belongs, and its place there."""


def move(
    source: str, target: str, arrived: Callable[[Kept], None], advance: Callable[[int, int], None]
) -> int:
    """Copy every table, and compare it with what has arrived; how many there are."""
    try:
        with reading(source) as old, writing(target) as new:
            return _move(old, new, arrived, advance)
    except SQLAlchemyError as error:
        raise InvalidSetup(f"nothing was moved: {in_short(error)}") from None


def _move(
    old: sql.Connection,
    new: sql.Connection,
    arrived: Callable[[Kept], None],
    advance: Callable[[int, int], None],
) -> int:
    names = list(old.scalars(sql.select(tables.c.id).order_by(tables.c.id)))
    for done, name in enumerate(names):
        advance(done, len(names))
        _copy(old, new, name)
        if kept := load(new, name):
            arrived(kept)
    return len(names)


def _copy(old: sql.Connection, new: sql.Connection, name: str) -> None:
    for part in PARTS:
        rows = _rows(old, part, name)
        if rows:
            new.execute(sql.insert(part), rows)
        if _rows(new, part, name) != rows:
            raise InvalidSetup(f"the table {name} is not the same there; nothing was moved")


def _rows(connection: sql.Connection, part: sql.Table, name: str) -> list[Row]:
    """What is kept of a table in one place, in order; lines of chat get new numbers."""
    whose, place = PARTS[part]
    columns = [column for column in part.c if column is not chat.c.id]
    found = connection.execute(sql.select(*columns).where(whose == name).order_by(place))
    return [dict(row) for row in found.mappings()]


# From where, and to where


@contextmanager
def reading(source: str) -> Iterator[sql.Connection]:
    """A file that no server uses meanwhile."""
    path = file_of(source)
    if path is None or not path.is_file():
        raise InvalidSetup("cannot move that: tables are moved from an SQLite file that is there")
    file, engine = DatabaseFile(path), sqlite(path, "ro")
    try:
        with engine.connect() as connection:
            if not is_up_to_date(connection):
                first = f"run `caramba serve --database {path}` once"
                raise InvalidSetup(f"cannot move {path}: it is of another version; {first}")
            yield connection
    finally:
        engine.dispose()
        file.release()


@contextmanager
def writing(target: str) -> Iterator[sql.Connection]:
    """An empty database, of which nobody sees anything before all is there."""
    file, engine = claim(target), connect(target)
    try:
        migrate(engine)
        if file:
            file.make_private()
        with engine.begin() as connection:
            wait_to_be_alone(connection)
            if connection.scalar(sql.select(sql.exists(sql.select(tables)))):
                name = name_of(engine.url)
                raise InvalidSetup(f"cannot move to {name}: there are tables; it must be empty")
            yield connection
    finally:
        engine.dispose()
        if file:
            file.release()
