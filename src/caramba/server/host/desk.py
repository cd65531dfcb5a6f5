"""A desk: some threads in which bots make decisions, in fair turns."""

import os
import secrets
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field

from caramba.bots.knowledge import Knowledge, ask
from caramba.bots.levels import make_bot
from caramba.server.host.turns import FairQueue

NICE = 10
"""How far those who look ahead stand back behind all else, as `nice` counts it."""


def chosen(knowledge: Knowledge, level: str) -> str:
    """What a bot of that level does.

    It is made for this: nothing is remembered from one decision to the next.
    """
    if len(knowledge.legal) == 1:
        return knowledge.text(knowledge.legal[0])
    return knowledge.text(ask(make_bot(level, secrets.randbits(32)), knowledge))


@dataclass(frozen=True, eq=False)
class Decision:
    """A bot is asked what it does, and the answer to come."""

    think: Callable[[], str]
    payer: str
    table: str
    answer: Future[str] = field(default_factory=Future)

    def make(self) -> None:
        """Think, unless nobody wants to know any more."""
        if not self.answer.set_running_or_notify_cancel():
            return
        try:
            self.answer.set_result(self.think())
        except BaseException as error:
            self.answer.set_exception(error)


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
