"""People who play while their server is hurt: nothing that it confirmed may be lost."""

import asyncio
import random
import shutil
import signal
import sqlite3
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, field
from itertools import count, groupby
from pathlib import Path
from typing import Any

import httpx
import msgspec

import serving
from caramba.games import names
from caramba.match.match import Match
from caramba.match.verify import Verdict, verify
from caramba.server.tables.showing import told
from players import STALLED, Player
from serving import Server, Table

QUICK = ("--pause", "0", "--window", "0.02", "--idle", "20", "--gone", "0.2")
"""A server that does not wait for people."""
MIXES = 0.5
"""How often everybody mixes something into the deal."""
LIFE = 15
"""Entries of logs a table, counted for each player who hears of them, before the next kill: at the
most."""


@dataclass
class Place:
    """One of the tables that are always being played: when a game ends, the next begins."""

    players: list[Player] = field(default_factory=list)
    games: int = 0
    mark: tuple[int, int] = (0, 0)

    @property
    def reached(self) -> tuple[int, int]:
        """How far it has come."""
        return self.games, max((player.number or 0 for player in self.players), default=0)

    @property
    def has_moved(self) -> bool:
        """Whether anything happened since the mark."""
        return self.reached > self.mark

    @property
    def stands(self) -> str:
        """What to say of it if nothing happened."""
        waiting = [
            f"{p.pending or 'nothing'}, {p.doing} at {p.number} ({', '.join(p.heard)})"
            for p in self.players
        ]
        where = self.players[0].table.id if self.players else "a new table"
        seats = self.players[0].shown.get("seats", []) if self.players else []
        bots = [seat["level"] or "away" for seat in seats if seat["kind"] == "bot" or seat["away"]]
        waits = f"its players wait for {'; '.join(waiting)}; bots: {', '.join(bots) or 'none'}"
        return f"{where} did not continue; {waits}"


class Trial:
    """People who play, and a server that is killed."""

    longest = STALLED
    """Seconds that a life lasts at the most, if nothing is played."""
    lives = 10
    """After so many, every table has to move on."""

    def __init__(self, folder: Path, server: Server, tables: int, seed: int) -> None:
        self.folder, self.rng = folder, random.Random(seed)
        self.server = server
        self.places = [Place() for _ in range(tables)]
        self.players: list[Player] = []
        self.wrong: list[str] = []
        self.figures: Counter[str] = Counter()
        self.starting: list[float] = []
        self._before = 0
        """Entries of logs that players of finished games have heard of."""
        self.stopping = False
        """Whether somebody wants to see what came of it so far."""

    def stop(self) -> None:
        """End after the next kill."""
        self.stopping = True

    async def run(self, kills: int, advance: Any) -> None:
        """Play and kill, then look whether all is there."""
        playing = list[asyncio.Task[None]]()
        try:
            await self.server.start()
            asyncio.get_running_loop().add_signal_handler(signal.SIGINT, self.stop)
            playing += [asyncio.create_task(self._keep_playing(place)) for place in self.places]
            for life in count(1):
                await self.live(thoroughly=life % self.lives == 0)
                await self.hurt()
                advance(self.figures["kills"], kills)
                self._check_tasks(playing)
                if self.stopping or self.figures["kills"] >= kills:
                    break
            await self.live(thoroughly=True)
        finally:
            for task in playing:
                task.cancel()
            await asyncio.gather(*playing, return_exceptions=True)
            code = self.server.stop()
        if code not in (0, -signal.SIGTERM):
            self.wrong.append(f"the server ended with code {code} when asked to")
        self.check_all()
        self.wrong += [f"in the log: {line}" for line in self.server.complaints()[:20]]

    def _check_tasks(self, playing: list[asyncio.Task[None]]) -> None:
        for task in playing:
            if task.done():
                task.result()

    # Living and dying

    async def live(self, thoroughly: bool) -> None:
        """Until some steps are played; thoroughly, until every table has moved on."""
        for place in self.places:
            place.mark = place.reached
        before, wanted = self._played, self.rng.randrange(LIFE * len(self.places))
        began = time.monotonic()
        with suppress(TimeoutError):
            async with asyncio.timeout(STALLED if thoroughly else self.longest):
                while self._played < before + wanted:
                    await asyncio.sleep(self.rng.uniform(0.01, 0.1))
                while thoroughly and not all(place.has_moved for place in self.places):
                    await asyncio.sleep(0.05)
        moved = sum(place.has_moved for place in self.places)
        self.figures["tables that moved on, over all lives"] += moved
        self.figures["tables there were, over all lives"] += len(self.places)
        if thoroughly:
            slowest = "seconds until all tables moved on, at the most"
            waited = round(time.monotonic() - began)
            self.figures[slowest] = max(self.figures[slowest], waited)
            self.wrong += [place.stands for place in self.places if not place.has_moved]

    @property
    def _played(self) -> int:
        return self._before + sum(p.number or 0 for place in self.places for p in place.players)

    def check_all(self) -> None:
        """Look whether all is there, after the end."""
        self._check_database(self.server.database)

    async def hurt(self) -> None:
        """Kill; now and then the next one, too, while it starts."""
        self.server.kill()
        self.figures["kills"] += 1
        self._check_copy()
        if self.rng.random() < 0.1:
            self.server.launch()
            await asyncio.sleep(self.rng.uniform(0.5, 4))
            self.server.kill()
            self.figures["kills"] += 1
            self.figures["of these while starting"] += 1
        started = time.monotonic()
        await self.server.start()
        self.starting.append(time.monotonic() - started)

    # Playing

    async def _keep_playing(self, place: Place) -> None:
        while True:
            table = await self._new_table()
            rng = random.Random(self.rng.random())
            self._before += sum(player.number or 0 for player in place.players)
            place.games += 1  # a new game begins with small numbers, and is farther all the same
            place.players = [Player(self.server, table, seat, rng) for seat in table.tokens]
            self.players += place.players
            await self.play(table, place.players)
            await self._check_game(table, place.players)
            for player in place.players:
                player.account.told.clear()  # there may be thousands of them
            self.figures[f"finished games of {table.game}"] += 1

    async def play(self, table: Table, players: list[Player]) -> None:
        """A game, to its end."""
        await asyncio.gather(*(player.play() for player in players))

    async def _new_table(self) -> Table:
        while True:
            game = self.rng.choice(names())
            try:
                people, bots = self.rng.choice([(1, 1), (2, 0), (2, 1), (3, 0), (3, 1)])
                terms = self.terms()
                return await serving.make_table(self.server, game, people, bots, **terms)
            except httpx.HTTPError:
                await self.server.up.wait()
                await asyncio.sleep(0.1)

    def terms(self) -> dict[str, Any]:
        """How a new table is made."""
        return {"mixes": self.rng.random() < MIXES}

    async def _check_game(self, table: Table, players: list[Player]) -> None:
        """The file of a finished game is good, and tells what everybody was told."""
        file = self.folder / f"{table.id}.jsonl"
        file.write_bytes(await self._download(table))
        verdict = await asyncio.to_thread(verify, file)
        if not verdict.good or not verdict.fair:
            self.wrong.append(f"{table.game} {table.id}: {verdict.message}")
            return
        match = Match.open(file)
        file.unlink()
        self.figures["of these with a deal that all took part in"] += any(match.fair.entropy)
        self.check_game(players, match, verdict)

    def check_game(self, players: list[Player], match: Match, verdict: Verdict) -> None:
        """What everybody was told of a finished game."""
        for player in players:
            self.wrong += check_end(player, match, verdict)

    async def _download(self, table: Table) -> bytes:
        while True:
            try:
                async with serving.calling(self.server) as http:
                    answer = await http.get(f"/api/tables/{table.id}/saved")
                    return answer.raise_for_status().content
            except httpx.HTTPError:
                await self.server.up.wait()
                await asyncio.sleep(0.1)

    # Looking into the database

    def _check_copy(self) -> None:
        """What the killed server left, read from a copy: the next server finds it untouched."""
        copy = self.folder / "copy"
        copy.mkdir(exist_ok=True)
        for file in self.folder.glob("tables.db*"):
            if not file.name.endswith("-shm"):
                shutil.copy(file, copy)
        self._check_database(copy / self.server.database.name)
        shutil.rmtree(copy)

    def _check_database(self, file: Path) -> None:
        with closing(sqlite3.connect(file)) as database:
            entries = database.execute("SELECT * FROM log ORDER BY table_id, number").fetchall()
            seats = database.execute("SELECT table_id, seat, away FROM seats").fetchall()
        logs = {table: list(rows) for table, rows in groupby(entries, key=lambda row: row[0])}
        for table, rows in logs.items():
            if [row[1] for row in rows] != list(range(len(rows))):
                self.wrong.append(f"{table}: the numbers of the log have gaps")
        keys = Counter((table, who, key) for table, _, who, _, key in entries if key)
        numbers = {(table, who, key): number for table, number, who, _, key in entries}
        for player in self.players:
            self.wrong += check_player(player, keys, numbers)
            self.wrong += check_changes(player, logs.get(player.table.id, []))
        away = {(table, seat): bool(is_away) for table, seat, is_away in seats}
        for place in self.places:
            self.wrong += check_away(place.players, away)
        self.figures["entries in the logs"] = len(entries)
        self.figures["of these taking back"] = sum(row[3].startswith("back ") for row in entries)


def check_player(
    player: Player, keys: Counter[tuple[str, int, str]], numbers: dict[tuple[str, int, str], int]
) -> Iterator[str]:
    """What was confirmed is there once, what was refused is not."""
    where = f"{player.table.game} {player.table.id}, seat {player.seat}"
    for key, number in player.accepted.items():
        entry = (player.table.id, player.seat, key)
        if keys[entry] != 1 or numbers[entry] != number - 1:
            yield f"{where}: {key}, confirmed as {number}, is there {keys[entry]} times"
    for key in player.refused:
        if keys[player.table.id, player.seat, key]:
            yield f"{where}: {key} was refused, but done"


def check_away(players: list[Player], away: dict[tuple[str, int], bool]) -> Iterator[str]:
    """Where all were told the same, and nobody has just asked for a change, it is kept."""
    for seat in range(len(players)):
        told = {bool(p.shown["seats"][seat]["away"]) for p in players if p.shown}
        settled = all(p.shown and seat not in p.unsettled for p in players)
        if settled and len(told) == 1 and told != {away[players[0].table.id, seat]}:
            yield f"{players[0].table.id}: all were told {told} of whether seat {seat} is away"


def check_end(player: Player, match: Match, verdict: Verdict) -> Iterator[str]:
    """The file of a game tells what a player was told, took back, and mixed into the deal."""
    where = f"{player.table.game} {player.table.id}, seat {player.seat}"
    seen = msgspec.to_builtins(told(match, player.seat, 0, match.length, "en"))
    if not player.account.is_true(seen):
        yield f"{where} was told otherwise"
    counted = (verdict.taken_back[player.seat], player.shown["seats"][player.seat]["taken_back"])
    if counted != (len(player.taken_back),) * 2:
        yield f"{where}: {len(player.taken_back)} take-backs were confirmed, not {counted}"
    mixed = match.fair.entropy[player.seat]
    if (mixed.hex() if mixed else None) != player.revealed:
        yield f"{where} mixed in something else"


def check_changes(player: Player, rows: list[tuple[Any, ...]]) -> Iterator[str]:
    """A step that was told otherwise later had been taken back meanwhile."""
    steps = [0]
    for *_, text, _ in rows:
        verb, _, keep = text.partition(" ")
        steps.append(int(keep) if verb == "back" else steps[-1] + 1)
    for before, after, step in player.changes:
        if after < len(steps) and min(steps[before : after + 1]) > step:
            yield f"{player.table.id}, seat {player.seat}: step {step} was told in two ways"
