"""The database itself: how it is reached, and brought up to date."""

import os
import sqlite3
from pathlib import Path

import sqlalchemy as sql
from sqlalchemy.exc import SQLAlchemyError

from caramba.games.errors import InvalidSetup
from caramba.server.store.engines import check, engine_of, in_short, name_of, wait_to_be_alone
from caramba.server.store.file import DatabaseFile

MIGRATIONS = Path(__file__).parent / "migrations"


def connect(url: str) -> sql.Engine:
    """The database of that URL, or in that file."""
    try:
        return engine_of(address_of(url))
    except (SQLAlchemyError, OSError) as error:
        raise InvalidSetup(f"cannot use that database: {in_short(error)}") from None


def claim(url: str) -> DatabaseFile | None:
    """The file of an SQLite database for this server alone; it is made if it is not there."""
    try:
        file = file_of(url)
        return DatabaseFile(file) if file else None
    except (SQLAlchemyError, OSError) as error:
        raise InvalidSetup(f"cannot use that database: {in_short(error)}") from None


def file_of(url: str) -> Path | None:
    """The file of an SQLite database; None for one that is not a file."""
    address = address_of(url)
    return Path(str(address.database)) if address.get_backend_name() == "sqlite" else None


def address_of(url: str) -> sql.URL:
    """Where a database is; a URL, or the name of a file.

    A link is what it leads to: whoever has the file has it by all its names.
    """
    if "://" not in url:
        return sql.URL.create("sqlite", database=os.path.realpath(url))
    try:
        address = sql.make_url(url)
    except (SQLAlchemyError, ValueError):  # which may name the password
        example = "sqlite:///tables.db or postgresql://user@host/name"
        raise InvalidSetup(f"cannot use that database: a URL is such as {example}") from None
    if address.get_backend_name() != "sqlite":
        return address
    if not address.database or address.database == ":memory:":
        raise InvalidSetup("an SQLite database must be a file, such as sqlite:///tables.db")
    return address.set(database=os.path.realpath(address.database))


def migrate(engine: sql.Engine) -> None:
    """Bring the tables of a database up to date."""
    from alembic.util import CommandError

    name = name_of(engine.url)
    try:
        _upgrade(engine)
    except CommandError:
        why = "its tables are of another version of Caramba!, probably a newer one"
        raise InvalidSetup(f"cannot use the database {name}: {why}") from None
    except (SQLAlchemyError, sqlite3.DatabaseError) as error:
        raise InvalidSetup(f"cannot use the database {name}: {in_short(error)}") from None


def _upgrade(engine: sql.Engine) -> None:
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    with engine.begin() as connection:
        check(connection)
        wait_to_be_alone(connection)
        config.attributes["connection"] = connection
        command.upgrade(config, "head")


def is_up_to_date(connection: sql.Connection) -> bool:
    """Whether its tables are those that we know."""
    from alembic.migration import MigrationContext
    from alembic.script import ScriptDirectory

    newest = ScriptDirectory(str(MIGRATIONS)).get_current_head()
    return MigrationContext.configure(connection).get_current_revision() == newest


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
