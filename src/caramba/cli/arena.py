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
    from caramba.bots.settling import Question
    from caramba.games.contract import Game

SETTINGS = ("game", "players", "games", "seed", "options", "limit", "judge", "file")
"""What an arena that goes on has already."""
NOBODY = "none"
"""Instead of a judge."""


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
@click.option(
    "--judge",
    metavar="FILE.npz",
    help="Take luck out by the judgement of this network, or by none; the game's own unless told.",
)
@click.option(
    "--until",
    metavar="'A>B'",
    help="Stop once it is settled whether bot A is better than bot B; 1 if it is not.",
)
@click.option("--merge", type=FILE, multiple=True, help="Show several such files as one.")
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
    until: str | None,
    merge: tuple[Path, ...],
    as_json: bool,
    **chosen: Any,
) -> None:
    """Let bots play against each other, and measure them.

    \b
    caramba arena auction --bots easy,medium,hard --players 2 --games 300
    caramba arena cards --bots hard,medium --players 2 --games 9999 --until 'hard>medium'
    caramba arena --resume FILE [--bots NAMES]
    caramba arena --merge FILE --merge FILE

    Every deal is played in all seatings with the same luck. With more bots than seats, every
    choice of them plays. K is the least number of games in all: whole deals are played.

    Each game is kept in a file as soon as it is finished. Stopped with Ctrl-C, an arena shows
    what it has, and tells how to go on. Bots of your own are named again then: a file alone
    runs nobody's code.
    """
    from caramba.bots.arena import Arena, named_anywhere
    from caramba.bots.arena_report import check_picture
    from caramba.bots.settling import Question

    if plot:
        check_picture(plot)
    if merge:
        refuse_settings()
        report(Arena.merged(merge), plot, as_json)
        return
    if resume:
        refuse_settings()
        contest = Arena.resume(resume, split_names(bots) if bots else ())
        question = Question(until, contest.settings) if until else None
    else:
        settings = named_anywhere(new_settings(bots=bots, **chosen))
        question = Question(until, settings) if until else None
        contest = Arena.new(settings, file)
    play_out(contest, processes, ray, question)
    report(contest, plot, as_json)
    if question:
        answer_to(question, contest)
    elif contest.left():
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
    judge: str | None,
) -> "ArenaSettings":
    """The settings of a new arena."""
    from caramba.bots.arena import ArenaSettings
    from caramba.games.contract import load

    if game is None or not bots:
        raise click.UsageError("name a game and --bots, or a file with --resume")
    chosen = load(game)
    many = default_players(chosen, players)
    return ArenaSettings(
        game=chosen.name,
        rules=chosen.version,
        players=many,
        options=parse_options(chosen, options),
        bots=split_names(bots),
        games=games,
        seed=secrets.randbits(32) if seed is None else seed,
        limit=limit,
        judge=judge_named(judge, chosen, many),
    )


def judge_named(name: str | None, game: "Game", players: int) -> str | None:
    """That judge, or unless told the one that came with the game, if it can judge here."""
    from caramba.bots.network.luck import OWN, judge_for, own_judge
    from caramba.games.errors import InvalidSetup

    if name is not None:
        return None if name == NOBODY else name
    if not own_judge(game):
        return None
    try:
        judge_for(game, players, OWN)
    except InvalidSetup as error:
        complain(f"no luck is taken out: {error}")
        return None
    return OWN


def play_out(
    contest: "Arena", processes: int | None, ray: str | None, question: "Question | None"
) -> None:
    """Play what is left, unless a question is settled or Ctrl-C says that it is enough."""
    from caramba.bots.workers import Cluster, Processes
    from caramba.games.contract import load

    compile_first(load(contest.settings.game), for_bots=True)
    workers = Cluster(ray) if ray else Processes(processes)
    with progress("playing") as advance, suppress(KeyboardInterrupt):
        contest.run(workers, advance, question)
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


def answer_to(question: "Question", contest: "Arena") -> NoReturn:
    """Tell whether the question is settled, and how: 0 for yes, 1 for no, 130 if stopped."""
    answer = question.answer
    undecided = f"{question.better} and {question.worse} are not told apart"
    if answer is None and contest.left():
        stop(contest, undecided)
    if answer is None:
        complain(f"{undecided} by {len(contest.games)} games; they are kept in {contest.file}")
        sys.exit(1)
    better, worse = (
        (question.better, question.worse) if answer else (question.worse, question.better)
    )
    complain(f"settled: {better} is better than {worse}; the games are kept in {contest.file}")
    sys.exit(0 if answer else 1)


def stop(contest: "Arena", reason: str) -> NoReturn:
    """Tell how to go on, and leave."""
    from caramba.bots.arena import how_to_go_on

    complain(f"{reason}; go on with: {how_to_go_on(contest.file, contest.settings.bots)}")
    sys.exit(130)
