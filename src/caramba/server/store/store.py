"""What is kept: everything that is asked of the database, by name."""

import asyncio
import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import msgspec
import sqlalchemy as sql
from sqlalchemy.exc import SQLAlchemyError

from caramba.bodies import Listed
from caramba.server.store.changes import Change, Row
from caramba.server.store.database import claim, connect, migrate
from caramba.server.store.engines import READERS
from caramba.server.store.errors import Broken
from caramba.server.store.holding import Hold, take
from caramba.server.store.schema import GLANCE, chat, crew, log, seats, tables
from caramba.server.store.writer import PATIENCE, Writer
from caramba.server.tables.kept import Entry, Kept, KeptSeat, KeptTable
from caramba.wire import Said

KEPT_CHAT = 200
"""Lines of chat that are shown to who comes later."""
LISTED = 100
"""Public tables that are listed."""
Content = TypeVar("Content")


class Store:
    """The database."""

    def __init__(self, url: str) -> None:
        self.file = claim(url)
        self.engine = connect(url)
        self.writer = Writer(self.engine, self.file)
        self._readers = ThreadPoolExecutor(READERS, "reader")

    async def open(self) -> None:
        """Bring the database up to date."""
        await asyncio.get_running_loop().run_in_executor(self.writer.thread, migrate, self.engine)
        if self.file:
            self.file.make_private()
        await self.writer.probe()
        if self.file:
            self.file.know()

    async def look(self) -> None:
        """Raise if it cannot be used, as far as one can tell without writing."""
        if self.writer.failing or self.writer.is_lost:
            raise Broken("the database does not answer")
        await self.rows(GLANCE)

    async def close(self) -> None:
        """Write what is left, and let go."""
        await self.writer.close()
        self._readers.shutdown()
        self.engine.dispose()
        if self.file:
            self.file.release()

    async def write(self, *changes: Change, hold: Hold | None = None) -> None:
        """Make these changes together; they are on the disk when this returns.

        Changes of a table that was taken are refused, as Taken, if it was again since.
        """
        await self.writer.write(*changes, hold=hold)

    async def secret(self) -> str:
        """What only those know who share this database."""
        rows = await self.rows(sql.select(crew.c.secret))
        return str(rows[0]["secret"])

    # One table

    async def load(self, table: str) -> Kept | None:
        """A table, whole."""
        return await self._read(lambda connection: load(connection, table))

    async def take(self, table: str) -> tuple[Kept, Hold] | None:
        """A table, whole, for this worker alone: from now on nobody else writes there."""

        def work(connection: sql.Connection) -> tuple[Kept, Hold] | None:
            hold = take(connection, table)
            kept = load(connection, table) if hold else None
            connection.commit()
            return (kept, hold) if kept and hold else None

        return await self._read(work)

    async def table_of(self, code: str) -> str | None:
        """The table that one can join by this code."""
        found = await self._names(sql.select(tables.c.id).where(tables.c.code == code))
        return found[0] if found else None

    # Some tables

    async def listed(self) -> list[Listed]:
        """The public tables, the latest first: those to join, and those to watch."""
        t, s = tables.c, seats.c
        wanted = t.public & t.status.in_(["open", "playing"])
        found = sql.select(t.id, t.game, t.players, t.status, t.watch).where(wanted)
        rows = await self.rows(found.order_by(t.status, t.touched.desc()).limit(LISTED))
        sitting: dict[str, list[Row]] = {row["id"]: [] for row in rows}
        who = sql.select(s.table_id, s.kind, s.name).where(s.table_id.in_(sitting))
        for row in await self.rows(who.order_by(s.seat)):
            sitting[row["table_id"]].append(row)
        return [msgspec.convert({**row, "seats": sitting[row["id"]]}, Listed) for row in rows]

    async def count(self, since: float) -> int:
        """How many tables are not over, and were touched since then."""
        going_on = tables.c.status.in_(["open", "dealing", "playing"])
        counted = going_on & (tables.c.touched > since)
        rows = await self.rows(sql.select(sql.func.count().label("many")).where(counted))
        return int(rows[0]["many"])

    async def due(self, now: float, most: int, skip: int = 0) -> list[str]:
        """Tables at which something is due, the longest due first, but for some."""
        due = sql.select(tables.c.id).where(tables.c.due <= now)
        return await self._names(due.order_by(tables.c.due).limit(most).offset(skip))

    async def never_begun(self, before: float, after: str, most: int) -> list[str]:
        """Tables that wait for players, untouched since then; in order, from behind a name on."""
        return await self._old(tables.c.status.in_(["open", "dealing"]), before, after, most)

    async def abandoned(self, before: float, after: str, most: int) -> list[str]:
        """Tables where nothing will happen by itself, likewise."""
        playing = (tables.c.status == "playing") & tables.c.due.is_(None)
        return await self._old(playing, before, after, most)

    async def finished(self, before: float, after: str, most: int) -> list[str]:
        """Tables where the game is over, likewise."""
        return await self._old(tables.c.status == "over", before, after, most)

    async def _old(self, which: Any, before: float, after: str, most: int) -> list[str]:
        t = tables.c
        found = sql.select(t.id).where(which & (t.touched < before) & (t.id > after))
        return await self._names(found.order_by(t.id).limit(most))

    # Reading

    async def rows(self, statement: Any) -> list[Row]:
        """What a query gives."""
        return await self._read(lambda connection: _rows(connection, statement))

    async def _names(self, statement: Any) -> list[str]:
        return [row["id"] for row in await self.rows(statement)]

    async def _read(self, work: Callable[[sql.Connection], Content]) -> Content:
        def read() -> Content:
            with self.engine.connect() as connection:
                return work(connection)

        try:
            async with asyncio.timeout(PATIENCE):
                return await asyncio.get_running_loop().run_in_executor(self._readers, read)
        except (SQLAlchemyError, sqlite3.Error, TimeoutError) as error:
            raise Broken(f"the database does not answer: {type(error).__name__}") from None


def load(connection: sql.Connection, table: str) -> Kept | None:
    """A table, whole, with the last lines of its chat."""
    rows = _rows(connection, sql.select(tables).where(tables.c.id == table))
    if not rows:
        return None
    lines = sql.select(log.c.who, log.c.text, log.c.key).where(log.c.table_id == table)
    said = sql.select(chat).where(chat.c.table_id == table).order_by(chat.c.id.desc())
    sitting = sql.select(seats).where(seats.c.table_id == table).order_by(seats.c.seat)
    return Kept(
        msgspec.convert(rows[0], KeptTable),
        msgspec.convert(_rows(connection, sitting), list[KeptSeat]),
        [Entry(*line) for line in connection.execute(lines.order_by(log.c.number))],
        [_said(row) for row in reversed(_rows(connection, said.limit(KEPT_CHAT)))],
    )


def _said(row: Row) -> Said:
    return Said(seat=row["seat"], name=row["name"], text=row["text"], at=row["at"])


def _rows(connection: sql.Connection, statement: Any) -> list[Row]:
    found = connection.execute(statement)
    names = list(map(str, found.keys()))  # some are of a type of SQLAlchemy's own
    return [dict(zip(names, row, strict=True)) for row in found]
