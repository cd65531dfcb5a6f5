"""The tables that are awake: in memory, with whoever is connected to them."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from caramba.bots.levels import LEVELS
from caramba.games.contract import marked
from caramba.server import telemetry
from caramba.server.crew.crew import Crew, Elsewhere
from caramba.server.host.connection import REMEMBERED, TRY_AGAIN, Connection
from caramba.server.host.turns import Aside
from caramba.server.settings import Settings
from caramba.server.store.holding import Hold
from caramba.server.store.store import Store
from caramba.server.tables.kept import Kept
from caramba.server.tables.refusal import Refusal
from caramba.server.tables.table import Plan, Table
from caramba.wire import Said

SHORT = 20
"""Entries of a log that are read again at once, such as those of a new table: it takes a moment."""


@dataclass(eq=False)
class Live:
    """A table that is awake."""

    table: Table
    said: list[Said]
    left: dict[int, float]
    """The seats nobody is connected to, and since when; it counts from when the table woke up."""
    hold: Hold | None = None
    """What is shown to the database to write, where there are several workers."""
    payer: str = ""
    """The address for which its bots think."""
    made: dict[str, bytes] = field(default_factory=dict)
    """What was made of a game that is over, by name: it does not change any more."""
    done: dict[int, deque[str]] = field(default_factory=dict)
    """By seat: the keys of what was done last."""
    overheard: deque[tuple[str, str]] = field(default_factory=lambda: deque(maxlen=REMEMBERED))
    """Key and text of what those said last who watch: they have no seat to be known by when they
    come back, and two of them may use the same key for different lines."""
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    connections: set[Connection] = field(default_factory=set)
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    driver: asyncio.Task[None] | None = None
    plan: Plan | None = None
    """What the driver waits for."""
    preparing: bool = False
    """Whether the bot that has to act is still getting ready."""
    is_awake: bool = True
    """Not any more, once it is forgotten: whoever still has it has to ask for it anew."""

    @property
    def here(self) -> set[int]:
        """The seats somebody is connected to."""
        return {c.seat for c in self.connections if c.seat is not None}

    def of_seat(self, seat: int) -> list[Connection]:
        """The connections of a seat: it may play from several places."""
        return [connection for connection in self.connections if connection.seat == seat]

    def look_round(self) -> None:
        """Note who has come and who has gone."""
        here, now = self.here, self.table.settings.now()
        seats = range(len(self.table.places))
        self.left = {seat: self.left.get(seat, now) for seat in seats if seat not in here}

    @property
    def rests(self) -> bool:
        """Whether nobody plays or looks: then bots need not, either."""
        return not self.connections and not self.table.persons()

    @property
    def searchers(self) -> int:
        """How many seats have bots that look ahead, as long as there is something to play."""
        if self.table.status == "over":
            return 0
        levels = (place.level for place in self.table.places if place.kind == "bot")
        return sum(level is not None and LEVELS[level].searches for level in levels)

    @property
    def watching(self) -> int:
        """How many watch."""
        return sum(connection.seat is None for connection in self.connections)


class Awake:
    """The tables in memory, by name; others are read from the store when somebody asks."""

    def __init__(
        self,
        store: Store,
        aside: Aside,
        settings: Settings,
        drive: Callable[[Live], Coroutine[Any, Any, None]],
        crew: Crew | None = None,
    ) -> None:
        self.store, self.aside, self.settings, self.drive = store, aside, settings, drive
        self.crew = crew
        self.tables: dict[str, Live] = {}
        self.waking: dict[str, asyncio.Task[Live]] = {}

    @asynccontextmanager
    async def changing(self, table: str) -> AsyncIterator[Live]:
        """A table that nobody else changes meanwhile."""
        while True:
            live = await self.wake(table)
            async with live.lock:
                if live.is_awake:
                    yield live
                    return

    async def wake(self, table: str) -> Live:
        """A table, from the store if need be."""
        if live := self.tables.get(table):
            return live
        waking = self.waking.get(table)
        if waking is None:
            waking = self.waking[table] = asyncio.create_task(self._wake(table))
            waking.add_done_callback(lambda _: self.waking.pop(table))
        return await asyncio.shield(waking)

    async def _wake(self, table: str) -> Live:
        kept, hold = await self._read(table)
        make = partial(Table, kept, self.settings)
        made = make() if len(kept.log) <= SHORT else await self.aside.do(make)
        left = dict.fromkeys(range(len(made.places)), self.settings.now())
        live = self.tables[table] = Live(made, kept.chat, left, hold)
        live.driver = asyncio.create_task(self.drive(live))
        telemetry.AWAKE.set(len(self.tables))
        return live

    async def _read(self, table: str) -> tuple[Kept, Hold | None]:
        """What is kept of a table; where there are several workers, for this one alone."""
        if self.crew is None:
            kept = await self.store.load(table)
            if kept:
                return kept, None
        else:
            if owner := await self.crew.claim(table):
                raise Elsewhere(owner)
            if taken := await self.store.take(table):
                return taken
        raise Refusal("missing", marked("there is no such table"))

    def uses(self, table: str) -> bool:
        """Whether a table is awake, or about to be."""
        return table in self.tables or table in self.waking

    async def lose(self, tables: list[str]) -> None:
        """Other workers have these by now; whoever is connected finds them there."""
        lost = [live for table in tables if (live := self.tables.get(table))]
        await asyncio.gather(*map(self.put_away, lost))

    async def put_away(self, live: Live) -> None:
        """Forget a table when nobody changes it."""
        async with live.lock:
            self.forget(live, TRY_AGAIN)

    def forget(self, live: Live, code: int) -> None:
        """Put a table out of memory; whoever is connected comes back by itself."""
        if live.is_awake:
            live.is_awake = False
            del self.tables[live.table.id]
        telemetry.AWAKE.set(len(self.tables))
        for connection in live.connections:  # after what is to be said to them before that
            asyncio.get_running_loop().call_soon(connection.close, code)
        if live.driver and live.driver is not asyncio.current_task():
            live.driver.cancel()

    async def forget_all(self, code: int) -> None:
        """Put all out of memory, each when nobody changes it."""
        drivers = []
        for live in list(self.tables.values()):
            async with live.lock:
                self.forget(live, code)
                drivers.append(live.driver)
        await asyncio.gather(*filter(None, drivers), return_exceptions=True)
