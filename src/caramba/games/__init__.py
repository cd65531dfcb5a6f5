"""The rules of the games: pure functions on records, with no input or output."""

from pathlib import Path

from caramba.games.errors import InvalidSetup


def names() -> tuple[str, ...]:
    """The games there are: every package beside this file. Imports none of them."""
    folders = (path.parent.name for path in Path(__file__).parent.glob("*/rules.py"))
    return tuple(sorted(folders))


def folder_of(name: str) -> Path:
    """Where a game is."""
    if name not in names():
        raise InvalidSetup(f"there is no game {name[:60]!r}; the games are {', '.join(names())}")
    return Path(__file__).parent / name
