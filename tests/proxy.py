"""A bad network: it stands between people and a server, and carries what it likes."""

import asyncio
import threading
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

CHUNK = 64 * 1024


@dataclass(eq=False)
class Way:
    """What goes in one direction of a connection."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter | None = None
    waiting: asyncio.Queue[bytes] = field(default_factory=asyncio.Queue)
    ended: bool = False
    """Whether nothing more is sent."""

    async def listen(self) -> None:
        """Take in what is sent; the last is empty."""
        sent = b"."
        while sent:
            with suppress(ConnectionError):
                sent = b""
                sent = await self.reader.read(CHUNK)
            self.ended = not sent
            self.waiting.put_nowait(sent)


@dataclass(eq=False)
class Path:
    """A connection through the network."""

    writers: list[asyncio.StreamWriter]
    ways: list[Way]
    forgotten: bool = False
    """Whether whatever is sent on it is lost, for ever."""

    def end(self, abruptly: bool = False) -> None:
        """Both sides are told."""
        for writer in self.writers:
            if abruptly:
                writer.transport.abort()
            else:
                writer.close()


class Proxy:
    """Carries connections to a server, for better or worse."""

    def __init__(self, target: str) -> None:
        self.target = target
        self.paths: set[Path] = set()
        self.seconds = 0.0
        """How long everything takes in one direction."""
        self.broken = False
        """Whether who comes is sent away."""
        self.passing = asyncio.Event()
        self.passing.set()
        self.address = ""
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self.loop.run_forever, daemon=True)
        self.thread.start()
        self._do(self._start())

    # What happens to a network

    def freeze(self) -> None:
        """Nothing arrives any more, and nobody is told; all of it does when the network is back."""
        self._do(self._freeze())

    def drop(self) -> None:
        """The same, but what there is now is dead for ever: only who comes anew gets through."""
        self._do(self._freeze(), self._forget())

    def delay(self, seconds: float) -> None:
        """Everything takes so long in one direction."""
        self.seconds = seconds

    def cut(self) -> None:
        """Everybody is told at once that the connection is lost, and gets no other."""
        self.broken = True
        self._do(self._cut())

    def heal(self) -> None:
        """All is well again."""
        self.seconds, self.broken = 0.0, False
        self._do(self._thaw())

    def close(self) -> None:
        """No more of it."""
        self.heal()
        self._do(self._stop())
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join(10)
        self.loop.close()

    def _do(self, *works: Coroutine[Any, Any, None]) -> None:
        for work in works:
            asyncio.run_coroutine_threadsafe(work, self.loop).result(10)

    async def _start(self) -> None:
        self.server = await asyncio.start_server(self._carry, "127.0.0.1")
        host, port = self.server.sockets[0].getsockname()
        self.address = f"{host}:{port}"

    async def _freeze(self) -> None:
        self.passing.clear()

    async def _forget(self) -> None:
        for path in self.paths:
            path.forgotten = True

    async def _cut(self) -> None:
        for path in self.paths:
            path.end(abruptly=True)

    async def _thaw(self) -> None:
        self.passing.set()

    async def _stop(self) -> None:
        self.server.close()
        await self._cut()
        for path in self.paths:
            path.forgotten = False
            for way in path.ways:
                way.waiting.put_nowait(b"")
        while self.paths:
            await asyncio.sleep(0.01)

    # How things are carried

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there = Way(reader)
        path = Path([writer], [there])
        self.paths.add(path)
        hearing = asyncio.create_task(there.listen())
        try:
            await self.passing.wait()
            if not (self.broken or there.ended):  # who has given up never got through
                await self._connect(path, there, writer)
        finally:
            hearing.cancel()
            self.paths.discard(path)
            path.end(abruptly=self.broken)

    async def _connect(self, path: Path, there: Way, home: asyncio.StreamWriter) -> None:
        host, _, port = self.target.partition(":")
        reader, there.writer = await asyncio.open_connection(host, int(port))
        path.writers.append(there.writer)
        back = Way(reader, home)
        path.ways.append(back)
        listening = asyncio.create_task(back.listen())
        carrying = {asyncio.create_task(self._pass_on(path, way)) for way in (there, back)}
        _, rest = await asyncio.wait(carrying, return_when=asyncio.FIRST_COMPLETED)
        for task in (listening, *rest):
            task.cancel()

    async def _pass_on(self, path: Path, way: Way) -> None:
        """What comes goes on, until the end of it does."""
        assert way.writer is not None
        while sent := await self._arrived(path, way):
            way.writer.write(sent)
            with suppress(ConnectionError):
                await way.writer.drain()

    async def _arrived(self, path: Path, way: Way) -> bytes:
        """The next thing that has made it through the network."""
        while True:
            sent = await way.waiting.get()
            await asyncio.sleep(self.seconds)
            await self.passing.wait()
            if not path.forgotten:
                return sent


@contextmanager
def bad_network(target: str) -> Iterator[Proxy]:
    """A network in front of a server that ends with the test."""
    proxy = Proxy(target)
    try:
        yield proxy
    finally:
        proxy.close()
