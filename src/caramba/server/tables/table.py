"""A table: who sits where, the game being played, and what may happen next.

Nothing here reads, writes or waits. What changes the game returns the entries that have to be
kept before anybody is told.
"""

from functools import cached_property
from typing import Literal, NamedTuple

import msgspec

from caramba.games.contract import CHANCE, SPECTATOR, Window, load, marked
from caramba.games.errors import IllegalAction, InvalidAction
from caramba.language import words
from caramba.match.fair import FairDeal
from caramba.match.match import Match
from caramba.server.settings import Settings
from caramba.server.tables.kept import Entry, Kept
from caramba.server.tables.log import BACK, Log
from caramba.server.tables.places import Place
from caramba.server.tables.refusal import Refusal
from caramba.server.tables.wishes import Wish, Wishes
from caramba.wire import Status

LEAST = 15.0
"""Seconds for a decision of who comes back after the time for the whole game has run out."""


LONGER, FIRST = 1.5, 5.0
"""A question that closes for others' sake stays open so many times as long as a secret one; the
first of a game, which may have to be explained, so many times.
"""
SILENCES = 2
"""Who lets so many in a row close is not asked again."""


class Plan(NamedTuple):
    """What happens by itself if nothing else does before."""

    at: float
    do: Literal["bot", "answer", "close", "clock"]
    text: str = ""
    key: str | None = None

    @property
    def closes(self) -> bool:
        """Whether it is a question that closes by itself."""
        return self.do in ("answer", "close")


class Table:
    """One table."""

    def __init__(self, whole: Kept, settings: Settings) -> None:
        self.kept, self.settings = whole.table, settings
        """What the database has; `status` and all below is what holds now."""
        self.id = self.kept.id
        self.game = load(self.kept.game)
        if self.kept.rules != self.game.version:
            raise Refusal(
                "illegal", marked("this table was played by other rules than this server has")
            )
        self.places = [Place.of(seat) for seat in whole.seats]
        self.clock = self.kept.clock
        self.status: Status = self.kept.status
        self.log = Log(len(self.places))
        self.wish: Wish | None = None
        self.wishes = Wishes()
        self.match: Match | None = None
        self.early: tuple[str, str] | None = None
        """The usual answer to a secret question, given before its time, and its key."""
        self.asked_at = self.opened_at = self.woke_at = settings.now()
        """Since when the clock of who is asked runs; since when they could answer."""
        self.unseen: set[int] = set()
        """Who has not been here since the table woke up in the middle of a game."""
        self.renewed: int | None = None
        """The number at which somebody last came back to an open question."""
        if self.status in ("playing", "over"):
            self._set_up()
            for entry in whole.log:
                self._repeat(entry)
            self._resume_clock(self.kept.due)
            self.unseen = self.persons()

    # Where it stands

    @property
    def number(self) -> int:
        """How many entries the log has."""
        return self.log.number

    @property
    def steps_at(self) -> list[int]:
        """By number: how many steps the game had then."""
        return self.log.steps_at

    @property
    def actor(self) -> int | None:
        """The seat that is asked; None for nobody."""
        return self.match.actor if self.match and self.status == "playing" else None

    @cached_property
    def commitment(self) -> str:
        """The fingerprint of the seed, which everybody may know."""
        return self.fair.commitment

    @property
    def fair(self) -> FairDeal:
        """The seed of all draws, with what the seats mixed in."""
        given = (place.entropy for place in self.places)
        entropy = tuple(None if text is None else bytes.fromhex(text) for text in given)
        return FairDeal(self.kept.seed, entropy)

    @property
    def deadline(self) -> float | None:
        """When the clock of the seat that is asked runs out."""
        if self.actor is None or not self.places[self.actor].plays_itself:
            return None
        left = self.places[self.actor].seconds
        limits = [self.clock.move, None if left is None else max(left, LEAST)]
        seconds = [limit for limit in limits if limit is not None]
        return self.asked_at + min(seconds) if seconds else None

    @property
    def closes_at(self) -> float | None:
        """When the open question closes by itself; not for who has said that they want it."""
        seat, window = self.actor, self.window()
        if seat is None or window is None or not window.closes or not self.people(but=seat):
            return None
        place = self.places[seat]
        if not place.plays_itself or window.phase in place.ask:
            return None
        times = FIRST if place.silences is None else LONGER
        return self._open_until(times * self.settings.window)

    def _open_until(self, seconds: float) -> float:
        """When a question that is open for so long closes: who was asked before the table woke up
        may be on the way back.
        """
        end = self.opened_at + seconds
        waits = self.actor in self.unseen
        return max(end, self.woke_at + self.settings.back) if waits else end

    def open_anew(self) -> None:
        """Who is asked could not answer until now."""
        self.opened_at = self.settings.now()

    def comes(self, seat: int) -> None:
        """Somebody who was not here is back; who is asked has the time for it anew, once."""
        self.unseen.discard(seat)
        if seat == self.actor and self.renewed != self.number:
            self.renewed = self.number
            self.open_anew()

    def let_close(self, seat: int) -> None:
        """Somebody has let the question that is open close, and may not be asked again."""
        place, window = self.places[seat], self.window()
        place.silences = (place.silences or 0) + 1
        if window and place.silences >= SILENCES:
            place.ask = {**place.ask, window.phase: False}

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
        phase = self._playing().phase
        return next((window for window in self.game.windows if window.phase == phase), None)

    def asks(self, seat: int, window: Window) -> bool:
        """Whether this seat wants to be asked."""
        return self.places[seat].ask.get(window.phase, window.ask)

    # Beginning

    def begin(self) -> list[Entry]:
        """Everybody sits; deal."""
        self.status = "playing"
        for place in self.places:
            place.silences = None
        self._set_up()
        return self.after([])

    def _set_up(self) -> Match:
        kept, names = self.kept, [place.name for place in self.places]
        match = Match(self.game, players=kept.players, options=kept.options, names=names)
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
            self.go_back(entry.who, int(rest))
        else:
            match.play(entry.text, seat=CHANCE if entry.who is None else entry.who)
        self.log.note(entry, match.length)

    def _resume_clock(self, due: float | None) -> None:
        """Sleeping has not stopped the clock: what was due at a time is still due then.

        But a question that closes by itself is open anew: meanwhile nobody could answer it.
        """
        plan = self.plan()
        if plan and due is not None:
            self.asked_at -= max(0.0, plan.at - due)

    # Playing

    def act(self, seat: int, text: str, number: int, key: str | None, language: str) -> list[Entry]:
        """A seat takes a step; chance follows."""
        match = self._playing()
        self.check_number(number)
        if self.status == "over":
            raise Refusal("illegal", marked("the game is over"))
        match.words = words(language)
        window = self.window()
        try:
            match.play(text, seat=seat)
        except IllegalAction as error:
            raise Refusal("illegal", error.reason, error.rule) from None
        except InvalidAction as error:
            raise Refusal("invalid", str(error)) from None
        last = match.last
        assert last is not None
        if window and window.closes and key is not None:  # nobody has, if it closed by itself
            self.places[seat].silences = 0
        return self.after([Entry(seat, last[1], key)])

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
        self._playing()
        if number != self.number:
            message = marked("something else came first: the table is at {now} now, not at {then}")
            raise Refusal("stale", message, now=self.number, then=number)

    def after(self, entries: list[Entry]) -> list[Entry]:
        """What follows by itself: chance, answers that nobody waits for, and perhaps the end."""
        match = self._playing()
        for entry in entries:
            self.log.note(entry, match.length)
        self._deal(entries)
        while (text := self._unasked()) is not None:
            entries.append(Entry(match.actor, text))
            match.play(text)
            self.log.note(entries[-1], match.length)
            self._deal(entries)
        if match.actor is None:
            self.status = "over"
        self.wish = self.early = None
        return entries

    def _deal(self, entries: list[Entry]) -> None:
        for text in self._playing().deal():
            entries.append(Entry(None, text))
            self.log.note(entries[-1], self.steps_at[-1] + 1)

    def _unasked(self) -> str | None:
        """What the player who is to act need not be asked: they want that, or it is forced."""
        seat, window = self.actor, self.window()
        if seat is None or not self.places[seat].plays_itself:
            return None
        if window and self._is_secret(seat, window):
            return None
        if window and not self.asks(seat, window):
            return window.answer
        if self.game.hides:  # to be asked or not would betray something
            return None
        legal = self._playing().legal()
        return legal[0] if len(legal) == 1 else None

    def charge(self, seat: int | None, now: float) -> None:
        """Take the time of a decision from the clock of who made it; the next question begins."""
        if seat is not None and self.places[seat].plays_itself:
            left = self.places[seat].seconds
            if left is not None:
                self.places[seat].seconds = max(0.0, left - (now - self.asked_at))
        self.asked_at = self.opened_at = now

    # Taking back

    def go_back(self, seat: int, keep: int) -> None:
        """Take steps back, as the entry that comes next in the log says."""
        self._playing().take_back(seat, keep)
        self.log.go_back(seat, keep)

    def is_harmless(self, seat: int, keep: int) -> bool:
        """Whether nobody else would have learned anything, and chance has not spoken."""
        match = self._playing()
        before = match.at(keep)
        others = [SPECTATOR, *(other for other in range(match.players) if other != seat)]
        return not match.draws(keep) and all(
            msgspec.json.encode(before.view(other)) == msgspec.json.encode(match.view(other))
            for other in others
        )

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
        window = self.window()
        if window and self._is_secret(seat, window):
            return self._secret_plan(seat, window)
        if not self.places[seat].plays_itself:
            return Plan(self.asked_at + self.settings.pause, "bot")
        if (text := self._unasked()) is not None:
            return Plan(self.asked_at, "answer", text)
        if window and self.closes_at is not None:
            return Plan(self.closes_at, "close", window.answer)
        return None if self.deadline is None else Plan(self.deadline, "clock")

    def _is_secret(self, seat: int, window: Window) -> bool:
        """Whether somebody could learn something from the time that an answer takes."""
        others = (p for s, p in enumerate(self.places) if s != seat)
        return window.secret and any(place.kind == "person" for place in others)

    def _secret_plan(self, seat: int, window: Window) -> Plan:
        """The time depends on what everybody may know: on who sits there, and since when they are
        here, not on what they hold.

        Nor on whether they want to be asked, since that may depend on what they hold.
        """
        if not self.places[seat].plays_itself:
            return Plan(self.asked_at + self.settings.window / 2, "bot")
        text, key = self.early or (window.answer, None)
        return Plan(self._open_until(self.settings.window), "answer", text, key)
