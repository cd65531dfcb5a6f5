"""Who is there, and who has which table: each is awake in one worker at a time."""

import asyncio
import secrets
import time
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from contextlib import AsyncExitStack, contextmanager, suppress
from hashlib import sha256
from ipaddress import ip_address
from typing import NamedTuple
from weakref import WeakValueDictionary

from caramba.server import telemetry
from caramba.server.crew import scripts
from caramba.server.crew.link import Away, Link
from caramba.server.tables.refusal import NotNow

BEAT, LEASE = 1.0, 5.0
"""Seconds between two signs of life, and after which somebody without one is not there."""
CLAIM, RENEW = 3600, 600.0
"""Seconds for which a claim is remembered, and after which it is written again."""
MANY = 500
"""Claims that are seen to in one go."""


class Worker(NamedTuple):
    """One of the crew: a name that is never used again, and where others reach it."""

    name: str
    address: str

    @property
    def place(self) -> tuple[str, int]:
        """Its address and its port; where nobody can be, it is as if nobody listened there."""
        host, _, port = self.address.rpartition(":")
        try:
            place = str(ip_address(host.strip("[]"))), int(port)
        except ValueError:
            raise ConnectionRefusedError from None
        if not 0 < place[1] < 65536:
            raise ConnectionRefusedError
        return place


class Elsewhere(NotNow):
    """Another worker has the table."""

    def __init__(self, worker: Worker) -> None:
        super().__init__()
        self.worker = worker


class Crew:
    """All workers, as one of them knows them."""

    def __init__(self, url: str, address: str) -> None:
        self.me = Worker(secrets.token_hex(8), address)
        self.link = Link(url)
        self.secret = ""
        self.is_first = False
        """Whether this one looks after sleeping tables."""
        self.leaving = False
        """Whether it lets its tables go, and takes no others."""
        self.uses: Callable[[str], bool] = lambda table: False
        """Whether a table is awake here, or about to be."""
        self.lose: Callable[[list[str]], Awaitable[None]]
        """Is told of tables that were taken by others while this one could not be reached."""
        self.returned: Callable[[], None] = lambda: None
        """Is told when Redis may have forgotten what this one said."""
        self._mine: set[str] = set()
        self._watched: dict[str, set[asyncio.Event]] = {}
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._renewed = self._seen = time.monotonic()
        self._forgotten = False
        """Whether Redis is still to be told again what this one has."""
        self._prefix = ""
        self._living: asyncio.Task[None] | None = None

    async def open(self, secret: str) -> None:
        """Begin to be there. Crews of other databases may use the same Redis."""
        self.secret = secret
        self._prefix = f"caramba:{sha256(secret.encode()).hexdigest()[:12]}"
        await self._try_to_beat()
        self._living = asyncio.create_task(self._live())

    async def close(self) -> None:
        """Be gone: whatever this one had, others may have at once."""
        self.leaving = True
        if self._living is None:
            return
        while not self._living.done():  # who asks Redis may not hear it the first time
            self._living.cancel()
            await asyncio.wait([self._living], timeout=BEAT)
        self._living = None
        with suppress(Away):  # else it is known to be gone a moment later
            await self._bury(self.me)
            await self.link.do(scripts.RELEASE, [self.key("first")], self.me.name)
        await self.link.close()

    def key(self, *parts: str) -> str:
        """Where something is kept."""
        return ":".join((self._prefix, *parts))

    @property
    def leases(self) -> str:
        """How the key of every lease begins."""
        return self.key("worker", "")

    def _lease(self, worker: str) -> str:
        return f"{self.leases}{worker}"

    def _sign(self, worker: str) -> str:
        return self.key("seen", worker)

    def _claims(self, tables: Iterable[str]) -> list[str]:
        return [self.key("table", table) for table in tables]

    @property
    def is_sure(self) -> bool:
        """Whether what is awake here can be nowhere else: not if this worker stood still.

        While Redis is away nobody takes anything.
        """
        return not self.link.is_here or time.monotonic() - self._seen < LEASE

    # Which table is whose

    async def claim(self, table: str) -> Worker | None:
        """Have a table, unless another worker has it, who is then named.

        If it is awake here all the same, since this one stood still, it is not any more.
        """
        owner = await self._claim(table)
        if owner and self.uses(table):
            await self.lose([table])
        return owner

    async def _claim(self, table: str) -> Worker | None:
        async with self._locks.setdefault(table, asyncio.Lock()):
            given = (self.leases, *self.me, CLAIM, int(1000 * LEASE), int(not self.leaving))
            try:
                found = await self.link.do(scripts.CLAIM, self._claims([table]), *given)
            except Away:
                raise NotNow from None
            if found == [self.me.name]:
                self._mine.add(table)
                return None
            self._mine.discard(table)
            if not found:
                raise NotNow
            return Worker(*found)

    async def taken(self, tables: Sequence[str]) -> set[str]:
        """Which of these are awake somewhere."""
        if not tables:
            return set()
        found = await self.link.do(scripts.TAKEN, self._claims(tables), self.leases)
        return {table for table, is_taken in zip(tables, found, strict=True) if is_taken}

    async def let_go(self, tables: Iterable[str]) -> None:
        """Leave tables to others, but for those that are used, or just being claimed, again."""
        async with AsyncExitStack() as holding:
            going = []
            for table in tables:
                lock = self._locks.setdefault(table, asyncio.Lock())
                if not lock.locked() and not self.uses(table):
                    await holding.enter_async_context(lock)
                    going.append(table)
            if going:
                await self.link.do(scripts.RELEASE, self._claims(going), self.me.name)
                self._mine.difference_update(going)

    # Being there

    async def _live(self) -> None:
        while True:
            await asyncio.sleep(BEAT)
            await self._try_to_beat()

    async def _try_to_beat(self) -> None:
        try:
            await self._beat()
        except (Away, NotNow):
            self.is_first = False
        except Exception as error:
            telemetry.stumbled("the crew stumbled", error)

    async def _beat(self) -> None:
        name = self.me.name
        keys = [self._lease(name), self._sign(name), self.key("first")]
        given = (*self.me, int(1000 * LEASE))
        began = time.monotonic()
        known, first = await self.link.do(scripts.BEAT, keys, *given, trying=True)
        self._seen = began
        self.is_first = bool(first) and not self.leaving
        self._forgotten |= not known
        if self._forgotten:
            await self._come_back()
            self._forgotten = False  # if Redis went away meanwhile, this is done again
        await self._look_after_others()
        unused = [table for table in self._mine if not self.uses(table)]
        for some in range(0, len(unused), MANY):
            await self.let_go(unused[some : some + MANY])
        if time.monotonic() - self._renewed > RENEW:
            await self._renew()

    async def _come_back(self) -> None:
        """Nobody knew any more that this one is there: what others took meanwhile is theirs."""
        self.returned()
        for table in list(self._mine):
            await self.claim(table)

    async def _renew(self) -> None:
        claims = self._claims(self._mine)
        for some in range(0, len(claims), MANY):
            await self.link.do(scripts.RENEW, claims[some : some + MANY], CLAIM)
        self._renewed = time.monotonic()

    # Others

    @contextmanager
    def watching(self, worker: Worker) -> Iterator[asyncio.Event]:
        """Is set when that worker is there no longer."""
        gone = asyncio.Event()
        self._watched.setdefault(worker.name, set()).add(gone)
        try:
            yield gone
        finally:
            watching = self._watched[worker.name]
            watching.discard(gone)
            if not watching:
                del self._watched[worker.name]

    async def _look_after_others(self) -> None:
        names = list(self._watched)
        there = await self.link.do(scripts.THERE, [self._lease(name) for name in names])
        for name, is_there in zip(names, there, strict=True):
            if not is_there:
                for gone in self._watched.get(name, ()):
                    gone.set()

    async def bury(self, worker: Worker) -> None:
        """Nobody listens at its address: it need not be waited for."""
        with suppress(Away):
            await self._bury(worker)

    async def _bury(self, worker: Worker) -> None:
        keys = [self._lease(worker.name), self._sign(worker.name)]
        await self.link.do(scripts.BURY, keys, worker.address)
