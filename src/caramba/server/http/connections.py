"""Connections, below HTTP: how many may be open, and how long each may be waited for.

Whoever comes is counted by the socket itself, from its being accepted to its being closed: it is
the same one whether HTTP is spoken on it or, later, something else.
"""

import asyncio
import json
import socket
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from http import HTTPStatus
from typing import Any, Literal

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request

from caramba.server import telemetry
from caramba.server.http.security import HEADERS, is_one_of, neighbourhood
from caramba.server.settings import Settings

ACCEPTED, WAITING = 8, 2048
"""Connections that are accepted in one go, and that may wait for it."""
SPARE = 100
"""Descriptors that are kept for the database, the log and the like."""
USUAL_DESCRIPTORS = 512
"""Where a system does not say how many there are."""
AHEAD, MOST = 8, 256
"""Messages of a socket that may wait to be heard before no more of it is read; and before it is cut
off, since many short ones are read in one go."""
GRACE = 10.0
"""Seconds for the last words of a connection that is being closed."""


class Config(uvicorn.Config):
    """How uvicorn runs a server with our settings."""

    def __init__(self, app: Any, settings: Settings, **more: Any) -> None:
        loop = "asyncio:SelectorEventLoop"  # others do not ask our socket to accept
        super().__init__(app, loop=loop, http=TimedHttp, ws=TimedSocket, backlog=ACCEPTED, **more)
        self.settings = settings


# How many


def raise_descriptors() -> None:
    """Allow this process as many open files and connections as it may allow itself."""
    try:
        import resource
    except ImportError:
        return
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    for many in (10_240, most):  # the first where the second is unlimited in name only
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (many, most))


def room() -> int:
    """How many connections there is room for: each may have a file open, too."""
    try:
        import resource
    except ImportError:
        descriptors = USUAL_DESCRIPTORS
    else:
        descriptors = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
        if descriptors == resource.RLIM_INFINITY:
            descriptors = 2**20
    return max(1, (descriptors - SPARE) // 2)


class Guest(socket.socket):
    """A connection that was accepted; it says when it is closed."""

    def __init__(self, plain: socket.socket, on_close: Callable[[], None]) -> None:
        super().__init__(plain.family, plain.type, plain.proto, fileno=plain.detach())
        self._on_close = [on_close]

    def close(self) -> None:
        """Close, and say so once."""
        super().close()
        while self._on_close:
            self._on_close.pop()()


class Entrance(socket.socket):
    """Listens, and accepts no more than there is room for, nor too many from one address.

    Only a few at a time (ACCEPTED), so that those who are inside are not kept waiting.
    """

    def __init__(self, plain: socket.socket, settings: Settings) -> None:
        super().__init__(plain.family, plain.type, plain.proto, fileno=plain.detach())
        self.settings, self.room = settings, room()
        self.many, self.inside = 0, Counter[str]()

    def listen(self, backlog: int = 0) -> None:
        """Have many wait outside, however few are accepted at a time."""
        super().listen(max(backlog, WAITING))

    def accept(self) -> tuple[socket.socket, Any]:
        """Whoever comes next; too many are sent away, as if they had hung up themselves."""
        plain, where = super().accept()
        address = neighbourhood(where[0])
        if why := self._too_many(where[0], address):
            plain.close()
            telemetry.TURNED_AWAY.labels(why).inc()
            telemetry.log.warning("too many connections", why=why)
            raise ConnectionAbortedError
        self._count(address, 1)
        return Guest(plain, partial(self._count, address, -1)), where

    def _too_many(self, peer: str, address: str) -> str | None:
        if self.many >= self.room:
            return "full"
        if is_one_of(self.settings.proxies, peer):
            return None
        return "address" if self.inside[address] >= self.settings.per_address else None

    def _count(self, address: str, change: int) -> None:
        self.many += change
        self.inside[address] += change
        if not self.inside[address]:
            del self.inside[address]


# How long


def _refusal(status: HTTPStatus, reason: str) -> bytes:
    """A whole answer to who is closed then."""
    body = json.dumps({"code": "invalid", "reason": reason}).encode()
    headers = {
        **HEADERS,
        "Content-Type": "application/json",
        "Content-Length": len(body),
        "Connection": "close",
    }
    lines = [f"{name.lower()}: {value}\r\n" for name, value in headers.items()]
    return f"HTTP/1.1 {status} {status.phrase}\r\n{''.join(lines)}\r\n".encode() + body


TOO_SLOW = _refusal(HTTPStatus.REQUEST_TIMEOUT, "the request did not come to its end in time")
UNREADABLE = _refusal(
    HTTPStatus.BAD_REQUEST, "a handshake has at most 128 headers of 8 KiB each, all of them text"
)
Awaited = Literal["headers", "body", "answer"]


class TimedHttp(H11Protocol):
    """HTTP with a time for all headers of a request, one for its body, and one for the answer."""

    config: Config
    _watched: tuple[object, Awaited] | None = None
    _timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Somebody is here."""
        super().connection_made(transport)
        self._watch()

    def data_received(self, data: bytes) -> None:
        """Something was said."""
        super().data_received(data)
        self._watch()

    def on_response_complete(self) -> None:
        """Something was answered."""
        super().on_response_complete()
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        """It is over."""
        super().connection_lost(exc)
        self._stop()

    def shutdown(self) -> None:
        """The server ends: half a request is not waited for."""
        if self._awaited() == "body":
            self.transport.abort()
        else:
            super().shutdown()

    def _watch(self) -> None:
        """Start the clock anew if something else is waited for than before."""
        if self.transport.get_protocol() is not self:
            self._stop()  # another protocol has taken over
        elif self._watched != (now := (self.cycle, self._awaited())):
            self._stop()
            self._watched = now
            seconds = getattr(self.config.settings, now[1])
            self._timer = self.loop.call_later(seconds, self._too_late, now[1])

    def _awaited(self) -> Awaited:
        """What is not there yet. Until the next request begins, an answer may be on its way."""
        if self.conn.their_state is h11.SEND_BODY:
            return "body"
        if self.conn.their_state is h11.IDLE and (self.cycle is None or self._has_begun()):
            return "headers"
        return "answer"

    def _has_begun(self) -> bool:
        """Whether some of a request has come."""
        return self.conn.their_state is not h11.IDLE or bool(self.conn.trailing_data[0])

    def _stop(self) -> None:
        if self._timer:
            self._timer.cancel()

    def _too_late(self, awaited: Awaited) -> None:
        telemetry.TURNED_AWAY.labels(awaited).inc()
        if awaited == "answer":
            self.transport.abort()
            return
        unanswered = self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE)
        if unanswered and self._has_begun():
            self.transport.write(TOO_SLOW)
        self.transport.close()
        self.loop.call_later(GRACE, self.transport.abort)


SOCKET = "caramba.socket"
"""What a socket is called among the things that are known of a request."""


class TimedSocket(WebSocketsSansIOProtocol):
    """A socket whose handshake has its time, and which is not closed politely for ever."""

    config: Config
    _is_passed_on = False
    """Whether another worker talks to who is there."""
    _unsent = 0
    """Bytes that go out at the end of this round of the loop."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """HTTP has handed it over."""
        super().connection_made(transport)
        self.loop.call_later(self.config.settings.headers, self._hurry)

    def data_received(self, data: bytes) -> None:
        """Something was said; uvicorn does not answer a handshake that cannot be read."""
        super().data_received(data)
        if self.conn.handshake_exc and not self.handshake_complete:
            self.handshake_complete = self.close_sent = True
            self.transport.write(UNREADABLE)
            self.transport.close()

    def send_receive_event_to_app(self) -> None:
        """Only who says much at once is not read from until some of it is heard.

        To stop reading after each message, and go on, would cost two calls of the system.
        """
        if self.queue.qsize() >= MOST:
            self.transport.abort()
            return
        self.read_paused = self.queue.qsize() < AHEAD  # if so, uvicorn need not stop
        super().send_receive_event_to_app()

    def handle_connect(self, event: Request) -> None:
        """Whoever answers finds the socket itself, too."""
        super().handle_connect(event)
        if self.response.status_code == HTTPStatus.SWITCHING_PROTOCOLS:
            self.scope[SOCKET] = self  # type: ignore[literal-required]

    # As the tables see it

    @property
    def is_gone(self) -> bool:
        """Whether nobody is there any more."""
        return self.disconnected

    @property
    def waiting(self) -> int:
        """Bytes that were not taken yet."""
        return self._unsent + self.transport.get_write_buffer_size()

    def say(self, frame: bytes) -> None:
        """Send this, with all else of this round: it costs no more than one."""
        if self.close_sent or self.transport.is_closing():
            return
        if not self._unsent:
            self.loop.call_soon(self._send)
        self._unsent += len(frame)
        self.conn.send_text(frame)

    def _send(self) -> None:
        self._unsent = 0
        if not self.transport.is_closing():
            self.transport.write(b"".join(self.conn.data_to_send()))

    def hang_up(self, code: int) -> None:
        """Close it, after what was said."""
        self._farewell = self.loop.create_task(self._hang_up(code))

    async def _hang_up(self, code: int) -> None:
        with suppress(ClientDisconnected):
            await self.send({"type": "websocket.close", "code": code})

    def cut(self) -> None:
        """Close it at once."""
        self.transport.abort()

    # For another worker

    def answer_for_another(self, answer: bytes) -> None:
        """Another worker talks to who is here; all that is left to do here is to hang up."""
        self.handshake_complete = self._is_passed_on = True
        self.transport.write(answer)

    def shutdown(self) -> None:
        """The server ends."""
        if self._is_passed_on:
            self.transport.close()
        else:
            super().shutdown()

    def _hurry(self) -> None:
        if not self.handshake_complete:
            telemetry.TURNED_AWAY.labels("headers").inc()
            self.transport.abort()

    def keepalive_timeout(self) -> None:
        """Whoever does not answer does not read our farewell either."""
        super().keepalive_timeout()
        self._end()

    def on_task_complete(self, task: asyncio.Task[None]) -> None:
        """All is said."""
        super().on_task_complete(task)
        self._end()

    def _end(self) -> None:
        self.loop.call_later(GRACE, self.transport.abort)
