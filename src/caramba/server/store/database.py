"""The database itself: how it is reached, and brought up to date."""

import sqlite3
from pathlib import Path
from typing import Any
from urllib.parse import quote

import sqlalchemy as sql
from sqlalchemy import event
from sqlalchemy.exc import SQLAlchemyError

from caramba.games.errors import InvalidSetup
from caramba.server.store.file import DatabaseFile

MIGRATIONS = Path(__file__).parent / "migrations"


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
