"""`caramba play`: a game in the terminal."""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import click

from caramba.cli.console import compile_first
from caramba.cli.files import opened
from caramba.cli.options import (
    FILE,
    default_players,
    language_option,
    options_option,
    parse_options,
    players_option,
)

if TYPE_CHECKING:
    from caramba.bots.levels import Level


@click.command()
@click.argument("game", required=False)
@players_option
@click.option("--seat", type=int, metavar="I", help="Your seat, from 0.")
@click.option("--name", help="Your name.")
@click.option("--seed", help="Deal from this seed; random unless given.")
@options_option
@language_option
@click.option(
    "--plain", is_flag=True, help="ASCII letters only, such as 5s for the five of spades."
)
@click.option("--save", "file", type=FILE, help="Keep the game in this file.")
@click.option("--resume", type=FILE, help="Go on with a saved game.")
@click.option(
    "--level",
    default="medium",
    show_default=True,
    metavar="LEVEL",
    help="How strong the bots are: easy, medium, hard, expert (`--level help` describes them), or a"
    " bot of your own, FILE.py:NAME.",
)
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
    from caramba.terminal.plain import in_ascii

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
    if plain:
        table.letters = in_ascii
    compile_first(table.match.game, for_bots=True)
    table.run()


def list_levels(levels: Iterable["Level"], lang: str) -> NoReturn:
    """Tell what the levels are, and leave."""
    from caramba.bots.advice import advice_on
    from caramba.bots.network.player import champions_of, network_for
    from caramba.games import names
    from caramba.games.contract import load
    from caramba.language import words

    gettext = words(lang).gettext
    for level in levels:
        click.echo(f"  {level.name:8} {gettext(level.title):14} {gettext(level.description)}")
    click.echo(gettext("By playing against itself, hard and expert have learned:"))
    for game in map(load, names()):
        if files := champions_of(game):
            learned = {n for file in files for n in network_for(game, file)[1].players}
            told = gettext("for {players} players, but not {unlearned}").format(
                players=", ".join(map(str, sorted(learned))),
                unlearned=gettext(advice_on(game).unlearned),
            )
            ahead = gettext("expert looks ahead") if advice_on(game).looks_ahead else ""
            click.echo(f"  {game.name:8} " + " · ".join(filter(None, (told, ahead))))
    click.echo("  " + gettext("with anything else they play by rules of thumb"))
    raise SystemExit(0)
