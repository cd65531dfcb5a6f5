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
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import click
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed

import serving
from caramba import wire
from caramba.cli.console import progress
from caramba.games import names
from caramba.match.verify import verify
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

ANSWERS: dict[type, set[str]] = {
    wire.Hello: {"welcome"},
    wire.Act: {"accepted"},
    wire.TakeBack: {"accepted", "news"},
    wire.Consent: {"news"},
    wire.Standing: {"table"},
    wire.Say: {"said"},  # unless one has muted oneself
    wire.Mute: {"table"},
    wire.Vote: {"table"},
    wire.Leave: {"table"},
    wire.Return: {"table"},
    wire.Ping: {"pong"},
}
"""By message: what may answer it, if it is not refused."""
LATE = 3.0
"""Seconds within which a secret question must have been answered."""


# Frames


class Frames:
    """Bytes of all kinds. A text frame is made of bytes, too: perhaps of such as are no text."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.news: Message = {}
        """The last news on the socket, so that some messages fit."""

    def next(self) -> tuple[bytes, bool]:
        """A frame, and whether it says that it is text."""
        kinds = [self._noise, self._json, self._message, self._mutant, self._broken, self._large]
        (make,) = self.rng.choices(kinds, [1, 2, 8, 8, 4, 0.2])
        frame = make()
        return frame, self.rng.random() < (0.9 if is_text(frame) else 0.05)

    def _noise(self) -> bytes:
        return self.rng.randbytes(int(self.rng.expovariate(1 / 60)))

    def _json(self) -> bytes:
        return dump(self._value(4))

    def _message(self) -> bytes:
        return dump(self.message())

    def _mutant(self) -> bytes:
        """A message in which something is not as it should be."""
        message = self.message()
        for _ in range(self.rng.choice([1, 1, 1, 2, 3])):
            name = self.rng.choice([*message, "type", "more"])
            match self.rng.randrange(5):
                case 0:
                    message.pop(name, None)
                case 1:
                    message["".join(self.rng.sample(name, len(name)))] = message.pop(name, None)
                case _:
                    message[name] = self._value(2)
        frame = dump(message)
        if self.rng.random() < 0.1:  # twice the same name
            frame = frame[:-1] + b"," + dump(self.message())[1:]
        return frame

    def _broken(self) -> bytes:
        """A message that has suffered on the way."""
        frame = bytearray(dump(self.message()))
        place = self.rng.randrange(len(frame))
        match self.rng.randrange(7):
            case 0:
                del frame[place:]
            case 1:
                frame[place] = self.rng.randrange(256)
            case 2:
                frame[place:place] = self.rng.randbytes(3)
            case 3:
                frame[place:place] = "é☃🃏".encode()[: self.rng.randrange(1, 9)]
            case 4:
                frame[:0] = b"\xef\xbb\xbf"
            case 5:
                frame += bytes(frame)
            case 6:
                depth = self.rng.choice([5, 500, 7000])
                frame[:] = b"[" * depth + bytes(frame) + b"]" * depth
        return bytes(frame)

    def _large(self) -> bytes:
        size = self.rng.choice([16] * 9 + [64]) * 1024 + self.rng.randint(-40, 40)
        what = self.rng.choice(["x", "é", "🃏", "[", " "])
        text = json.dumps({"type": "say", "text": "%"}, ensure_ascii=False)
        return text.replace("%", what * (size // len(what.encode()))).encode()

    def message(self) -> Message:
        """A message that fits, or nearly."""
        number = self.news.get("number", 0) - (self.rng.random() < 0.1)
        key = f"{self.rng.getrandbits(48):x}" if self.rng.random() < 0.9 else "again"
        move = serving.random_move(self.news, self.rng) if self.news else None
        yes, seat = self.rng.random() < 0.5, self.rng.randrange(4)
        messages: list[Message] = [
            {"type": "hello", "protocol": wire.PROTOCOL, "have": number, "language": "fr"},
            {"type": "act", "key": key, "number": number, "action": move or "pass"},
            {"type": "take_back", "key": key, "number": number},
            {"type": "consent", "number": number, "yes": yes},
            {"type": "standing", "ask": {"fuera": yes, "ambush": not yes}},
            {"type": "standing", "ask": {self.rng.choice(["fuera", "ambush", "offer"]): yes}},
            {"type": "say", "text": self._text()},
            {"type": "mute", "seat": seat, "on": yes},
            {"type": "vote", "seat": seat, "yes": yes},
            {"type": "leave"},
            {"type": "return"},
            {"type": "ping"},
        ]
        if move and yes:
            return messages[1]
        return self.rng.choice(messages)

    def _value(self, depth: int) -> Any:
        simple: list[Callable[[], Any]] = [
            lambda: None,
            lambda: self.rng.random() < 0.5,
            lambda: self.rng.choice([0, -1, 1, 15, 16, 2**31, 2**53, 2**63, 2**64, -(2**63) - 1]),
            lambda: 10 ** self.rng.choice([30, 300, 4000]),
            lambda: self.rng.choice([0.5, -0.0, 1e308, float("nan"), float("inf"), 1e-320]),
            self._text,
        ]
        if depth and self.rng.random() < 0.4:
            inner = [self._value(depth - 1) for _ in range(self.rng.randrange(4))]
            return inner if self.rng.random() < 0.5 else {self._text(): v for v in inner}
        return self.rng.choice(simple)()

    def _text(self) -> str:
        texts = ["", "a", "pass", "hola, ¿qué tal?", "\0", "\ud800", "\udfff x", "‮abc", "🃏" * 9]
        texts += ["x" * self.rng.choice([64, 65, 200, 201, 500, 501, 4000]), "\n\t ", "type", "ask"]
        return self.rng.choice(texts)


def is_text(frame: bytes) -> bool:
    """Whether these bytes are UTF-8."""
    try:
        frame.decode()
    except UnicodeDecodeError:
        return False
    return True


def dump(value: Any) -> bytes:
    """A value as JSON, halves of characters as they are escaped."""
    sys.set_int_max_str_digits(0)
    return json.dumps(value).encode()


# Their answers


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
        self.frames.news = {}
        async with table.socket_of(self.trial.server, seat) as socket:
            if self.rng.random() < 0.85:
                await serving.hello(socket)
            self.late.clear()
            with suppress(ConnectionClosed):
                for _ in range(BATCH):
                    await self._throw(socket)
                await self._await_late(socket)
        await self.trial.check_alive(self.table)

    async def _throw(self, socket: ClientConnection) -> None:
        frame, as_text = self.frames.next()
        wanted, asked = expected(frame, as_text)
        self.trial.figures["frames"] += 1
        try:
            pings = 1 + isinstance(asked, wire.Ping)
            heard = await self._exchange(socket, frame, as_text, pings)
        except ConnectionClosed as closed:
            if wanted != {"closed"}:
                code = closed.rcvd.code if closed.rcvd else None
                self._complain(f"closed the socket ({code})", frame, as_text)
            else:
                self.trial.figures["answered by closing"] += 1
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
        if isinstance(asked, wire.Act) and asked.key not in {m.get("key") for m in heard}:
            self.late.add(asked.key)
        elif not wanted & (codes | types) and not isinstance(asked, wire.Say):
            got = sorted(types | codes)
            self._complain(f"answered {got}, not {sorted(wanted)}", frame, as_text)

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
        if message["type"] == "news":
            self.frames.news = message

    def _complain(self, what: str, frame: bytes, as_text: bool) -> None:
        sort = "text" if as_text else "binary"
        self.trial.wrong.append(f"{what}: {sort} of {len(frame)} bytes {frame[:300]!r}")


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
        try:
            async with asyncio.TaskGroup() as group:
                for game in names():
                    group.create_task(self._attack(game, frames, advance))
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
            async with serving.calling(self.server) as http:
                table = await serving.make_table(http, game, people=2, bots=1)
            attack = Attack(self, table, random.Random(self.rng.random()))
            for _ in range(40):
                if self.figures["frames"] >= frames:
                    break
                await attack.batch()
                self.memory.append((self.figures["frames"], self.server.memory))
                advance(min(self.figures["frames"], frames), frames)
            await self._finish(table)

    async def check_alive(self, table: Table) -> None:
        """A fresh socket gets an answer."""
        async with table.socket_of(self.server, None) as socket:
            await serving.say(socket, type="ping")
            async with asyncio.timeout(PATIENCE):
                answer = json.loads(await socket.recv())
        self.figures["fresh sockets that got an answer"] += answer["type"] == "pong"

    async def _finish(self, table: Table) -> None:
        """Whatever was thrown at a table, its game can be played to the end, and is good."""
        seats = (self._play(table, seat) for seat in table.tokens)
        async with asyncio.timeout(10 * PATIENCE):
            await asyncio.gather(*seats)
        async with serving.calling(self.server) as http:
            answer = await http.get(f"/api/tables/{table.id}/saved")
        file = self.folder / f"{table.id}.jsonl"
        file.write_bytes(answer.raise_for_status().content)
        verdict = await asyncio.to_thread(verify, file)
        file.unlink()
        self.figures["games played to the end, and verified"] += 1
        if not verdict.good or not verdict.fair:
            self.wrong.append(f"{table.game} {table.id}: {verdict.message}")

    async def _play(self, table: Table, seat: int) -> None:
        """A person who takes their seat back and plays at random."""
        async with table.socket_of(self.server, seat) as socket:
            await serving.hello(socket)
            await serving.say(socket, type="return")
            answered = -1
            async for frame in socket:
                message = json.loads(frame)
                if message["type"] == "refused" and message["code"] not in ("stale", "illegal"):
                    self.wrong.append(f"{table.game}: a person was refused: {message['reason']}")
                if message["type"] != "news":
                    continue
                if message["view"]["result"]:
                    return
                move = serving.random_move(message, self.rng)
                if move is not None and message["number"] > answered:
                    answered = message["number"]
                    act = {"key": f"end-{seat}-{answered}", "number": answered, "action": move}
                    await serving.say(socket, type="act", **act)


@click.command()
@click.option("--frames", type=click.IntRange(1), default=100_000, show_default=True)
@click.option("--seed", type=int, default=1, show_default=True, help="Of the frames.")
def main(frames: int, seed: int) -> None:
    """Throw random and mutated frames at a server, and see that each gets its answer.

    Noise, random JSON, messages, messages with something wrong in each of their fields, messages
    damaged on the way, frames that are too large; as text and as bytes, whole and in parts; from
    seats, from those who watch, before hello, and at tables that there are not. After each frame
    a ping tells what answered it: that must be what the protocol says. After each batch a fresh
    socket must get an answer. Every table is played to its end afterwards, and its file verified.
    The server must not grow once it is warm, and its log must tell of nothing.

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
