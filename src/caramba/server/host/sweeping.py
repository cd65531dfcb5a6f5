"""Looking after tables that are asleep: waking, removing and closing them when it is time."""

import asyncio
import gc
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress

from caramba.server import telemetry
from caramba.server.host.awake import Awake
from caramba.server.settings import Settings
from caramba.server.store import changes
from caramba.server.store.errors import Broken
from caramba.server.store.store import Store

SWEEP = 100
"""Sleeping tables that are seen to in one go."""
TIDY = 600.0
"""Seconds between two looks through all of the memory, for which everybody waits a moment."""
Some = Callable[[float, str, int], Awaitable[list[str]]]
"""Asks for tables that nobody has touched since a time: behind a name, at most so many."""


class Sweeper:
    """Does its chores again and again."""

    def __init__(self, store: Store, awake: Awake, settings: Settings) -> None:
        self.store, self.awake, self.settings = store, awake, settings
        self.chores = (self._recover, self._wake_due, self._remove_stale, self._close_abandoned)

    async def sweep(self) -> None:
        """Wake tables at which something is due; see to those that nobody needs any more."""
        tidied = time.monotonic()
        while True:
            if time.monotonic() - tidied > TIDY:
                gc.collect()
                tidied = time.monotonic()
            for chore in self.chores:
                try:
                    await chore()
                except Exception as error:
                    telemetry.stumbled("could not look after sleeping tables", error)
            await asyncio.sleep(self.settings.sweep)

    async def _recover(self) -> None:
        """After a failure, try whether the database can be written to again."""
        if self.store.writer.failing:
            with suppress(Broken):
                await self.store.writer.probe()

    async def _wake_due(self) -> None:
        for table in await self.store.due(self.settings.now(), SWEEP):
            if table not in self.awake.tables:
                try:
                    await self.awake.wake(table)
                except Exception as error:
                    telemetry.stumbled("a table does not wake up", error)
                    later = self.settings.now() + self.settings.retry
                    await self.store.write(changes.update_table(table, due=later))

    async def _remove_stale(self) -> None:
        """Remove tables that never began."""
        for table in await self._asleep(self.store.never_begun, self.settings.keep_open):
            await self.store.write(changes.remove_table(table))

    async def _close_abandoned(self) -> None:
        """End games that nobody plays any more: what has happened stays, and can be looked at."""
        for table in await self._asleep(self.store.abandoned, self.settings.close_after):
            await self.store.write(changes.update_table(table, status="over", due=None))

    async def _asleep(self, some: Some, seconds: float) -> list[str]:
        """Some tables of these that are asleep, and were not touched for so long."""
        before = self.settings.now() - seconds
        asleep: list[str] = []
        last: str | None = ""
        while last is not None and len(asleep) < SWEEP:
            found = await some(before, last, SWEEP)
            asleep += [table for table in found if table not in self.awake.tables]
            last = found[-1] if len(found) == SWEEP else None
        return asleep
