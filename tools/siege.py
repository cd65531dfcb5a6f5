"""Besieges a server while people play, and measures how long they have to wait.

.venv/bin/python tools/siege.py --seconds 15 --tables 100
"""

import asyncio
import dataclasses
import http.client
import json
import multiprocessing
import os
import random
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import quantiles

import click
from rich.console import Console
from rich.table import Table as Columns

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

import serving
from besiegers import SIEGES, Field, besiege
from caramba.cli.console import progress
from caramba.games import names
from kit import random_match, random_step
from pairs import Load, Pair, keep_playing, standing_questions
from server_kit import keep, token_of
from serving import Server, Table

THINK = 2.0
"""Seconds that people think, on average."""
EVERY = 0.05
"""Seconds between two questions how the server is."""
SETTLE = 3.0
"""Seconds between two sieges, and before the first: no longer than a siege."""
PROMPT = 1.0
"""Seconds within which a quick bot has to answer, half of the time: it pauses for 0.6."""
LINES, LOG = 40, 300_000
"""Lines of /metrics, and bytes of the log, that may come with a siege."""
CALM = "calm"


# How the server is


def watch(address: str, seconds: float) -> list[float]:
    """In a process of its own: how long /healthz took.

    While one question waits, others would have been asked: they would have waited for the rest.
    """
    host, _, port = address.partition(":")
    line = http.client.HTTPConnection(host, int(port), timeout=60)
    until, delays = time.perf_counter() + seconds, list[float]()
    while (asked := time.perf_counter()) < until:
        line.request("GET", "/healthz")
        if line.getresponse().read() != b"ok\n":
            raise serving.Silent("/healthz says something else")
        took = time.perf_counter() - asked
        delays += [took - EVERY * missed for missed in range(1 + int(took / EVERY))]
        time.sleep(EVERY - took % EVERY)
    return delays


class Duel:
    """Somebody who plays against a bot, and how long its answers take."""

    def __init__(self, server: Server, level: str, source: str) -> None:
        self.server, self.level, self.source = server, level, source
        self.answers: list[float] = []
        self.rng = random.Random(level)

    async def keep_playing(self) -> None:
        """One game after the other."""
        level, source = self.level, self.source
        while True:
            await self._play(
                await serving.make_table(self.server, "cards", 1, 1, level, source=source)
            )

    async def _play(self, table: Table) -> None:
        async with table.socket_of(self.server, 0) as socket:
            await serving.hello(socket)
            asked: float | None = None
            async for frame in socket:
                news = json.loads(frame)
                if news["type"] != "news":
                    continue
                if asked is not None:
                    self.answers.append(time.perf_counter() - asked)
                if news["view"]["result"]:
                    return
                asked = time.perf_counter() if news["view"]["actor"] == 1 else None
                if move := serving.random_move(news, self.rng):
                    act = {"key": f"k{news['number']}", "number": news["number"]}
                    await serving.say(socket, type="act", action=move, **act)


# What was measured


@dataclass
class Found:
    """One line of the report: times in milliseconds, of bots in seconds."""

    siege: str
    health_median: float
    health_slow: float
    """The 99th percentile."""
    health_slowest: float
    ratio: float
    """The 99th percentile, against that without a siege."""
    move_median: float
    move_slow: float
    medium: float
    """The median of the answers of a medium bot, and of an expert one."""
    expert: float
    lines: int
    """By which /metrics has grown."""
    log: int
    """Bytes by which the log has grown."""
    answers: dict[str, int]
    """What besiegers did, and how it was answered: how often."""

    def complaints(self, bar: float) -> list[str]:
        """What should not be."""
        wrong = {
            f"/healthz took {self.health_slow:,.0f} ms at p99": self.health_slow > bar,
            f"a quick bot took {self.medium:.1f} s": self.medium > PROMPT * max(1.0, bar / 100),
            f"/metrics has {self.lines} more lines": self.lines > LINES,
            f"the log has {self.log:,} more bytes": self.log > LOG,
        }
        return [f"{self.siege}: {what}" for what, is_wrong in wrong.items() if is_wrong]


def share(values: Sequence[float], percent: int) -> float:
    """A percentile; 0 of too few."""
    return quantiles(values, n=100)[percent - 1] if len(values) > 1 else sum(values)


class Trial:
    """People who play in peace, and those who besiege the server meanwhile."""

    def __init__(
        self,
        server: Server,
        field: Field,
        watcher: ProcessPoolExecutor,
        besieger: ProcessPoolExecutor,
    ) -> None:
        self.server, self.field, self.watcher, self.besieger = server, field, watcher, besieger
        self.load = Load(THINK)
        peaceful = {"medium": "127.0.2.1", "expert": "127.0.2.2"}
        self.duels = {level: Duel(server, level, here) for level, here in peaceful.items()}
        self.found: list[Found] = []

    @asynccontextmanager
    async def peace(self, tables: int) -> AsyncIterator[None]:
        """Two people at each table, every table from an address of its own, and some duels."""
        windows = await standing_questions(self.server)
        playing = [asyncio.create_task(duel.keep_playing()) for duel in self.duels.values()]
        for number in range(tables):
            game, source = names()[number % len(names())], f"127.0.1.{1 + number % 250}"
            table = await serving.make_table(self.server, game, 2, source=source)
            pair = Pair(table, windows, self.load)
            playing.append(asyncio.create_task(keep_playing(self.server, pair)))
        self.load.counting = True
        try:
            yield
            for task in playing:
                if task.done():
                    task.result()
        finally:
            for task in playing:
                task.cancel()
            await asyncio.gather(*playing, return_exceptions=True)

    async def measure(self, siege: str) -> None:
        """Some seconds of a siege, or of none."""
        await asyncio.sleep(min(SETTLE, self.field.seconds))
        for times in (self.load.delays, *(duel.answers for duel in self.duels.values())):
            times.clear()
        lines, log = await self._lines(), self.server.log.stat().st_size
        health, answers = await self._both(siege)
        slow, calm = share(health, 99), self.found[0].health_slow if self.found else None
        self.found.append(
            Found(
                siege=siege,
                health_median=1000 * share(health, 50),
                health_slow=1000 * slow,
                health_slowest=1000 * max(health),
                ratio=1000 * slow / calm if calm else 1.0,
                move_median=1000 * share(self.load.delays, 50),
                move_slow=1000 * share(self.load.delays, 99),
                medium=share(self.duels["medium"].answers, 50),
                expert=share(self.duels["expert"].answers, 50),
                lines=await self._lines() - lines,
                log=self.server.log.stat().st_size - log,
                answers=answers,
            )
        )

    async def _both(self, siege: str) -> tuple[list[float], dict[str, int]]:
        loop = asyncio.get_running_loop()
        block = 10 + len(self.found)
        field = dataclasses.replace(self.field, block=block)
        health = loop.run_in_executor(self.watcher, watch, field.address, field.seconds)
        if siege == CALM:
            return await health, {}
        answers = loop.run_in_executor(self.besieger, besiege, siege, field)
        return await health, dict(await answers)

    async def _lines(self) -> int:
        async with serving.calling(self.server) as client:
            return len((await client.get("/metrics")).text.splitlines())


# The long game


def long_games(folder: Path, steps: int) -> tuple[Table, Table]:
    """A very long game in the database, and the same when it was over."""
    most = {"end_score": min(1000, 100 + steps // 10), "max_deals": 1000, "max_laps": 200}
    match = random_match("cards", 5, 1, steps, **most)
    keep(folder, {"long": match})
    rng = random.Random(1)
    while match.actor is not None:
        random_step(match, rng)
    keep(folder, {"finished": match}, status="over")
    tokens = {seat: token_of(seat) for seat in range(5)}
    return Table("long", "cards", tokens), Table("finished", "cards", tokens)


async def wake(server: Server, tables: Sequence[Table]) -> None:
    """So that nobody has to wait for a long game to be read."""
    async with serving.calling(server) as client:
        for table in tables:
            (await client.get(f"/api/tables/{table.id}")).raise_for_status()


def aside(lazy: int = 0) -> ProcessPoolExecutor:
    """A process of its own, which gives way to others or not."""
    spawn = multiprocessing.get_context("spawn")
    process = ProcessPoolExecutor(1, spawn, initializer=os.nice, initargs=(lazy,))
    process.submit(os.getpid).result()
    return process


async def run(
    folder: Path,
    sieges: Sequence[str],
    seconds: float,
    tables: int,
    addresses: int,
    steps: int,
    advance: Callable[[int, int], None],
) -> list[Found]:
    """One siege after the other, after a time without."""
    long, finished = await asyncio.to_thread(long_games, folder, steps)
    server = Server(folder, "--limits")
    field = Field(server.address, addresses, seconds, 0, long, finished, steps)
    await server.start()
    try:
        with aside() as watcher, aside(lazy=10) as besieger:
            trial = Trial(server, field, watcher, besieger)
            await wake(server, (long, finished))
            async with trial.peace(tables):
                for number, siege in enumerate([CALM, *sieges]):
                    advance(number, len(sieges) + 1)
                    await trial.measure(siege)
    finally:
        server.stop()
    return trial.found


# Telling


@click.command()
@click.option("--seconds", type=click.FloatRange(1), default=15.0, show_default=True)
@click.option("--tables", type=click.IntRange(1, 250), default=100, show_default=True)
@click.option(
    "--addresses",
    type=click.IntRange(1, 200),
    default=8,
    show_default=True,
    help="That besiegers come from.",
)
@click.option(
    "--steps",
    type=click.IntRange(100, 12_000),
    default=10_000,
    show_default=True,
    help="Of the long games that are asked for.",
)
@click.option("--only", multiple=True, type=click.Choice(list(SIEGES)), help="This siege.")
@click.option(
    "--bar",
    type=click.FloatRange(1),
    default=100.0,
    show_default=True,
    help="Milliseconds within which /healthz has to answer at p99.",
)
@click.option("--json", "as_json", is_flag=True)
def main(
    seconds: float,
    tables: int,
    addresses: int,
    steps: int,
    only: tuple[str, ...],
    bar: float,
    as_json: bool,
) -> None:
    """Besiege a server in one way after the other, and see that those who play notice nothing.

    Two people play at each table, and one against a medium and an expert bot, all from addresses of
    their own. The server has its usual limits. How long /healthz takes, and moves to the other
    seat, and the answers of bots, is measured without a siege first, and then during each of
    these: greetings at a long game without reading, tables of bots that look ahead, requests that
    never end, quarrels at tables, invented requests, coming and going, looking back at long games.
    Besiegers, and who asks /healthz, are processes of their own, all on this machine.

    The exit code is 1 if /healthz or a quick bot are late, or if the log or /metrics grow.
    """
    temporary = tempfile.TemporaryDirectory(prefix="caramba-siege-")
    with temporary as folder, progress("besieging") as advance:
        work = run(Path(folder), only or list(SIEGES), seconds, tables, addresses, steps, advance)
        found = asyncio.run(work)
    wrong = [complaint for line in found for complaint in line.complaints(bar)]
    if as_json:
        lines = [dataclasses.asdict(line) for line in found]
        print(json.dumps({"found": lines, "wrong": wrong}))
    else:
        report(found, wrong)
    sys.exit(1 if wrong else 0)


def report(found: list[Found], wrong: list[str]) -> None:
    """The figures."""
    shown = Columns("siege", "healthz ms p50", "p99", "max", "p99 : calm", "moves ms p50", "p99")
    for title in ("medium s", "expert s", "metrics", "log B"):
        shown.add_column(title)
    for column in shown.columns[1:]:
        column.justify = "right"
    for line in found:
        times = (line.health_median, line.health_slow, line.health_slowest)
        moves, bots = (line.move_median, line.move_slow), (line.medium, line.expert)
        cells = [f"{t:,.1f}" for t in (*times, line.ratio, *moves)] + [f"{b:.2f}" for b in bots]
        shown.add_row(line.siege, *cells, f"+{line.lines}", f"+{line.log:,}")
    console = Console(width=max(130, Console().width))
    console.print(shown)
    for line in found[1:]:
        told = ", ".join(f"{what} {many:,}" for what, many in sorted(line.answers.items()))
        console.print(f"{line.siege}: {told}", highlight=False)
    for complaint in wrong:
        console.print(f"WRONG: {complaint}", highlight=False)
    console.print("all is right" if not wrong else f"{len(wrong)} things are wrong")


if __name__ == "__main__":
    main()
