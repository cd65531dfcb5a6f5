"""How strong everybody is, on one scale: the levels, those of an old version, OpenSpiel's ISMCTS.

    .venv/bin/python bench/strength.py                 all games with two and with four players
    .venv/bin/python bench/strength.py cards --players 2 --bots medium,hard,past.py:search
    .venv/bin/python bench/strength.py --minutes 0     what is known so far

Everybody meets everybody: with two players in both seats, with more alone among others who are all
alike, every deal in all seatings. The games of two bots are files of an arena in the folder; all
take turns, and the same command goes on. With more --games, deals are added. A folder is for the
bots as they are: after a change of theirs, name another one.

What comes of it is a table in Markdown for each game and number of players.
"""

import os
import signal
import sys
import time
import zlib
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import CancelledError, Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from functools import partial
from itertools import combinations, islice, permutations
from multiprocessing import get_context
from pathlib import Path

import click
import numpy as np
from rating import Meeting, Rating, ratings

from caramba.bots.arena import Arena, ArenaSettings, Played, Round, play_round
from caramba.bots.levels import LEVELS
from caramba.bots.workers import died
from caramba.cli.console import complain, progress
from caramba.cli.options import split_names
from caramba.games import names
from caramba.games.contract import load
from caramba.games.errors import CarambaError, InvalidSetup
from caramba.processes import end_with

HERE = Path(__file__).parent
BOTS = "random,easy,medium,hard,expert,past.py:search,past.py:far_search,ismcts.py:ISMCTS"
ZERO = "medium"
"""Whose rating is 0."""
LIMIT = 60.0
"""Seconds for a decision; who takes longer forfeits the game."""


@dataclass
class Table:
    """A game with so many players, and who meets there."""

    game: str
    players: int
    bots: list[str]
    folder: Path

    def pairs(self) -> list[tuple[str, str]]:
        """Who meets whom: the first named sits alone."""
        choose = combinations if self.players == 2 else permutations
        return list(choose(self.bots, 2))

    def files(self, pair: tuple[str, str]) -> list[Path]:
        """The files with the games of two."""
        return sorted(self.folder.glob(f"{self.stem(pair)}-*.jsonl"))

    def stem(self, pair: tuple[str, str]) -> str:
        """How these are named."""
        return "-".join([self.game, str(self.players), *map(shown, pair)])

    def arenas(self, games: int) -> list[Arena]:
        """All in which there is something to be played, so that every pair has so many games."""
        found = []
        for pair in self.pairs():
            own = [name for name in pair if name not in LEVELS]
            arenas = [Arena.resume(file, own) for file in self.files(pair)]
            missing = games - sum(arena.settings.games for arena in arenas)
            if missing > 0:
                arenas.append(self.more(pair, len(arenas) + 1, missing))
            found += [arena for arena in arenas if arena.left()]
        return found

    def more(self, pair: tuple[str, str], number: int, games: int) -> Arena:
        """New deals for two."""
        name = f"{self.stem(pair)}-{number}"
        settings = ArenaSettings(
            game=self.game,
            rules=load(self.game).version,
            players=self.players,
            options={},
            bots=list(pair),
            games=games,
            seed=zlib.crc32(name.encode()),
            limit=LIMIT,
        )
        return Arena.new(settings, self.folder / f"{name}.jsonl")

    def played(self) -> list[Arena]:
        """What was played, pair by pair."""
        merged = [Arena.merged(files) for pair in self.pairs() if (files := self.files(pair))]
        return [arena for arena in merged if arena.games]


def shown(name: str) -> str:
    """What a bot is called in tables and names of files."""
    return name.rpartition("/")[2].replace(".py:", ".")


# Playing


class Turns:
    """Workers that many arenas share: each has a few games in the queue, and then the next one."""

    def __init__(self, pool: ProcessPoolExecutor, ahead: int, until: float) -> None:
        self.pool, self.ahead, self.until = pool, ahead, until

    def play_all(self, settings: ArenaSettings, rounds: Iterable[Round]) -> Iterator[Played]:
        """Play these games, as long as there is time."""
        todo, running = iter(rounds), deque[Future[Played | None]]()
        try:
            running += (self.begin(settings, each) for each in islice(todo, self.ahead))
            while running and (played := running.popleft().result()):
                running += (self.begin(settings, each) for each in islice(todo, 1))
                yield played
        except CancelledError:
            return
        except BrokenProcessPool:
            raise InvalidSetup(died(settings)) from None

    def begin(self, settings: ArenaSettings, which: Round) -> Future[Played | None]:
        """Put a game into the queue; nobody plays after Ctrl-C."""
        try:
            return self.pool.submit(play_in_time, self.until, settings, which)
        except BrokenProcessPool:
            raise
        except RuntimeError:  # the pool is shut
            raise CancelledError from None


def play_in_time(until: float, settings: ArenaSettings, which: Round) -> Played | None:
    """A game, if it is begun before that time."""
    return play_round(settings, which, may_end_process=True) if time.time() < until else None


def begin(boss: int) -> None:
    """In a process that plays: leave interrupts to the boss, and end with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_with(boss)


def play(arenas: Sequence[Arena], processes: int, until: float) -> None:
    """Play what is left, until then or until Ctrl-C: then only what was begun is finished."""
    if not arenas:
        return
    total, done = sum(len(arena.left()) for arena in arenas), 0

    def run(arena: Arena) -> None:
        before = len(arena.games)
        arena.run(turns, partial(count_on, before))

    def count_on(before: int, now: int, _: int) -> None:
        nonlocal done
        done += now > before
        advance(done, total)

    context = get_context("spawn")
    with (
        ProcessPoolExecutor(processes, context, begin, (os.getpid(),)) as pool,
        ThreadPoolExecutor(len(arenas)) as threads,
        progress("playing") as advance,
    ):
        turns = Turns(pool, processes, until)
        try:
            for running in [threads.submit(run, arena) for arena in arenas]:
                running.result()
        except BaseException as error:
            pool.shutdown(wait=False, cancel_futures=True)
            if not isinstance(error, KeyboardInterrupt):
                raise
            complain("stopping after the games that are being played")


# What came of it


def report(table: Table) -> str:
    """A table in Markdown."""
    arenas = table.played()
    bots = [name for name in table.bots if any(name in one.settings.bots for one in arenas)]
    games = sum(len(arena.games) for arena in arenas)
    head = f"**{table.game}, {table.players} players**, {games:,} games"
    if not bots:
        return head
    zero = bots.index(ZERO) if ZERO in bots else 0
    found = ratings([meeting(arena, bots) for arena in arenas], len(bots), zero)
    rows = [(one, row(name, one, arenas)) for name, one in zip(bots, found, strict=True)]
    rows.sort(reverse=True)
    lines = [
        f"{head}; {shown(bots[zero])} is 0, and 400 more are ten times the odds to win",
        "",
        "| bot | rating | 95 % | games | ms a decision | 99th percentile |",
        "| --- | ---: | --- | ---: | ---: | ---: |",
        *(line for _, line in rows),
    ]
    return "\n".join(lines)


def meeting(arena: Arena, bots: Sequence[str]) -> Meeting:
    """The games of two, deal by deal."""
    seatings = arena.settings.seatings()
    one, others = arena.settings.bots
    places = {deal: place for place, deal in enumerate(sorted({g.deal for g in arena.games}))}
    won, games = np.zeros(len(places)), np.zeros(len(places))
    for game in arena.games:
        won[places[game.deal]] += game.share(seatings[game.seating].index(one))
        games[places[game.deal]] += 1
    return Meeting(bots.index(one), bots.index(others), arena.settings.players, won, games)


def row(name: str, rating: Rating, arenas: Sequence[Arena]) -> str:
    """What is known of one bot."""
    mine = [arena for arena in arenas if name in arena.settings.bots]
    times = [0.0, *(ms for arena in mine for ms in milliseconds(arena, name))][-(10**7) :]
    cells = [
        shown(name),
        f"{rating.points:+.0f}",
        f"{rating.low:+.0f} to {rating.high:+.0f}" if rating.low < rating.high else "",
        f"{sum(len(arena.games) for arena in mine):,}",
        f"{np.median(times):,.2f}",
        f"{np.percentile(times, 99):,.2f}",
    ]
    return f"| {' | '.join(cells)} |"


def milliseconds(arena: Arena, name: str) -> Iterator[float]:
    """How long each decision of a bot took."""
    seatings = arena.settings.seatings()
    for game in arena.games:
        for seat, sitting in enumerate(seatings[game.seating]):
            if sitting == name:
                yield from game.milliseconds[seat]


# The command


@click.command(help=__doc__.partition("\n")[0])
@click.argument("games_", metavar="[GAME]...", nargs=-1)
@click.option("--players", default="2,4", show_default=True, metavar="N,N")
@click.option("--bots", default=BOTS, show_default=True, metavar="NAMES")
@click.option("--games", default=100, show_default=True, help="Of every two bots.")
@click.option("--minutes", type=float, help="Stop then; all have about as many games by then.")
@click.option("--folder", type=click.Path(path_type=Path), default=Path("training/strength"))
@click.option("--processes", type=int, default=len(os.sched_getaffinity(0)), help="One a core.")
def main(
    games_: tuple[str, ...],
    players: str,
    bots: str,
    games: int,
    minutes: float | None,
    folder: Path,
    processes: int,
) -> None:
    """Play, and report."""
    until = time.time() + 60 * minutes if minutes is not None else float("inf")
    folder.mkdir(parents=True, exist_ok=True)
    named = [at_its_place(name) for name in split_names(bots)]
    try:
        tables = [
            Table(game, number, named, folder)
            for game in games_ or names()
            for number in map(int, split_names(players))
            if number in load(game).players
        ]
        if minutes != 0:
            get_ready(tables, named)
            play([arena for table in tables for arena in table.arenas(games)], processes, until)
        print("\n\n".join(map(report, tables)))
    except CarambaError as error:
        sys.exit(f"strength: {error}")


def at_its_place(name: str) -> str:
    """A bot's name with its whole path: one of a file may be named as if this folder were here."""
    file, colon, attribute = name.rpartition(":")
    if not file.endswith(".py"):
        return name
    found = Path(file) if Path(file).exists() else HERE / file
    return f"{os.path.realpath(found)}{colon}{attribute}"


def get_ready(tables: Sequence[Table], bots: Sequence[str]) -> None:
    """Compile and install what is needed."""
    from caramba.cli.console import compile_first

    for game in dict.fromkeys(table.game for table in tables):
        compile_first(load(game), for_bots=True)
    if any("/past.py:" in name for name in bots):
        import past

        past.prepare()
    if any("/ismcts.py:" in name for name in bots):
        import ismcts

        ismcts.prepare()


if __name__ == "__main__":
    main()
