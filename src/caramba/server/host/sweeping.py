"""Looking after tables that are asleep: waking, removing and closing them when it is time."""

import asyncio
import gc
import os
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from functools import partial

from caramba.server import telemetry
from caramba.server.crew.crew import Crew
from caramba.server.crew.link import Away
from caramba.server.host.awake import Awake
from caramba.server.settings import Settings
from caramba.server.store import changes
from caramba.server.store.errors import Broken
from caramba.server.store.store import Store
from caramba.server.tables.kept import Kept
from caramba.server.tables.refusal import NotNow
from caramba.server.tables.table import Table

SWEEP = 100
"""Sleeping tables that are seen to in one go."""
FEW = 10
"""Games that are over which are removed in one go: others have their turn in between."""
DAY = 86400.0
TIDY = 600.0
"""Seconds between two looks through all of the memory, for which everybody waits a moment."""
Some = Callable[[float, str, int], Awaitable[list[str]]]
"""Asks for tables that nobody has touched since a time: behind a name, at most so many."""


class Sweeper:
    """Does its chores again and again."""

    def __init__(
        self, store: Store, awake: Awake, settings: Settings, crew: Crew | None = None
    ) -> None:
        self.store, self.awake, self.settings, self.crew = store, awake, settings, crew
        self.chores = (
            self._wake_due,
            self._remove_stale,
            self._close_abandoned,
            self._remove_finished,
        )
        self.stuck: set[str] = set()
        """Games that are over and cannot be written to a file: they stay."""

    async def sweep(self) -> None:
        """Wake tables at which something is due; see to those that nobody needs any more."""
        tidied = time.monotonic()
        while True:
            if time.monotonic() - tidied > TIDY:
                gc.collect()
                tidied = time.monotonic()
            for chore in (self._recover, *(self.chores if self._is_mine else ())):
                try:
                    await chore()
                except Away:
                    break  # nobody can tell which tables sleep
                except Exception as error:
                    telemetry.stumbled("could not look after sleeping tables", error)
            await asyncio.sleep(self.settings.sweep)

    @property
    def _is_mine(self) -> bool:
        """Whether this is for this worker to do: of several, one does it for all."""
        return self.crew is None or self.crew.is_first

    async def _recover(self) -> None:
        """After a failure, try whether the database can be written to again."""
        if self.store.writer.failing:
            with suppress(Broken):
                await self.store.writer.probe()

    async def _wake_due(self) -> None:
        for table in await self._due():
            try:
                await self.awake.wake(table)
            except NotNow:
                continue  # another worker was quicker
            except Exception as error:
                telemetry.stumbled("a table does not wake up", error)
                later = self.settings.now() + self.settings.retry
                await self.store.write(changes.update_table(table, due=later))

    async def _due(self) -> list[str]:
        """Some sleeping tables at which something is due: beside any number that are awake."""
        now, skip = self.settings.now(), 0
        while found := await self.store.due(now, SWEEP, skip):
            if asleep := await self._sleeping(found):
                return asleep
            skip += SWEEP
        return []

    async def _sleeping(self, tables: list[str]) -> list[str]:
        """Those of some tables that are awake nowhere."""
        asleep = [table for table in tables if not self.awake.uses(table)]
        taken = await self.crew.taken(asleep) if self.crew else set()
        return [table for table in asleep if table not in taken]

    async def _remove_stale(self) -> None:
        """Remove tables that never began."""
        async for table in self._asleep(self.store.never_begun, self.settings.keep_open):
            await self.store.write(changes.remove_table(table))

    async def _close_abandoned(self) -> None:
        """End games that nobody plays any more: what has happened stays, and can be looked at."""
        async for table in self._asleep(self.store.abandoned, self.settings.close_after):
            closed = {"status": "over", "due": None, "touched": self.settings.now()}
            await self.store.write(changes.update_table(table, **closed))

    async def _remove_finished(self) -> None:
        """Remove some games that were kept long enough, each once it is in its file."""
        if self.settings.keep_finished is None:
            return
        gone = 0
        async for table in self._asleep(self.store.finished, self.settings.keep_finished * DAY):
            if await self._is_exported(table) and await self._sleeping([table]):
                await self.store.write(changes.remove_table(table))
            gone += 1
            if gone == FEW:
                return

    async def _is_exported(self, table: str) -> bool:
        """Whether a game may be removed, as far as its file goes."""
        kept = await self.store.load(table) if self.settings.export_finished else None
        try:
            if kept:
                await self.awake.aside.do(partial(export, kept, self.settings))
        except Exception as error:
            telemetry.stumbled("a game that is over stays: it cannot be written to a file", error)
            self.stuck.add(table)
        return table not in self.stuck

    async def _asleep(self, some: Some, seconds: float) -> AsyncIterator[str]:
        """Some tables that were not touched for so long, each while it is asleep.

        Seeing to one takes a while, in which somebody may come to the next.
        """
        before = self.settings.now() - seconds
        last: str | None = ""
        many = 0
        while last is not None and many < SWEEP:
            found = await some(before, last, SWEEP)
            for table in found:
                if table not in self.stuck and await self._sleeping([table]):
                    yield table
                    many += 1
            last = found[-1] if len(found) == SWEEP else None


def export(kept: Kept, settings: Settings) -> None:
    """Write a game that is over to its file; it is on the disk when this returns."""
    match, folder = Table(kept, settings).match, settings.export_finished
    assert match
    assert folder
    folder.mkdir(parents=True, exist_ok=True)
    match.save(folder / f"caramba-{match.game.name}-{kept.table.id}.jsonl")
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
