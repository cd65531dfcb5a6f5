"""`caramba arena`: bots against bots, measured."""

import json
import secrets
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click
from click.core import ParameterSource

from caramba.cli.console import compile_first, complain, progress
from caramba.cli.options import (
    BOTS_HELP,
    FILE,
    default_players,
    games_option,
    json_option,
    options_option,
    parse_options,
    players_option,
    seed_option,
    split_names,
)

if TYPE_CHECKING:
    from caramba.bots.arena import Arena, ArenaSettings

SETTINGS = ("game", "players", "games", "seed", "options", "limit", "file")
"""What an arena that goes on has already."""


def an_address(context: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
    """Where a cluster is; nothing is no place."""
    if value is not None and not value.strip():
        raise click.BadParameter("name the address of a cluster, or local")
    return value


@click.command()
@click.argument("game", required=False)
@click.option("--bots", metavar="NAMES", help=BOTS_HELP)
@players_option
@games_option
@seed_option
@options_option
@click.option(
    "--limit",
    type=float,
    default=60,
    show_default=True,
    metavar="SECONDS",
    help="For a decision; who takes longer forfeits the game.",
)
@click.option("--processes", type=click.IntRange(1, 1024), metavar="N", help="One a core.")
@click.option("--ray", metavar="ADDRESS", callback=an_address, help="Let a Ray cluster play.")
@click.option("--save", "file", type=FILE, help="Keep the games there.")
@click.option("--resume", type=FILE, help="Go on with such a file.")
@click.option("--plot", type=FILE, metavar="FILE.png", help="Draw a picture.")
@json_option
def arena(
    bots: str | None,
    processes: int | None,
    ray: str | None,
    file: Path | None,
    resume: Path | None,
    plot: Path | None,
    as_json: bool,
    **chosen: Any,
) -> None:
    """Let bots play against each other, and measure them.

    \b
    caramba arena auction --bots easy,medium,hard --players 2 --games 300
    caramba arena --resume FILE [--bots NAMES]

    Every deal is played in all seatings with the same luck. With more bots than seats, every
    choice of them plays. K is the least number of games in all: whole deals are played.

    Each game is kept in a file as soon as it is finished. Stopped with Ctrl-C, an arena shows
    what it has, and tells how to go on. Bots of your own are named again then: a file alone
    runs nobody's code.
    """
    from caramba.bots.arena import Arena
    from caramba.bots.arena_report import check_picture
    from caramba.match.saved import new_file

    if plot:
        check_picture(plot)
    if resume:
        refuse_settings()
        contest = Arena.resume(resume, split_names(bots) if bots else ())
    else:
        settings = new_settings(bots=bots, **chosen)
        contest = Arena.new(settings, file or new_file("arena"))
    play_out(contest, processes, ray)
    report(contest, plot, as_json)
    if contest.left():
        stop(contest, "stopped")
    if not (file or resume):
        complain(f"the games are kept in {contest.file}")


def refuse_settings() -> None:
    """An arena that goes on is the one it was."""
    source = click.get_current_context().get_parameter_source
    if any(source(name) == ParameterSource.COMMANDLINE for name in SETTINGS):
        raise click.UsageError("an arena that goes on has its settings already")


def new_settings(
    *,
    game: str | None,
    bots: str | None,
    players: int | None,
    games: int,
    seed: int | None,
    options: tuple[str, ...],
    limit: float,
) -> "ArenaSettings":
    """The settings of a new arena."""
    from caramba.bots.arena import ArenaSettings
    from caramba.games.contract import load

    if game is None or not bots:
        raise click.UsageError("name a game and --bots, or a file with --resume")
    chosen = load(game)
    return ArenaSettings(
        game=chosen.name,
        rules=chosen.version,
        players=default_players(chosen, players),
        options=parse_options(chosen, options),
        bots=split_names(bots),
        games=games,
        seed=secrets.randbits(32) if seed is None else seed,
        limit=limit,
    )


def play_out(contest: "Arena", processes: int | None, ray: str | None) -> None:
    """Play what is left, unless Ctrl-C says that it is enough."""
    from caramba.bots.workers import Cluster, Processes
    from caramba.games.contract import load

    compile_first(load(contest.settings.game), for_bots=True)
    workers = Cluster(ray) if ray else Processes(processes)
    with progress("playing") as advance, suppress(KeyboardInterrupt):
        contest.run(workers, advance)
    if not contest.games:
        stop(contest, "stopped before a game was finished")


def report(contest: "Arena", plot: Path | None, as_json: bool) -> None:
    """Tell what came of it."""
    from caramba.bots import arena_report
    from caramba.bots.standings import figures

    found = figures(contest)
    if plot and not arena_report.draw(found, plot):
        complain("no picture without matplotlib; pip install 'caramba[plots]' brings it")
    click.echo(json.dumps(found) if as_json else arena_report.text(found))


def stop(contest: "Arena", reason: str) -> NoReturn:
    """Tell how to go on, and leave."""
    from caramba.bots.arena import how_to_go_on

    complain(f"{reason}; go on with: {how_to_go_on(contest.file, contest.settings.bots)}")
    sys.exit(130)
