"""Sitting down at a table in the terminal: a new game, or one that was left."""

from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any

from caramba.bots.knowledge import Bot
from caramba.bots.levels import DEFAULT, make_bot
from caramba.games.contract import Game
from caramba.games.errors import InvalidFile, InvalidSetup
from caramba.match import saved
from caramba.match.match import DEFAULT_NAMES, Match
from caramba.terminal.plain import PlainTable

BOT = "bot "
"""How the name of a seat begins that the machine plays."""


def new(
    game: Game,
    players: int,
    seat: int,
    name: str | None,
    seed: str | None,
    options: Mapping[str, Any],
    language: str,
    file: Path | None,
    level: str = DEFAULT,
) -> PlainTable:
    """A new game with one person in it."""
    if seat not in range(players):
        raise InvalidSetup(f"there is no seat {seat}; the seats are 0 to {players - 1}")
    if file and file.exists():
        raise InvalidFile(f"{file} is there already; choose another name, or --resume {file}")
    names = [BOT + other for other in DEFAULT_NAMES[:players]]
    names[seat] = name or DEFAULT_NAMES[seat]
    match = Match(game, players=players, seed=seed, options=options, names=names)
    bots = _bots(match, seat, level, Random(seed))
    return PlainTable(match, seat, language, file or saved.new_file(game.name), bots, _told(level))


def resume(
    match: Match, seat: int | None, language: str, file: Path, level: str = DEFAULT
) -> PlainTable:
    """A saved game; the person's seat is the first that no bot plays, unless told."""
    if seat is None:
        people = (s for s, name in enumerate(match.names) if not name.startswith(BOT))
        seat = next(people, 0)
    if seat not in range(match.players):
        raise InvalidSetup(f"there is no seat {seat}; the seats are 0 to {match.players - 1}")
    if match.sealed and match.actor is not None:
        raise InvalidSetup("the seed of this game is not revealed: it can only be replayed")
    bots = _bots(match, seat, level, Random())
    table = PlainTable(match, seat, language, file, bots, _told(level))
    table.told = match.length
    return table


def _bots(match: Match, seat: int, level: str, random: Random) -> dict[int, Bot]:
    """Players for all other seats."""
    others = (other for other in range(match.players) if other != seat)
    return {other: make_bot(level, random.getrandbits(32)) for other in others}


def _told(level: str) -> str:
    """The level, if it is not what everybody gets anyway."""
    return "" if level == DEFAULT else level
