"""`caramba bench`: how fast random play is."""

import json
import math
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from caramba.cli.console import compile_first, complain, leaving_at_once, progress
from caramba.cli.options import FILE, json_option, split_names
from caramba.games import names

if TYPE_CHECKING:
    from caramba.research.bench import Bench


@click.command()
@click.option("--peers", is_flag=True, help="Measure other software too; see above.")
@click.option("--games", metavar="NAMES", help="Only these games, such as a,b; all unless given.")
@click.option("--repeats", type=click.IntRange(1, 1000), default=5, show_default=True, metavar="N")
@click.option(
    "--seconds",
    type=click.FloatRange(0.001, 600),
    default=0.5,
    show_default=True,
    metavar="S",
    help="How long each measurement runs, each time.",
)
@json_option
@click.option(
    "--output",
    "folder",
    type=FILE,
    metavar="FOLDER",
    help="Write bench.md, bench.json and the picture bench.png there.",
)
def bench(
    peers: bool,
    games: str | None,
    repeats: int,
    seconds: float,
    as_json: bool,
    folder: Path | None,
) -> None:
    """Measure how fast random play is on this machine.

    Every game with the fewest players, with four and with the most, through every door: the
    compiled loop (also in two threads), batches of 1 to 65536 games driven from Python (the
    largest also in two threads), single games by numbers, and matches with texts.
    Everything is compiled beforehand. The measurements take turns, N times S seconds each;
    medians are shown, with the least and the most.

    With --peers, OpenSpiel, Pgx, RLCard and PettingZoo play games of their own in between,
    one thread each. They are installed once into an environment of about 750 MB in Caramba's
    cache folder, in fixed versions. What cannot be installed is left out.
    """
    from caramba.games.contract import load
    from caramba.research import bench_report
    from caramba.research.bench import Bench
    from caramba.research.peers.install import Environment

    wanted = names() if games is None else split_names(games)
    chosen = [load(name) for name in dict.fromkeys(wanted)]
    if math.isnan(seconds):
        raise click.UsageError("the seconds must be a number")
    if folder:
        bench_report.usable(folder)
    environment = Environment()
    missing = environment.prepare(complain) if peers else {}
    for game in chosen:
        compile_first(game)
    with closing(Bench(chosen, repeats, seconds)) as run:
        if peers:
            run.add_peers(environment.python, missing)
        figures = measure(run)
    if folder and not bench_report.write(figures, folder):
        complain("no picture without matplotlib; pip install 'caramba[plots]' brings it")
    click.echo(json.dumps(figures) if as_json else bench_report.text(figures))


def measure(run: "Bench") -> dict[str, Any]:
    """Warm up, measure, and give the figures."""
    with progress("warming up") as advance, leaving_at_once(run.abandon):
        run.warm(advance)
    with progress("measuring") as advance:
        run.measure(advance)
    return run.figures()
