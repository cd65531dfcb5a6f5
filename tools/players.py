"""People who lose the server again and again, and come back: what each did, and was told."""

import asyncio
import json
import random
import secrets
import time
from collections import Counter, deque
from dataclasses import dataclass
from hashlib import sha256
from itertools import groupby
from typing import Any

from websockets.asyncio.client import ClientConnection
from websockets.exceptions import WebSocketException

import serving
from caramba.server.tables.log import RECENT
from serving import Message, Server, Table

STALLED = 240.0
"""Seconds without news at a table that is being played: it does not continue. Bots that look ahead
may take a minute on a crowded machine; what has come to a standstill does so for good."""
LAST = 12
"""Messages of which one remembers that they came."""
TAKE_BACK, LEAVE, VOTE, WALK = 0.05, 0.01, 0.5, 0.01
"""How often somebody wants to take a step back; lets a bot play; votes; hangs up for a while."""
RETURN, RETHINK, AGREE = 0.3, 0.3, 0.7
"""How often somebody comes back to the seat; promises something else; agrees to a take-back."""
FORGET = 0.2
"""How often somebody who comes back does not say what they have."""
HARMLESS = {"stale", "illegal"}
"""Why a thing may be refused that another came before."""


@dataclass
class Sent:
    """A step that was sent, or the wish to take one back (no action)."""

    key: str
    number: int
    action: str | None

    @property
    def message(self) -> Message:
        """As it is sent."""
        mine = {"key": self.key, "number": self.number}
        if self.action is None:
            return {"type": "take_back", **mine}
        return {"type": "act", "action": self.action, **mine}


class Account:
    """What somebody was told of a game, by step; and steps that they would have to ask for."""

    def __init__(self) -> None:
        self.told: dict[int, list[str]] = {}
        self.missed: set[int] = set()

    def hear(self, news: Message) -> list[int]:
        """Note what is new; the steps of which something else was told before."""
        same, since = news["same"], news["since"]
        fresh = by_step(news["events"])
        self.missed = {step for step in self.missed if step < same} | {*range(same, since)}
        before = {step: told for step, told in self.told.items() if step >= since}
        self.told = {step: told for step, told in self.told.items() if step < same} | fresh
        return [step for step, told in before.items() if told != fresh.get(step)]

    def is_true(self, seen: list[dict[str, Any]]) -> bool:
        """Whether it is what anybody would be told who sees all of it at once."""
        return self.told == {n: told for n, told in by_step(seen).items() if n not in self.missed}


class Player:
    """Somebody at a seat: plays at random, comes back whenever the server is gone."""

    def __init__(self, server: Server, table: Table, seat: int, rng: random.Random) -> None:
        self.server, self.table, self.seat, self.rng = server, table, seat, rng
        self.news: Message = {}
        self.shown: Message = {}
        """The table, as it was told last."""
        self.number: int | None = None
        self.pending: Sent | None = None
        self.accepted: dict[str, int] = {}
        """By key: the number that was confirmed."""
        self.steps: list[tuple[int, str]] = []
        """Numbers that were confirmed of steps, and the steps."""
        self.taken_back: set[str] = set()
        """Keys of confirmed take-backs."""
        self.asked_for: set[str] = set()
        """Keys of take-backs that others were asked about."""
        self.resent = 0
        self.refused: set[str] = set()
        self.account = Account()
        self.changes: list[tuple[int, int, int]] = []
        """Steps that were told otherwise later: between which numbers, and which step."""
        self.wishes: dict[str, int | None] = {}
        """By key, what else I want and nobody has answered: about who plays at which seat."""
        self.shares: dict[str, str] = {}
        """By promise: what I would mix into the deal."""
        self.revealed: str | None = None
        self.doing = "coming"
        self.heard: deque[str] = deque(maxlen=LAST)
        """What came last, in a word: for who wonders why nothing happens."""
        self.figures: Counter[str] = Counter()
        self.wrong: list[str] = []

    async def play(self) -> None:
        """Until the game is over."""
        while not self.is_done:
            try:
                self.doing = "connecting"
                async with self.table.socket_of(self.server, self.seat) as socket:
                    self.doing = "listening"
                    await self._talk(socket)
                    self.doing = "leaving"
            except (OSError, WebSocketException, EOFError) as error:
                self._note(error)
                self.doing = "waiting for the server"
                await self.server.up.wait()
            except Stalled:
                self._complain(f"nothing happened for {STALLED:.0f} s")
            await asyncio.sleep(self.rng.choice([0, 0, 1]))

    @property
    def is_done(self) -> bool:
        """Whether the game is over, and everything answered."""
        return bool(self.news and self.news["view"]["result"]) and self.pending is None

    def _note(self, *what: Any) -> None:
        told = " ".join(str(one) for one in what if one is not None)
        self.heard.append(f"{time.strftime('%M:%S')} {told}")

    @property
    def unsettled(self) -> set[int | None]:
        """Seats that may just be getting a bot, or a person again, on my word."""
        return set(self.wishes.values())

    @property
    def is_away(self) -> bool:
        """Whether a bot plays for me, as I was told."""
        return bool(self.shown) and bool(self.shown["seats"][self.seat]["away"])

    async def _talk(self, socket: ClientConnection) -> None:
        await serving.hello(socket, None if self.rng.random() < FORGET else self.number)
        if self.pending:
            self.resent += 1
            await serving.say(socket, **self.pending.message)
        while not self.is_done:
            self._hear(await next_frame(socket))
            await self._do(socket)
            if self.rng.random() < WALK:
                self.figures["times that somebody hung up"] += 1
                return

    # What is heard

    def _hear(self, message: Message) -> None:
        self._note(message["type"], message.get("number"), message.get("reason"))
        if shown := message.get("table"):
            self._look(shown)
        match message["type"]:
            case "welcome":
                self.wishes.clear()
            case "news":
                self._learn(message)
            case "accepted":
                self._confirm(message)
            case "refused":
                self._give_up(message)

    def _look(self, shown: Message) -> None:
        mine = shown["seats"][self.seat]
        if self.shown and mine["away"] and not self.is_away and self.seat not in self.unsettled:
            self.figures["bots that were voted in"] += 1
        if mine["promise"] is not None and mine["promise"] not in self.shares:
            self._complain("I never promised that")
        mixed = shown["entropy"][self.seat]
        if mixed is not None and mixed not in self.shares.values():
            self._complain("I never mixed that in")
        undo = shown["undo"]
        if self.pending and undo and undo["seat"] == self.seat and undo["asked"]:
            self.asked_for.add(self.pending.key)
        self.shown = shown

    def _learn(self, news: Message) -> None:
        before, number = self.number or 0, news["number"]
        if news["same"] < news["since"] != max(0, news["steps"] - RECENT):
            self._complain(f"steps {news['same']} to {news['since']} were never told")
        self.changes += [(before, number, step) for step in self.account.hear(news)]
        self.news, self.number = news, number

    def _confirm(self, message: Message) -> None:
        key, number = message["key"], message["number"]
        if key in self.wishes:
            del self.wishes[key]
            return
        if self.accepted.setdefault(key, number) != number:
            self._complain(f"{key} was confirmed as {self.accepted[key]} and as {number}")
        if self.pending and self.pending.key == key:
            if self.pending.action is None:
                self.taken_back.add(key)
                self.figures["of these after consent"] += key in self.asked_for
            else:
                self.steps.append((number, self.pending.action))
            self.pending = None

    def _give_up(self, message: Message) -> None:
        self.wishes.pop(message["key"], None)
        sent = self.pending if self.pending and message["key"] == self.pending.key else None
        in_doubt = self.is_away or sent is None or sent.action is None
        if message["code"] not in (HARMLESS if in_doubt else {"stale"}):
            self._complain(f"what is allowed was refused: {message['reason']}")
        if sent:
            self.refused.add(sent.key)
            self.pending = None

    # What is done

    async def _do(self, socket: ClientConnection) -> None:
        if not self.shown or self.pending:
            return
        if self.shown["status"] == "dealing":
            await self._deal(socket)
        elif self.news and not self.news["view"]["result"]:
            await self._take_part(socket)

    async def _deal(self, socket: ClientConnection) -> None:
        """Promise, perhaps something else instead, and reveal what was promised."""
        mine = self.shown["seats"][self.seat]["promise"]
        all_promised = all(seat["promise"] for seat in self.shown["seats"] if seat["mixes"])
        if all_promised and self.seat in self.shown["awaited"]:
            self.revealed = self.shares.get(mine)
            await self._want(socket, type="reveal", entropy=self.revealed)
        elif mine is None or (not all_promised and self.rng.random() < RETHINK):
            share = secrets.token_bytes(16)
            promise = sha256(share).hexdigest()
            self.shares[promise] = share.hex()
            await self._want(socket, type="promise", commitment=promise)

    async def _take_part(self, socket: ClientConnection) -> None:
        undo = self.shown["undo"]
        if undo and self.seat in undo["asked"] and self.seat not in undo["agreed"]:
            yes = self.rng.random() < AGREE
            await self._want(socket, type="consent", wish=undo["wish"], yes=yes)
        elif self.is_away:
            if self.rng.random() < RETURN:
                await self._want(socket, about=self.seat, type="return")
        elif not await self._vote(socket):
            await self._play(socket)

    async def _vote(self, socket: ClientConnection) -> bool:
        """For a bot at the seat of somebody who is not here; whether there was one."""
        for seat, place in enumerate(self.shown["seats"]):
            if place["vote_in"] == 0 and not place["here"] and self.rng.random() < VOTE:
                await self._want(socket, about=seat, type="vote", seat=seat)
                return True
        return False

    async def _play(self, socket: ClientConnection) -> None:
        move, number = serving.random_move(self.news, self.rng), self.news["number"]
        if self.rng.random() < LEAVE:
            self.figures["times that somebody left"] += 1
            await self._want(socket, about=self.seat, type="leave")
        elif move is not None or self._wants_it_back:
            action = None if self._wants_it_back else move
            self.pending = Sent(secrets.token_hex(6), number, action)
            await serving.say(socket, **self.pending.message)

    @property
    def _wants_it_back(self) -> bool:
        return bool(self.shown["take_backs"]) and self.rng.random() < TAKE_BACK

    async def _want(
        self, socket: ClientConnection, about: int | None = None, **message: Any
    ) -> None:
        """Say what is no step, perhaps about who plays at a seat."""
        self.wishes[await serving.want(socket, **message)] = about

    def _complain(self, what: str) -> None:
        self.wrong.append(f"{self.table.game} {self.table.id}, seat {self.seat}: {what}")


class Watcher:
    """Somebody who looks on, and comes back whenever the server is gone."""

    def __init__(self, server: Server, table: Table, rng: random.Random) -> None:
        self.server, self.table, self.rng = server, table, rng
        self.number: int | None = None
        self.is_over = False
        self.account = Account()
        self.wrong: list[str] = []

    async def watch(self) -> None:
        """Until the game is over."""
        while not self.is_over:
            try:
                async with self.table.socket_of(self.server, None) as socket:
                    await serving.hello(socket, self.number)
                    while not self.is_over:
                        self._hear(await next_frame(socket))
            except (OSError, WebSocketException, EOFError):
                await self.server.up.wait()
            except Stalled:
                self.wrong.append(f"{self.table.id}: who watches heard nothing for {STALLED:.0f} s")
            await asyncio.sleep(self.rng.choice([0, 0, 1]))

    def _hear(self, message: Message) -> None:
        if message["type"] != "news":
            return
        if (self.number or 0) > message["number"]:
            self.wrong.append(f"{self.table.id}: number {message['number']} after {self.number}")
        self.account.hear(message)
        self.number, self.is_over = message["number"], bool(message["view"]["result"])


class Stalled(Exception):
    """Nothing came for too long."""


async def next_frame(socket: ClientConnection) -> Message:
    """What comes next."""
    try:
        async with asyncio.timeout(STALLED):
            message: Message = json.loads(await socket.recv())
            return message
    except TimeoutError:
        raise Stalled from None


def by_step(events: list[Message]) -> dict[int, list[str]]:
    """What was told of each step; the table right after it is told to those who follow, only."""
    told = [{name: fact for name, fact in e.items() if name != "then"} for e in events]
    steps = groupby(told, key=lambda event: event["step"])
    return {step: [json.dumps(e, sort_keys=True) for e in events] for step, events in steps}
