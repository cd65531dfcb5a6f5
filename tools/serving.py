"""A server in a process of its own, for tools that are hard on it."""

import asyncio
import json
import os
import random
import secrets
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import httpx
from websockets.asyncio.client import ClientConnection, connect

from caramba.wire import PROTOCOL

Message = dict[str, Any]
PATIENCE = 180.0
"""Seconds within which a server has to start: on a fresh machine it compiles first."""
HOME = "127.0.0.1"
"""Where people come from, unless they say otherwise: all of 127.0.0.0/8 is this machine."""


class Silent(Exception):
    """The server does not answer."""


class Reachable(Protocol):
    """Something that listens somewhere."""

    @property
    def address(self) -> str:
        """Host and port."""


class Server:
    """`caramba serve` on a free port, with its database and its log in a folder."""

    def __init__(self, folder: Path, *options: str) -> None:
        self.database, self.log = folder / "tables.db", folder / "server.log"
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.address = f"127.0.0.1:{free.getsockname()[1]}"
        self._command = [sys.executable, "-m", "caramba", "serve"]
        self._command += ["--port", self.address.partition(":")[2], "--no-limits"]
        self._command += ["--database", f"sqlite:///{self.database}", *options]
        self._process: subprocess.Popen[bytes] | None = None
        self.up = asyncio.Event()
        """Whether it answers, as far as is known."""

    def launch(self) -> None:
        """Start it, without waiting until it answers."""
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(self._command, stdout=log, stderr=log)

    async def start(self) -> None:
        """Start it, and wait until it answers."""
        self.launch()
        async with asyncio.timeout(PATIENCE), httpx.AsyncClient() as http:
            while True:
                if self._running.poll() is not None:
                    raise Silent(f"the server ended by itself; see {self.log}")
                try:
                    answer = await http.get(f"http://{self.address}/readyz", timeout=10)
                except httpx.HTTPError:
                    await asyncio.sleep(0.05)
                else:
                    if answer.status_code == 200:
                        return self.up.set()

    @property
    def _running(self) -> subprocess.Popen[bytes]:
        assert self._process is not None
        return self._process

    def kill(self) -> None:
        """SIGKILL: it learns nothing of it."""
        self.up.clear()
        self._running.kill()
        self._running.wait()

    def check(self) -> None:
        """Raise if it has ended by itself."""
        if self._running.poll() is not None:
            raise Silent(f"the server ended by itself; see {self.log}")

    def signal(self, number: int) -> None:
        """Send it a signal."""
        self._running.send_signal(number)

    def stop(self) -> int:
        """SIGTERM, as an operator would; the exit code."""
        self._running.terminate()
        return self._running.wait(60)

    @property
    def processes(self) -> list[int]:
        """What it consists of."""
        return [self._running.pid]

    @property
    def memory(self) -> int:
        """Bytes of memory that it holds."""
        statements = (Path(f"/proc/{pid}/statm").read_text() for pid in self.processes)
        pages = sum(int(text.split()[1]) for text in statements)
        return pages * os.sysconf("SC_PAGE_SIZE")

    @property
    def busy(self) -> float:
        """Seconds of processor time that it has used."""
        return busy(self.processes)

    def complaints(self) -> list[str]:
        """Lines of its log that tell of something that should not happen."""
        return [line for line in self.log.read_text().splitlines() if not _is_harmless(line)]


def busy(processes: Iterable[int]) -> float:
    """Seconds of processor time that these have used."""
    texts = (Path(f"/proc/{pid}/stat").read_text() for pid in processes)
    fields = [text.rpartition(")")[2].split() for text in texts]
    return sum(int(f[11]) + int(f[12]) for f in fields) / os.sysconf("SC_CLK_TCK")


def _is_harmless(line: str) -> bool:
    if line.startswith("caramba: "):
        return True
    try:
        return bool(json.loads(line)["level"] == "info")
    except (ValueError, TypeError, KeyError):
        return False


@dataclass
class Table:
    """A table, and the tokens of the people at it."""

    id: str
    game: str
    tokens: dict[int, str] = field(default_factory=dict)
    source: str = HOME
    """The address its people come from."""

    def socket_of(self, server: Reachable, seat: int | None) -> connect:
        """A socket at a seat, or of somebody who watches."""
        token = None if seat is None else self.tokens[seat]
        return open_socket(server, self.id, token, self.source)


async def make_table(
    server: Reachable,
    game: str,
    people: int,
    bots: int = 0,
    level: str = "easy",
    mixes: bool = False,
    source: str = HOME,
    take_backs: bool = True,
) -> Table:
    """A table at which everybody sits, and the game has begun; or its deal, if all mix in."""
    seats = [{"kind": "person"}] * people + [{"kind": "bot", "level": level}] * bots
    wanted = {"game": game, "seats": seats, "name": "Ana", "mixes": mixes}
    wanted["take_backs"] = take_backs
    async with calling(server, source) as http:
        made = await _sat(http, "/api/tables", wanted)
        table = Table(made["table"], game, {made["seat"]: made["token"]}, source)
        for number in range(1, people):
            name = {"name": f"Luc {number}", "mixes": mixes}
            sat = await _sat(http, f"/api/tables/{table.id}/seats", name)
            table.tokens[sat["seat"]] = sat["token"]
    return table


async def _sat(http: httpx.AsyncClient, path: str, body: Message) -> Message:
    answer = await http.post(path, json=body)
    sat: Message = answer.raise_for_status().json()
    return sat


def open_socket(
    server: Reachable, table: str, token: str | None, source: str = HOME, **more: Any
) -> connect:
    """A socket to a table."""
    url = f"ws://{server.address}/api/tables/{table}/socket"
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    more["local_addr"] = (source, 0)
    return connect(url, additional_headers=headers, max_size=None, compression=None, **more)


@asynccontextmanager
async def calling(server: Reachable, source: str = HOME) -> AsyncIterator[httpx.AsyncClient]:
    """For HTTP requests."""
    way = httpx.AsyncHTTPTransport(local_address=source, verify=False)
    base = f"http://{server.address}"
    async with httpx.AsyncClient(base_url=base, transport=way, timeout=60) as http:
        yield http


async def say(socket: ClientConnection, **message: Any) -> None:
    """Send a message."""
    await socket.send(json.dumps(message))


async def want(socket: ClientConnection, **message: Any) -> str:
    """Send a message that wants something; its key, which is new."""
    key = secrets.token_hex(6)
    await say(socket, key=key, **message)
    return key


async def hello(socket: ClientConnection, have: int | None = None) -> None:
    """The first message."""
    await say(socket, type="hello", protocol=PROTOCOL, have=have)


def random_move(news: Message, rng: random.Random) -> str | None:
    """A legal action; None for who is not asked."""
    legal = news["view"]["legal"]
    return str(rng.choice(legal)["text"]) if legal else None
