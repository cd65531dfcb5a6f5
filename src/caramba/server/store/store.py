"""What is kept: tables, their seats, their logs and their chat, in one database.

All writing goes through one thread, which commits whatever has come in meanwhile in one go: a
step is on the disk before anybody hears of it, and many tables share the wait for the disk.
"""

import asyncio
import sqlite3
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import quote

import sqlalchemy as sql
from sqlalchemy import event
from sqlalchemy.exc import IntegrityError, OperationalError, SQLAlchemyError

from caramba.games.errors import CarambaError, InvalidSetup
from caramba.server.store.file import DatabaseFile
from caramba.server.tables.kept import Entry, Row, Stored

MIGRATIONS = Path(__file__).parent / "migrations"

metadata = sql.MetaData()

tables = sql.Table(
    "tables",
    metadata,
    sql.Column("id", sql.String(24), primary_key=True),
    sql.Column("code", sql.String(8), unique=True),  # to join by, while it is open
    sql.Column("game", sql.String(40), nullable=False),
    sql.Column("rules", sql.Integer, nullable=False),
    sql.Column("players", sql.Integer, nullable=False),
    sql.Column("options", sql.JSON, nullable=False),
    sql.Column("public", sql.Boolean, nullable=False),
    sql.Column("watch", sql.Boolean, nullable=False),
    sql.Column("chat", sql.Boolean, nullable=False),
    sql.Column("take_backs", sql.Boolean, nullable=False, server_default=sql.true()),
    sql.Column("clock", sql.JSON, nullable=False),
    sql.Column("owner", sql.Integer),
    sql.Column("status", sql.String(10), nullable=False),
    sql.Column("seed", sql.LargeBinary(64), nullable=False),  # SECRET until the game is over
    sql.Column("created", sql.Float, nullable=False),
    sql.Column("touched", sql.Float, nullable=False),
    sql.Column("due", sql.Float),  # when the table has to wake up by itself
    sql.Column("rematch", sql.String(24)),
)
sql.Index("tables_due", tables.c.due)
sql.Index("tables_public", tables.c.public, tables.c.status, tables.c.touched)

seats = sql.Table(
    "seats",
    metadata,
    sql.Column("table_id", sql.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    sql.Column("seat", sql.Integer, primary_key=True),
    sql.Column("kind", sql.String(10), nullable=False),
    sql.Column("name", sql.String(60), nullable=False),
    sql.Column("level", sql.String(20)),
    sql.Column("token", sql.String(64)),  # the SHA-256 of it
    sql.Column("mixes", sql.Boolean, nullable=False, server_default=sql.false()),
    sql.Column("promise", sql.String(64)),  # the SHA-256 of the entropy
    sql.Column("entropy", sql.String(128)),  # SECRET until all have shown theirs
    sql.Column("ask", sql.JSON, nullable=False),
    sql.Column("away", sql.Boolean, nullable=False),
    sql.Column("seconds", sql.Float),
)

log = sql.Table(
    "log",
    metadata,
    sql.Column("table_id", sql.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    sql.Column("number", sql.Integer, primary_key=True),
    sql.Column("who", sql.Integer),  # null for chance
    sql.Column("text", sql.String(200), nullable=False),
    sql.Column("key", sql.String(64)),  # of the client that sent it
)

chat = sql.Table(
    "chat",
    metadata,
    sql.Column("id", sql.Integer, primary_key=True),
    sql.Column("table_id", sql.ForeignKey("tables.id", ondelete="CASCADE"), index=True),
    sql.Column("seat", sql.Integer),  # null for those who watch
    sql.Column("name", sql.String(60), nullable=False),
    sql.Column("text", sql.String(600), nullable=False),
    sql.Column("at", sql.Float, nullable=False),
)

pulse = sql.Table(
    "pulse",
    metadata,
    sql.Column("id", sql.Integer, primary_key=True),
    sql.Column("at", sql.Float, nullable=False),  # when we last tried whether we can write
)

KEPT_CHAT = 200
"""Lines of chat that are shown to who comes later."""


class Taken(CarambaError):
    """Somebody else was quicker: the number, or the name, is taken."""


class Broken(CarambaError):
    """The database does not do what it is told."""


class Locked(Broken):
    """The database does not answer at all: whatever else is to be written would wait as long."""


class Lost(Locked):
    """The file of the database is not there any more, or is another one."""


Statement = tuple[Any, Any]
"""An SQL statement and its parameters: one set, a list of sets, or none."""
Answer = TypeVar("Answer")


@dataclass
class Job:
    """Statements that are done together or not at all."""

    statements: list[Statement]
    done: asyncio.Future[None] = field(
        default_factory=lambda: asyncio.get_running_loop().create_future()
    )


class Store:
    """The database."""

    def __init__(self, url: str) -> None:
        self.file = claim(url)
        self.engine = connect(url)
        self._writer = ThreadPoolExecutor(1, "writer")
        self._readers = ThreadPoolExecutor(2, "reader")
        self._waiting: list[Job] = []
        self.failing = False
        """Whether something could not be written, and no probe has succeeded since."""
        self._writing: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Bring the database up to date."""
        await asyncio.get_running_loop().run_in_executor(self._writer, migrate, self.engine)
        if self.file:
            self.file.make_private()
        await self.probe()
        if self.file:
            self.file.know()

    async def probe(self) -> None:
        """Try whether it can be used."""
        if failure := await self._in(self._writer, self._probe):
            raise failure

    def _probe(self) -> CarambaError | None:
        failure = self._transact([(sql.update(pulse), {"at": time.time()}), (GLANCE, None)])
        self.failing = failure is not None
        return failure

    async def look(self) -> None:
        """Raise if it cannot be used, as far as one can tell without writing."""
        if self.failing or self._is_lost():
            raise Broken("the database does not answer")
        await self.rows(GLANCE)

    async def close(self) -> None:
        """Write what is left, and let go."""
        if self._writing:
            await self._writing
        self._writer.shutdown()
        self._readers.shutdown()
        self.engine.dispose()
        if self.file:
            self.file.release()

    # Writing

    async def write(self, *statements: Statement) -> None:
        """Do these together; they are on the disk when this returns."""
        job = Job(list(statements))
        self._waiting.append(job)
        if self._writing is None or self._writing.done():
            self._writing = asyncio.create_task(self._write_all())
        await asyncio.shield(job.done)

    async def _write_all(self) -> None:
        while self._waiting:
            jobs, self._waiting = self._waiting, []
            failures = await self._in(self._writer, partial(self._commit, jobs))
            for job, failure in zip(jobs, failures, strict=True):
                if job.done.done():
                    continue
                if failure:
                    job.done.set_exception(failure)
                else:
                    job.done.set_result(None)

    def _commit(self, jobs: list[Job]) -> list[CarambaError | None]:
        """Do them, and see whether a failure is theirs or that of the database."""
        failures = self._done(jobs)
        if any(isinstance(failure, Locked) for failure in failures):
            self.failing = True
        elif any(isinstance(failure, Broken) for failure in failures):
            self._probe()
        return failures

    def _done(self, jobs: list[Job]) -> list[CarambaError | None]:
        """All in one transaction; if one of them does not fit, each in one of its own."""
        failure = self._transact([each for job in jobs for each in job.statements])
        if failure is None or isinstance(failure, Locked) or len(jobs) == 1:
            return [failure] * len(jobs)
        return [self._transact(job.statements) for job in jobs]

    def _transact(self, statements: list[Statement]) -> CarambaError | None:
        """Why it could not be done; also if the file was lost meanwhile, and all this with it."""
        lost = Lost("the file of the database was removed, replaced or emptied")
        if self._is_lost():
            return lost
        failure = self._try(statements)
        return lost if failure is None and self._is_lost() else failure

    def _is_lost(self) -> bool:
        return self.file is not None and not self.file.is_here

    def _try(self, statements: list[Statement]) -> CarambaError | None:
        try:
            with self.engine.begin() as connection:
                for statement, values in statements:
                    connection.execute(statement, values)
        except IntegrityError:
            return Taken("somebody else was quicker")
        except OperationalError:
            return Locked("the database does not answer")
        except Exception as error:  # whoever waits for this must hear of it
            return Broken(f"the database does not answer: {type(error).__name__}")
        return None

    # Reading

    async def load(self, table: str) -> Stored | None:
        """A table, whole."""
        return await self._in(self._readers, lambda: self._load(table))

    def _load(self, table: str) -> Stored | None:
        with self.engine.connect() as connection:
            rows = _rows(connection, sql.select(tables).where(tables.c.id == table))
            if not rows:
                return None
            lines = sql.select(log.c.who, log.c.text, log.c.key).where(log.c.table_id == table)
            said = sql.select(chat).where(chat.c.table_id == table).order_by(chat.c.id.desc())
            sitting = sql.select(seats).where(seats.c.table_id == table).order_by(seats.c.seat)
            return Stored(
                rows[0],
                _rows(connection, sitting),
                [Entry(*line) for line in connection.execute(lines.order_by(log.c.number))],
                _rows(connection, said.limit(KEPT_CHAT))[::-1],
            )

    async def rows(self, statement: Any) -> list[Row]:
        """What a query gives."""

        def read() -> list[Row]:
            with self.engine.connect() as connection:
                return _rows(connection, statement)

        return await self._in(self._readers, read)

    async def _in(self, pool: ThreadPoolExecutor, work: Callable[[], Answer]) -> Answer:
        try:
            return await asyncio.get_running_loop().run_in_executor(pool, work)
        except (SQLAlchemyError, sqlite3.Error) as error:
            raise Broken(f"the database does not answer: {type(error).__name__}") from None


def _rows(connection: sql.Connection, statement: Any) -> list[Row]:
    return [dict(row._mapping) for row in connection.execute(statement)]


# Statements

THIS_TABLE = sql.update(tables).where(tables.c.id == sql.bindparam("this_table"))
THIS_SEAT = sql.update(seats).where(
    (seats.c.table_id == sql.bindparam("this_table")) & (seats.c.seat == sql.bindparam("this_seat"))
)
"""Made once: to put such a statement together takes longer than to execute it."""
GLANCE = sql.select(*(sql.exists(sql.select(table)) for table in metadata.sorted_tables))
"""Whether each table can be read."""


def append(table: str, number: int, entries: Iterable[Entry]) -> Statement:
    """Add entries to a log; the first has this number."""
    values = [
        {"table_id": table, "number": number + place, **entry._asdict()}
        for place, entry in enumerate(entries)
    ]
    return sql.insert(log), values


def update_table(table: str, **values: Any) -> Statement:
    """Change a table."""
    return THIS_TABLE, {"this_table": table, **values}


def update_seat(table: str, seat: int, **values: Any) -> Statement:
    """Change a seat."""
    return THIS_SEAT, {"this_table": table, "this_seat": seat, **values}


# The database itself


def connect(url: str) -> sql.Engine:
    """The database of that URL, or in that file."""
    try:
        file = file_of(url)
        if file is None:
            return sql.create_engine(sql.make_url(url), pool_pre_ping=True)
        return _sqlite(file)
    except (SQLAlchemyError, ImportError, OSError) as error:
        raise InvalidSetup(f"cannot use that database: {_in_short(error)}") from None


def claim(url: str) -> DatabaseFile | None:
    """The file of an SQLite database for this server alone; it is made if it is not there."""
    try:
        file = file_of(url)
        return DatabaseFile(file) if file else None
    except (SQLAlchemyError, OSError) as error:
        raise InvalidSetup(f"cannot use that database: {_in_short(error)}") from None


def file_of(url: str) -> Path | None:
    """The file of an SQLite database; None for one that is not a file."""
    if "://" not in url:
        return Path(url).absolute()
    address = sql.make_url(url)
    if address.get_backend_name() != "sqlite":
        return None
    if not address.database or address.database == ":memory:":
        raise InvalidSetup("an SQLite database must be a file, such as sqlite:///tables.db")
    return Path(address.database).absolute()


def _in_short(error: Exception) -> str:
    """What went wrong, on one line: SQLAlchemy adds the statement and where to read on."""
    return str(getattr(error, "orig", None) or error).partition("\n")[0]


def _sqlite(file: Path) -> sql.Engine:
    """A database in a file that is there already: one that was removed is not made anew."""

    def open_it() -> sqlite3.Connection:
        place = f"file:{quote(str(file))}?mode=rw"
        return sqlite3.connect(place, uri=True, timeout=5, check_same_thread=False)

    engine = sql.create_engine(f"sqlite:///{file}", creator=open_it)

    @event.listens_for(engine, "connect")
    def set_up(connection: Any, _: Any) -> None:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=FULL")
        connection.execute("PRAGMA foreign_keys=ON")

    return engine


def migrate(engine: sql.Engine) -> None:
    """Bring the tables of a database up to date."""
    from alembic.util import CommandError

    name = engine.url.render_as_string(hide_password=True)
    try:
        _upgrade(engine)
    except CommandError:
        why = "its tables are of another version of Caramba!, probably a newer one"
        raise InvalidSetup(f"cannot use the database {name}: {why}") from None
    except (SQLAlchemyError, sqlite3.DatabaseError) as error:
        raise InvalidSetup(f"cannot use the database {name}: {_in_short(error)}") from None


def _upgrade(engine: sql.Engine) -> None:
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "head")


def prepare(url: str) -> None:
    """Bring a database up to date before anything else begins; what is wrong with it is said."""
    file = claim(url)
    engine = connect(url)
    try:
        migrate(engine)
        if file:
            file.make_private()
    finally:
        engine.dispose()
        if file:
            file.release()
