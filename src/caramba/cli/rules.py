"""`caramba rules` and `caramba compile`: the rules, for people and for the machine."""

import signal
import sys

import click

from caramba.cli.console import progress
from caramba.cli.options import language_option
from caramba.games import folder_of, names
from caramba.processes import end_with


@click.command()
@click.argument("game")
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


@click.command("compile")
@click.option(
    "--parent", type=int, hidden=True, help="End when this process, which began it, does."
)
def compile_all(parent: int | None) -> None:
    """Compile the rules and bots of all games now rather than on first use."""
    if parent is not None:
        end_with(parent)
    compile_everything()


def compile_everything() -> None:
    """Compile what is not compiled yet."""
    from caramba import warmup
    from caramba.games.contract import load

    todo = [game for game in map(load, names()) if not warmup.is_ready(game, for_bots=True)]
    if todo:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        with progress("compiling, once") as advance:
            warmup.prepare_all(todo, advance)
