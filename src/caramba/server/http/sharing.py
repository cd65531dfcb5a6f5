"""Limits that hold for all workers together: an address is the same one wherever it comes to."""

import asyncio

from caramba.server.crew.counting import Counter
from caramba.server.crew.crew import Crew
from caramba.server.crew.link import Away
from caramba.server.http.security import Limits, Payer, Rate
from caramba.server.settings import Settings


class SharedLimits(Limits):
    """Counts in Redis; in this process alone, while that is away."""

    def __init__(self, settings: Settings, crew: Crew) -> None:
        super().__init__(settings)
        self._counter = Counter(crew)

    async def check(self, limit: Rate, *who: str) -> None:
        """Count; refuse if that was too often."""
        try:
            full = await self._counter.is_too_much(_name(limit, who), limit.many, limit.seconds)
        except Away:
            self.count(limit, *who)
        else:
            if full:
                raise limit.refusal

    async def charge(self, who: Payer, address: str) -> None:
        """Count a request: for who pays, and for the address with all its seats."""
        own = self.seat_requests if who.is_seat else self.requests
        checks = (self.check(self.all_requests, address), self.check(own, *map(str, who)))
        for done in await asyncio.gather(*checks, return_exceptions=True):
            if done is not None:
                raise done


def _name(limit: Rate, who: tuple[str, ...]) -> str:
    return ":".join((limit.name, *who))
