"""Seats, and who has them."""

from dataclasses import dataclass, field
from typing import Literal

from caramba.server.tables.kept import Row


@dataclass
class Place:
    """A seat and who has it."""

    kind: Literal["open", "person", "bot"]
    name: str
    level: str | None
    token: str | None
    mixes: bool
    promise: str | None
    entropy: str | None
    ask: dict[str, bool]
    away: bool
    seconds: float | None
    votes: set[int] = field(default_factory=set, init=False)
    """Who wants a bot to play here."""
    returned: int | None = field(default=None, init=False)
    """The number at which the person last came back to an open question."""

    @classmethod
    def of(cls, row: Row) -> "Place":
        """A seat as it is kept."""
        return cls(**{name: row[name] for name in row.keys() - {"table_id", "seat"}})

    @property
    def plays_itself(self) -> bool:
        """Whether a person decides here."""
        return self.kind == "person" and not self.away
