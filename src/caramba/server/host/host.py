"""The host: everything that is there once, put together."""

import asyncio

from caramba.games.errors import InvalidSetup
from caramba.server import telemetry
from caramba.server.crew.crew import Crew
from caramba.server.host.awake import Awake
from caramba.server.host.connection import GONE_AWAY
from caramba.server.host.driver import Driver
from caramba.server.host.keeping import Keeper
from caramba.server.host.room import Room
from caramba.server.host.sweeping import Sweeper
from caramba.server.host.thinking import Thinkers
from caramba.server.host.turns import Aside, Turns
from caramba.server.settings import Settings
from caramba.server.store.errors import Broken
from caramba.server.store.store import Store

WAIT = 1.0
"""Seconds until a database is tried again."""


class Host:
    """All tables, and what they need."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.store = Store(settings.database)
        self.thinkers = Thinkers(settings.thinkers, settings.compiled, settings.pool)
        self.turns = Turns()
        self.aside = Aside()
        """For what takes the longer the longer a game is."""
        self.crew = Crew(settings.redis, settings.inner) if settings.redis else None
        """The other workers, if there may be any."""
        self.awake = Awake(
            self.store, self.aside, settings, lambda live: self.driver.drive(live), self.crew
        )
        self.keeper = Keeper(self.store, self.awake)
        self.room = Room(self.store, self.awake, settings)
        self.driver = Driver(self.store, self.awake, self.keeper, self.thinkers, settings)
        self._sweeping: asyncio.Task[None] | None = None
        self.ready = False

    async def open(self) -> None:
        """Begin."""
        if self.crew:
            await self._join(self.crew)
        else:
            await self.store.open()
        sweeper = Sweeper(self.store, self.awake, self.settings, self.crew)
        self._sweeping = asyncio.create_task(sweeper.sweep())
        self.ready = True

    async def _join(self, crew: Crew) -> None:
        """Be one of several, who are there again after the database was away, and so is this."""
        crew.uses, crew.lose = self.awake.uses, self.awake.lose
        while True:
            try:
                await self.store.open()
                return await crew.open(await self.store.secret())
            except (InvalidSetup, Broken) as error:
                telemetry.log.warning("a worker waits for its database", why=str(error))
                await asyncio.sleep(WAIT)

    async def leave(self) -> None:
        """Let everybody go: what is kept here, other workers may go on with at once."""
        self.ready = False
        if self._sweeping:
            self._sweeping.cancel()
        if self.crew:
            self.crew.leaving = True
        await self.awake.forget_all(GONE_AWAY)
        if self.crew:
            await self.crew.close()

    async def close(self) -> None:
        """Let everybody go, keep everything."""
        await self.leave()
        await self.store.close()
        self.thinkers.close()
        self.aside.close()
