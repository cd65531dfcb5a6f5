"""The file of an SQLite database: ours alone, readable by its owner only, and still there.

SQLite itself goes on writing into a file that was removed, replaced or emptied: what it then calls
kept is lost. So whoever writes asks before and afterwards whether the file is the one that was
opened.
"""

import fcntl
import os
import sqlite3
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

from caramba.games.errors import InvalidSetup
from caramba.server import telemetry

PRIVATE = 0o600
BESIDE = ("", "-wal", "-shm")
"""What belongs to a database: the file, what is not in it yet, and the index of that."""
OURS = {"alembic_version", "tables", "seats", "log", "chat"}
"""What every database of ours holds, whatever its version."""
PAGE = 512
"""No database is smaller than this; what is not in its file yet may well be nothing at all."""
Identity = tuple[int, int] | None


class DatabaseFile:
    """One file, claimed by one server."""

    def __init__(self, path: Path) -> None:
        self.path = path
        refuse_foreign(path)
        path.parent.mkdir(parents=True, exist_ok=True)
        self._claim = self._claimed()
        if not path.exists():
            path.touch(mode=PRIVATE)
        self._known: list[Identity] | None = None

    def _claimed(self) -> int:
        """A lock that ends with the process, however that ends; its file tells who has it."""
        handle = os.open(f"{self.path}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, PRIVATE)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            owner = os.read(handle, 20).decode(errors="replace").strip()
            os.close(handle)
            raise InvalidSetup(
                f"the database {self.path} is in use by another server (process {owner});"
                " one server a file: stop that one, or name another with --database"
            ) from None
        os.ftruncate(handle, 0)
        os.write(handle, f"{os.getpid()}\n".encode())
        return handle

    def release(self) -> None:
        """Let another server have it."""
        os.close(self._claim)

    def make_private(self) -> None:
        """Close a database to others that was open to them: it holds the cards to come.

        Only once it is known to be one of ours: nobody else's file is changed.
        """
        for part in (Path(f"{self.path}{ending}") for ending in BESIDE):
            if part.exists() and part.stat().st_mode & 0o077:
                part.chmod(PRIVATE)
                telemetry.log.warning("others could read this; now they cannot", file=str(part))

    # Whether it is still there

    def know(self) -> None:
        """Remember which file it is, now that it is open."""
        self._known = self._identities()

    @property
    def is_here(self) -> bool:
        """Whether what was opened is what others would find there."""
        return self._known is None or self._known == self._identities()

    def _identities(self) -> list[Identity]:
        return [_identity(f"{self.path}", PAGE), _identity(f"{self.path}-wal")]


def refuse_foreign(path: Path) -> None:
    """Raise for a file that is something else than a database of ours; it is only read."""
    try:
        found = _tables_in(path) if path.is_file() else set()
    except sqlite3.Error as error:
        raise InvalidSetup(f"cannot use the database {path}: {error}") from None
    if found and not _are_ours(found):
        raise InvalidSetup(
            f"cannot use the database {path}: it belongs to another program;"
            " name another with --database"
        )


def _are_ours(found: set[str]) -> bool:
    """Also if the first start ended before all were made, or somebody has added some."""
    return "alembic_version" in found and (found <= OURS or found >= OURS)


def _tables_in(path: Path) -> set[str]:
    """The tables of a database. Where all is in the file, nothing is made beside it to read it."""
    whole = not Path(f"{path}-wal").exists()
    place = f"file:{quote(str(path))}?mode=ro{'&immutable=1' if whole else ''}"
    with closing(sqlite3.connect(place, uri=True, timeout=5)) as connection:
        return {name for (name,) in connection.execute("SELECT tbl_name FROM sqlite_master")}


def _identity(path: str, least: int = 0) -> Identity:
    """Which file it is; None if it is gone, or emptied."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return (found.st_dev, found.st_ino) if found.st_size >= least else None
