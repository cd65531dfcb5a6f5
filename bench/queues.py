"""How many tables a site can carry: its queues, simulated with times from what was measured.

Run it from the checkout: .venv/bin/python bench/queues.py [--seconds 30]. First the model is put
beside what bench/load.py measured, then a cell of a large site is filled until it is late: so many
workers with one PostgreSQL, each of which writes whatever has come in since its last commit in one
go. docs/many-tables.md tells what follows from it.

Times are those that bench/services.py measured with 50 tables, without a pause and with 0.2 s
before a move: what a worker does for a move, and, since many moves at a time are cheaper than one,
what it does for each round of them. None was chosen to fit what bench/load.py measures.

A move is read and decided by its worker, kept by a commit of its worker, and told by its worker. A
worker does one thing at a time. Some moves come to another worker first, which passes them on. The
database commits for several workers at a time, as many as it has cores. Times vary as they do on a
machine: most are about as long as the median, and few several times as long.
"""

import heapq
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import count
from typing import NamedTuple

import click
import numpy as np


@dataclass(frozen=True)
class Times:
    """What things take, in seconds: one process on SQLite, on two cores (bench/RESULTS.md)."""

    decide: float = 0.095e-3
    """To decide what comes of a move; processor time of the worker."""
    tell: float = 0.33e-3
    """To make the news for both seats."""
    rest: float = 0.23e-3
    """To read and to send: half of it before the commit, half of it after."""
    writer: float = 0.10e-3
    """For the thread that commits, which takes turns with all of that."""
    round: float = 0.50e-3
    """Besides, for all moves that are told at a time."""
    passing: float = 0.0
    """For a worker that passes on a move and its news, as it came to the wrong one."""
    commit: float = 0.81e-3
    """To commit, by the clock, however little it is: most of it waits for the disk."""
    row: float = 0.05e-3
    """What each move adds to that."""
    database: float = 0.0
    """Of a commit: processor time of the database."""
    client: float = 0.18e-3
    """For a player of the bench to read its news and answer; all of them are one process."""


WORKER = Times(
    rest=0.27e-3,
    writer=0.10e-3,
    round=0.77e-3,
    passing=0.12e-3,
    commit=1.8e-3,
    row=0.16e-3,
    database=0.5e-3,
)
"""The same for a worker on PostgreSQL and Redis. What passing on takes is what two workers, to whom
half of the moves came by the wrong one, needed more for a move than one, times two."""


@dataclass(frozen=True)
class Site:
    """What is simulated."""

    tables: int
    workers: int
    think: float
    """Seconds from one move at a table to the next, on average."""
    misses: float = 0.0
    """The share of moves that come to a worker which has to pass them on."""
    cores: int = 4
    """Of the database."""
    one_client: bool = False
    """Whether all players are in one process, as in the bench."""
    times: Times = Times()


class Found(NamedTuple):
    """What came of it."""

    moves: float
    """A second."""
    median: float
    slowest: float
    """The 99th percentile; both in milliseconds."""
    busy: float
    """Share of a core, of each worker."""
    commits: float
    """A second, in the database."""


@dataclass
class Line:
    """Whatever does one thing after the other, in the order in which they come."""

    free: float = 0.0
    busy: float = 0.0

    def serve(self, now: float, work: float) -> float:
        """When something that comes now is done."""
        self.free = max(self.free, now) + work
        self.busy += work
        return self.free


@dataclass
class Worker(Line):
    """One worker, with what waits for its next commit."""

    waiting: list[int] = field(default_factory=list)
    writing: bool = False


class Simulation:
    """People, workers and a database."""

    def __init__(self, site: Site, seed: int = 1) -> None:
        self.site, self.rng = site, np.random.default_rng(seed)
        self.workers = [Worker() for _ in range(site.workers)]
        self.cores = [0.0] * site.cores
        self.client = Line()
        self.sent = [0.0] * site.tables
        self.delays: list[float] = []
        self.commits = 0
        self._events: list[tuple[float, int, str, tuple[int, ...]]] = []
        self._order = count()
        self._luck = self._draws()

    def run(self, seconds: float, warm: float) -> Found:
        """So many seconds, after some that do not count."""
        for table in range(self.site.tables):
            self._later(self.rng.uniform(0, max(self.site.think, 0.05)), "send", table)
        counted = False
        while self._events[0][0] < warm + seconds:
            now, _, what, whom = heapq.heappop(self._events)
            if not counted and now > warm:
                counted, self.commits = True, 0
                self.delays.clear()
                for worker in self.workers:
                    worker.busy = 0.0
            getattr(self, f"_{what}")(now, *whom)
        median, slowest = 1000 * np.percentile(self.delays, [50, 99])
        busy = sum(worker.busy for worker in self.workers) / seconds / len(self.workers)
        return Found(len(self.delays) / seconds, median, slowest, busy, self.commits / seconds)

    def _draws(self) -> Iterator[float]:
        """How much longer than usual something takes; 1 on average."""
        while True:
            yield from self.rng.lognormal(-0.125, 0.5, 10_000)

    def _later(self, when: float, what: str, *whom: int) -> None:
        heapq.heappush(self._events, (when, next(self._order), what, whom))

    def _home(self, table: int) -> int:
        return table % len(self.workers)

    # What happens, in this order

    def _send(self, now: float, table: int) -> None:
        self.sent[table] = now
        if self.rng.random() < self.site.misses:
            other = int(self.rng.integers(len(self.workers)))
            now = self.workers[other].serve(now, self.site.times.passing * next(self._luck))
        self._later(now, "decide", table)

    def _decide(self, now: float, table: int) -> None:
        worker = self.workers[self._home(table)]
        times = self.site.times
        done = worker.serve(now, (times.decide + times.rest / 2) * next(self._luck))
        self._later(done, "keep", table)

    def _keep(self, now: float, table: int) -> None:
        worker = self.workers[self._home(table)]
        worker.waiting.append(table)
        if not worker.writing:
            self._begin(now, self._home(table))

    def _begin(self, now: float, number: int) -> None:
        """A worker commits what waits; its turn comes when the database has a core for it."""
        worker, times = self.workers[number], self.site.times
        tables, worker.waiting, worker.writing = worker.waiting, [], True
        begun = max(now, heapq.heappop(self.cores)) + times.database
        heapq.heappush(self.cores, begun)
        waits = (times.commit - times.database) * next(self._luck)
        self.commits += 1
        self._later(begun + waits + times.row * len(tables), "kept", number, *tables)

    def _kept(self, now: float, number: int, *tables: int) -> None:
        worker = self.workers[number]
        worker.writing = False
        if worker.waiting:
            self._begin(now, number)
        times = self.site.times
        worker.serve(now, times.round * next(self._luck))
        for table in tables:
            work = times.tell + times.rest / 2 + times.writer
            self._later(worker.serve(now, work * next(self._luck)), "heard", table)

    def _heard(self, now: float, table: int) -> None:
        if self.site.one_client:
            now = self.client.serve(now, self.site.times.client)
        self.delays.append(now - self.sent[table])
        think = self.rng.exponential(self.site.think) if self.site.think else 0.0
        self._later(now + think, "send", table)


# The report

COLUMNS = ("tables", "workers", "moves/s", "p50 ms", "p99 ms", "busy", "commits/s")


def show(site: Site, found: Found) -> None:
    """One line."""
    figures = f"{found.moves:,.0f} | {found.median:.1f} | {found.slowest:.1f}"
    rest = f"{found.busy:.0%} | {found.commits:,.0f}"
    print(f"| {site.tables:,} | {site.workers} | {figures} | {rest} |")


def head(title: str) -> None:
    """The head of a table."""
    print(f"\n{title}\n\n| {' | '.join(COLUMNS)} |")
    print("| " + " | ".join("---:" for _ in COLUMNS) + " |")


@click.command()
@click.option("--seconds", type=click.FloatRange(1), default=30.0, show_default=True)
def main(seconds: float) -> None:
    """Simulate, and report."""
    head("The model of bench/load.py, one worker, all players in one process")
    for tables, think in ((50, 0.0), (50, 0.5), (500, 2.0)):
        site = Site(tables, 1, think, one_client=True)
        show(site, Simulation(site).run(seconds, 2.0))
    head("The same with a worker on PostgreSQL")
    for think in (0.0, 0.5):
        site = Site(50, 1, think, one_client=True, times=WORKER)
        show(site, Simulation(site).run(seconds, 2.0))
    head("A cell: eight workers, a move at a table every 6 seconds, half of them passed on")
    cell = Site(0, 8, 6.0, misses=0.5, times=WORKER)
    for tables in (5_000, 10_000, 15_000, 20_000, 25_000, 30_000):
        site = replace(cell, tables=tables)
        show(site, Simulation(site).run(seconds, 10.0))


if __name__ == "__main__":
    main()
