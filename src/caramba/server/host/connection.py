"""One socket, as the tables see it: whose it is, and what is to be sent on it."""

import asyncio

from caramba.language import words
from caramba.server import telemetry
from caramba.server.tables.refusal import Refusal
from caramba.wire import FromServer, Refused, Said, TableShown, encode

FULL, HEAVY = 256, 512 * 1024
"""Frames, and bytes, that may wait for a slow client before it is let go."""
GONE_AWAY, POLICY, TRY_AGAIN, TOO_SLOW = 1001, 1008, 1012, 1013
"""Why a socket is closed: codes of RFC 6455."""


class Connection:
    """One socket: of a seat, or of somebody who watches."""

    def __init__(self, seat: int | None, language: str, address: str = "") -> None:
        self.seat, self.language, self.address = seat, language, address
        self.number: int | None = None
        """How much of the log it has."""
        self.shown: TableShown | None = None
        """The table as it was last shown to it."""
        self.muted: set[int | None] = set()
        self.frames: asyncio.Queue[bytes | int] = asyncio.Queue()
        """What is to be sent; a number closes the socket."""
        self._bytes = 0
        """How much of that there is."""
        self.closing = False

    def hears(self, said: Said) -> bool:
        """Whether a line of chat is for it."""
        for_it = said.seat is not None or self.seat is None
        return for_it and said.seat not in self.muted

    def send(self, message: FromServer | bytes) -> None:
        """Have a message sent."""
        if self.closing:
            return
        if self.frames.qsize() >= FULL or self._bytes > HEAVY:
            self.frames = asyncio.Queue()
            self.close(TOO_SLOW)
            return
        frame = message if isinstance(message, bytes) else encode(message)
        self._bytes += len(frame)
        self.frames.put_nowait(frame)

    async def next(self) -> bytes | int:
        """What is to be sent next; a number closes the socket."""
        frame = await self.frames.get()
        if isinstance(frame, bytes):
            self._bytes -= len(frame)
        return frame

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
            self.frames.put_nowait(code)
