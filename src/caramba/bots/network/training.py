"""Learning for hours: games, then a step nearer to what came of them, again and again.

All that counts is in one file, which is replaced as a whole: whoever stops at any time goes on from
there. With the same seed, threads and number of decisions the same network comes of it.
"""

import os
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from caramba import __version__
from caramba.bots.advice import advice_on, no_way
from caramba.bots.network.champion import MOST_SEATS, desk_for, sight, width_of_features
from caramba.bots.network.descent import FIRST, SECOND, add_slopes, bench, step_down
from caramba.bots.network.duel import Duel
from caramba.bots.network.kept import TORN, Origin
from caramba.bots.network.network import Weights, fresh, size_of, weights_in
from caramba.bots.network.selfplay import hall_for, notes_for, play_and_note
from caramba.games.chance import streams
from caramba.games.contract import Game, check_options
from caramba.games.errors import InvalidFile, InvalidSetup

ROUND = 16_384
"""Decisions between two looks at what came of them, for each thread."""
AT_ONCE = 256
"""Decisions to a step of the descent."""
RATE = 2e-3
"""How large a step is at first; it falls to nothing."""
KEEP = 0.999
"""How much of the running mean of the weights is kept at a step."""
TO_THE_END = 1.0
"""The trace of a judge: only the end counts."""
HEAT = 0.01
"""What is worse by this is chosen e times less often, in games from which it learns."""
USUAL_YESES = 60
"""About so many are on a sheet: for weights to begin with."""
SELVES = 12
"""Past selves that are kept to be played against."""
ROUNDS_OF_A_SELF = 40
STANDARD = 3
"""So many games are standard ones for each with house rules; and games of few players, which are
over soon, are played oftener, so that a decision at a table of two is the most usual."""


@dataclass
class Plan:
    """What is to be learned, and how long."""

    game: Game
    players: Sequence[int]
    decisions: int
    seed: int = 0
    threads: int = 2
    hours: float = 1e9
    rival: Weights | None = None
    """The network that is to be beaten; without one it is good players of every kind."""

    def __str__(self) -> str:
        """What must be the same for who goes on."""
        players = ",".join(map(str, self.players))
        begun = f"{self.game.name}, players {players}, seed {self.seed}, threads {self.threads}"
        if self.rival is None:
            return begun
        return f"{begun}, against network {sha256(whole(self.rival).tobytes()).hexdigest()[:8]}"

    @property
    def others(self) -> str:
        """Against whom it is measured."""
        return "players by rules" if self.rival is None else "the network that it learns to beat"

    def starts(self) -> np.ndarray:
        """Games to begin with, any of which is as likely: of each variant and number of players."""
        variants = advice_on(self.game).variants
        chosen = [*[variants[0]] * (STANDARD * (len(variants) - 1) or 1), *variants[1:]]
        all_starts = [
            self.game.setup(n, check_options(self.game, n, options))
            for n in self.players
            for options in chosen * round((MOST_SEATS / n) ** 1.5)
        ]
        return np.concatenate(all_starts)


def whole(weights: Weights) -> np.ndarray:
    """All weights in one long array."""
    return np.concatenate([part.ravel() for part in weights])


@dataclass
class Progress:
    """How far it has come: all that is kept."""

    theta: np.ndarray
    mean: np.ndarray
    first: np.ndarray
    second: np.ndarray
    selves: list[np.ndarray] = field(default_factory=list)
    steps: int = 0
    rounds: int = 0
    decisions: int = 0
    seconds: float = 0.0
    curve: list[tuple[float, ...]] = field(default_factory=list)
    """Decisions, seconds, error, then the shares won in the duels."""
    plan: str = ""
    """Who learned what: it goes on with the same only."""

    @classmethod
    def of(cls, theta: np.ndarray) -> "Progress":
        """Where learning begins."""
        mean, first, second = theta.copy(), np.zeros_like(theta), np.zeros_like(theta)
        return cls(theta, mean, first, second, [theta.copy()])

    def save(self, file: Path) -> None:
        """Replace the file by this, or leave it as it is."""
        new = file.with_name(f"{file.name}.new.npz")
        arrays: dict[str, Any] = {name: np.array(value) for name, value in vars(self).items()}
        np.savez(new, **arrays)
        os.replace(new, file)

    @classmethod
    def open(cls, file: Path) -> "Progress":
        """What was kept."""
        try:
            with np.load(file) as kept:
                values: dict[str, Any] = {name: kept[name] for name in kept.files}
        except (*TORN, OSError) as error:
            raise InvalidFile(f"cannot go on with {file}: {error}") from None
        for name in ("steps", "rounds", "decisions"):
            values[name] = int(values[name])
        values["seconds"], values["plan"] = float(values["seconds"]), str(values["plan"])
        values["selves"] = list(values["selves"])
        values["curve"] = [tuple(row) for row in values["curve"].tolist()]
        return cls(**values)


class Training:
    """A network that learns one game; or to judge it, by watching a network that plays."""

    def __init__(
        self, plan: Plan, progress: Progress | None = None, watched: Weights | None = None
    ) -> None:
        self.plan, self.starts, self.watched = plan, plan.starts(), watched
        self.seen = width_of_features(self.starts)
        """How many features a seat sees."""
        self.features = 2 * self.seen if watched else self.seen
        self.rng = np.random.default_rng(plan.seed)
        if max(plan.players) > MOST_SEATS:
            raise InvalidSetup(f"a network learns games of at most {MOST_SEATS} players")
        self.progress = progress or Progress.of(self.beginning())
        self.progress.plan = self.progress.plan or str(plan)
        if self.progress.plan != str(plan):
            raise InvalidSetup(f"that was begun with {self.progress.plan}, and not with {plan}")
        if len(self.progress.theta) != size_of(self.features):
            raise InvalidSetup(f"{plan.game.name} has other features now: begin anew")
        advice = advice_on(plan.game)
        self.how = (advice.learns_by_stage, advice.way is not no_way)
        self.threads = [Thread(self) for _ in range(plan.threads)]
        self.map = ThreadPoolExecutor(plan.threads).map if plan.threads > 1 else map

    def beginning(self) -> np.ndarray:
        """Weights that know nothing, or what a rival knows: what there is to gain comes on top."""
        if self.plan.rival:
            return whole(self.plan.rival)
        return fresh(self.features, USUAL_YESES, self.rng)

    def rounds(self) -> Iterator[float]:
        """Learn, round by round; what is told of each is the error."""
        p = self.progress
        while self.done < 1:
            started = time.monotonic()
            error = self.round()
            p.rounds += 1
            if p.rounds % ROUNDS_OF_A_SELF == 0:
                p.selves = [*p.selves, p.mean.copy()][-SELVES:]
            p.seconds += time.monotonic() - started
            yield error

    @property
    def done(self) -> float:
        """How much of what is planned is done."""
        p = self.progress
        return max(p.decisions / self.plan.decisions, p.seconds / 3600 / self.plan.hours)

    def round(self) -> float:
        """Games in all threads, then steps on what they noted, in a new order."""
        p = self.progress
        seeds = streams(hash((self.plan.seed, p.rounds)) % 2**63, len(self.threads) + 1)
        self.rng = np.random.default_rng(int(seeds[-1, 0]))
        past = p.selves[self.rng.integers(len(p.selves))]
        self.all(lambda thread, i: thread.play(p.theta, past, seeds[i]))
        played = [thread.many for thread in self.threads]
        p.decisions += sum(played)
        return self.learn(played)

    def learn(self, played: list[int]) -> float:
        """All notes, once, in a new order: twice would learn by heart. The mean squared error."""
        orders = [self.rng.permutation(many) for many in played]
        each = max(1, AT_ONCE // len(self.threads))
        squares = 0.0
        batches = min(played) // each
        for k in range(batches):
            parts = [order[k * each : (k + 1) * each] for order in orders]
            squares += sum(self.all(lambda thread, i, parts=parts: thread.slopes_of(parts[i])))  # type: ignore[misc]
            self.step(each * len(self.threads))
        self.leave_out_unseen()
        return squares / (batches * each * len(self.threads))

    def leave_out_unseen(self) -> None:
        """What was never noted has learned nothing: it counts for nothing, and takes no room.

        Where a rival's knowledge was the beginning, that stays.
        """
        if self.plan.rival:
            return
        second, mean = (
            weights_in(theta, self.features).rows
            for theta in (self.progress.second, self.progress.mean)
        )
        mean[~second.any(1)] = 0

    def step(self, many: int) -> None:
        """One step of the descent, on the slopes of all threads."""
        p = self.progress
        p.steps += 1
        for other in self.threads[1:]:
            self.threads[0].slopes += other.slopes
            other.slopes[:] = 0
        rate = RATE * max(0.0, 1 - self.done)
        warm = np.array([1 / (1 - FIRST**p.steps), 1 / (1 - SECOND**p.steps)], np.float32)
        keep = min(KEEP, 1 - 1 / p.steps)
        numbers = (np.float32(1 / many), np.float32(rate), warm, np.float32(keep))
        step_down(p.theta, p.mean, self.threads[0].slopes, p.first, p.second, *numbers)

    def all(self, work: Callable[["Thread", int], Any]) -> list[Any]:
        """Have all threads do something."""
        return list(self.map(work, self.threads, range(len(self.threads))))

    def origin(self, command: str, commit: str) -> Origin:
        """How the network was made, so far."""
        plan, p = self.plan, self.progress
        return Origin(
            game=plan.game.name,
            rules=plan.game.version,
            players=list(plan.players),
            variants=list(advice_on(plan.game).variants),
            features=self.features,
            sees=sight(plan.game),
            judges=self.watched is not None,
            seed=plan.seed,
            threads=plan.threads,
            decisions=p.decisions,
            seconds=round(p.seconds),
            command=command,
            version=__version__,
            commit=commit,
            curve=[list(row) for row in p.curve],
        )

    def measure(self, games: int) -> tuple[float, ...]:
        """What the network wins against players by rules or its rival, at each number of players.

        A judge does not play: of it, only the error is known.
        """
        if self.watched:
            return ()
        duel = Duel(self.plan.game, self.features, self.plan.rival)
        return duel.shares(self.progress.mean, self.plan.players, games)


class Thread:
    """What one thread needs."""

    def __init__(self, training: Training) -> None:
        self.training = training
        starts, game = training.starts, training.plan.game
        self.hall, self.desk = hall_for(starts, game.actions), desk_for(starts, game, training.seen)
        self.notes = notes_for(ROUND + 2048)
        self.slopes = np.zeros_like(training.progress.theta)
        self.bench = bench()

    @property
    def many(self) -> int:
        """How many notes there are."""
        return int(self.notes.many[0])

    def play(self, present: np.ndarray, past: np.ndarray, rng: np.ndarray) -> None:
        """Fill the notes."""
        t = self.training
        self.notes.many[:] = 0
        rival = t.plan.rival
        me, self_of_before = (t.watched or weights_in(theta, t.seen) for theta in (present, past))
        trace = TO_THE_END if t.watched else advice_on(t.plan.game).trace
        kind = (rival is not None, t.watched is not None)
        where = (self.hall, self.desk, self.notes, ROUND)
        other = rival or self_of_before
        play_and_note(t.starts, rng, me, other, *where, *kind, *t.how, trace, HEAT)

    def slopes_of(self, order: np.ndarray) -> float:
        """Add up the slopes of some notes."""
        t = self.training
        weights = weights_in(t.progress.theta, t.features)
        slopes = weights_in(self.slopes, t.features)
        n = self.notes
        return float(add_slopes(weights, n.sheets, n.targets, order, slopes, self.bench))
