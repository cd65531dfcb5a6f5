"""A server of several workers with a PostgreSQL and a Redis, all of which can be hurt."""

import asyncio
import json
import os
import random
import signal
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import ExitStack
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

import engines
from serving import Server

STILL = 10.0
"""Seconds for which a worker stands still: longer than it is waited for."""
AWAY = 3.0
"""Seconds for which Redis or PostgreSQL is away, at the most."""
AT_ONCE, SETTLED = 0.05, 180.0
"""Seconds after which the next thing may happen, and in which all that was begun has its end."""
KILLED = "workers killed"
GROWN_UP, YOUNG = 10.0, 0.1
"""Seconds after which a worker serves, also on a crowded machine; and how often it may be younger.
Where workers die young, the next ones are started ever later: then there is little to be harmed."""
EXPECTED = {
    "Redis does not answer",
    "a message failed",
    "a worker waits for its database",
    "a request failed",
    "a table does not wake up",
    "could not look after sleeping tables",
    "could not write",
    "error ignored terminating",
}
"""What the log may tell of while something it needs is away."""
CANCELLED = ("timeout graceful shutdown exceeded", '"error": "CancelledError"')
"""What it tells of if a worker that ends does not wait any longer for those who do not hang up."""


class Workers(Server):
    """`caramba serve --workers`, and what it needs, all on this machine."""

    def __init__(self, folder: Path, many: int, *options: str) -> None:
        self.leaving = ExitStack()
        self.postgres, self.redis = engines.new_postgres(), engines.new_redis()
        self.leaving.callback(self.postgres.remove)
        self.leaving.callback(self.redis.remove)
        self.url = self.leaving.enter_context(engines.new_database(self.postgres.url))
        given = ("--database", self.url, "--redis", self.redis.url, "--workers", str(many))
        super().__init__(folder, *options, *given)
        self.many = many

    @property
    def workers(self) -> list[int]:
        """Their processes."""
        return [pid for pid in self._children if "pool" not in _command(pid)]

    @property
    def thinkers(self) -> list[int]:
        """The process in which bots look ahead."""
        return [pid for pid in self._children if "pool" in _command(pid)]

    @property
    def processes(self) -> list[int]:
        """All of them: what they hold and use is added up."""
        return [self._running.pid, *self._children]

    @property
    def _children(self) -> list[int]:
        own = self._running.pid
        return [*map(int, Path(f"/proc/{own}/task/{own}/children").read_text().split())]

    def close(self) -> None:
        """Leave nothing."""
        self.leaving.close()

    def complaints(self) -> list[str]:
        """Lines of its log that tell of something that should not happen, whatever is hurt."""
        lines = (line for line in super().complaints() if _event(line) not in EXPECTED)
        return [line for line in lines if not any(told in line for told in CANCELLED)]

    @property
    def expected(self) -> Counter[str]:
        """How often something was told of that may well happen."""
        events = map(_event, super().complaints())
        return Counter(f"in the log: {event}" for event in events if event in EXPECTED)


def _command(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text()
    except OSError:
        return ""


def _event(line: str) -> str:
    try:
        return str(json.loads(line)["event"]).partition(" <")[0]
    except (ValueError, TypeError, KeyError):
        return line


class Harm:
    """What can happen to such a server, each by its name.

    What takes its time goes on in the background: meanwhile something else may happen, too.
    """

    def __init__(self, server: Workers, rng: random.Random) -> None:
        self.server, self.rng = server, rng
        self.kinds: dict[str, tuple[float, Callable[[], Awaitable[int | None]]]] = {
            KILLED: (0.76, self.kill),
            "processes of bots killed": (0.06, self.kill_thinkers),
            "workers stopped for 10 s": (0.04, self.stand_still),
            "Redis started anew": (0.06, self.lose_redis),
            "PostgreSQL started anew": (0.06, self.lose_postgres),
            "all workers started anew": (0.02, self.roll),
        }
        self.under_way: dict[str, asyncio.Task[int | None]] = {}
        self.grown_up = 0
        """Workers that were killed when they served for sure; others may have been starting."""

    async def do(self) -> tuple[str, int]:
        """Something, by chance; its name, and how many it hit."""
        self.server.check()
        for work in self.under_way.values():
            if work.done():
                work.result()  # it may have failed
        weights = [weight for weight, _ in self.kinds.values()]
        (name,) = self.rng.choices(list(self.kinds), weights)
        if name in self.under_way and not self.under_way[name].done():
            name = KILLED
        work = asyncio.ensure_future(self.kinds[name][1]())
        done, _ = await asyncio.wait([work], timeout=None if name == KILLED else AT_ONCE)
        if done:
            return name, work.result() or 1
        self.under_way[name] = work
        return name, 1

    async def settle(self) -> None:
        """Wait until nothing is done to the server any more."""
        async with asyncio.timeout(SETTLED):
            await asyncio.gather(*self.under_way.values())
        self.under_way.clear()

    async def kill(self) -> int:
        """Some workers at once, or all of them, which learn nothing of it."""
        age = 0.0 if self.rng.random() < YOUNG else GROWN_UP
        workers = await self._workers(self.rng.randint(1, self.server.many), age)
        self.grown_up += sum(_age(pid) > GROWN_UP for pid in workers)
        return sum(_send(pid, signal.SIGKILL) for pid in workers)

    async def kill_thinkers(self) -> int:
        """That in which bots look ahead."""
        return sum(_send(pid, signal.SIGKILL) for pid in self.server.thinkers)

    async def stand_still(self) -> None:
        """One worker, which does not notice that time goes on."""
        (worker,) = await self._workers(1)
        _send(worker, signal.SIGSTOP)
        await asyncio.sleep(STILL)
        _send(worker, signal.SIGCONT)

    async def lose_redis(self) -> None:
        """Redis ends, and comes back with nothing in it."""
        await asyncio.to_thread(self.server.redis.stop, signal.SIGTERM)
        await asyncio.sleep(self.rng.uniform(0, AWAY))
        await asyncio.to_thread(self.server.redis.start)

    async def lose_postgres(self) -> None:
        """PostgreSQL ends, now and then as if the machine had lost power, and comes back."""
        how = self.rng.choice([signal.SIGINT, signal.SIGQUIT])
        await asyncio.to_thread(self.server.postgres.stop, how)
        await asyncio.sleep(self.rng.uniform(0, AWAY))
        await asyncio.to_thread(self.server.postgres.start)

    async def roll(self) -> None:
        """As for a new version."""
        before = {*self.server.workers}
        self.server.signal(signal.SIGHUP)
        while before & {*self.server.workers}:
            await asyncio.sleep(0.1)

    async def _workers(self, many: int, age: float = 0.0) -> list[int]:
        """So many of them that are older than that, or all that there are at the moment."""
        while not (workers := [pid for pid in self.server.workers if _age(pid) > age]):
            await asyncio.sleep(0.1)
        return self.rng.sample(workers, min(many, len(workers)))


def _age(pid: int) -> float:
    """Seconds since a process began."""
    try:
        began = int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[19])
    except OSError:
        return 0.0
    return time.clock_gettime(time.CLOCK_BOOTTIME) - began / os.sysconf("SC_CLK_TCK")


def _send(pid: int, number: int) -> bool:
    """Send a signal; whether there was still somebody to get it."""
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        return False
    return True
