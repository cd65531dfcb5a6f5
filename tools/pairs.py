"""Two people at a table who play with each other, and how late each hears of the other's moves."""

import asyncio
import random
import time
from dataclasses import dataclass, field
from typing import Any

import msgspec
from websockets.asyncio.client import ClientConnection

import serving
from serving import Server, Table

FORCED = 0.05
"""Seconds to wait whether the server takes a forced step: it does where nothing is hidden."""


class Legal(msgspec.Struct):
    """An action."""

    text: str


class View(msgspec.Struct):
    """What a player reads of a view."""

    phase: str
    legal: list[Legal]
    result: dict[str, Any] | None


class Heard(msgspec.Struct):
    """What a player reads of a message."""

    type: str
    number: int | None = None
    view: View | None = None


read = msgspec.json.Decoder(Heard).decode


@dataclass
class Load:
    """What was measured while players played."""

    think: float
    moves: int = 0
    refused: int = 0
    delays: list[float] = field(default_factory=list)
    """Seconds from sending a move to its arrival at the other seat."""
    counting: bool = False


class Pair:
    """The two people at a table."""

    def __init__(self, table: Table, windows: set[str], load: Load) -> None:
        self.table, self.windows, self.load = table, windows, load
        self.rng = random.Random(table.id)
        self.sent: dict[int, tuple[int, float]] = {}
        """By number that a move answers: who sent it, and when."""
        self.newest = 0

    async def play(self, server: Server, seat: int) -> None:
        """One of them."""
        async with self.table.socket_of(server, seat) as socket:
            await serving.hello(socket)
            async for frame in socket:
                heard = read(frame)
                if heard.type == "refused":
                    self.load.refused += 1
                if heard.view is None or heard.number is None:
                    continue
                self._arrived(seat, heard.number)
                if heard.view.result is not None:
                    return
                if heard.view.legal and heard.view.phase not in self.windows:
                    await self._move(socket, seat, heard.number, heard.view.legal)

    async def _move(
        self, socket: ClientConnection, seat: int, number: int, legal: list[Legal]
    ) -> None:
        """Think, and move; a forced step the server may have taken meanwhile."""
        think = self.load.think
        await asyncio.sleep(self.rng.expovariate(1 / think) if think else 0)
        if len(legal) == 1:
            await asyncio.sleep(FORCED)
        if self.newest > number:
            return
        self.sent[number] = (seat, time.perf_counter())
        act = {"key": f"{seat}-{number}", "number": number}
        await serving.say(socket, type="act", action=self.rng.choice(legal).text, **act)

    def _arrived(self, seat: int, number: int) -> None:
        self.newest = max(self.newest, number)
        for answered in [n for n, (who, _) in self.sent.items() if n < number and who != seat]:
            _, at = self.sent.pop(answered)
            if self.load.counting:
                self.load.moves += 1
                self.load.delays.append(time.perf_counter() - at)


async def keep_playing(server: Server, pair: Pair) -> None:
    """Both of them, one game after the other."""
    while True:
        await asyncio.gather(*(pair.play(server, seat) for seat in pair.table.tokens))
        table = await serving.make_table(server, pair.table.game, 2, source=pair.table.source)
        pair = Pair(table, pair.windows, pair.load)


async def standing_questions(server: Server) -> set[str]:
    """The questions that the server answers by itself."""
    async with serving.calling(server) as http:
        known = (await http.get("/api/games")).json()
    return {window["name"] for game in known for window in game["windows"]}
