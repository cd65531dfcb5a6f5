"""`caramba simulate`: many games at once."""

import json
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

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
    from caramba.research.simulate import Simulation


@click.command()
@click.argument("game")
@players_option
@games_option
@seed_option
@click.option("--bots", metavar="NAMES", help=BOTS_HELP + " Random unless given.")
@options_option
@click.option("--save", "folder", type=FILE, help="Save every game there.")
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
    play_out(simulation)
    click.echo(json.dumps(simulation.figures()) if as_json else simulation.summary())


def play_out(simulation: "Simulation") -> None:
    """Play all games; Ctrl-C ends that with one line."""
    try:
        with progress("playing") as advance:
            simulation.run(advance)
    except KeyboardInterrupt:
        complain(f"stopped after {simulation.played} of {simulation.games} games")
        sys.exit(130)


def bots_playing(bots: str, players: int, seed: int | None) -> dict[str, Any]:
    """How a simulation plays with bots."""
    from caramba.bots.bot_game import BotPlayout
    from caramba.bots.levels import fill

    names = fill(split_names(bots), players)
    return {"playing": partial(BotPlayout, names=names, seed=seed or 0), "chunk": 1}
