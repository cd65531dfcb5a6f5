"""`caramba train`: a network learns a game by playing against itself."""

import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from caramba.cli.console import complain, progress
from caramba.cli.options import FILE, split_names

if TYPE_CHECKING:
    from caramba.bots.network.network import Weights
    from caramba.bots.network.training import Plan, Training
    from caramba.games.contract import Game

DUELS = 400
"""Games in which the network is measured, at each number of players."""


@click.command()
@click.argument("game")
@click.option("--players", metavar="N,N", help="How many play; all numbers unless told.")
@click.option("--hours", type=click.FloatRange(0, min_open=True), help="Of learning, all in all.")
@click.option(
    "--decisions",
    type=click.IntRange(1),
    metavar="N",
    help="Learn from so many: then the same seed and threads give the same network.",
)
@click.option("--threads", type=click.IntRange(1, 256), metavar="N", help="One a core.")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True)
@click.option(
    "--folder", type=FILE, default=Path("training"), show_default=True, help="Keep all there."
)
@click.option("--every", type=click.IntRange(1), default=60, show_default=True, metavar="ROUNDS")
@click.option("--resume", is_flag=True, help="Go on with what is in the folder.")
@click.option(
    "--judge",
    "player",
    type=FILE,
    metavar="FILE",
    help="Learn to judge games instead, by watching this network play: for `arena --judge`.",
)
@click.option(
    "--against",
    type=FILE,
    metavar="FILE",
    help="Learn to beat this network, and nobody else: how much is there to gain?",
)
def train(
    game: str,
    players: str | None,
    hours: float | None,
    decisions: int | None,
    threads: int | None,
    seed: int,
    folder: Path,
    every: int,
    resume: bool,
    player: Path | None,
    against: Path | None,
) -> None:
    """Let a network learn GAME by playing against itself.

    \b
    caramba train cards --hours 1
    caramba train auction --players 2 --decisions 5000000 --resume
    caramba train cards --hours 0.2 --judge training/cards.npz
    caramba train cards --hours 0.5 --against training/cards.npz

    In the folder, GAME.npz is the network, with which `caramba arena --bots FILE.npz` plays;
    GAME.png shows how it became better; GAME.training.npz is all that is needed to go on. They are
    written every so many rounds and at the end, so it can be stopped at any time.
    """
    from caramba.bots.network.player import network_for
    from caramba.bots.network.training import Plan, Progress, Training
    from caramba.games.contract import check_players, load

    chosen = load(game)
    numbers = [check_players(chosen, n) for n in _numbers(chosen, players)]
    cores = len(os.sched_getaffinity(0))
    if decisions is None and hours is None:
        raise click.UsageError("say how long: --hours or --decisions")
    if player and against:
        raise click.UsageError("either --judge or --against")
    rival = rival_for(chosen, numbers, against) if against else None
    plan = Plan(chosen, numbers, decisions or 10**12, seed, threads or cores, hours or 1e9, rival)
    folder.mkdir(parents=True, exist_ok=True)
    watched = network_for(chosen, player)[0] if player else None
    file = folder / f"{name_of(plan, watched)}.training.npz"
    if file.exists() and not resume:
        raise click.UsageError(f"{file} is there: go on with --resume, or name another --folder")
    if resume and not file.exists():
        raise click.UsageError(f"there is no {file} to go on with")
    learned = Progress.open(file) if resume else None
    learn(Training(plan, learned, watched), folder, every)


def _numbers(game: "Game", players: str | None) -> list[int]:
    if players is None:
        return list(game.players)
    if not all(name.isdecimal() for name in split_names(players)):
        raise click.BadParameter("numbers of players such as 2,4", param_hint="--players")
    return [int(name) for name in split_names(players)]


def rival_for(game: "Game", numbers: list[int], file: Path) -> "Weights":
    """The network in a file, if it has learned to play with so many players."""
    from caramba.bots.network.player import network_for
    from caramba.games.errors import InvalidSetup

    weights, origin = network_for(game, file)
    if not set(numbers) <= set(origin.players):
        known = ",".join(map(str, origin.players))
        raise InvalidSetup(f"{file} has learned to play with {known} players only: see --players")
    return weights


def name_of(plan: "Plan", watched: object) -> str:
    """The name of the files: only who plays against all kinds may become a champion."""
    kind = ".judge" if watched else ".against" if plan.rival else ""
    return plan.game.name + kind


def learn(training: "Training", folder: Path, every: int) -> None:
    """Learn to the end, or until Ctrl-C; write down from time to time what came of it."""
    plan, learned = training.plan, training.progress
    heads = [] if training.watched else [f"x fair of {n}" for n in plan.players]
    click.echo(" ".join(f"{head:>12}" for head in ("decisions", "minutes", "error", *heads)))
    with progress(f"learning {plan.game.name}") as advance, at_the_end_of_a_round() as stopped:
        for error in training.rounds():
            advance(int(1000 * training.done), 1000)
            is_last = stopped() or training.done >= 1
            if is_last or learned.rounds % every == 0:
                note(training, folder, error)
            if stopped():
                complain("stopped; go on with --resume")
                sys.exit(130)


@contextmanager
def at_the_end_of_a_round() -> Iterator[Callable[[], bool]]:
    """Whether somebody wants to stop: half a round is never kept. Asked twice, it stops at once."""
    asked: list[int] = []

    def ask(number: int, frame: object) -> None:
        if asked:
            raise KeyboardInterrupt
        asked.append(number)
        complain("stopping after this round; once more to stop at once, as last written down")

    before = signal.signal(signal.SIGINT, ask)
    try:
        yield lambda: bool(asked)
    finally:
        signal.signal(signal.SIGINT, before)


def note(training: "Training", folder: Path, error: float) -> None:
    """Measure the network, tell of it, and write everything down."""
    from caramba.bots.network.curve import draw
    from caramba.bots.network.kept import keep

    learned, name = training.progress, name_of(training.plan, training.watched)
    learned.save(folder / f"{name}.training.npz")
    shares = training.measure(DUELS)
    learned.curve.append((learned.decisions, learned.seconds, error, *shares))
    figures = [f"{learned.decisions:12,}", f"{learned.seconds / 60:12.1f}", f"{error:12.4f}"]
    click.echo(" ".join([*figures, *(f"{share:12.2f}" for share in shares)]))
    sys.stdout.flush()
    learned.save(folder / f"{name}.training.npz")
    origin = training.origin(f"caramba {shlex.join(sys.argv[1:])}", commit())
    keep(folder / f"{name}.npz", learned.mean, origin)
    draw(origin, folder / f"{name}.png", training.plan.others)


def commit() -> str:
    """The commit of these sources; empty where they are not in a checkout."""
    command = ("git", "-C", str(Path(__file__).parent), "describe", "--always", "--dirty")
    try:
        return subprocess.run(command, capture_output=True, text=True).stdout.strip()
    except OSError:
        return ""
