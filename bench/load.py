"""Moves a second on many tables, and how long a move takes to the other seat of its table.

Run it from the checkout: .venv/bin/python bench/load.py [--tables 10,100,500] [--seconds 20]
[--peer] [--database URL] [--workers 1,2,4] [--json]. Two people at each table, no bots, the three
games in turn, a server in a process of its own, and all players in this one. Twice for each number
of tables: with a pause before each move, which shows how long a move takes, and without, which
shows how many moves there can be. With --peer, boardgame.io plays as many tables as fast as it can
right after us, on the same machine: its store is in memory, ours on the disk. With --database, as
many are played right after SQLite with tables kept there, such as in an empty database of
PostgreSQL. With --workers, by so many, with a PostgreSQL and a Redis of their own. Memory is
what the server has grown by, with two sockets a table. The server answers the questions that mostly
get "no" by itself, at once; such answers are steps, but not moves. What a step costs in processor
time of the server depends least on what else the machine does.
"""

import asyncio
import gc
import json
import resource
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import quantiles

import click
import httpx
from rich.progress import track

sys.path.insert(0, str(Path(__file__).parent.parent / "tools"))

import peer as boardgame_io

import serving
from caramba.games import names
from pairs import Load, Pair, keep_playing, standing_questions
from serving import Server, Table
from workers import Workers

WARM = 2.0
"""Seconds before anything is counted."""


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
    database: str
    """Of which engine."""


async def make_tables(server: Server, many: int) -> list[Table]:
    """So many tables, some at a time."""
    games = [names()[number % len(names())] for number in range(many)]
    made: list[Table] = []
    while len(made) < many:
        some = games[len(made) : len(made) + 10]
        made += await asyncio.gather(*(serving.make_table(server, game, 2) for game in some))
    return made


async def steps_of(http: httpx.AsyncClient) -> float:
    """The steps that the server has counted."""
    lines = (await http.get("/metrics")).text.splitlines()
    return sum(float(line.split()[-1]) for line in lines if line.startswith("caramba_steps_total"))


def server_in(folder: Path, place: str | int | None) -> Server:
    """A server: with a new file, with a database, or of so many workers."""
    quick = ("--pause", "0", "--window", "0")
    if isinstance(place, int):
        return Workers(folder, place, *quick)
    return Server(folder, *quick, *(("--database", place) if place else ()))


def name_of(place: str | int | None) -> str:
    """What to call it."""
    if isinstance(place, int):
        return f"{place} workers" if place > 1 else "1 worker"
    return place.partition(":")[0] if place else "sqlite"


async def measure(tables: int, think: float, seconds: float, place: str | int | None) -> Found:
    """One server, so many tables."""
    load = Load(think)
    with tempfile.TemporaryDirectory() as folder:
        server = server_in(Path(folder), place)
        await server.start()
        async with serving.calling(server) as http:
            windows = await standing_questions(server)
            for game in names():  # so that memory does not count the code of a game
                await serving.make_table(server, game, people=2)
            before = server.memory
            made = await make_tables(server, tables)
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
        if isinstance(server, Workers):
            server.close()
    percentiles = quantiles(load.delays, n=100)
    return Found(
        tables=tables,
        think=think,
        median=1000 * percentiles[49],
        slowest=1000 * percentiles[98],
        memory=grown / 1024 / tables,
        database=name_of(place),
        **found,
    )


async def count(load: Load, server: Server, http: httpx.AsyncClient, seconds: float) -> dict:
    """Count for some seconds, in which the players do not stop to tidy up their own memory."""
    gc.collect()
    gc.disable()
    steps, busy = await steps_of(http), server.busy
    usage = resource.getrusage(resource.RUSAGE_SELF)
    started, load.counting = time.monotonic(), True
    await asyncio.sleep(seconds)
    load.counting = False
    gc.enable()
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
@click.option("--peer", is_flag=True, help="Also boardgame.io, without pauses.")
@click.option("--database", metavar="URL", help="Also with tables kept there.")
@click.option("--workers", default="", metavar="1,2,4", help="Also so many, with what they need.")
@click.option("--json", "as_json", is_flag=True)
def main(
    tables: str,
    seconds: float,
    think: float,
    peer: bool,
    database: str | None,
    workers: str,
    as_json: bool,
) -> None:
    """Measure, and report."""
    subprocess.run([sys.executable, "-m", "caramba", "compile"], check=True)  # else servers do
    if peer:
        boardgame_io.install()
    places: list[str | int | None] = [None, *([database] if database else [])]
    places += [int(many) for many in workers.split(",") if many]
    pauses = (think, 0.0)
    runs = [
        (int(m), pause, place) for m in tables.split(",") for pause in pauses for place in places
    ]
    found, peers = list[Found](), dict[int, dict[str, float]]()
    for many, pause, place in track(runs, "measuring", disable=as_json):
        found.append(asyncio.run(measure(many, pause, seconds, place)))
        if peer and not pause and not place:
            peers[many] = asyncio.run(boardgame_io.measure(many, seconds))
    if as_json:
        print(json.dumps({"caramba": [asdict(line) for line in found], "boardgame.io": peers}))
        return
    columns = (
        "database",
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
    print("| :--- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    for line in found:
        print(
            f"| {line.database} | {line.tables} | {line.think:g} s"
            f" | {line.moves:,.0f} | {line.steps:,.0f}"
            f" | {line.median:,.1f} | {line.slowest:,.1f} | {line.memory:,.0f}"
            f" | {1000 * line.server / line.steps:.2f}"
            f" | {line.server:.2f} | {line.clients:.2f} |"
        )

    for line in found:
        if not line.think and line.database == "sqlite":
            if line.tables in peers:
                tell_peer(line, peers[line.tables])
            tell_ratio(line, found)


def tell_ratio(ours: Found, found: list[Found]) -> None:
    """The other database beside the file, without pauses."""
    for line in found:
        if line.database != ours.database and (line.tables, line.think) == (ours.tables, 0.0):
            ratio = line.moves / ours.moves
            print(f"\n{line.tables} tables: {line.database} makes {ratio:.2f} of SQLite's moves")


def tell_peer(ours: Found, theirs: dict[str, float]) -> None:
    """The peer beside us."""
    print(
        f"\nboardgame.io, {ours.tables} tables, in memory: {theirs['moves']:,.0f} moves/s,"
        f" p50 {theirs['median']:.1f} ms, p99 {theirs['slowest']:.1f} ms;"
        f" we make {ours.moves / theirs['moves']:.2f} of its moves"
    )


if __name__ == "__main__":
    main()
