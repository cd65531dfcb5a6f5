"""Counting together: what one address does, whichever workers it comes to."""

import asyncio
from dataclasses import dataclass, field

from caramba.server.crew import scripts
from caramba.server.crew.crew import Crew
from caramba.server.crew.link import Away


@dataclass(eq=False)
class Count:
    """Something that was done, and how often it may be."""

    key: str
    many: int
    seconds: int
    answer: asyncio.Future[bool] = field(
        default_factory=lambda: asyncio.get_running_loop().create_future()
    )


class Counter:
    """Counts in Redis, all of a round of the loop in one go."""

    def __init__(self, crew: Crew) -> None:
        self.crew = crew
        self._waiting: list[Count] = []
        self._tasks: set[asyncio.Task[None]] = set()

    async def is_too_much(self, what: str, many: int, seconds: int) -> bool:
        """Count something; whether that was too often. Raises Away."""
        count = Count(self.crew.key("rate", what), many, seconds)
        self._waiting.append(count)
        if len(self._waiting) == 1:
            asyncio.get_running_loop().call_soon(self._begin)
        return await count.answer

    def _begin(self) -> None:
        counts, self._waiting = self._waiting, []
        task = asyncio.create_task(self._send(counts))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _send(self, counts: list[Count]) -> None:
        given = [number for count in counts for number in (count.many, count.seconds)]
        try:
            full = await self.crew.link.do(scripts.COUNT, [c.key for c in counts], *given)
        except Away as away:
            for count in counts:
                if not count.answer.done():
                    count.answer.set_exception(away)
            return
        for count, is_full in zip(counts, full, strict=True):
            if not count.answer.done():
                count.answer.set_result(bool(is_full))


class Crowd:
    """How many sockets of each address are open, at all workers."""

    def __init__(self, crew: Crew) -> None:
        self.crew = crew
        self._inside: dict[str, int] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        crew.returned = self._tell_all

    async def may_enter(self, address: str, here: int, most: int) -> bool:
        """Whether one more may come in, which is then the last of so many here. Raises Away."""
        given = (self.crew.leases, self.crew.me.name, here, most)
        entered = bool(await self.crew.link.do(scripts.ENTER, [self._key(address)], *given))
        if entered:
            self._inside[address] = here
        return entered

    def note(self, address: str, here: int) -> None:
        """So many are inside now."""
        if here:
            self._inside[address] = here
        else:
            self._inside.pop(address, None)
        task = asyncio.create_task(self._tell(address))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _tell_all(self) -> None:
        for address, here in list(self._inside.items()):
            self.note(address, here)

    async def _tell(self, address: str) -> None:
        here = self._inside.get(address, 0)
        try:
            await self.crew.link.do(scripts.LEAVE, [self._key(address)], self.crew.me.name, here)
        except Away:
            return  # when it is back, all are told anew

    def _key(self, address: str) -> str:
        return self.crew.key("inside", address)
