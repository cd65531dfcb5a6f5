"""The command line. Exit codes: 0 done, 1 the answer is no, 2 bad input.

Commands import what they need when they run, so that `--help` answers at once.
"""

import io
import json
import math
import os
import secrets
import shlex
import signal
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click
from click.core import ParameterSource

from caramba import __version__
from caramba.games import folder_of, names
from caramba.games.errors import CarambaError, InvalidFile, InvalidSetup
from caramba.language import languages

if TYPE_CHECKING:
    from caramba.bots.arena import Arena
    from caramba.bots.levels import Level
    from caramba.games.contract import Game
    from caramba.match.match import Match
    from caramba.match.saved import Saved


def default_language() -> str:
    """The language of the environment, where we speak it."""
    for variable in ("LC_ALL", "LC_MESSAGES", "LANG"):
        language = os.environ.get(variable, "")[:2]
        if language:
            return language if language in languages() else "en"
    return "en"


game_argument = click.argument("game")
language_option = click.option(
    "--lang", type=click.Choice(languages()), default=default_language, help="The language."
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print figures as JSON.")
players_option = click.option("--players", type=int, metavar="N", help="How many play.")
options_option = click.option(
    "--option",
    "-o",
    "options",
    multiple=True,
    metavar="NAME=VALUE",
    help="A variant, such as first=0; lists are written a,b,c. May be repeated."
    " `-o help` lists the options of a game.",
)
file_argument = click.argument("file", type=click.Path(path_type=Path))
level_option = click.option(
    "--level",
    default="medium",
    show_default=True,
    metavar="LEVEL",
    help="How strong the bots are: easy, medium, hard, expert (`--level help` describes them), or a"
    " bot of your own, FILE.py:NAME.",
)
games_option = click.option(
    "--games", type=click.IntRange(1, 100_000_000), default=1000, show_default=True, metavar="K"
)
seed_option = click.option(
    "--seed", type=click.IntRange(0), help="Makes it repeatable; random unless given."
)
bots_help = (
    " a level (random, easy, medium, hard, expert) or a bot of your own (FILE.py:NAME) for each"
    " seat; the last named takes the seats that are left."
)


@click.group(
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Exit codes: 0 done, 1 the answer is no, 2 bad input. NO_COLOR=1 for no colours.",
)
@click.version_option(__version__, prog_name="caramba")
@click.pass_context
def main(context: click.Context) -> None:
    """Caramba! Three games of one name: play, replay, verify, study."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


@main.command()
@click.argument("game", required=False)
@players_option
@click.option("--seat", type=int, metavar="I", help="Your seat, from 0.")
@click.option("--name", help="Your name.")
@click.option("--seed", help="Deal from this seed; random unless given.")
@options_option
@language_option
@click.option("--plain", is_flag=True, help="Plain lines, for pipes and screen readers.")
@click.option("--save", "file", type=click.Path(path_type=Path), help="Keep the game in this file.")
@click.option("--resume", type=click.Path(path_type=Path), help="Go on with a saved game.")
@level_option
def play(
    game: str | None,
    players: int | None,
    seat: int | None,
    name: str | None,
    seed: str | None,
    options: tuple[str, ...],
    lang: str,
    plain: bool,
    file: Path | None,
    resume: Path | None,
    level: str,
) -> None:
    """Play a game in the terminal against bots, who know what their seat knows and no more.

    \b
    caramba play auction --players 3 --level easy
    caramba play --resume FILE

    The game is kept as it goes on: in --save FILE, in the file it was resumed from, or in
    a new file of its own, which is named when you leave.
    """
    from caramba.bots.levels import LEVELS, check_bot
    from caramba.games.contract import load
    from caramba.terminal import start

    if level == "help":
        list_levels(LEVELS.values(), lang)
    check_bot(level)
    if (game is None) == (resume is None):
        raise click.UsageError("name a game, or a file with --resume")
    if resume and (players or name or seed or options):
        raise click.UsageError("a resumed game has its players, names, seed and options already")
    if resume:
        table = start.resume(opened(resume), seat, lang, file or resume, level)
    else:
        chosen = load(str(game))
        given = parse_options(chosen, options)
        number = default_players(chosen, players)
        table = start.new(chosen, number, seat or 0, name, seed, given, lang, file, level)
    compile_first(table.match.game, for_bots=True)
    table.run()


@main.command()
@game_argument
@players_option
@games_option
@seed_option
@click.option("--bots", metavar="NAMES", help="Who plays:" + bots_help + " Random unless given.")
@options_option
@click.option("--save", "folder", type=click.Path(path_type=Path), help="Save every game there.")
@json_option
def simulate(
    game: str,
    players: int | None,
    games: int,
    seed: int | None,
    bots: str | None,
    options: tuple[str, ...],
    folder: Path | None,
    as_json: bool,
) -> None:
    """Play many games with random players, or with bots, as fast as this machine can."""
    from caramba.games.contract import load
    from caramba.research.simulate import Simulation

    chosen = load(game)
    given = parse_options(chosen, options)
    number = default_players(chosen, players)
    how = {} if bots is None else bots_playing(bots, number, seed)
    simulation = Simulation(chosen, number, games, seed, given, folder, **how)
    compile_first(chosen, for_bots=bots is not None)
    with progress("playing") as advance:
        simulation.run(advance)
    click.echo(json.dumps(simulation.figures()) if as_json else simulation.summary())


@main.command()
@click.argument("game", required=False)
@click.option("--bots", metavar="NAMES", help="Who plays:" + bots_help)
@players_option
@games_option
@seed_option
@options_option
@click.option("--processes", type=click.IntRange(1, 1024), metavar="N", help="One a core.")
@click.option("--ray", metavar="ADDRESS", help="Let a Ray cluster play.")
@click.option("--save", "file", type=click.Path(path_type=Path), help="Keep the games there.")
@click.option("--resume", type=click.Path(path_type=Path), help="Go on with such a file.")
@click.option("--plot", type=click.Path(path_type=Path), metavar="FILE.png", help="Draw a picture.")
@json_option
def arena(
    game: str | None,
    bots: str | None,
    players: int | None,
    games: int,
    seed: int | None,
    options: tuple[str, ...],
    processes: int | None,
    ray: str | None,
    file: Path | None,
    resume: Path | None,
    plot: Path | None,
    as_json: bool,
) -> None:
    """Let bots play against each other, and measure them.

    \b
    caramba arena auction --bots easy,medium,hard --players 2 --games 300
    caramba arena --resume FILE

    Every deal is played in all seatings with the same luck. With more bots than seats, every
    choice of them plays. K is the least number of games in all: whole deals are played.

    Each game is kept in a file as soon as it is finished. Stopped with Ctrl-C, an arena shows
    what it has, and tells how to go on.
    """
    from caramba.bots import arena_report
    from caramba.bots.arena import Arena
    from caramba.bots.standings import figures
    from caramba.bots.workers import Cluster, Processes
    from caramba.games.contract import load

    if resume:
        given = click.get_current_context().get_parameter_source("games")
        told = given == ParameterSource.COMMANDLINE or game or bots or players or options or file
        if told or seed is not None:
            raise click.UsageError("an arena that goes on has its settings already")
        contest = Arena.resume(resume)
    else:
        if game is None or not bots:
            raise click.UsageError("name a game and --bots, or a file with --resume")
        contest = new_arena(load(game), bots, players, games, seed, options, file)
    if plot:
        arena_report.check_picture(plot)
    compile_first(load(contest.settings.game), for_bots=True)
    workers = Cluster(ray) if ray else Processes(processes)
    with progress("playing") as advance, suppress(KeyboardInterrupt):
        contest.run(workers, advance)
    if not contest.games:
        stop_arena(contest, "stopped before a game was finished")
    found = figures(contest)
    if plot and not arena_report.draw(found, plot):
        complain("no picture without matplotlib; pip install 'caramba[plots]' brings it")
    click.echo(json.dumps(found) if as_json else arena_report.text(found))
    if contest.left():
        stop_arena(contest, "stopped")
    if not (file or resume):
        complain(f"the games are kept in {contest.file}")


def stop_arena(contest: "Arena", reason: str) -> NoReturn:
    """Tell how to go on, and leave."""
    command = os.environ.get("CARAMBA_COMMAND", "caramba")
    complain(f"{reason}; go on with: {command} arena --resume {shlex.quote(str(contest.file))}")
    sys.exit(130)


def new_arena(
    game: "Game",
    bots: str,
    players: int | None,
    games: int,
    seed: int | None,
    options: tuple[str, ...],
    file: Path | None,
) -> "Arena":
    """An arena from the command line, and its file."""
    from caramba.bots.arena import Arena, Settings
    from caramba.match.saved import new_file

    settings = Settings(
        game=game.name,
        rules=game.version,
        players=default_players(game, players),
        options=parse_options(game, options),
        bots=split_names(bots),
        games=games,
        seed=secrets.randbits(32) if seed is None else seed,
    )
    return Arena.new(settings, file or new_file("arena"))


def bots_playing(bots: str, players: int, seed: int | None) -> dict[str, Any]:
    """How a simulation plays with bots."""
    from functools import partial

    from caramba.bots.levels import fill
    from caramba.bots.table import BotPlayout

    names = fill(split_names(bots), players)
    return {"playing": partial(BotPlayout, names=names, seed=seed or 0), "chunk": 1}


@main.command()
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
    type=click.Path(path_type=Path),
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

    chosen = [
        load(name) for name in dict.fromkeys(names() if games is None else split_names(games))
    ]
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
        with progress("warming up") as advance, leaving_at_once(run.abandon):
            run.warm(advance)
        with progress("measuring") as advance:
            run.measure(advance)
        figures = run.figures()
    if folder and not bench_report.write(figures, folder):
        complain("no picture without matplotlib; pip install 'caramba[plots]' brings it")
    click.echo(json.dumps(figures) if as_json else bench_report.text(figures))


@main.command()
@file_argument
@click.option(
    "--seat",
    type=int,
    metavar="I",
    help="As this seat saw it, -1 for a spectator; openly unless given.",
)
@click.option("--step", type=int, metavar="N", help="Up to this step; the end unless given.")
@language_option
def replay(file: Path, seat: int | None, step: int | None, lang: str) -> None:
    """Tell a saved game step by step, and show the table it led to."""
    from caramba.games.contract import REFEREE, SPECTATOR
    from caramba.language import words

    match = opened(file)
    match = match if step is None else match.at(step)
    viewer = REFEREE if seat is None else SPECTATOR if seat == -1 else seat
    catalogue = words(lang)
    view = match.view(viewer)
    for number, event in match.events(viewer):
        click.echo(f"{number + 1:5}  {match.game.tell(event, match.names, catalogue)}")
    click.echo()
    click.echo(match.game.describe(view, match.names, catalogue))


@main.command()
@click.argument("files", type=click.Path(path_type=Path), nargs=-1, required=True)
@json_option
def verify(files: tuple[Path, ...], as_json: bool) -> None:
    """Check saved games: by the rules, and dealt as their seeds say.

    A game without a revealed seed is checked against the rules only. The answer names the
    first line that is wrong.
    """
    from caramba.match.verify import Verdict, check

    code = 0
    for file in files:
        try:
            verdict, worst = check(read(file), str(file)), 1
        except InvalidFile as error:
            verdict, worst = Verdict(False, str(error)), 2
        if as_json:
            click.echo(json.dumps({"file": str(file), **verdict.__dict__}))
        elif worst == 2:
            complain(verdict.message)
        else:
            where = f", line {verdict.line}" if verdict.line else ""
            click.echo(f"{file}{where}: {'ok' if verdict.good else 'WRONG'}: {verdict.message}")
        code = code if verdict.good else max(code, worst)
    sys.exit(code)


@main.command()
@game_argument
@language_option
def rules(game: str, lang: str) -> None:
    """Show the rules of a game, with their numbers."""
    name = "RULES.md" if lang == "en" else f"RULES.{lang}.md"
    text = (folder_of(game) / name).read_text("utf-8")
    if not sys.stdout.isatty():
        click.echo(text)
        return
    from rich.console import Console
    from rich.markdown import Markdown

    console = Console()
    with console.pager():
        console.print(Markdown(text))


@main.command("compile")
def compile_all() -> None:
    """Compile the rules and bots of all games now rather than on first use."""
    from caramba import warmup
    from caramba.games.contract import load

    todo = [game for game in map(load, names()) if not warmup.is_ready(game, for_bots=True)]
    if todo:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        with progress("compiling, once") as advance:
            warmup.prepare_all(todo, advance)


# What several commands need


def compile_first(game: "Game", for_bots: bool = False) -> None:
    """Compile the rules of a game unless that has been done, showing progress."""
    from caramba import warmup

    if warmup.is_ready(game, for_bots):
        return
    # Interrupted while compiling, Numba is left in pieces: leave at once, and quietly.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    with progress(f"compiling {game.name}, once") as advance:
        warmup.prepare(game, for_bots, advance)
    signal.signal(signal.SIGINT, signal.default_int_handler)


@contextmanager
def leaving_at_once(abandon: Callable[[], None]) -> Iterator[None]:
    """Interrupted while compiling, Numba is left in pieces: end there and then, and quietly."""

    def leave(*_: object) -> None:
        abandon()
        if sys.stderr.isatty():
            os.write(2, b"\r\x1b[K\x1b[?25h")  # no bar left over, and the cursor again
        os._exit(130)

    before = signal.signal(signal.SIGINT, leave)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def split_names(text: str) -> list[str]:
    """Names from the command line: a,b,c."""
    return [name.strip() for name in text.split(",")]


def list_levels(levels: Iterable["Level"], lang: str) -> NoReturn:
    """Tell what the levels are, and leave."""
    from caramba.language import words

    say = words(lang).gettext
    for level in levels:
        click.echo(f"  {level.name:8} {say(level.title):14} {say(level.description)}")
    raise SystemExit(0)


def read(file: Path) -> "Saved":
    """What a file holds, with the rules of its game compiled."""
    from caramba.games.contract import load
    from caramba.match import saved

    content = saved.read(file)
    if content.header.game in names():
        compile_first(load(content.header.game))
    return content


def opened(file: Path) -> "Match":
    """The match in a file."""
    from caramba.match.match import Match

    return Match.from_saved(read(file), str(file))


def default_players(game: "Game", players: int | None) -> int:
    """So many as told, or four, or the most that the game allows below that."""
    from caramba.games.contract import check_players

    return check_players(game, min(4, game.players[-1]) if players is None else players)


def parse_options(game: "Game", texts: tuple[str, ...]) -> dict[str, Any]:
    """Options from the command line, ready to be checked."""
    known = {option.name: option for option in game.options}
    if "help" in texts:
        list_options(game)
    given = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            raise InvalidSetup(f"an option is written NAME=VALUE, not {text!r}")
        try:
            given[name] = known[name].parse(value) if name in known else value
        except ValueError:
            given[name] = value  # the check of the option says what is right
    return given


def list_options(game: "Game") -> None:
    """Tell what the options of a game are, and leave."""
    click.echo(f"Options of {game.name}, each given with -o NAME=VALUE:")
    for option in game.options:
        default = "" if option.default is None else f" (default {_written(option.default)})"
        click.echo(f"  {option.name:14} {option.help}{default}")
    raise SystemExit(0)


def _written(value: Any) -> str:
    """A value as it is written on the command line."""
    if isinstance(value, tuple):
        return ",".join(map(str, value))
    return str(value).lower() if isinstance(value, bool) else str(value)


@contextmanager
def progress(label: str) -> Iterator[Callable[[int, int], None]]:
    """A progress bar on the error stream; where that is no terminal, a line after 2 seconds."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    if not console.is_terminal:
        yield _one_line(label)
        return
    columns = (TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task(label, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def _one_line(label: str) -> Callable[[int, int], None]:
    started, told = time.monotonic(), False

    def advance(done: int, total: int) -> None:
        nonlocal told
        if not told and time.monotonic() - started > 2:
            click.echo(f"caramba: {label} ...", err=True)
            told = True

    return advance


def run() -> None:
    """The entry point: every error a user can make becomes one line and exit code 2."""
    _prepare_streams()
    try:
        code = main(prog_name="caramba", standalone_mode=False)
        sys.stdout.flush()
    except click.UsageError as error:
        _fail(f"{error.format_message()} See: {_command_path(error)} --help")
    except click.ClickException as error:
        _fail(error.format_message())
    except CarambaError as error:
        _fail(str(error))
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # what is left cannot be written either
        _fail(f"{error.filename or 'output'}: {error.strerror}")
    except click.Abort:
        sys.exit(130)
    sys.exit(code)


def _prepare_streams() -> None:
    """Closed streams read and write nothing; odd bytes and letters never stop a game."""
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode))  # noqa: SIM115 - for the whole run
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def _command_path(error: click.UsageError) -> str:
    return error.ctx.command_path if error.ctx else "caramba"


def _fail(message: str) -> NoReturn:
    complain(message)
    sys.exit(2)


def complain(message: str) -> None:
    """One line on the error stream, whatever a file name may hold."""
    click.echo("caramba: " + "".join(c if c.isprintable() else "?" for c in message), err=True)
