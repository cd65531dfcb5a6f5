"""Throws frames at a server that are no messages, or nearly: each gets its answer, and no more.

.venv/bin/python tools/fuzz.py --frames 100000
"""

import asyncio
import json
import random
import shutil
import sys
import tempfile
import time
from collections import Counter
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeGuard, get_args

import click
import httpx
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed

import serving
from caramba import wire
from caramba.cli.console import progress
from caramba.games import names
from caramba.match.verify import verify
from frames import Frames, is_text
from serving import Message, Server, Table

BATCH = 50
"""Frames on one socket, unless one of them ends it."""
PATIENCE = 30.0
"""Seconds within which an answer has to come."""
CLOSES = 64 * 1024
"""Longer frames end a conversation."""
NO_TEXT = "Invalid UTF-8 sequence received from client."
"""The one line that the log may hold beside those of every day."""
ROOM = 16 * 2**20
"""Bytes by which the server may grow after it is warm: what the allocator keeps, but no leak."""
WARM = 0.25
"""The part of the frames after which memory must not grow any more."""

ANSWERS: dict[type[wire.FromClient], set[str]] = {
    **{kind: {"accepted"} for kind in get_args(wire.Asked)},
    wire.Hello: {"welcome"},
    wire.TakeBack: {"accepted", "news"},
    wire.Ping: {"pong"},
}
"""By message: what may answer it, if it is not refused."""
NAMED = {str(kind.__struct_config__.tag): answers for kind, answers in ANSWERS.items()}
"""The same, by the name of a message."""
LATE = 3.0
"""Seconds within which a secret question must have been answered."""
STORM = 0.1
"""How often a batch begins with the same message many times over."""
ENDINGS = {1001, 1007, 1008, 1009, 1012, 1013}
"""Codes with which a socket may be closed: those of docs/server.md, and RFC 6455's for no text."""
STATUSES = {200, 400, 403, 404, 409}
"""What may answer a question about the past of a game."""
SLOW = b"POST /api/tables HTTP/1.1\r\nHost: here\r\nContent-Length: 500\r\n\r\n{"
"""The beginning of a request whose body takes too long."""


# Answers


def expected(frame: bytes, as_text: bool) -> tuple[set[str], wire.Asked | None]:
    """What may answer a frame, and what message it is; `closed` where it ends the conversation."""
    if len(frame) > CLOSES:
        return {"closed"}, None
    if as_text and not is_text(frame):
        return {"closed"}, None
    if not as_text:
        return {"invalid"}, None
    if len(frame) > wire.MAX_FRAME:
        return {"too_large"}, None
    try:
        asked = wire.decode(frame.decode())
    except wire.BadMessage:
        return {"invalid"}, None
    return ANSWERS.get(type(asked), set()) | {"refused"}, asked


class Attack:
    """Somebody who sends such frames to one table, again and again."""

    def __init__(self, trial: "Trial", table: Table, rng: random.Random) -> None:
        self.trial, self.table, self.rng = trial, table, rng
        self.frames = Frames(rng)
        self.late: set[str] = set()
        """Keys of steps that are confirmed when the time of a secret question is over."""

    async def batch(self) -> None:
        """Some frames on a new socket: of a seat, of one who watches, or before any hello."""
        seat = self.rng.choice([*self.table.tokens, *self.table.tokens, None])
        table = self.table if self.rng.random() < 0.97 else Table("nowhere", "", self.table.tokens)
        self.frames.news = self.frames.shown = {}
        async with table.socket_of(self.trial.server, seat) as socket:
            if self.rng.random() < 0.85:
                await serving.hello(socket)
            self.late.clear()
            with suppress(ConnectionClosed):
                if self.rng.random() < STORM:
                    await self._storm(socket)
                for _ in range(BATCH):
                    await self._throw(socket)
                await self._await_late(socket)
        await self.trial.check_alive(self.table)
        await self._look_back()

    async def _storm(self, socket: ClientConnection) -> None:
        """Many messages at once, and nobody listens; then each must have been answered."""
        storm = self.frames.storm()
        self.trial.figures["messages in storms"] += len(storm)
        what = {"refused", *NAMED[storm[0]["type"]]}
        answered = 0
        try:
            for message in [*storm, {"type": "ping"}]:
                await serving.say(socket, **message)
            async with asyncio.timeout(PATIENCE):
                while (heard := json.loads(await socket.recv()))["type"] != "pong":
                    answered += heard["type"] in what
                    self._hear(heard)
        except ConnectionClosed as closed:
            if closed.rcvd:  # who does not read what there is for them is cut off without a word
                self._check_ending(closed)
            raise
        except TimeoutError:
            answered = 0
        if answered < len(storm):
            kind = storm[0]["type"]
            self.trial.wrong.append(f"{answered} of {len(storm)} {kind} at once were answered")

    def _check_ending(self, closed: ConnectionClosed) -> None:
        code = closed.rcvd.code if closed.rcvd else None
        self.trial.figures[f"sockets closed with {code}"] += 1
        if code not in ENDINGS:
            self.trial.wrong.append(f"a socket was closed with {code}")

    async def _look_back(self) -> None:
        """Questions about the past, with sense and without."""
        step = self.rng.choice([self.frames.news.get("steps", 0), -1, 0, 7, 10**7, 10**30, "x"])
        seat = self.rng.choice(["", "&seat=0", "&seat=9", "&everything=1", "&lang=fr", "&seat=-3"])
        asked = self.rng.choice(
            [f"log?until={step}", f"replay?step={step}{seat}", "story", "saved"]
        )
        token = self.rng.choice([*self.table.tokens.values(), "nobody's"])
        async with serving.calling(self.trial.server) as http:
            mine = {"Authorization": f"Bearer {token}"}
            answer = await http.get(f"/api/tables/{self.table.id}/{asked}", headers=mine)
        self.trial.figures["questions about the past"] += 1
        if answer.status_code not in STATUSES or not is_explained(answer):
            self.trial.wrong.append(f"{asked}: {answer.status_code} {answer.text[:200]}")

    async def _throw(self, socket: ClientConnection) -> None:
        frame, as_text = self.frames.next()
        wanted, asked = expected(frame, as_text)
        self.trial.figures["frames"] += 1
        try:
            pings = 1 + isinstance(asked, wire.Ping)
            heard = await self._exchange(socket, frame, as_text, pings)
        except ConnectionClosed as closed:
            self._check_ending(closed)
            if wanted != {"closed"}:
                self._complain("closed the socket", frame, as_text)
            raise
        except TimeoutError:
            self._complain("said nothing, not even to a ping", frame, as_text)
            raise ConnectionClosed(None, None) from None
        self._judge(heard, wanted, asked, frame, as_text)

    async def _exchange(
        self, socket: ClientConnection, frame: bytes, as_text: bool, pings: int
    ) -> list[Message]:
        """Send a frame and a ping; all that comes until the ping is answered."""
        parts = [frame[:7], frame[7:]] if self.rng.random() < 0.05 else frame
        await socket.send(parts, text=as_text)
        await serving.say(socket, type="ping")
        heard: list[Message] = []
        async with asyncio.timeout(PATIENCE):
            while pings:
                message = json.loads(await socket.recv())
                heard.append(message)
                pings -= message["type"] == "pong"
                self._hear(message)
        return heard[:-1]

    def _judge(
        self,
        heard: list[Message],
        wanted: set[str],
        asked: wire.Asked | None,
        frame: bytes,
        as_text: bool,
    ) -> None:
        codes = {m["code"] for m in heard if m["type"] == "refused"}
        types = {m["type"] for m in heard}
        self.trial.figures["understood" if asked else "refused as no message"] += 1
        keys = [m["key"] for m in heard if m["type"] in ("accepted", "refused")]
        if isinstance(asked, wire.Act) and asked.key not in keys:
            self.late.add(asked.key)
        elif not wanted & (codes | types):
            got = sorted(types | codes)
            self._complain(f"answered {got}, not {sorted(wanted)}", frame, as_text)
        elif is_due_now(asked) and keys.count(asked.key) != 1 and asked.key not in self.late:
            self._complain(f"answered {keys.count(asked.key)} times by its key", frame, as_text)

    async def _await_late(self, socket: ClientConnection) -> None:
        """What was not answered at once is answered soon."""
        self.trial.figures["steps answered later"] += len(self.late)
        try:
            async with asyncio.timeout(LATE):
                while self.late:
                    self._hear(json.loads(await socket.recv()))
        except TimeoutError:
            self.trial.wrong.append(f"{len(self.late)} steps were never answered")

    def _hear(self, message: Message) -> None:
        self.late.discard(message.get("key") or "")
        self.frames.shown = message.get("table") or self.frames.shown
        if message["type"] == "news":
            self.frames.news = message

    def _complain(self, what: str, frame: bytes, as_text: bool) -> None:
        sort = "text" if as_text else "binary"
        self.trial.wrong.append(f"{what}: {sort} of {len(frame)} bytes {frame[:300]!r}")


def is_due_now(asked: wire.Asked | None) -> TypeGuard[wire.Wanted]:
    """Whether a message has to be answered at once by its key: steps may have to wait."""
    return isinstance(asked, wire.Wanted) and not isinstance(asked, wire.Act | wire.TakeBack)


def is_explained(answer: httpx.Response) -> bool:
    """Whether a refusal says why, and no answer tells of the code."""
    refused = answer.status_code != 200
    return not refused or answer.json().keys() == {"code", "reason"}


class Trial:
    """A server, tables at which people play, and those who throw frames at them."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.folder, self.rng = folder, random.Random(seed)
        self.server = Server(folder, "--pause", "0", "--window", "0.02", "--idle", "3")
        self.figures: Counter[str] = Counter()
        self.memory: list[tuple[int, int]] = []
        """After so many frames: so many bytes."""
        self.wrong: list[str] = []

    async def run(self, frames: int, advance: Any) -> None:
        """Throw, and look after every batch."""
        await self.server.start()
        slow = [asyncio.create_task(self._be_slow()) for _ in range(10)]
        try:
            async with asyncio.TaskGroup() as group:
                for game in names():
                    group.create_task(self._attack(game, frames, advance))
            await self._hang_up(slow)
            self.memory.append((self.figures["frames"], self.server.memory))
        finally:
            self.server.stop()
        lines = [line for line in self.server.complaints() if NO_TEXT not in line]
        self.wrong += [f"in the log: {line}" for line in lines[:20]]
        growth = self.memory[-1][1] - self.warm
        if growth > ROOM:
            self.wrong.append(f"the server grew by {growth / 2**20:.1f} MiB")

    @property
    def warm(self) -> int:
        """What the server held at the most, until it was warm."""
        first = [held for after, held in self.memory if after <= WARM * self.memory[-1][0]]
        return max(first, default=self.memory[0][1])

    async def _attack(self, game: str, frames: int, advance: Any) -> None:
        """One table after the other, until there were enough frames."""
        while self.figures["frames"] < frames:
            mixes = self.rng.random() < 0.5
            table = await serving.make_table(self.server, game, 2, 1, mixes=mixes)
            attack = Attack(self, table, random.Random(self.rng.random()))
            for _ in range(40):
                if self.figures["frames"] >= frames:
                    break
                await attack.batch()
                self.memory.append((self.figures["frames"], self.server.memory))
                advance(min(self.figures["frames"], frames), frames)
            await self._finish(table, attack.frames.shares)

    async def _be_slow(self) -> None:
        """Send bodies a byte a second: each is told that it took too long."""
        host, _, port = self.server.address.partition(":")
        while True:
            reader, writer = await asyncio.open_connection(host, int(port))
            try:
                await self._trickle(reader, writer)
            finally:
                writer.close()

    async def _trickle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(SLOW)
        answer = asyncio.create_task(reader.read(1000))
        async with asyncio.timeout(PATIENCE):
            while not answer.done():
                writer.write(b" ")
                await asyncio.wait([answer], timeout=1)
        self.figures["slow bodies that were cut off"] += 1
        if not answer.result().startswith(b"HTTP/1.1 408 "):
            self.wrong.append(f"a slow body was answered {answer.result()[:60]!r}")

    async def _hang_up(self, slow: list[asyncio.Task[None]]) -> None:
        """Those who are still at it, before the server is stopped; none has ended by itself."""
        self.wrong += [f"a slow body: {task.exception()!r}" for task in slow if task.done()]
        for task in slow:
            task.cancel()
        await asyncio.gather(*slow, return_exceptions=True)
        await asyncio.sleep(0.2)

    async def check_alive(self, table: Table) -> None:
        """A fresh socket gets an answer."""
        async with table.socket_of(self.server, None) as socket:
            await serving.say(socket, type="ping")
            async with asyncio.timeout(PATIENCE):
                answer = json.loads(await socket.recv())
        self.figures["fresh sockets that got an answer"] += answer["type"] == "pong"

    async def _finish(self, table: Table, shares: dict[str, str]) -> None:
        """Whatever was thrown at a table, its game can be played to the end, and is good."""
        async with serving.calling(self.server) as http:
            shown = (await http.get(f"/api/tables/{table.id}")).json()
            promises = {seat["promise"] for seat in shown["seats"]} - {None}
            if shown["status"] == "dealing" and promises - shares.keys():
                self.figures["deals with a promise that came from a damaged frame"] += 1
                return
            people = (Person(self, table, seat, shares).play() for seat in table.tokens)
            async with asyncio.timeout(10 * PATIENCE):
                await asyncio.gather(*people)
            answer = await http.get(f"/api/tables/{table.id}/saved")
        file = self.folder / f"{table.id}.jsonl"
        file.write_bytes(answer.raise_for_status().content)
        verdict = await asyncio.to_thread(verify, file)
        file.unlink()
        self.figures["games played to the end, and verified"] += 1
        if not verdict.good or not verdict.fair:
            self.wrong.append(f"{table.game} {table.id}: {verdict.message}")


class Person:
    """Somebody who takes their seat back, deals and plays at random."""

    def __init__(self, trial: Trial, table: Table, seat: int, shares: dict[str, str]) -> None:
        self.trial, self.table, self.seat, self.shares = trial, table, seat, shares
        self.answered = -1

    async def play(self) -> None:
        """To the end."""
        async with self.table.socket_of(self.trial.server, self.seat) as socket:
            await serving.hello(socket)
            await serving.want(socket, type="return")
            async for frame in socket:
                message = json.loads(frame)
                if message["type"] == "refused" and message["code"] not in ("stale", "illegal"):
                    reason = message["reason"]
                    self.trial.wrong.append(f"{self.table.game}: a person was refused: {reason}")
                if (message.get("table") or {}).get("status") == "dealing":
                    await self._deal(socket, message["table"])
                if message["type"] == "news":
                    if message["view"]["result"]:
                        return
                    await self._move(socket, message)

    async def _deal(self, socket: ClientConnection, shown: Message) -> None:
        promises = [seat["promise"] for seat in shown["seats"] if seat["mixes"]]
        mine = shown["seats"][self.seat]["promise"]
        if self.seat not in shown["awaited"]:
            return
        if mine is None:
            share = self.trial.rng.randbytes(16)
            mine = sha256(share).hexdigest()
            self.shares[mine] = share.hex()
            await serving.want(socket, type="promise", commitment=mine)
        elif all(promises):
            await serving.want(socket, type="reveal", entropy=self.shares[mine])

    async def _move(self, socket: ClientConnection, news: Message) -> None:
        move, number = serving.random_move(news, self.trial.rng), news["number"]
        if move is not None and number > self.answered:
            self.answered = number
            act = {"key": f"end-{self.seat}-{number}", "number": number, "action": move}
            await serving.say(socket, type="act", **act)


@click.command()
@click.option("--frames", type=click.IntRange(1), default=100_000, show_default=True)
@click.option("--seed", type=int, default=1, show_default=True, help="Of the frames.")
def main(frames: int, seed: int) -> None:
    """Throw random and mutated frames at a server, and see that each gets its answer.

    Noise, random JSON, messages, messages with something wrong in each of their fields, messages
    damaged on the way, frames that are too large; as text and as bytes, whole and in parts; from
    seats, from those who watch, before hello, and at tables that there are not. After each frame
    a ping tells what answered it: that must be what the protocol says. Now and then the same
    message comes many times at once, such as hello, and each must be answered, or the socket
    closed with one of the known codes. After each batch a fresh socket must get an answer, and a
    question about the past of the game. Meanwhile others send bodies that never end. Every table
    is played to its end afterwards, and its file verified. The server must not grow once it is
    warm, and its log must tell of nothing.

    The exit code is 0 if all is right, else 1.
    """
    folder = Path(tempfile.mkdtemp(prefix="caramba-fuzz-"))
    trial = Trial(folder, seed)
    started = time.monotonic()
    with progress("throwing") as advance:
        asyncio.run(trial.run(frames, advance))
    report(trial, time.monotonic() - started)
    for line in trial.wrong[:50]:
        click.echo(f"WRONG: {line}")
    click.echo("all is right" if not trial.wrong else f"{len(trial.wrong)} things are wrong")
    if trial.wrong:
        click.echo(f"see {folder}")
    else:
        shutil.rmtree(folder)
    sys.exit(1 if trial.wrong else 0)


def report(trial: Trial, seconds: float) -> None:
    """The figures."""
    for name, value in {"seconds": round(seconds), **trial.figures}.items():
        click.echo(f"{name:42} {value:>8,}")
    mebibytes = {
        "MiB of the server at first": trial.memory[0][1],
        "MiB when it was warm": trial.warm,
        "MiB at the most": max(held for _, held in trial.memory),
        "MiB at the end": trial.memory[-1][1],
    }
    for name, value in mebibytes.items():
        click.echo(f"{name:42} {value / 2**20:>8.1f}")


if __name__ == "__main__":
    main()
