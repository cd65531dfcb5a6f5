"""Fair turns: nobody's many things keep everybody else's one thing waiting."""

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import ContextVar
from functools import partial
from itertools import count
from typing import Any, Generic, TypeVar

T = TypeVar("T")
ROUND = 0.004
"""Seconds of a round of the loop in which things may be begun, if nobody has waited longer: so many
of them share a commit, and whoever is next waits no longer than that."""
PAYER: ContextVar[str] = ContextVar("payer", default="")
"""The address for which something is done; nobody's, where the server does it by itself."""


class FairQueue(Generic[T]):
    """What waits: all payers take turns, and so do the tables of a payer, each with one thing."""

    def __init__(self) -> None:
        self._waiting: dict[str, dict[str, T]] = {}  # by payer and table; the next one is first

    def __len__(self) -> int:
        return sum(map(len, self._waiting.values()))

    def put(self, payer: str, table: str, thing: T) -> T | None:
        """Have something wait; return what it replaces, if that table had something waiting."""
        tables = self._waiting.setdefault(payer, {})
        replaced = tables.get(table)
        tables[table] = thing
        return replaced

    def take(self) -> T | None:
        """Whatever is next, if anything waits."""
        if not self._waiting:
            return None
        payer = next(iter(self._waiting))
        tables = self._waiting.pop(payer)
        thing = tables.pop(next(iter(tables)))
        if tables:
            self._waiting[payer] = tables  # behind all other payers
        return thing

    def remove(self, payer: str, table: str, thing: T) -> None:
        """Have something wait no longer, if it still does."""
        tables = self._waiting.get(payer, {})
        if tables.get(table) is thing:
            del tables[table]
            if not tables:
                del self._waiting[payer]


class Turns:
    """The time of the event loop: each time round, little is begun, and payers take turns.

    So however much one address asks for at once, others wait for some of it, and not for all.
    """

    def __init__(self) -> None:
        self._waiting = FairQueue[asyncio.Future[None]]()
        self._names = count()
        self._ends: float | None = None
        """Until when things may be begun in this round of the loop, once something was."""

    async def wait(self) -> None:
        """Return when it is the payer's turn to begin something."""
        if self._ends is None:
            self._begin_round()
            return
        if not self._waiting and time.monotonic() < self._ends:
            return
        mine, name = asyncio.get_running_loop().create_future(), str(next(self._names))
        self._waiting.put(PAYER.get(), name, mine)
        try:
            await mine
        finally:
            self._waiting.remove(PAYER.get(), name, mine)

    def _begin_round(self) -> None:
        self._ends = time.monotonic() + ROUND
        asyncio.get_running_loop().call_soon(self._next)

    def _next(self) -> None:
        """A new round: whoever is next may begin."""
        self._ends = None
        while mine := self._waiting.take():
            if not mine.done():
                mine.set_result(None)
                self._begin_round()
                return


class Aside:
    """One thread for long work, in fair turns.

    Several at a time would keep the loop waiting for the interpreter.
    """

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, "aside")
        self._waiting = FairQueue[tuple[Callable[[], Any], asyncio.Future[Any]]]()
        self._names = count()
        self._busy = False

    async def do(self, work: Callable[[], T]) -> T:
        """Do something when it is the turn of whoever wants it."""
        answer: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._waiting.put(PAYER.get(), str(next(self._names)), (work, answer))
        if not self._busy:
            self._next()
        return await answer

    def _next(self) -> None:
        """Whatever is next that somebody still waits for."""
        self._busy = False
        while found := self._waiting.take():
            work, answer = found
            if not answer.done():
                self._busy = True
                doing = asyncio.get_running_loop().run_in_executor(self._thread, work)
                doing.add_done_callback(partial(self._tell, answer))
                return

    def _tell(self, answer: asyncio.Future[Any], done: asyncio.Future[Any]) -> None:
        error = done.exception()
        if not answer.done():
            if error:
                answer.set_exception(error)
            else:
                answer.set_result(done.result())
        self._next()

    def close(self) -> None:
        """Let go."""
        self._thread.shutdown()
