"""The two engines that a database can have, and all in which they differ.

SQLite is one file, which belongs to one server. PostgreSQL is a server of its own: several of ours
may use it at once, and it may go and come back at any time.
"""

import sqlite3
from pathlib import Path
from selectors import EVENT_READ, DefaultSelector
from typing import Any
from urllib.parse import quote

import sqlalchemy as sql
from sqlalchemy import event
from sqlalchemy.exc import DBAPIError, DisconnectionError

from caramba.games.errors import InvalidSetup

PRAGMAS = {"rw": ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"), "ro": ()}
"""By how a file is opened: what SQLite is told then."""
READERS = 2
"""Threads that read, beside the one that writes: each has a connection."""
POSTGRESQL = ("postgresql", "postgres")
"""What the URL of a PostgreSQL may begin with."""
REACHED = {
    "client_encoding": "utf8",
    "connect_timeout": "5",
    "keepalives_idle": "10",
    "keepalives_interval": "5",
    "keepalives_count": "3",
    "tcp_user_timeout": "15000",
}
"""How a PostgreSQL is reached, unless its URL says otherwise: a silent one is given up soon."""
NAME = {"application_name": "caramba"}
"""What a connection of ours is called, whatever its URL says: deploy/restore.sh looks for that."""
PATIENCE = "-c statement_timeout=10s -c lock_timeout=5s -c idle_in_transaction_session_timeout=60s"
"""How long it may take over a statement, and others may keep something from us."""
ALONE = 0x6361_7261_6D62_61
"""The lock of who changes what a database is made of."""
CONFLICTS = ("40001", "40P01")
"""The codes of PostgreSQL for who got in each other's way: once more, and it may go well."""


def engine_of(url: sql.URL) -> sql.Engine:
    """The engine of a URL; one of a file that is there."""
    match url.get_backend_name():
        case "sqlite":
            return sqlite(Path(str(url.database)))
        case name if name in POSTGRESQL:
            return postgresql(url)
    raise InvalidSetup("cannot use that database: it must be in SQLite or in PostgreSQL")


def sqlite(file: Path, mode: str = "rw") -> sql.Engine:
    """A database in a file that is there already: one that was removed is not made anew."""

    def open_it() -> sqlite3.Connection:
        place = f"file:{quote(str(file))}?mode={mode}"
        return sqlite3.connect(place, uri=True, timeout=5, check_same_thread=False)

    engine = sql.create_engine(f"sqlite:///{file}", creator=open_it)

    @event.listens_for(engine, "connect")
    def set_up(connection: Any, _: Any) -> None:
        for pragma in PRAGMAS[mode]:
            connection.execute(f"PRAGMA {pragma}")

    return engine


def postgresql(url: sql.URL) -> sql.Engine:
    """A database of a PostgreSQL: a connection for each thread, looked at before it is used."""
    options = f"{PATIENCE} {url.query.get('options', '')}".strip()
    reached = {**REACHED, **url.query, **NAME, "options": options}
    try:
        engine = sql.create_engine(
            url.set(drivername="postgresql+psycopg", query=reached),
            pool_size=1 + READERS,
            max_overflow=0,
            hide_parameters=True,
        )
    except ImportError:
        needs = "PostgreSQL needs psycopg: pip install 'caramba[scale]' brings it"
        raise InvalidSetup(f"cannot use that database: {needs}") from None
    event.listen(engine, "checkout", look_at)
    return engine


def look_at(connection: Any, *_: Any) -> None:
    """Have another connection made if this one has something to say while nothing was asked.

    That is its farewell, or its end. To ask whether it is there would take as long as a statement.
    """
    with DefaultSelector() as looking:
        looking.register(connection.fileno(), EVENT_READ)
        if looking.select(0):
            raise DisconnectionError


def each_by_itself(engine: sql.Engine) -> sql.Engine | None:
    """The same, where each statement is a transaction; None for one that gains nothing by that.

    To be asked less often is all that makes a difference to PostgreSQL, and nothing to SQLite.
    """
    if engine.dialect.name != "postgresql":
        return None
    return engine.execution_options(isolation_level="AUTOCOMMIT")


def check(connection: sql.Connection) -> None:
    """Raise if names and chat could not be kept in it as they are."""
    if connection.dialect.name == "postgresql":
        encoding = connection.execute(sql.text("SHOW server_encoding")).scalar()
        if encoding != "UTF8":
            why = f"its encoding must be UTF8, not {encoding}"
            raise InvalidSetup(f"cannot use the database {name_of(connection.engine.url)}: {why}")


def wait_to_be_alone(connection: sql.Connection) -> None:
    """Until this transaction ends, no other server changes what the database is made of.

    The file of an SQLite database is ours alone already.
    """
    if connection.dialect.name == "postgresql":
        for limit in ("statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout"):
            connection.execute(sql.text(f"SET LOCAL {limit} = '1h'"))
        connection.execute(sql.select(sql.func.pg_advisory_xact_lock(ALONE)))


def is_conflict(error: DBAPIError) -> bool:
    """Whether the engine is well, and only had to choose between two of its users."""
    return getattr(error.orig, "sqlstate", None) in CONFLICTS


def in_short(error: Exception) -> str:
    """What went wrong, on one line: SQLAlchemy adds the statement and where to read on.

    PostgreSQL tells of each address that a name stands for, under a heading.
    """
    lines = str(getattr(error, "orig", None) or error).splitlines() or [type(error).__name__]
    told = lines[1] if lines[0].endswith(":") and len(lines) > 1 else lines[0]
    return told.removeprefix("- ")


def name_of(url: sql.URL) -> str:
    """Which database it is, for people: without who uses it, and how they show that."""
    plain = sql.URL.create(
        url.get_backend_name(), host=url.host, port=url.port, database=url.database
    )
    return plain.render_as_string()
