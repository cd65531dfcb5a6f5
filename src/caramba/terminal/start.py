"""Sitting down at a table in the terminal: a new game, or one that was left."""

import os
from collections.abc import Mapping
from datetime import datetime
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

from caramba.games.contract import Game
from caramba.games.errors import InvalidFile, InvalidSetup
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
) -> PlainTable:
    """A new game with one person in it."""
    if seat not in range(players):
        raise InvalidSetup(f"there is no seat {seat}; the seats are 0 to {players - 1}")
    if file and file.exists():
        raise InvalidFile(f"{file} is there already; choose another name, or --resume {file}")
    names = [BOT + other for other in DEFAULT_NAMES[:players]]
    names[seat] = name or DEFAULT_NAMES[seat]
    match = Match(game, players=players, seed=seed, options=options, names=names)
    return PlainTable(match, seat, language, file or _new_file(game), Random(seed))


def resume(match: Match, seat: int | None, language: str, file: Path) -> PlainTable:
    """A saved game; the person's seat is the first that no bot plays, unless told."""
    if seat is None:
        people = (s for s, name in enumerate(match.names) if not name.startswith(BOT))
        seat = next(people, 0)
    if seat not in range(match.players):
        raise InvalidSetup(f"there is no seat {seat}; the seats are 0 to {match.players - 1}")
    if match.sealed and match.actor is not None:
        raise InvalidSetup("the seed of this game is not revealed: it can only be replayed")
    table = PlainTable(match, seat, language, file, Random())
    table.told = len(match.steps)
    return table


def _new_file(game: Game) -> Path:
    """A file of its own in the user's folder for such things."""
    home = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    folder = Path(home) / "caramba"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return _first_free(folder, game.name)
    except OSError as error:
        raise InvalidFile(f"cannot keep games in {folder}: {error.strerror}") from None


def _first_free(folder: Path, name: str) -> Path:
    """A new file that nobody else has; several games may be started at once."""
    for number in count(1):
        path = folder / f"{name}-{datetime.now():%Y%m%d}-{number}.jsonl"
        try:
            path.open("x").close()
        except FileExistsError:
            continue
        return path
    raise AssertionError("there is always another number")
