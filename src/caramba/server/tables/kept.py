"""A table as it is kept, and as it is read again."""

from dataclasses import dataclass
from typing import Any, NamedTuple


class Entry(NamedTuple):
    """A line of a table's log: a step, or one that takes steps back."""

    who: int | None
    text: str
    key: str | None = None


Row = dict[str, Any]


@dataclass
class Stored:
    """A table as it is kept."""

    table: Row
    seats: list[Row]
    log: list[Entry]
    chat: list[Row]
