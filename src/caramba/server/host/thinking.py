"""Bots at work: in threads of their own, in fair turns, from the knowledge of their seat."""

import asyncio
import os
import secrets
import threading
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field

from caramba.bots.knowledge import Knowledge, ask
from caramba.bots.levels import LEVELS, make_bot
from caramba.games.errors import InvalidSetup
from caramba.match.match import Match
from caramba.server.host.turns import FairQueue

NICE = 10
"""How far those who look ahead stand back behind all else, as `nice` counts it."""


@dataclass(frozen=True, eq=False)
class Decision:
    """A bot of some level is asked what it does, and the answer to come."""

    knowledge: Knowledge
    level: str
    payer: str
    table: str
    answer: Future[str] = field(default_factory=Future)

    @property
    def is_quick(self) -> bool:
        """Whether nobody has to look ahead for it."""
        return len(self.knowledge.legal) == 1 or not LEVELS[self.level].searches

    def make(self) -> None:
        """Think, unless nobody wants to know any more."""
        if not self.answer.set_running_or_notify_cancel():
            return
        try:
            self.answer.set_result(self._text())
        except BaseException as error:
            self.answer.set_exception(error)

    def _text(self) -> str:
        """Made by a bot of its own: nothing is remembered from one decision to the next."""
        knowledge = self.knowledge
        if len(knowledge.legal) == 1:
            return knowledge.text(knowledge.legal[0])
        return knowledge.text(ask(make_bot(self.level, secrets.randbits(32)), knowledge))


class Desk:
    """Some threads that make decisions, in fair turns."""

    def __init__(self, threads: int, name: str, modest: bool = False) -> None:
        self._threads = ThreadPoolExecutor(threads, name, be_modest if modest else None)
        self._idle = threads
        self._queue = FairQueue[Decision]()
        self._lock = threading.Lock()

    def __len__(self) -> int:
        with self._lock:
            return len(self._queue)

    def put(self, decision: Decision) -> None:
        """Have a decision made when its turn comes."""
        decision.answer.add_done_callback(lambda _: self._remove(decision))
        with self._lock:
            replaced = self._queue.put(decision.payer, decision.table, decision)
            if self._idle:
                self._threads.submit(self._work)
                self._idle -= 1
        if replaced:
            replaced.answer.cancel()

    def _remove(self, decision: Decision) -> None:
        with self._lock:
            self._queue.remove(decision.payer, decision.table, decision)

    def _work(self) -> None:
        """Make decisions as long as there are any."""
        while decision := self._next():
            decision.make()

    def _next(self) -> Decision | None:
        with self._lock:
            decision = self._queue.take()
            self._idle += decision is None
            return decision

    def close(self) -> None:
        """Cancel what waits; a decision that is being made comes to its end."""
        with self._lock:
            waiting = list(iter(self._queue.take, None))
        for decision in waiting:
            decision.answer.cancel()
        self._threads.shutdown()


def be_modest() -> None:
    """Let this thread have what others leave of the processors: nobody waits for a deep thought.

    Linux counts threads like processes there; elsewhere it may not be possible.
    """
    with suppress(OSError, AttributeError):
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICE)


class Thinkers:
    """All bots of a server: those who look ahead in some threads, the quick ones in another."""

    def __init__(self, threads: int) -> None:
        self._quick = Desk(1, "quick bot")
        self._searching = Desk(threads, "bot", modest=True)

    def think(
        self, match: Match, seat: int, level: str, payer: str, table: str
    ) -> asyncio.Future[str]:
        """What a bot of that level does at a seat, as the game stands at this moment.

        Payers take turns, whoever they are, and so do the tables of a payer. A table waits for
        one decision: another one takes its place.
        """
        knowledge = Knowledge(match.game, match.state, seat, match.players)
        decision = Decision(knowledge, level, payer, table)
        desk = self._quick if decision.is_quick else self._searching
        desk.put(decision)
        return asyncio.wrap_future(decision.answer)

    @property
    def waiting(self) -> int:
        """How many decisions nobody has begun to make."""
        return len(self._quick) + len(self._searching)

    def close(self) -> None:
        """Let go; a decision that is being made comes to its end."""
        for desk in (self._quick, self._searching):
            desk.close()


def check_level(level: str) -> str:
    """The level, if there is such a one."""
    if level not in LEVELS:
        raise InvalidSetup(f"there is no level {level[:40]!r}; there are {', '.join(LEVELS)}")
    return level
