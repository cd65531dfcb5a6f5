"""People who play, and watch, while workers, Redis and PostgreSQL are hurt.

What shows that all is right is only what was heard: at each seat, by who watches, and the file of
the finished game that anybody can download.
"""

import asyncio
import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from caramba.games.contract import SPECTATOR
from caramba.match.match import Match
from caramba.match.verify import Verdict
from caramba.server.tables.showing import told
from players import Player, Watcher
from serving import Table
from trial import MIXES, QUICK, Trial, check_end
from workers import Harm, Workers

KEEPS = 0.5
"""How often nobody takes anything back: then the number of a step is its place in the game."""


AHEAD, MOST = 0.3, 15
"""How often bots look ahead; and at how many tables at the most, about: each takes a second or so
for a decision, and the next one waits."""


class WorkersTrial(Trial):
    """Several workers, which are hurt in all ways."""

    server: Workers
    longest = 5.0  # so that much harm is done before all have recovered from what was done last
    lives = 25

    def __init__(self, folder: Path, workers: int, tables: int, seed: int) -> None:
        super().__init__(folder, Workers(folder, workers, *QUICK), tables, seed)
        self.harm = Harm(self.server, random.Random(seed))
        self.watchers: dict[str, Watcher] = {}

    async def run(self, kills: int, advance: Any) -> None:
        """Play and hurt, then look whether all is right."""
        try:
            await super().run(kills, advance)
        finally:
            self.server.close()

    async def live(self, thoroughly: bool) -> None:
        """Until some steps are played; thoroughly, with nothing else being done to the server."""
        if thoroughly:
            await self.harm.settle()
        await super().live(thoroughly)

    async def hurt(self) -> None:
        """Something, by chance."""
        name, many = await self.harm.do()
        self.figures[name] += many
        self.figures["kills"] += many

    def terms(self) -> dict[str, Any]:
        """How a new table is made."""
        take_backs, mixes = self.rng.random() >= KEEPS, self.rng.random() < MIXES
        ahead = min(AHEAD, MOST / len(self.places))
        level = "expert" if self.rng.random() < ahead else "easy"
        return {"mixes": mixes, "take_backs": take_backs, "level": level}

    async def play(self, table: Table, players: list[Player]) -> None:
        """A game, to its end; somebody watches."""
        watcher = self.watchers[table.id] = Watcher(self.server, table, self.rng)
        await asyncio.gather(watcher.watch(), *(player.play() for player in players))

    def check_game(self, players: list[Player], match: Match, verdict: Verdict) -> None:
        """What everybody was told of a finished game, and what was confirmed, is in it."""
        watcher = self.watchers.pop(players[0].table.id)
        seen = msgspec.to_builtins(told(match, SPECTATOR, 0, match.length, "en"))
        if not watcher.account.is_true(seen):
            self.wrong.append(f"{watcher.table.id}: who watched was told otherwise")
        self.wrong += watcher.wrong
        for player in players:
            self.wrong += check_end(player, match, verdict)
        self.wrong += check_numbers(players)
        if not players[0].shown["take_backs"]:
            for player in players:
                self.wrong += check_steps(player, match)
                self.figures["confirmed steps found in their places"] += len(player.steps)
        self.figures["confirmed steps compared"] += sum(len(player.accepted) for player in players)
        self.figures["steps that were watched"] += len(watcher.account.told)

    def check_all(self) -> None:
        """Games that go on: nobody else was confirmed the same number, nor told otherwise."""
        for place in self.places:
            self.wrong += check_numbers(place.players)
            for player in place.players:
                if player.shown and not player.shown["take_backs"] and player.changes:
                    self.wrong.append(f"{player.table.id}: a step was told in two ways")
        self.figures.update(self.server.expected)
        self.figures["of these workers older than 10 s"] = self.harm.grown_up


def check_numbers(players: list[Player]) -> Iterator[str]:
    """No number was confirmed for two things."""
    for number, many in Counter(n for p in players for n in p.accepted.values()).items():
        if many > 1:
            yield f"{players[0].table.id}: the number {number} was confirmed {many} times"


def check_steps(player: Player, match: Match) -> Iterator[str]:
    """Where nothing was taken back, each confirmed step is the one of its number, and stays so."""
    where = f"{player.table.game} {player.table.id}, seat {player.seat}"
    for number, action in player.steps:
        if match.steps[number - 1] != (player.seat, action):
            yield f"{where}: {action}, confirmed as {number}, is {match.steps[number - 1]}"
    if player.changes:
        yield f"{where}: a step was told in two ways"
