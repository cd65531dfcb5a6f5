"""What each part of a move takes: the service times of the queues in bench/queues.py.

Run it from the checkout: .venv/bin/python bench/services.py [--tables 50] [--think 0.2]
[--seconds 20]. People play as in bench/load.py: on SQLite, and on one and two workers with a
PostgreSQL and a Redis of their own. Deciding and telling are timed around the functions that do it
(probe/), in seconds of the processor, and so is passing bytes on to another worker. A commit is
timed by the clock: what it takes however little it is, and what each move in it adds, by least
squares. What the workers worked besides (reading, sending, the loop) is left over, and so is
measured, too. What the engines and the players worked is taken from the system.
"""

import asyncio
import json
import os
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import click
import load

from serving import Server, busy
from workers import Workers

PROBE = Path(__file__).parent / "probe"


@dataclass
class Found:
    """By one kind of server: in milliseconds, of a move where nothing else is said."""

    place: str
    moves: float
    """A second."""
    decide: float
    tell: float
    passing: float
    """Of what came to another worker; 0 where there is none."""
    rest: float
    commit: float
    """One, by the clock, however little it is."""
    row: float
    """What a move adds to it."""
    batch: float
    """Moves in a commit, on average."""
    writer: float
    """Processor time of the thread that commits."""
    engines: float
    client: float


class Probed:
    """The sums of all processes of a server, now and then."""

    def __init__(self, folder: Path, server: Server) -> None:
        self.folder, self.server = folder, server

    def sums(self) -> Counter[str]:
        """As they stand."""
        found: Counter[str] = Counter()
        for file in self.folder.glob("*.json"):
            found.update(json.loads(file.read_text()))
        if isinstance(self.server, Workers):
            engines = self.server.postgres.processes() + self.server.redis.processes()
            found["engines"] = busy(engines)
        return found


async def measure(place: int | None, tables: int, think: float, seconds: float) -> Found:
    """One kind of server."""
    probed, counted = list[Counter[str]](), load.count

    async def count(*given):
        watched = Probed(Path(os.environ["CARAMBA_PROBE"]), given[1])
        before = watched.sums()
        found = await counted(*given)
        probed.append(watched.sums() - before)
        return found

    with tempfile.TemporaryDirectory() as folder:
        os.environ.update({"CARAMBA_PROBE": folder, "PYTHONPATH": str(PROBE)})
        load.count = count
        try:
            found = await load.measure(tables, think, seconds, place)
        finally:
            load.count = counted
            del os.environ["CARAMBA_PROBE"], os.environ["PYTHONPATH"]
    return of_a_move(found, probed[0])


def of_a_move(found: load.Found, sums: Counter[str]) -> Found:
    """The sums, for one move."""
    moves = sums["decide"]
    parts = [sums[f"{part} seconds"] for part in ("decide", "tell", "pass on")]
    commit, row = line(sums)
    passed = parts[2] / sums["pass on"] if sums["pass on"] else 0.0
    rest = sums["worked"] - sum(parts) - sums["commit worked"]
    return Found(
        place=found.database,
        moves=found.moves,
        decide=1000 * parts[0] / moves,
        tell=1000 * parts[1] / moves,
        passing=1000 * passed,
        rest=1000 * rest / moves,
        commit=1000 * commit,
        row=1000 * row,
        batch=sums["jobs"] / sums["commits"],
        writer=1000 * sums["commit worked"] / moves,
        engines=1000 * sums["engines"] / moves,
        client=1000 * found.clients / found.moves,
    )


def line(sums: Counter[str]) -> tuple[float, float]:
    """The straight line through all commits: seconds of an empty one, and of each job in it."""
    n, x, y = sums["commits"], sums["jobs"], sums["commit seconds"]
    spread = n * sums["jobs squared"] - x * x
    slope = (n * sums["jobs times seconds"] - x * y) / spread if spread else 0.0
    return (y - slope * x) / n, slope


@click.command()
@click.option("--tables", type=click.IntRange(1), default=50, show_default=True)
@click.option("--think", type=click.FloatRange(0), default=0.2, show_default=True)
@click.option("--seconds", type=click.FloatRange(2), default=20.0, show_default=True)
def main(tables: int, think: float, seconds: float) -> None:
    """Measure, and report."""
    columns = [name for name in Found.__dataclass_fields__ if name != "place"]
    print("| ms a move | " + " | ".join(columns) + " |\n| :--- |" + " ---: |" * len(columns))
    for place in (None, 1, 2):
        found = asyncio.run(measure(place, tables, think, seconds))
        figures = [f"{getattr(found, name):.3f}" for name in columns]
        print(f"| {found.place} | " + " | ".join(figures) + " |", flush=True)


if __name__ == "__main__":
    main()
