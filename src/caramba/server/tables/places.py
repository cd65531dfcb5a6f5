"""Seats, and who has them."""

import msgspec

from caramba.server.tables.kept import KeptSeat


class Place(KeptSeat, kw_only=True):
    """A seat and who has it, while its table is awake."""

    votes: set[int] = msgspec.field(default_factory=set)
    """Who wants a bot to play here."""
    returned: int | None = None
    """The number at which the person last came back to an open question."""
    silences: int | None = 0
    """Questions in a row that closed before an answer came; None before the first of a game."""

    @classmethod
    def of(cls, kept: KeptSeat) -> "Place":
        """A seat as it is kept."""
        return cls(**msgspec.structs.asdict(kept))

    @property
    def plays_itself(self) -> bool:
        """Whether a person decides here."""
        return self.kind == "person" and not self.away
