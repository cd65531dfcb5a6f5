"""Options that several commands have, and what is made of them."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from caramba.games.errors import InvalidSetup
from caramba.language import languages

if TYPE_CHECKING:
    from caramba.games.contract import Game


def default_language() -> str:
    """The language of the environment, where we speak it."""
    for variable in ("LC_ALL", "LC_MESSAGES", "LANG"):
        language = os.environ.get(variable, "")[:2]
        if language:
            return language if language in languages() else "en"
    return "en"


FILE = click.Path(path_type=Path)
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
games_option = click.option(
    "--games", type=click.IntRange(1, 100_000_000), default=1000, show_default=True, metavar="K"
)
seed_option = click.option(
    "--seed", type=click.IntRange(0), help="Makes it repeatable; random unless given."
)
BOTS_HELP = (
    "Who plays: a level (random, easy, medium, hard, expert) or a bot of your own (FILE.py:NAME)"
    " for each seat; the last named takes the seats that are left."
)


def split_names(text: str) -> list[str]:
    """Names from the command line: a,b,c."""
    return [name.strip() for name in text.split(",")]


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


def list_options(game: "Game") -> NoReturn:
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
