"""The one thread that writes.

It commits whatever has come in meanwhile in one go: a step is on the disk before anybody hears of
it, and many tables share the wait for the disk, and the statements.
"""

import asyncio
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import sqlalchemy as sql
from sqlalchemy.exc import IntegrityError, OperationalError

from caramba.games.errors import CarambaError
from caramba.server.store.changes import BEAT, Change, Row
from caramba.server.store.errors import Broken, Locked, Lost, Taken
from caramba.server.store.file import DatabaseFile
from caramba.server.store.schema import GLANCE


@dataclass
class Job:
    """Changes that are made together or not at all."""

    changes: tuple[Change, ...]
    done: asyncio.Future[None] = field(
        default_factory=lambda: asyncio.get_running_loop().create_future()
    )

    def end(self, failure: CarambaError | None) -> None:
        """Tell who waits, if somebody still does."""
        if self.done.done():
            return
        if failure:
            self.done.set_exception(failure)
        else:
            self.done.set_result(None)


class Writer:
    """Writes what it is given, in turn."""

    def __init__(self, engine: sql.Engine, file: DatabaseFile | None) -> None:
        self.engine, self.file = engine, file
        self.thread = ThreadPoolExecutor(1, "writer")
        self.failing = False
        """Whether something could not be written, and no probe has succeeded since."""
        self._waiting: list[Job] = []
        self._writing: asyncio.Future[list[CarambaError | None]] | None = None

    async def write(self, *changes: Change) -> None:
        """Make these changes together; they are on the disk when this returns."""
        job = Job(changes)
        self._waiting.append(job)
        if self._writing is None:
            self._begin()
        await job.done

    async def probe(self) -> None:
        """Try whether anything can be written."""
        loop = asyncio.get_running_loop()
        if failure := await loop.run_in_executor(self.thread, self._probe):
            raise failure

    async def close(self) -> None:
        """Write what is left."""
        while self._writing:
            await asyncio.wait([self._writing])
        self.thread.shutdown()

    @property
    def is_lost(self) -> bool:
        """Whether the file of the database is gone, or another one."""
        return self.file is not None and not self.file.is_here

    def _begin(self) -> None:
        jobs, self._waiting = self._waiting, []
        loop = asyncio.get_running_loop()
        self._writing = loop.run_in_executor(self.thread, self._commit, jobs)
        self._writing.add_done_callback(partial(self._end, jobs))

    def _end(self, jobs: list[Job], writing: asyncio.Future[list[CarambaError | None]]) -> None:
        """Tell all who wait, and go on with what has come in meanwhile."""
        self._writing = None
        if self._waiting:
            self._begin()
        for job, failure in zip(jobs, writing.result(), strict=True):
            job.end(failure)

    # In the thread

    def _probe(self) -> CarambaError | None:
        failure = self._transact(try_out)
        self.failing = failure is not None
        return failure

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
        failure = self._transact(partial(make, [each for job in jobs for each in job.changes]))
        if failure is None or isinstance(failure, Locked) or len(jobs) == 1:
            return [failure] * len(jobs)
        return [self._transact(partial(make, job.changes)) for job in jobs]

    def _transact(self, work: Callable[[sql.Connection], None]) -> CarambaError | None:
        """Why it could not be done; also if the file was lost meanwhile, and all this with it."""
        lost = Lost("the file of the database was removed, replaced or emptied")
        if self.is_lost:
            return lost
        failure = self._try(work)
        return lost if failure is None and self.is_lost else failure

    def _try(self, work: Callable[[sql.Connection], None]) -> CarambaError | None:
        try:
            with self.engine.begin() as connection:
                work(connection)
        except IntegrityError:
            return Taken("somebody else was quicker")
        except OperationalError:
            return Locked("the database does not answer")
        except Exception as error:  # whoever waits for this must hear of it
            return Broken(f"the database does not answer: {type(error).__name__}")
        return None


def try_out(connection: sql.Connection) -> None:
    """Whether something can be written, and all be read."""
    connection.execute(BEAT, {"at": time.time()})
    connection.execute(GLANCE)


def make(changes: Iterable[Change], connection: sql.Connection) -> None:
    """All of one kind at once, where the first of them stands: it costs little more than one."""
    kinds: dict[tuple[Any, ...], list[Row]] = {}
    for statement, rows in changes:
        kinds.setdefault((statement, *rows[0]), []).extend(rows)
    for (statement, *_), rows in kinds.items():
        connection.execute(statement, rows)
