"""`caramba replay` and `caramba verify`: saved games."""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from caramba.cli.console import compile_first, complain
from caramba.cli.options import FILE, json_option, language_option
from caramba.games import names
from caramba.games.errors import InvalidFile

if TYPE_CHECKING:
    from caramba.match.match import Match
    from caramba.match.saved import Saved
    from caramba.match.verify import Verdict


@click.command()
@click.argument("file", type=FILE)
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


@click.command()
@click.argument("files", type=FILE, nargs=-1, required=True)
@json_option
def verify(files: tuple[Path, ...], as_json: bool) -> None:
    """Check saved games: by the rules, and dealt as their seeds say.

    A game without a revealed seed is checked against the rules only. The answer names the
    first line that is wrong.
    """
    code = 0
    for file in files:
        verdict, worst = judged(file)
        if as_json:
            click.echo(json.dumps({"file": str(file), **verdict.__dict__}))
        elif worst == 2:
            complain(verdict.message)
        else:
            where = f", line {verdict.line}" if verdict.line else ""
            click.echo(f"{file}{where}: {'ok' if verdict.good else 'WRONG'}: {verdict.message}")
        code = code if verdict.good else max(code, worst)
    sys.exit(code)


def judged(file: Path) -> tuple["Verdict", int]:
    """The verdict on a file, and the exit code if it is not good."""
    from caramba.match.verify import Verdict, check

    try:
        return check(read(file), str(file)), 1
    except InvalidFile as error:
        return Verdict(False, str(error)), 2


def opened(file: Path) -> "Match":
    """The match in a file."""
    from caramba.match import opening

    return opening.opened(read(file), str(file))


def read(file: Path) -> "Saved":
    """What a file holds, with the rules of its game compiled."""
    from caramba.games.contract import load
    from caramba.match import saved

    content = saved.read(file)
    if content.header.game in names():
        compile_first(load(content.header.game))
    return content
