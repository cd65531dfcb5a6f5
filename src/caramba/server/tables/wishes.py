"""Wishes to take steps back, until everybody has agreed."""

from dataclasses import dataclass, field
from secrets import randbelow


@dataclass
class Wish:
    """To take steps back."""

    name: int
    """No other wish at this table has it."""
    seat: int
    keep: int
    """Steps that stay."""
    key: str
    asked: set[int]
    until: float
    """Bots and standing answers wait so long for the others."""
    agreed: set[int] = field(default_factory=set)
    against: int | None = None
    """Who did not agree."""


class Wishes:
    """Who has wished for something at a table, and when."""

    def __init__(self) -> None:
        self._next = randbelow(10**6)
        """The name of the next wish: none of before a restart has it."""
        self._last: dict[int, tuple[int, float]] = {}
        """By seat: the number at which it last had a wish, and until when bots waited."""

    def has_one(self, seat: int, number: int) -> bool:
        """Whether this seat has asked since the last step: nobody goes on asking."""
        return seat in self._last and self._last[seat][0] == number

    def new(
        self, seat: int, number: int, keep: int, key: str, asked: set[int], until: float
    ) -> Wish:
        """A wish. Bots wait for answers once for each step, however many wishes there are."""
        before = [time for at, time in self._last.values() if at == number]
        wish = Wish(self._next, seat, keep, key, asked, min([*before, until]))
        self._next += 1
        self._last[seat] = number, wish.until
        return wish
