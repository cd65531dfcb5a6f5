"""How fast random play is: every game through every door, and other software beside it.

All measurements take turns, repeat after repeat, so that a machine that is slow for a while is
slow for all of them. A ratio is the median of the ratios within each repeat.
"""

import os
import platform
import statistics
import subprocess
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from random import Random
from typing import Any

from caramba import __version__
from caramba.games.compiled import IS_COMPILED
from caramba.games.contract import Game
from caramba.research.doors import (
    BatchDoor,
    Door,
    Loop,
    LoopThreads,
    MatchDoor,
    Sample,
    SingleDoor,
)
from caramba.research.peers.process import PEERS, Peer, PeerDoor, PeerFailed

US = "Caramba"
SIZES = (1, 64, 1024, 8192, 65536)
"""How many games there are in a batch."""
USUAL = 1024
"""The size that is compared with others."""
WITH_THREADS = SIZES[-2:]
"""The sizes that are also played in threads."""
THREADS = 2
LOOP = "compiled loop"
BATCH = "batch of {}"
SINGLE = "single"
MATCH = "match"
COMPILED, PYTHON = "compiled", "python"
"""The ways in which a peer is played."""
RIVAL = ("OpenSpiel", "crazy_eights(players=4)")
"""The peer that ratios are against."""

Advance = Callable[[int, int], None]


def threaded(door: str) -> str:
    """The name of a door in several threads."""
    return f"{door}, {THREADS} threads"


@dataclass
class Measurement:
    """One door of one game: what was played in each repeat, or why nothing was."""

    who: str
    game: str
    players: int
    door: str
    opened: Door | None
    samples: list[Sample] = field(default_factory=list)
    failed: str | None = None

    @property
    def name(self) -> tuple[str, str, str]:
        """What tells it from the others, apart from the number of players."""
        return self.who, self.game, self.door

    def rates(self, unit: str) -> list[float]:
        """Decisions, chance steps or steps a second, by repeat; none where not counted."""
        counts = [(getattr(sample, unit), sample.seconds) for sample in self.samples]
        known = [count / seconds for count, seconds in counts if count is not None]
        return known if self.failed is None else []

    def attempt(self, work: Callable[[Door], None]) -> None:
        """Do something with the door, unless it has failed or fails now."""
        if self.opened and self.failed is None:
            try:
                work(self.opened)
            except PeerFailed as error:
                self.failed = str(error)

    def warm(self) -> None:
        """Before the clock runs: once untimed."""
        self.attempt(lambda door: door.warm())

    def measure(self, seconds: float) -> None:
        """Once more."""
        self.attempt(lambda door: self.samples.append(door.run(seconds)))

    def figures(self) -> dict[str, Any]:
        """What came of it."""
        return {
            "who": self.who,
            "game": self.game,
            "players": self.players,
            "door": self.door,
            "failed": self.failed,
            "decisions_per_second": summary(self.rates("decisions")),
            "chance_steps_per_second": summary(self.rates("chance_steps")),
            "steps_per_second": summary(self.rates("steps")),
            "samples": [
                {
                    "decisions": sample.decisions,
                    "chance_steps": sample.chance_steps,
                    "seconds": round(sample.seconds, 6),
                }
                for sample in self.samples
            ],
        }


def summary(values: Sequence[float]) -> dict[str, float] | None:
    """Median, least and most; None where there is nothing."""
    if not values:
        return None
    return {
        "median": _round(statistics.median(values)),
        "min": _round(min(values)),
        "max": _round(max(values)),
    }


def _round(value: float) -> float:
    return float(f"{value:.5g}")


class Bench:
    """All measurements of a run. Close it, so that no process or thread is left."""

    def __init__(self, games: Iterable[Game], repeats: int, seconds: float) -> None:
        self.repeats, self.seconds = repeats, seconds
        self.measurements: list[Measurement] = []
        for game in games:
            for players in player_counts(game):
                self._add_game(game, players)

    def _add_game(self, game: Game, players: int) -> None:
        for door, opened in doors(game, players).items():
            self.measurements.append(Measurement(US, game.name, players, door, opened))

    def add_peers(
        self, python: Path, missing: Mapping[str, str], peers: Iterable[Peer] = PEERS
    ) -> None:
        """Measure these too, with that interpreter; not those that are missing for a reason."""
        for peer in peers:
            reason = missing.get(peer.name)
            opened = None if reason else PeerDoor(peer, python)
            self.measurements.append(
                Measurement(peer.name, peer.game, peer.players, peer.way, opened, [], reason)
            )

    def warm(self, advance: Advance) -> None:
        """Compile everything, start every peer."""
        for done, measurement in enumerate(self.measurements, 1):
            measurement.warm()
            advance(done, len(self.measurements))

    def measure(self, advance: Advance) -> None:
        """All of them in turn, in another order each time."""
        total = self.repeats * len(self.measurements)
        for repeat in range(self.repeats):
            order = Random(repeat).sample(self.measurements, len(self.measurements))
            for done, measurement in enumerate(order, repeat * len(order) + 1):
                measurement.measure(self.seconds)
                advance(done, total)

    def close(self) -> None:
        """Let go of threads and processes."""
        for measurement in self.measurements:
            if measurement.opened:
                measurement.opened.close()

    def abandon(self) -> None:
        """Leave no process behind, and wait for nothing."""
        for measurement in self.measurements:
            if isinstance(measurement.opened, PeerDoor) and measurement.opened.process:
                measurement.opened.process.kill()

    # What came of it

    def figures(self) -> dict[str, Any]:
        """Everything, ready for JSON."""
        return {
            "caramba": __version__,
            "commit": commit(),
            "compiled": IS_COMPILED,
            "machine": machine(),
            "versions": versions(self.measurements),
            "repeats": self.repeats,
            "seconds": self.seconds,
            "measurements": [measurement.figures() for measurement in self.measurements],
            "ratios": list(self.ratios()),
        }

    def ratios(self) -> Iterable[dict[str, Any]]:
        """The ratios that matter, for every game and number of players."""
        tables = dict.fromkeys((m.game, m.players) for m in self.measurements if m.who == US)
        for title, unit, above, below in comparisons():
            for game, players in tables:
                pair = (self._find(game, players, above), self._find(game, players, below))
                if ratio := summary(quotients(*pair, unit)):
                    yield {"ratio": title, "game": game, "players": players, **ratio}

    def _find(self, game: str, players: int, side: tuple[str, ...]) -> Measurement | None:
        """Our door of that game, or the one of a peer."""
        name = (US, game, *side) if len(side) == 1 else side
        for m in self.measurements:
            if m.name == name and (m.who != US or m.players == players):
                return m
        return None


def comparisons() -> list[tuple[str, str, tuple[str, ...], tuple[str, ...]]]:
    """What is divided by what: a title, the unit, and our door or (peer, game, way)."""
    in_cpp, in_python = (*RIVAL, COMPILED), (*RIVAL, PYTHON)
    usual = BATCH.format(USUAL)
    large = [BATCH.format(size) for size in WITH_THREADS]
    rival = f"{RIVAL[0]} {RIVAL[1].partition('(')[0]}"
    return [
        (f"{LOOP} / {rival} in C++, steps", "steps", (LOOP,), in_cpp),
        (f"{usual} / {rival} from Python, decisions", "decisions", (usual,), in_python),
        (f"{SINGLE} / {rival} from Python, steps", "steps", (SINGLE,), in_python),
        (f"{LOOP}: {THREADS} threads / one", "steps", (threaded(LOOP),), (LOOP,)),
        *((f"{b}: {THREADS} threads / one", "decisions", (threaded(b),), (b,)) for b in large),
        (f"{MATCH} / {SINGLE}, steps", "steps", (MATCH,), (SINGLE,)),
    ]


def quotients(above: Measurement | None, below: Measurement | None, unit: str) -> list[float]:
    """One a repeat; none where either side is missing."""
    if above is None or below is None:
        return []
    pairs = list(zip(above.rates(unit), below.rates(unit), strict=False))
    return [a / b for a, b in pairs if b]


def player_counts(game: Game) -> list[int]:
    """The fewest, four if so many can play, and the most."""
    return sorted({game.players[0], min(4, game.players[-1]), game.players[-1]})


def doors(game: Game, players: int) -> dict[str, Door]:
    """Every way into a game, by its name."""
    opened: dict[str, Door] = {
        LOOP: Loop(game, players),
        threaded(LOOP): LoopThreads(game, players, THREADS),
    }
    for size in SIZES:
        opened[BATCH.format(size)] = BatchDoor(game, players, size)
    for size in WITH_THREADS:
        opened[threaded(BATCH.format(size))] = BatchDoor(game, players, size, THREADS)
    opened[SINGLE] = SingleDoor(game, players)
    opened[MATCH] = MatchDoor(game, players)
    return opened


# Where it was measured


def machine() -> dict[str, Any]:
    """The processor, how many cores of it, the system, and how busy it is."""
    return {
        "cpu": cpu_model(),
        "cores": os.cpu_count(),
        "system": f"{platform.system()} {platform.release()}",
        "load": round(os.getloadavg()[0], 1),
    }


def cpu_model() -> str:
    """The name of the processor."""
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def versions(measurements: Iterable[Measurement]) -> dict[str, str]:
    """What was measured: Python, what we are built on, and the peers."""
    found = {"python": platform.python_version()}
    for package in ("numpy", "numba", "llvmlite"):
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    for m in measurements:
        if isinstance(m.opened, PeerDoor) and m.opened.version:
            found[m.who] = m.opened.version
    return found


def commit() -> str | None:
    """The commit of this checkout, marked if there are changes; None without a checkout."""
    root = Path(__file__).parents[3]
    if not (root / ".git").exists():
        return None
    head = _git(root, "rev-parse", "--short", "HEAD")
    return head and head + ("+changes" if _git(root, "status", "--porcelain") else "")


def _git(root: Path, *arguments: str) -> str | None:
    try:
        done = subprocess.run(["git", "-C", root, *arguments], capture_output=True, text=True)
    except OSError:
        return None
    return done.stdout.strip() if done.returncode == 0 else None
