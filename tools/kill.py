"""Kills the server again and again while people play: nothing that it confirmed may be lost.

.venv/bin/python tools/kill.py --kills 200 --tables 20 [--workers 3]
"""

import asyncio
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

import click

from caramba.cli.console import progress
from serving import Server
from trial import QUICK, Trial
from trial_of_workers import WorkersTrial


@click.command()
@click.option("--kills", type=click.IntRange(1), default=200, show_default=True)
@click.option(
    "--workers", type=click.IntRange(0, 16), default=0, help="Of a server on PostgreSQL and Redis."
)
@click.option("--tables", type=click.IntRange(1), default=20, show_default=True)
@click.option("--seed", type=int, default=1, show_default=True, help="Of moves and moments.")
@click.option("--keep", is_flag=True, help="Keep the folder with the database and the log.")
def main(kills: int, workers: int, tables: int, seed: int, keep: bool) -> None:
    """Kill a server with SIGKILL again and again while people play on many tables.

    Up to three people and perhaps a bot at each table, all games. They take steps back, with and
    without the others' consent, leave and come back, vote for bots at the seats of those who are
    gone, and mix something into every other deal. Whoever loses the server comes back and sends
    again what was not confirmed. After every kill, the database is read: what was confirmed is
    there exactly once, what was refused is not, no number is missing, and who is away still is.
    Every tenth life lasts until every table has moved on. A finished game is downloaded and
    verified, and compared with what every seat was told, took back and mixed in; then the next
    begins.

    With --workers, some or all of these are killed every other second, mostly before all have
    recovered from the last time. Beside that, one stands still for ten seconds now and then, Redis
    and PostgreSQL are started anew, and all workers one after the other. Every 25th time, every
    table has to move on. Somebody watches each table, too. What shows that all is right is what
    people heard and downloaded.

    The order of events is that of the machine: a seed repeats the moves, not the moments.
    SIGKILL shows what a process loses, not what a power cut does.

    Ctrl-C ends it after the next kill, with the figures until then. The exit code is 0 if all is
    right, else 1.
    """
    subprocess.run([sys.executable, "-m", "caramba", "compile"], check=True)  # no life is so long
    folder = Path(tempfile.mkdtemp(prefix="caramba-kill-"))
    trial = trial_of(folder, workers, tables, seed)
    started = time.monotonic()
    with progress("killing") as advance:
        asyncio.run(trial.run(kills, advance))
    report(trial, time.monotonic() - started)
    wrong = list(dict.fromkeys(trial.wrong + [w for p in trial.players for w in p.wrong]))
    for line in wrong[:50]:
        click.echo(f"WRONG: {line}")
    click.echo("all is right" if not wrong else f"{len(wrong)} things are wrong")
    if keep or wrong:
        click.echo(f"see {folder}")
    else:
        shutil.rmtree(folder)
    sys.exit(1 if wrong else 0)


def trial_of(folder: Path, workers: int, tables: int, seed: int) -> Trial:
    """Of several workers, or of one server and its file."""
    if workers:
        return WorkersTrial(folder, workers, tables, seed)
    return Trial(folder, Server(folder, *QUICK), tables, seed)


def report(trial: Trial, seconds: float) -> None:
    """The figures."""
    players = trial.players
    figures: dict[str, Any] = {
        "seconds": round(seconds),
        **dict(sorted(trial.figures.items())),
        "seconds of a start, on average": round(sum(trial.starting) / len(trial.starting), 1)
        if trial.starting
        else 0,
        "players": len(players),
        "steps confirmed, and take-backs": sum(len(player.accepted) for player in players),
        "steps and take-backs refused": sum(len(player.refused) for player in players),
        "steps sent again": sum(player.resent for player in players),
        "take-backs confirmed": sum(len(player.taken_back) for player in players),
        **sum((player.figures for player in players), Counter()),
        "steps told otherwise after a take-back": sum(len(player.changes) for player in players),
    }
    for name, value in figures.items():
        click.echo(f"{name:42} {value:>8,}")


if __name__ == "__main__":
    main()
