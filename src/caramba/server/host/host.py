"""The host: everything that is there once, put together."""

import asyncio

from caramba.server.host.awake import Awake
from caramba.server.host.connection import GONE_AWAY
from caramba.server.host.driver import Driver
from caramba.server.host.keeping import Keeper
from caramba.server.host.room import Room
from caramba.server.host.sweeping import Sweeper
from caramba.server.host.thinking import Thinkers
from caramba.server.host.turns import Aside, Turns
from caramba.server.settings import Settings
from caramba.server.store.store import Store


class Host:
    """All tables, and what they need."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.store = Store(settings.database)
        self.thinkers = Thinkers(settings.thinkers)
        self.turns = Turns()
        self.aside = Aside()
        """For what takes the longer the longer a game is."""
        self.awake = Awake(self.store, self.aside, settings, lambda live: self.driver.drive(live))
        self.keeper = Keeper(self.store, self.awake)
        self.room = Room(self.store, self.awake, settings)
        self.driver = Driver(self.store, self.awake, self.keeper, self.thinkers, settings)
        self._sweeping: asyncio.Task[None] | None = None
        self.ready = False

    async def open(self) -> None:
        """Begin."""
        await self.store.open()
        sweeper = Sweeper(self.store, self.awake, self.settings)
        self._sweeping = asyncio.create_task(sweeper.sweep())
        self.ready = True

    async def close(self) -> None:
        """Let everybody go, keep everything."""
        self.ready = False
        if self._sweeping:
            self._sweeping.cancel()
        await self.awake.forget_all(GONE_AWAY)
        await self.store.close()
        self.thinkers.close()
        self.aside.close()
