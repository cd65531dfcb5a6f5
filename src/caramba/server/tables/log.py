"""The log of a table: what has happened, by number. It only grows: taking back is an entry, too."""

from bisect import bisect_left, bisect_right
from typing import NamedTuple

from caramba.server.tables.kept import Entry

BACK = "back"
"""An entry `back 12` takes back all steps but the first twelve."""
RECENT = 200
"""Steps that are told in one go: what was before that can be asked for."""


class Back(NamedTuple):
    """An entry that took steps back: its number, and how many steps stayed."""

    number: int
    keep: int


class Part(NamedTuple):
    """What somebody has to be told: what they have is right before one step, news begin at one."""

    same: int
    since: int


class Log:
    """How a game came to be what it is."""

    def __init__(self, seats: int) -> None:
        self.steps_at = [0]
        """By number: how many steps the game had then."""
        self.keys: dict[tuple[int, str], int] = {}
        """By seat and key: the number after what was done."""
        self.taken_back = [0] * seats
        """By seat: how often something was taken back for it."""
        self._backs: list[Back] = []
        """Take-backs, but for those that a later one went beyond: each kept more than the last."""
        self._by_hand: list[list[int]] = [[] for _ in range(seats)]
        """By seat: the steps that its player took, and not the table for them."""

    @property
    def number(self) -> int:
        """How many entries there are."""
        return len(self.steps_at) - 1

    def note(self, entry: Entry, steps: int) -> None:
        """Count an entry, after which the game has so many steps."""
        self.steps_at.append(steps)
        if entry.key is not None and entry.who is not None:
            self.keys[entry.who, entry.key] = self.number
            if steps > self.steps_at[-2]:
                self._by_hand[entry.who].append(steps - 1)

    def go_back(self, seat: int, keep: int) -> None:
        """The entry that comes next takes steps back for a seat, all but so many."""
        self.taken_back[seat] += 1
        while self._backs and self._backs[-1].keep >= keep:
            self._backs.pop()
        self._backs.append(Back(self.number + 1, keep))
        for steps in self._by_hand:
            del steps[bisect_left(steps, keep) :]

    def last_by_hand(self, seat: int) -> int | None:
        """The last step that the player of a seat took."""
        return self._by_hand[seat][-1] if self._by_hand[seat] else None

    def same_until(self, number: int | None) -> int:
        """So many steps are still as they were at that number; none, if there was no such."""
        if number is None or number > self.number:
            return 0
        later = bisect_right(self._backs, number, key=lambda back: back.number)
        return min([self.steps_at[number], *(back.keep for back in self._backs[later : later + 1])])

    def recent(self, number: int | None) -> Part:
        """What to tell who has the log up to that number; not too much."""
        same = self.same_until(number)
        return Part(same, max(same, self.steps_at[-1] - RECENT))
