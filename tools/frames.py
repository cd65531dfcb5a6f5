"""Frames of all kinds: noise, messages, and messages with something wrong in them."""

import json
import random
import sys
from collections.abc import Callable
from hashlib import sha256
from typing import Any

import serving
from caramba import wire
from serving import Message


class Frames:
    """Bytes of all kinds. A text frame is made of bytes, too: perhaps of such as are no text."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.news: Message = {}
        """The last news on the socket, so that some messages fit."""
        self.shown: Message = {}
        """The table, likewise."""
        self.shares: dict[str, str] = {}
        """By promise: what would be mixed into a deal."""

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
            {"type": "consent", "key": key, "wish": number, "yes": yes},
            {"type": "standing", "key": key, "ask": {"fuera": yes, "ambush": not yes}},
            {
                "type": "standing",
                "key": key,
                "ask": {self.rng.choice(["fuera", "ambush", "offer"]): yes},
            },
            {"type": "say", "key": key, "text": self._text()},
            {"type": "mute", "key": key, "seat": seat, "on": yes},
            {"type": "vote", "key": key, "seat": seat, "yes": yes},
            {"type": "leave", "key": key},
            {"type": "return", "key": key},
            {"type": "ping"},
            {"type": "promise", "key": key, "commitment": self._promise()},
            {"type": "reveal", "key": key, "entropy": self._share()},
        ]
        if move and yes:
            return messages[1]
        return self.rng.choice(messages)

    def storm(self) -> list[Message]:
        """The same kind of message many times over."""
        kinds = ("hello", "promise", "reveal", "vote", "take_back", "consent", "leave", "return")
        kind = self.rng.choice(kinds)
        many = self.rng.choice([20, 60, 300])
        messages = iter(self.message, None)
        return [next(m for m in messages if m["type"] == kind) for _ in range(many)]

    def _promise(self) -> str:
        """Of something that can be revealed."""
        share = self.rng.randbytes(16)
        promise = sha256(share).hexdigest()
        self.shares[promise] = share.hex()
        return promise

    def _share(self) -> str:
        """What somebody at the table has promised, if anybody has; else anything."""
        promises = [seat["promise"] for seat in self.shown.get("seats", [])]
        known = [self.shares[promise] for promise in promises if promise in self.shares]
        return self.rng.choice(known) if known else self.rng.randbytes(16).hex()

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
