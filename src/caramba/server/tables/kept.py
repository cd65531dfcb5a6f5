"""A table as it is kept: the rows of the database, typed."""

from dataclasses import dataclass
from typing import NamedTuple

import msgspec

from caramba.wire import Said, SeatFacts, TableFacts


class Entry(NamedTuple):
    """A line of a table's log: a step, or one that takes steps back."""

    who: int | None
    """The seat; None for chance."""
    text: str
    key: str | None = None
    """Of the client that sent it."""


class KeptTable(TableFacts, kw_only=True):
    """A table, as it stands in the database."""

    rules: int
    """The version of the rules it is played by."""
    seed: bytes
    """SECRET until the game is over."""
    created: float
    touched: float
    due: float | None = None
    """When the table has to wake up by itself."""


class KeptSeat(SeatFacts, kw_only=True):
    """A seat, as it stands in the database."""

    token: str | None = None
    """The SHA-256 of it."""
    entropy: str | None = None
    """SECRET until all have shown theirs."""
    ask: dict[str, bool] = msgspec.field(default_factory=dict)
    """Which questions to be asked."""


@dataclass
class Kept:
    """All that is kept of a table."""

    table: KeptTable
    seats: list[KeptSeat]
    log: list[Entry]
    chat: list[Said]
