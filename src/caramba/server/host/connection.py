"""One socket, as the tables see it: whose it is, and what is to be sent on it."""

from collections import deque
from typing import Protocol

from caramba.language import words
from caramba.server import telemetry
from caramba.server.tables.refusal import Refusal
from caramba.wire import FromServer, Refused, Said, TableShown, encode

HEAVY = 512 * 1024
"""Bytes that may wait for a slow client before it is let go."""
REMEMBERED = 100
"""Keys: nobody sends more again after a lost connection."""
GONE_AWAY, POLICY, TRY_AGAIN, TOO_SLOW = 1001, 1008, 1012, 1013
"""Why a socket is closed: codes of RFC 6455."""


class Line(Protocol):
    """The way to whoever is connected."""

    @property
    def is_gone(self) -> bool:
        """Whether nobody is there any more."""

    @property
    def waiting(self) -> int:
        """Bytes that they have not taken yet."""

    def say(self, frame: bytes) -> None:
        """Send this as soon as they take it."""

    def hang_up(self, code: int) -> None:
        """Close the socket, after what was said."""

    def cut(self) -> None:
        """Close it at once."""


class Connection:
    """One socket: of a seat, or of somebody who watches."""

    def __init__(self, line: Line, seat: int | None, language: str, address: str = "") -> None:
        self.line = line
        self.seat, self.language, self.address = seat, language, address
        self.number: int | None = None
        """How much of the log it has."""
        self.shown: TableShown | None = None
        """The table as it was last shown to it."""
        self.muted: set[int | None] = set()
        self.done = deque[str](maxlen=REMEMBERED)
        """The keys of what was done last, so that it is done once; a seat has the same everywhere.
        Those of steps are in the log."""
        self.closing = False

    def hears(self, said: Said) -> bool:
        """Whether a line of chat is for it."""
        for_it = said.seat is not None or self.seat is None
        return for_it and said.seat not in self.muted

    def send(self, message: FromServer | bytes) -> None:
        """Have a message sent; who does not read what there is already is let go."""
        if self.closing:
            return
        if self.line.waiting > HEAVY:
            self.closing = True
            self.line.cut()
            return
        self.line.say(message if isinstance(message, bytes) else encode(message))

    def refuse(self, refusal: Refusal, key: str | None = None, number: int | None = None) -> None:
        """Say why something is not done, in the language of who is told."""
        code = "forbidden" if refusal.code == "missing" else refusal.code
        telemetry.REFUSED.labels(code).inc()
        reason = refusal.text(words(self.language))
        self.send(
            Refused(code=code, reason=reason, rule=refusal.rule, key=key, number=number)  # type: ignore[arg-type]
        )

    def close(self, code: int) -> None:
        """Have the socket closed."""
        if not self.closing:
            self.closing = True
            self.line.hang_up(code)
