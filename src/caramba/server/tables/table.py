"""A table: who sits where, the game being played, and what may happen next.

Nothing here reads, writes or waits. What changes the game returns the entries that have to be
kept before anybody is told.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import ceil
from secrets import randbelow
from typing import Any, Literal, NamedTuple

import msgspec

from caramba.games.contract import CHANCE, SPECTATOR, UNKNOWN, Window, load, marked
from caramba.games.errors import IllegalAction, InvalidAction
from caramba.language import words
from caramba.match.fair import FairDeal
from caramba.match.match import Match
from caramba.server.settings import Settings
from caramba.server.tables.kept import Entry, Row, Stored
from caramba.server.tables.refusal import Refusal
from caramba.wire import Clock

BACK = "back"
"""An entry `back 12` takes back all steps but the first twelve."""
MOST_TAKEN_BACK = 500
"""Times at one table: nobody has to read again what was played and taken back for ever."""
RECENT = 200
"""Steps that are told in one go: what was before that can be asked for."""
LEAST = 15.0
"""Seconds for a decision of who comes back after the time for the whole game has run out."""


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


@dataclass
class Wish:
    """To take steps back, until everybody has agreed."""

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


class Back(NamedTuple):
    """An entry that took steps back: its number, and how many steps stayed."""

    number: int
    keep: int


class Plan(NamedTuple):
    """What happens by itself if nothing else does before."""

    at: float
    do: Literal["bot", "answer", "clock"]
    text: str = ""
    key: str | None = None


class Table:
    """One table."""

    def __init__(self, stored: Stored, settings: Settings) -> None:
        self.row, self.settings = stored.table, settings
        self.id: str = stored.table["id"]
        self.game = load(stored.table["game"])
        if stored.table["rules"] != self.game.version:
            raise Refusal(
                "illegal", marked("this table was played by other rules than this server has")
            )
        self.places = [Place.of(row) for row in stored.seats]
        self.clock = msgspec.convert(stored.table["clock"], Clock)
        self.status: str = stored.table["status"]
        self.steps_at = [0]
        """By number: how many steps the game had then."""
        self._backs: list[Back] = []
        """Take-backs, but for those that a later one went beyond: each kept more than the last."""
        self.taken_back = [0] * len(self.places)
        """By seat: how often something was taken back for it."""
        self.keys: dict[tuple[int, str], int] = {}
        """By seat and key: the number after what was done."""
        self.wish: Wish | None = None
        self._wishes = randbelow(10**6)
        """The name of the next wish: none of before a restart has it."""
        self._wished: dict[int, tuple[int, float]] = {}
        """By seat: the number at which it last had a wish, and until when bots waited."""
        self.match: Match | None = None
        self.early: tuple[str, str] | None = None
        """The usual answer to a secret question, given before its time, and its key."""
        self._by_hand: list[list[int]] = [[] for _ in self.places]
        """By seat: the steps that its player took, and not the table for them."""
        self.asked_at = settings.now()
        self._public: tuple[int, Any] = (-1, None)
        """A number, and what those who watch saw then."""
        if self.status in ("playing", "over"):
            match = self._set_up()
            for entry in stored.log:
                self._repeat(entry)
            match.tell()  # here, where nobody waits, rather than when somebody comes
            self._resume_clock(stored.table["due"])

    # Where it stands

    @property
    def number(self) -> int:
        """How many entries the log has."""
        return len(self.steps_at) - 1

    def same_until(self, number: int | None) -> int:
        """So many steps are still as they were at that number; none, if there was no such."""
        if number is None or number > self.number:
            return 0
        later = bisect_right(self._backs, number, key=lambda back: back.number)
        return min([self.steps_at[number], *(back.keep for back in self._backs[later : later + 1])])

    def recent(self, number: int | None) -> int:
        """The step from which on to tell who has the log up to that number; not too many."""
        return max(self.same_until(number), self.steps_at[-1] - RECENT)

    @property
    def actor(self) -> int | None:
        """The seat that is asked; None for nobody."""
        return self.match.actor if self.match and self.status == "playing" else None

    @property
    def fair(self) -> FairDeal:
        """The seed of all draws, with what the seats mixed in."""
        given = (place.entropy for place in self.places)
        entropy = tuple(None if text is None else bytes.fromhex(text) for text in given)
        return FairDeal(self.row["seed"], entropy)

    @property
    def deadline(self) -> float | None:
        """When the clock of the seat that is asked runs out."""
        if self.actor is None or not self.places[self.actor].plays_itself:
            return None
        left = self.places[self.actor].seconds
        limits = [self.clock.move, None if left is None else max(left, LEAST)]
        seconds = [limit for limit in limits if limit is not None]
        return self.asked_at + min(seconds) if seconds else None

    def seat_of(self, token: str) -> int | None:
        """The seat whose token has this hash."""
        for seat, place in enumerate(self.places):
            if place.token and place.token == token:
                return seat
        return None

    def persons(self, but: int | None = None) -> set[int]:
        """The seats at which people decide."""
        return {s for s, place in enumerate(self.places) if place.plays_itself and s != but}

    def people(self, but: int | None = None) -> set[int]:
        """The seats of people, also of those for whom a bot plays."""
        return {s for s, place in enumerate(self.places) if place.kind == "person" and s != but}

    def window(self) -> Window | None:
        """The question that is open, if it is one that mostly gets the same answer."""
        if self.actor is None:
            return None
        phase = self._public_view().phase if self.game.windows else ""
        return next((window for window in self.game.windows if window.phase == phase), None)

    def _public_view(self) -> Any:
        """What those who watch see; made once for each number."""
        if self._public[0] != self.number:
            self._public = (self.number, self._playing().view(SPECTATOR))
        return self._public[1]

    def asks(self, seat: int, window: Window) -> bool:
        """Whether this seat wants to be asked."""
        return self.places[seat].ask.get(window.phase, window.ask)

    # Beginning

    def begin(self) -> list[Entry]:
        """Everybody sits; deal."""
        self.status = "playing"
        self._set_up()
        return self._after([])

    def close(self) -> None:
        """End a game that nobody plays any more; it has no result."""
        self.status, self.wish, self.early = "over", None, None

    def _set_up(self) -> Match:
        row = self.row
        names = [place.name for place in self.places]
        match = Match(self.game, players=row["players"], options=row["options"], names=names)
        match.fair = self.fair
        self.match = match
        return match

    def _playing(self) -> Match:
        if self.match is None:
            raise Refusal("forbidden", marked("the game has not begun"))
        return self.match

    def _repeat(self, entry: Entry) -> None:
        """Do again what the log says."""
        match = self._playing()
        verb, _, rest = entry.text.partition(" ")
        if verb == BACK and entry.who is not None:
            self._go_back(entry.who, int(rest))
        else:
            match.play(entry.text, seat=CHANCE if entry.who is None else entry.who)
        self._note(entry, match.length)

    def _resume_clock(self, due: float | None) -> None:
        """Sleeping has not stopped the clock: what was due at a time is still due then."""
        plan = self.plan()
        if plan and due is not None:
            self.asked_at += due - plan.at

    def _note(self, entry: Entry, steps: int) -> None:
        """Count an entry of the log, after which the game has so many steps."""
        self.steps_at.append(steps)
        if entry.key is not None and entry.who is not None:
            self.keys[entry.who, entry.key] = self.number
            if steps > self.steps_at[-2]:
                self._by_hand[entry.who].append(steps - 1)

    # Playing

    def act(self, seat: int, text: str, number: int, key: str | None, language: str) -> list[Entry]:
        """A seat takes a step; chance follows."""
        match = self._playing()
        self.check_number(number)
        if self.status == "over":
            raise Refusal("illegal", marked("the game is over"))
        match.words = words(language)
        try:
            match.play(text, seat=seat)
        except IllegalAction as error:
            raise Refusal("illegal", str(error), error.rule) from None
        except InvalidAction as error:
            raise Refusal("invalid", str(error)) from None
        last = match.last
        assert last is not None
        return self._after([Entry(seat, last[1], key)])

    def is_early(self, seat: int, text: str, number: int) -> bool:
        """Whether this is the usual answer to a secret question: it is given at its time only."""
        window = self.window()
        return (
            window is not None
            and self._is_secret(seat, window)
            and seat == self.actor
            and number == self.number
            and " ".join(text.lower().split()) == window.answer
        )

    def check_number(self, number: int) -> None:
        """What is done must be an answer to the table as it stands."""
        if number != self.number:
            message = marked("the table is at number {now} now, not {then}")
            raise Refusal("stale", message, now=self.number, then=number)

    def _after(self, entries: list[Entry]) -> list[Entry]:
        """What follows by itself: chance, and perhaps the end."""
        match = self._playing()
        for entry in entries:
            self._note(entry, match.length)
        for text in match.deal():
            entries.append(Entry(None, text))
            self._note(entries[-1], self.steps_at[-1] + 1)
        if match.actor is None:
            self.status = "over"
        self.wish = self.early = None
        return entries

    def charge(self, seat: int | None, now: float) -> None:
        """Take the time of a decision from the clock of who made it; the next question begins."""
        if seat is not None and self.places[seat].plays_itself:
            left = self.places[seat].seconds
            if left is not None:
                self.places[seat].seconds = max(0.0, left - (now - self.asked_at))
        self.asked_at = now

    # Taking back

    def take_back(self, seat: int, number: int, key: str, here: set[int]) -> list[Entry]:
        """Take back the last step of a seat; nothing yet if others have to agree first.

        Nobody's steps, and no draws that somebody saw, are taken back without them: so all people
        at the table are asked, and whoever is not here cannot be.
        """
        match = self._playing()
        self.check_number(number)
        if not self.row["take_backs"] or len(match.taken_back) >= MOST_TAKEN_BACK:
            raise Refusal("forbidden", marked("nothing is taken back at this table"))
        if not self._by_hand[seat]:
            raise Refusal("illegal", marked("you have not done anything yet"))
        if self.status == "over":
            raise Refusal("illegal", marked("the game is over"))
        if self.wish and (self.wish.seat, self.wish.key) == (seat, key):
            return []
        if self.wish or self._has_wished(seat):
            raise Refusal("illegal", marked("that was asked already; play on first"))
        keep = self._by_hand[seat][-1]
        asked = set() if self.is_harmless(seat, keep) else self.people(but=seat)
        for other in asked - here:
            message = marked("{name} would have to agree, and is not here")
            raise Refusal("illegal", message, name=self.places[other].name)
        self.wish = Wish(self._wishes, seat, keep, key, asked, self._patience())
        self._wishes += 1
        self._wished[seat] = self.number, self.wish.until
        return self._grant()

    def _has_wished(self, seat: int) -> bool:
        """Whether this seat has asked since the last step: nobody goes on asking."""
        return seat in self._wished and self._wished[seat][0] == self.number

    def _patience(self) -> float:
        """Until when bots wait for answers: once for each step, however many wishes there are."""
        until = [time for number, time in self._wished.values() if number == self.number]
        return min([*until, self.settings.now() + self.settings.consent])

    def is_harmless(self, seat: int, keep: int) -> bool:
        """Whether nobody else would have learned anything, and chance has not spoken."""
        match = self._playing()
        before = match.at(keep)
        others = [SPECTATOR, *(other for other in range(match.players) if other != seat)]
        return not match.has_drawn(keep) and all(
            msgspec.json.encode(before.view(other)) == msgspec.json.encode(match.view(other))
            for other in others
        )

    def consent(self, seat: int, wish: int, yes: bool) -> list[Entry]:
        """A seat agrees, or not, that another takes something back."""
        if self.wish is None or self.wish.name != wish or seat not in self.wish.asked:
            raise Refusal("illegal", marked("nobody asks you to take something back"))
        if not yes:
            self.wish.against = seat
            self.wish = None
            return []
        self.wish.agreed.add(seat)
        return self._grant()

    def _grant(self) -> list[Entry]:
        """Take back, if all have agreed who were asked."""
        wish = self.wish
        if wish is None or wish.asked - wish.agreed:
            return []
        self._go_back(wish.seat, wish.keep)
        return self._after([Entry(wish.seat, f"{BACK} {wish.keep}", wish.key)])

    def _go_back(self, seat: int, keep: int) -> None:
        """Take steps back, as the entry that comes next in the log says."""
        self._playing().take_back(seat, keep)
        self.taken_back[seat] += 1
        while self._backs and self._backs[-1].keep >= keep:
            self._backs.pop()
        self._backs.append(Back(self.number + 1, keep))
        for steps in self._by_hand:
            del steps[bisect_left(steps, keep) :]

    # People who come and go

    def leave(self, seat: int) -> None:
        """A bot plays on."""
        if seat == self.actor:
            self.charge(seat, self.settings.now())
        self.places[seat].away = True
        self.places[seat].votes.clear()

    def come_back(self, seat: int) -> None:
        """The person plays again; who is asked gets new time for the answer, once."""
        place = self.places[seat]
        if place.away and seat == self.actor:
            if place.returned == self.number:
                raise Refusal("illegal", marked("the bot takes this step; come back after it"))
            place.returned, self.asked_at = self.number, self.settings.now()
        place.away = False
        place.votes.clear()

    def vote_at(self, seat: int, left: float | None) -> float | None:
        """When the others may vote for a bot at a seat that was left then; None for never."""
        replaceable = self.status == "playing" and self.places[seat].plays_itself
        return left + self.settings.gone if replaceable and left is not None else None

    def vote(self, seat: int, about: int, yes: bool, left: Mapping[int, float]) -> bool:
        """Count a vote to let a bot play for someone; whether all who are here want that.

        `left` tells who is not here, and since when.
        """
        playing = self.status == "playing" and about < len(self.places)
        if not playing or not self.places[about].plays_itself:
            raise Refusal("illegal", marked("nobody plays there whom a bot could replace"))
        since = self.vote_at(about, left.get(about))
        if since is None or about == seat:
            raise Refusal("illegal", marked("a bot replaces only those who are not here"))
        if since > self.settings.now():
            message = marked("{name} may be back in a moment; vote in {seconds} seconds")
            wait = ceil(since - self.settings.now())
            raise Refusal("illegal", message, name=self.places[about].name, seconds=wait)
        votes = self.places[about].votes
        if not yes:
            votes.discard(seat)
            return False
        votes.add(seat)
        return votes >= self.persons(but=about) - left.keys()

    # What happens by itself

    def plan(self) -> Plan | None:
        """What happens next if nobody does anything."""
        plan = self._plan()
        if plan and self.wish and plan.do != "clock":
            return plan._replace(at=max(plan.at, self.wish.until))
        return plan

    def _plan(self) -> Plan | None:
        seat = self.actor
        if seat is None or self.status != "playing":
            return None
        soon = self.asked_at + self.settings.pause
        window = self.window()
        if window and self._is_secret(seat, window):
            return self._secret_plan(seat, window)
        if not self.places[seat].plays_itself:
            return Plan(soon, "bot")
        if window and not self.asks(seat, window):
            return Plan(soon, "answer", window.answer)
        if self._is_open():
            legal = self._playing().legal()
            if len(legal) == 1:
                return Plan(soon, "answer", legal[0])
        return None if self.deadline is None else Plan(self.deadline, "clock")

    def _is_open(self) -> bool:
        """Whether nothing is hidden from anybody: only then, a forced step betrays nothing."""
        return UNKNOWN.encode() not in msgspec.json.encode(self._public_view())

    def _is_secret(self, seat: int, window: Window) -> bool:
        """Whether somebody could learn something from the time that an answer takes."""
        others = (p for s, p in enumerate(self.places) if s != seat)
        return window.secret and any(place.kind == "person" for place in others)

    def _secret_plan(self, seat: int, window: Window) -> Plan:
        """The time depends on what everybody may know: on who sits there, not on what they hold.

        Nor on whether they want to be asked, since that may depend on what they hold.
        """
        if not self.places[seat].plays_itself:
            return Plan(self.asked_at + self.settings.window / 2, "bot")
        text, key = self.early or (window.answer, None)
        return Plan(self.asked_at + self.settings.window, "answer", text, key)
