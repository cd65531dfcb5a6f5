"""Those who besiege a server: each siege does all that its addresses are allowed, and then more.

A siege is a coroutine that goes on until it is cancelled, and counts how it was answered. Every
siege has addresses of its own, so that none finds the limits of the one before.
"""

import asyncio
import random
import secrets
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, NoReturn

import httpx
import msgspec
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed, WebSocketException

import serving
from serving import Table

BREATH = 0.01
"""Seconds between two attacks of one besieger."""
FAST = 0.05
"""Seconds between two messages on one socket: 20 a second are allowed."""
SOCKETS = 50
"""Sockets that one address may have open; eight more for each seat."""
SLOW = 900
"""Connections on which requests trickle."""
Tally = Counter[str]


@dataclass(frozen=True)
class Field:
    """What besiegers know of the server."""

    address: str
    addresses: int
    """How many they have themselves."""
    seconds: float
    block: int
    """Their addresses begin with 127.0 and this."""
    long: Table
    """A very long game that is being played."""
    finished: Table
    """Another, which is over."""
    steps: int
    """How long they are."""

    def source(self, number: int) -> str:
        """One of their addresses."""
        return f"127.0.{self.block}.{2 + number % self.addresses}"


def besiege(name: str, field: Field) -> dict[str, int]:
    """In a process of its own: how everything was answered."""
    return dict(asyncio.run(_besiege(SIEGES[name], field)))


async def _besiege(siege: Callable[[Field, Tally], Awaitable[None]], field: Field) -> Tally:
    tally = Tally()
    try:
        async with asyncio.timeout(field.seconds):
            await siege(field, tally)
    except TimeoutError:
        pass
    return tally


async def crowd(many: int, attack: Callable[[int], Awaitable[None]], tally: Tally) -> None:
    """So many at once, each again and again, whatever happens to them."""

    async def again(number: int) -> NoReturn:
        while True:
            try:
                await attack(number)
            except ConnectionClosed as closed:
                tally[f"closed {closed.rcvd.code if closed.rcvd else 'without a word'}"] += 1
            except (OSError, WebSocketException, httpx.HTTPError, EOFError):
                tally["cut off"] += 1
            await asyncio.sleep(BREATH)

    await asyncio.gather(*map(again, range(many)))


# a. Greetings


async def hellos(field: Field, tally: Tally) -> None:
    """Watchers and seats of a long game who want to be told how it stands, and do not listen."""
    seats: list[str | None] = [None] * SOCKETS
    seats += [token for token in field.long.tokens.values() for _ in range(8)]

    async def attack(number: int) -> None:
        here = (field.long.id, seats[number], field.source(0))
        async with serving.open_socket(field, *here, max_queue=1, close_timeout=1) as socket:
            while True:
                await serving.hello(socket)
                tally["hello"] += 1
                await asyncio.sleep(FAST)

    await crowd(len(seats), attack, tally)


# b. Bots that look ahead


async def thinkers(field: Field, tally: Tally) -> None:
    """As many tables of experts as one address gets; and as many of quick bots for another."""

    async def attack(number: int) -> None:
        level = "expert" if number < 58 else "medium"
        source = field.source(number // 58)
        bots = [{"kind": "bot", "level": level}] * 4
        async with serving.calling(field, source) as http:
            answer = await http.post("/api/tables", json={"game": "cards", "seats": bots})
        tally[f"{level}s: {answer.status_code}"] += 1
        if answer.status_code != 201:
            await asyncio.sleep(1)
            return
        async with serving.open_socket(field, answer.json()["table"], None, source) as socket:
            await serving.hello(socket)
            async for _ in socket:
                tally["news"] += 1

    await crowd(58 + SOCKETS, attack, tally)


# c. Slow requests

HALVES = (
    b"GET /api/tables HTTP/1.1\r\nHost: here\r\nX-Slow: ",
    b"POST /api/tables HTTP/1.1\r\nHost: here\r\nContent-Length: 9000\r\n"
    b'Content-Type: application/json\r\n\r\n{"game": ',
)


async def slow_requests(field: Field, tally: Tally) -> None:
    """Requests that never come to their end: half of them silent, half a byte a second."""

    async def attack(number: int) -> None:
        reader, writer = await dial(field, number)
        tally["half a request"] += 1
        try:
            writer.write(HALVES[number % 2])
            answer = asyncio.create_task(reader.read(1000))
            while not answer.done():
                await asyncio.wait([answer], timeout=1)
                if number % 4 > 1:
                    writer.write(b"x")
            tally[status(answer.result())] += 1
        finally:
            writer.close()

    await crowd(SLOW, attack, tally)


# d. Quarrels at a table


async def quarrels(field: Field, tally: Tally) -> None:
    """People at tables of their own who vote, take back, leave, return, promise without end."""
    tables: dict[int, Table] = {}

    async def attack(number: int) -> None:
        where, seat = divmod(number, 3)
        if seat == 0 and where not in tables:
            mixes = where % 4 == 3
            tables[where] = await serving.make_table(
                field, "cards", 3, mixes=mixes, source=field.source(0)
            )
        if where in tables:
            async with tables[where].socket_of(field, seat) as socket:
                await Quarrel(socket, seat, tally).run()

    await crowd(SOCKETS // 3 * 3, attack, tally)


class Quarrel:
    """One of them."""

    def __init__(self, socket: ClientConnection, seat: int, tally: Tally) -> None:
        self.socket, self.seat, self.tally = socket, seat, tally
        self.number, self.legal = 0, list[str]()

    async def run(self) -> None:
        """As fast as allowed."""
        await serving.hello(self.socket)
        listening = asyncio.create_task(self._listen())
        try:
            while not listening.done():
                await serving.say(self.socket, **self._message())
                self.tally["messages"] += 1
                await asyncio.sleep(FAST)
            await listening
        finally:
            listening.cancel()

    async def _listen(self) -> None:
        async for frame in self.socket:
            heard = msgspec.json.decode(frame)
            what = heard["type"]
            self.tally[f"refused as {heard['code']}" if what == "refused" else what] += 1
            if what == "news":
                self.number = heard["number"]
                self.legal = [action["text"] for action in heard["view"]["legal"]]

    def _message(self) -> dict[str, Any]:
        key, share = secrets.token_hex(8), secrets.token_bytes(16)
        mine = {"key": key, "number": self.number}
        messages: list[dict[str, Any]] = [
            {"type": "vote", "key": key, "seat": (self.seat + 1) % 3},
            {"type": "take_back", **mine},
            {"type": "take_back", **mine},
            {"type": "consent", "key": key, "wish": self.number, "yes": random.random() < 0.8},
            {"type": "promise", "key": key, "commitment": sha256(share).hexdigest()},
            {"type": "reveal", "key": key, "entropy": share.hex()},
            {"type": "leave", "key": key},
            {"type": "return", "key": key},
            {"type": "return", "key": key},
        ]
        if self.legal:
            act = {"type": "act", "action": random.choice(self.legal), **mine}
            messages += [act] * 5
        return random.choice(messages)


# e. Inventions


async def inventions(field: Field, tally: Tally) -> None:
    """Methods, paths, hosts and headers that nobody has thought of."""

    async def attack(number: int) -> None:
        reader, writer = await dial(field, number)
        try:
            writer.write(invention())
            tally[status(await reader.read(1000))] += 1
        finally:
            writer.close()

    await crowd(SOCKETS, attack, tally)


def invention() -> bytes:
    """A request."""
    word = secrets.token_hex(random.choice([2, 8, 20]))
    method = random.choice([word[:20].upper(), "BREW", "GET", "POST", "get"])
    path = random.choice([f"/{word}", f"/api/{word}", f"/api/tables/{word[:24]}", f"/t/%{word}"])
    host = random.choice(["here", word + ".example", "[::1", "", "here:99999"])
    name, size = f"X-{word}", random.choice([0, 100, 10_000, 100_000])
    lines = [f"{method} {path} HTTP/1.1", f"Host: {host}", f"{name}: {'x' * size}"]
    return "\r\n".join([*lines, "Content-Length: 0", "Connection: close", "", ""]).encode()


# f. Coming and going


async def comers(field: Field, tally: Tally) -> None:
    """Tables that are made and left, seats that are taken and given up, sockets without a word."""
    attacks = (_abandon, _sit_and_get_up, _say_nothing)

    async def attack(number: int) -> None:
        await attacks[number % 3](field, number, tally)

    await crowd(SOCKETS, attack, tally)


async def _abandon(field: Field, number: int, tally: Tally) -> None:
    body = {"game": "race", "seats": [{"kind": "person"}] * 3, "name": "Ana", "public": True}
    async with serving.calling(field, field.source(number)) as http:
        answer = await http.post("/api/tables", json=body)
        tally[f"make a table: {answer.status_code}"] += 1


async def _sit_and_get_up(field: Field, number: int, tally: Tally) -> None:
    async with serving.calling(field, field.source(number)) as http:
        tables = (await http.get("/api/tables")).json()
        if not isinstance(tables, list) or not tables:
            tally["list the tables: nothing"] += 1
            return
        path = f"/api/tables/{random.choice(tables)['id']}/seats"
        sat = await http.post(path, json={"name": secrets.token_hex(4)})
        tally[f"sit down: {sat.status_code}"] += 1
        if sat.status_code == 201:
            mine = {"Authorization": f"Bearer {sat.json()['token']}"}
            answer = await http.delete(f"{path}/mine", headers=mine)
            tally[f"get up: {answer.status_code}"] += 1


async def _say_nothing(field: Field, number: int, tally: Tally) -> None:
    source = field.source(number)
    if random.random() < 0.5:
        _, writer = await dial(field, number)
        writer.close()
        tally["connect"] += 1
        return
    async with serving.open_socket(field, field.long.id, None, source, close_timeout=1):
        tally["open a socket"] += 1


# g. Looking back


async def readers(field: Field, tally: Tally) -> None:
    """All that can be asked for of a long game, and the figures of the server."""

    async def attack(number: int) -> None:
        async with serving.calling(field, field.source(number)) as http:
            while True:
                what, path, token = _question(field)
                mine = {"Authorization": f"Bearer {token}"} if token else {}
                answer = await http.get(path, headers=mine)
                tally[f"{what}: {answer.status_code}"] += 1
                await asyncio.sleep(BREATH)

    await crowd(SOCKETS, attack, tally)


def _question(field: Field) -> tuple[str, str, str | None]:
    table = random.choice([field.long, field.finished])
    step = random.randrange(field.steps)
    paths = {
        "replay": f"/api/tables/{table.id}/replay?step={step}",
        "log": f"/api/tables/{table.id}/log?until={step}",
        "story": f"/api/tables/{field.finished.id}/story",
        "saved": f"/api/tables/{field.finished.id}/saved",
        "metrics": "/metrics",
    }
    what = random.choice(list(paths))
    return what, paths[what], random.choice([None, *table.tokens.values()])


# Plain connections


async def dial(field: Field, number: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """A connection, before any HTTP."""
    host, _, port = field.address.partition(":")
    return await asyncio.open_connection(host, int(port), local_addr=(field.source(number), 0))


def status(answer: bytes) -> str:
    """The status of an answer, if there was one."""
    return answer[9:12].decode() if answer.startswith(b"HTTP/1.1 ") else "no answer"


SIEGES: dict[str, Callable[[Field, Tally], Awaitable[None]]] = {
    "hellos": hellos,
    "thinkers": thinkers,
    "slow requests": slow_requests,
    "quarrels": quarrels,
    "inventions": inventions,
    "comers": comers,
    "readers": readers,
}
