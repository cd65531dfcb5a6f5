"""Moves a second on many tables, and how long a move takes to the other seat of its table.

Run it from the checkout: .venv/bin/python bench/load.py [--tables 10,100,500] [--seconds 20]
[--json]. Two people at each table, no bots, the three games in turn, a server in a process of its
own, and all players in this one. Twice for each number of tables: with a pause before each move,
which shows how long a move takes, and without, which shows how many moves there can be. Memory is
what the server has grown by, with two sockets a table. The server answers the questions that
mostly get "no" by itself, at once; such answers are steps, but not moves. What a step costs in
processor time of the server depends least on what else the machine does.
"""

import asyncio
import json
import random
import resource
import sys
import tempfile
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path
from statistics import quantiles

import click
import httpx
import msgspec
from rich.progress import track
from websockets.asyncio.client import ClientConnection

sys.path.insert(0, str(Path(__file__).parent.parent / "tools"))

import serving
from caramba.games import names
from serving import Server, Table

WARM = 2.0
"""Seconds before anything is counted."""


FORCED = 0.05
"""Seconds to wait whether the server takes a forced step: it does where nothing is hidden."""


class Legal(msgspec.Struct):
    """An action."""

    text: str


class View(msgspec.Struct):
    """What a player reads of a view."""

    phase: str
    legal: list[Legal]
    result: dict | None


class Heard(msgspec.Struct):
    """What a player reads of a message."""

    type: str
    number: int | None = None
    view: View | None = None


read = msgspec.json.Decoder(Heard).decode


@dataclass
class Load:
    """What was measured while players played."""

    think: float
    moves: int = 0
    refused: int = 0
    delays: list[float] = field(default_factory=list)
    """Seconds from sending a move to its arrival at the other seat."""
    counting: bool = False


@dataclass
class Found:
    """One line of the report."""

    tables: int
    think: float
    moves: float
    """A second."""
    steps: float
    """A second: with what the server does by itself."""
    median: float
    """Milliseconds from sending a move to its arrival at the other seat."""
    slowest: float
    """The 99th percentile."""
    memory: float
    """KiB a table."""
    server: float
    """Share of a core."""
    clients: float


class Pair:
    """The two people at a table."""

    def __init__(self, table: Table, windows: set[str], load: Load) -> None:
        self.table, self.windows, self.load = table, windows, load
        self.rng = random.Random(table.id)
        self.sent: dict[int, tuple[int, float]] = {}
        """By number that a move answers: who sent it, and when."""
        self.newest = 0

    async def play(self, server: Server, seat: int) -> None:
        """One of them."""
        async with self.table.socket_of(server, seat) as socket:
            await serving.hello(socket)
            async for frame in socket:
                heard = read(frame)
                if heard.type == "refused":
                    self.load.refused += 1
                if heard.view is None or heard.number is None:
                    continue
                self._arrived(seat, heard.number)
                if heard.view.result is not None:
                    return
                if heard.view.legal and heard.view.phase not in self.windows:
                    await self._move(socket, seat, heard.number, heard.view.legal)

    async def _move(
        self, socket: ClientConnection, seat: int, number: int, legal: list[Legal]
    ) -> None:
        """Think, and move; a forced step the server may have taken meanwhile."""
        think = self.load.think
        await asyncio.sleep(self.rng.expovariate(1 / think) if think else 0)
        if len(legal) == 1:
            await asyncio.sleep(FORCED)
        if self.newest > number:
            return
        self.sent[number] = (seat, time.perf_counter())
        act = {"key": f"{seat}-{number}", "number": number}
        await serving.say(socket, type="act", action=self.rng.choice(legal).text, **act)

    def _arrived(self, seat: int, number: int) -> None:
        self.newest = max(self.newest, number)
        for answered in [n for n, (who, _) in self.sent.items() if n < number and who != seat]:
            _, at = self.sent.pop(answered)
            if self.load.counting:
                self.load.moves += 1
                self.load.delays.append(time.perf_counter() - at)


async def keep_playing(server: Server, pair: Pair) -> None:
    """Both of them, one game after the other."""
    while True:
        await asyncio.gather(*(pair.play(server, seat) for seat in pair.table.tokens))
        async with serving.calling(server) as http:
            table = await serving.make_table(http, pair.table.game, people=2, bots=0)
        pair = Pair(table, pair.windows, pair.load)


async def make_tables(http: httpx.AsyncClient, many: int) -> list[Table]:
    """So many tables, some at a time."""
    games = [names()[number % len(names())] for number in range(many)]
    made: list[Table] = []
    while len(made) < many:
        some = games[len(made) : len(made) + 10]
        made += await asyncio.gather(*(serving.make_table(http, game, 2, 0) for game in some))
    return made


async def steps_of(http: httpx.AsyncClient) -> float:
    """The steps that the server has counted."""
    lines = (await http.get("/metrics")).text.splitlines()
    return sum(float(line.split()[-1]) for line in lines if line.startswith("caramba_steps_total"))


async def measure(tables: int, think: float, seconds: float) -> Found:
    """One server, so many tables."""
    load = Load(think)
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder), "--pause", "0", "--window", "0")
        await server.start()
        async with serving.calling(server) as http:
            known = (await http.get("/api/games")).json()
            windows = {w["name"] for game in known for w in game["windows"]}
            for game in names():  # so that memory does not count the code of a game
                await serving.make_table(http, game, people=2, bots=0)
            before = server.memory
            made = await make_tables(http, tables)
            tasks = [
                asyncio.create_task(keep_playing(server, Pair(table, windows, load)))
                for table in made
            ]
            await asyncio.sleep(WARM + tables / 100)
            found = await count(load, server, http, seconds)
            grown = server.memory - before
            for task in tasks:
                task.cancel()
            for failure in await asyncio.gather(*tasks, return_exceptions=True):
                if not isinstance(failure, asyncio.CancelledError):
                    raise failure
        server.stop()
    percentiles = quantiles(load.delays, n=100)
    return Found(
        tables=tables,
        think=think,
        median=1000 * percentiles[49],
        slowest=1000 * percentiles[98],
        memory=grown / 1024 / tables,
        **found,
    )


async def count(load: Load, server: Server, http: httpx.AsyncClient, seconds: float) -> dict:
    """Count for some seconds."""
    steps, busy = await steps_of(http), server.busy
    usage = resource.getrusage(resource.RUSAGE_SELF)
    started, load.counting = time.monotonic(), True
    await asyncio.sleep(seconds)
    load.counting = False
    elapsed = time.monotonic() - started
    after = resource.getrusage(resource.RUSAGE_SELF)
    own = after.ru_utime + after.ru_stime - usage.ru_utime - usage.ru_stime
    return {
        "moves": load.moves / elapsed,
        "server": (server.busy - busy) / elapsed,
        "clients": own / elapsed,
        "steps": (await steps_of(http) - steps) / elapsed,
    }


@click.command()
@click.option("--tables", default="10,100,500", show_default=True)
@click.option("--seconds", type=click.FloatRange(1), default=20.0, show_default=True)
@click.option(
    "--think",
    type=click.FloatRange(0),
    default=2.0,
    show_default=True,
    help="Seconds before a move, on average.",
)
@click.option("--json", "as_json", is_flag=True)
def main(tables: str, seconds: float, think: float, as_json: bool) -> None:
    """Measure, and report."""
    runs = [(int(many), pause) for many in tables.split(",") for pause in (think, 0.0)]
    found = [
        asyncio.run(measure(many, pause, seconds))
        for many, pause in track(runs, "measuring", disable=as_json)
    ]
    if as_json:
        print(json.dumps([asdict(line) for line in found]))
        return
    columns = (
        "tables",
        "pause",
        "moves/s",
        "steps/s",
        "p50 ms",
        "p99 ms",
        "KiB a table",
        "ms a step",
    )
    print("| " + " | ".join((*columns, "cores: server", "clients")) + " |")
    print("| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    for line in found:
        print(
            f"| {line.tables} | {line.think:g} s | {line.moves:,.0f} | {line.steps:,.0f}"
            f" | {line.median:,.1f} | {line.slowest:,.1f} | {line.memory:,.0f}"
            f" | {1000 * line.server / line.steps:.2f}"
            f" | {line.server:.2f} | {line.clients:.2f} |"
        )


if __name__ == "__main__":
    main()
