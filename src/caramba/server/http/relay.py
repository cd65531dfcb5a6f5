"""A socket that another worker serves: whatever comes goes on as it is, byte by byte.

Nobody here need understand it, so it costs next to nothing. Only the request is written anew, and
the first line of the answer read.
"""

import asyncio
from collections.abc import Iterable

from caramba.server.crew.crew import Worker
from caramba.server.http.connections import TimedSocket

END = b"\r\n\r\n"
AGREED = b"HTTP/1.1 101 "
NOT_HERE = b"HTTP/1.1 421 "
"""Only who is not of the crew, or is another worker than was meant, says this: see passing.py."""
UPGRADE = (("Connection", "Upgrade"), ("Upgrade", "websocket"))


class Declined(Exception):
    """The other worker does not talk to us, and says so."""


async def reach(worker: Worker, path: bytes, headers: Iterable[tuple[str, str]]) -> "Far":
    """Ask another worker for a socket; OSError, or Declined if there is none."""
    loop = asyncio.get_running_loop()
    _, far = await loop.create_connection(Far, *worker.place)
    told = (("Host", worker.address), *UPGRADE, *headers)
    lines = "".join(f"{name}: {text}\r\n" for name, text in told).encode("latin-1")
    try:
        far.transport.write(b"GET " + path + b" HTTP/1.1\r\n" + lines + b"\r\n")
        answer = await far.answer
        if answer.startswith(NOT_HERE):
            raise Declined
        if not answer.startswith(AGREED):
            raise ConnectionError
    except BaseException:
        far.transport.abort()
        raise
    return far


class Side(asyncio.Protocol):
    """One end: what comes out of it goes into the other one, no faster than that takes it."""

    transport: asyncio.Transport
    other: "Side | None" = None

    def __init__(self) -> None:
        self.ended = asyncio.Event()

    def data_received(self, data: bytes) -> None:
        """Something was said."""
        assert self.other
        self.other.transport.write(data)

    def pause_writing(self) -> None:
        """Who listens here is slow."""
        assert self.other
        self.other.transport.pause_reading()

    def resume_writing(self) -> None:
        """They have caught up."""
        assert self.other
        self.other.transport.resume_reading()

    def connection_lost(self, exc: Exception | None) -> None:
        """They have hung up."""
        self.ended.set()


class Far(Side):
    """The end at the other worker: first comes its answer."""

    def __init__(self) -> None:
        super().__init__()
        self.answer: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        self._heard = b""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """It is there."""
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        """First its answer; if it has more to say at once, that comes with it."""
        if self.answer.done():
            super().data_received(data)
            return
        self._heard += data
        if END in self._heard:
            self.answer.set_result(self._heard)

    def connection_lost(self, exc: Exception | None) -> None:
        """If that was without a word, so it is for whoever came to us: they come back."""
        if not self.answer.done():
            self.answer.set_exception(ConnectionResetError())
        super().connection_lost(exc)


class Near(Side):
    """The end at whoever came to us."""

    def __init__(self, socket: TimedSocket, far: Far) -> None:
        super().__init__()
        self.transport, self.socket = socket.transport, socket
        self.other, far.other = far, self
        self.transport.set_protocol(self)

    def connection_lost(self, exc: Exception | None) -> None:
        """They have hung up, of which the server has to know."""
        super().connection_lost(exc)
        self.socket.connection_lost(exc)


async def relay(socket: TimedSocket, far: Far, gone: asyncio.Event) -> None:
    """Both ways, until one of them hangs up, or the other worker is there no longer."""
    near = Near(socket, far)
    socket.answer_for_another(far.answer.result())
    tasks = [asyncio.ensure_future(end.wait()) for end in (near.ended, far.ended, gone)]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        if gone.is_set():
            far.transport.abort()
        else:
            far.transport.close()
