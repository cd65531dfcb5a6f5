"""Whether there is room: for another table, and for bots that look ahead."""

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from caramba.bots.levels import LEVELS
from caramba.games.contract import marked
from caramba.server.host.awake import Awake
from caramba.server.host.thinking import check_level
from caramba.server.host.turns import PAYER
from caramba.server.settings import Settings
from caramba.server.store.store import Store
from caramba.server.tables.refusal import Refusal


class Room:
    """What a server can hold."""

    def __init__(self, store: Store, awake: Awake, settings: Settings) -> None:
        self.store, self.awake, self.settings = store, awake, settings
        self.searchers_to_come = Counter[str]()
        """By address: seats of bots that look ahead, at tables that are just being made."""

    async def check_tables(self) -> None:
        """Whether there may be another table: those nobody has touched for long do not count."""
        since = self.settings.now() - self.settings.uncounted
        if await self.store.count(since) >= self.settings.max_tables:
            message = marked("this server has as many tables as it can hold; come back later")
            raise Refusal("too_fast", message)

    @contextmanager
    def for_searchers(self, levels: Iterable[str | None]) -> Iterator[None]:
        """Whether so many more bots may look ahead for the address that asks; if so, room is kept.

        Until their table is there: who asks for many at once gets no more than one after the other.
        """
        payer = PAYER.get()
        more = sum(level is not None and LEVELS[check_level(level)].searches for level in levels)
        if more and self._searchers(payer) + more > self.settings.searchers:
            message = marked(
                "at most {many} bots that look ahead play for one address at a time;"
                " finish a game, or choose bots of another level"
            )
            raise Refusal("too_fast", message, many=self.settings.searchers)
        self.searchers_to_come[payer] += more
        try:
            yield
        finally:
            self.searchers_to_come[payer] -= more
            if not self.searchers_to_come[payer]:
                del self.searchers_to_come[payer]

    def _searchers(self, payer: str) -> int:
        """How many look ahead for an address already, or are about to."""
        mine = (live.searchers for live in self.awake.tables.values() if live.payer == payer)
        return sum(mine) + self.searchers_to_come[payer]
