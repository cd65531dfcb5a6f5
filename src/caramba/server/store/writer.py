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
from caramba.server.store.at_once import make_at_once, sorted_out
from caramba.server.store.changes import BEAT, Change, in_order, whose
from caramba.server.store.engines import each_by_itself, is_conflict
from caramba.server.store.errors import Broken, Crossed, Locked, Lost, Taken
from caramba.server.store.file import DatabaseFile
from caramba.server.store.holding import Hold, lost
from caramba.server.store.schema import GLANCE

PATIENCE = 20.0
"""Seconds for which anybody waits; the database itself gives up before, if it still can."""


@dataclass(eq=False)
class Job:
    """Changes that are made together or not at all."""

    changes: tuple[Change, ...]
    hold: Hold | None = None
    """Of the table that is changed, where several workers write."""
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
        self.by_itself = each_by_itself(engine)
        self.thread = ThreadPoolExecutor(1, "writer")
        self.failing = False
        """Whether something could not be written, and no probe has succeeded since."""
        self._waiting: list[Job] = []
        self._writing: asyncio.Future[list[CarambaError | None]] | None = None
        self._watch: asyncio.TimerHandle

    async def write(self, *changes: Change, hold: Hold | None = None) -> None:
        """Make these changes together; they are on the disk when this returns."""
        job = Job(changes, hold)
        self._waiting.append(job)
        if self._writing is None and len(self._waiting) == 1:
            asyncio.get_running_loop().call_soon(self._begin)  # with all of this round of the loop
        await job.done

    async def probe(self) -> None:
        """Try whether anything can be written."""
        loop = asyncio.get_running_loop()
        if failure := await loop.run_in_executor(self.thread, self._probe):
            raise failure

    async def close(self) -> None:
        """Write what is left."""
        while self._writing or self._waiting:
            await asyncio.wait([self._writing] if self._writing else [self._waiting[0].done])
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
        self._watch = loop.call_later(PATIENCE, self._give_up, jobs)

    def _give_up(self, jobs: list[Job]) -> None:
        """Let nobody wait any longer; what comes of what is being written, the database knows."""
        self.failing = True
        for job in (*jobs, *self._waiting):
            job.end(Locked("the database does not answer"))
        self._waiting.clear()
        self._watch = asyncio.get_running_loop().call_later(PATIENCE, self._give_up, [])

    def _end(self, jobs: list[Job], writing: asyncio.Future[list[CarambaError | None]]) -> None:
        """Tell all who wait, and go on with what has come in meanwhile."""
        self._writing = None
        self._watch.cancel()
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
        gone = set[Hold]()
        failure = self._made(jobs, gone)
        if failure is None:
            return [Taken("another worker has it") if job.hold in gone else None for job in jobs]
        if isinstance(failure, Locked):
            return [failure] * len(jobs)
        if len(jobs) == 1 and not isinstance(failure, Crossed):
            return [failure]
        return [self._alone(job) for job in jobs]

    def _made(self, jobs: list[Job], gone: set[Hold]) -> CarambaError | None:
        """In one statement, where that is possible."""
        kinds = sorted_out((job.hold, job.changes) for job in jobs) if self.by_itself else None
        if kinds is None:
            return self._transact(partial(make_held, jobs, gone))
        holds = [job.hold for job in jobs if job.hold]
        return self._transact(partial(make_at_once, kinds, holds, gone), self.by_itself)

    def _alone(self, job: Job) -> CarambaError | None:
        gone = set[Hold]()
        failure = self._made([job], gone)
        return failure or (Taken("another worker has it") if gone else None)

    def _transact(
        self, work: Callable[[sql.Connection], None], engine: sql.Engine | None = None
    ) -> CarambaError | None:
        """Why it could not be done; also if the file was lost meanwhile, and all this with it."""
        lost = Lost("the file of the database was removed, replaced or emptied")
        if self.is_lost:
            return lost
        failure = self._try(work, engine or self.engine)
        return lost if failure is None and self.is_lost else failure

    def _try(
        self, work: Callable[[sql.Connection], None], engine: sql.Engine
    ) -> CarambaError | None:
        try:
            with engine.begin() as connection:
                work(connection)
        except IntegrityError:
            return Taken("somebody else was quicker")
        except OperationalError as error:
            crossed = Crossed("somebody else was in the way")
            return crossed if is_conflict(error) else Locked("the database does not answer")
        except Exception as error:  # whoever waits for this must hear of it
            return Broken(f"the database does not answer: {type(error).__name__}")
        return None


def try_out(connection: sql.Connection) -> None:
    """Whether something can be written, and all be read."""
    connection.execute(BEAT, {"at": time.time()})
    connection.execute(GLANCE)


def make_held(jobs: Iterable[Job], gone: set[Hold], connection: sql.Connection) -> None:
    """All but those of tables that another worker has by now, which are named."""
    gone |= lost(connection, (job.hold for job in jobs))
    make([each for job in jobs if job.hold not in gone for each in job.changes], connection)


def make(changes: Iterable[Change], connection: sql.Connection) -> None:
    """All of one kind at once: it costs little more than one."""
    kinds: dict[tuple[Any, ...], Change] = {}
    for statement, rows in sorted(changes, key=in_order):
        kinds.setdefault((statement, *rows[0]), Change(statement, [])).rows.extend(rows)
    for statement, rows in kinds.values():
        connection.execute(statement, sorted(rows, key=whose))
