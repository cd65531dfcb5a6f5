"""The ways into a game, each with random play behind it: what `bench` measures."""

import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from random import Random
from typing import Protocol

import numpy as np

from caramba.games.chance import streams
from caramba.games.contract import CHANCE, OVER, Game, check_options
from caramba.games.playout import Playout
from caramba.match.match import Match
from caramba.research.batch import Batch
from caramba.research.single import Single

BURST = 0.01
"""Seconds between two looks at the clock, about."""


@dataclass(frozen=True, slots=True)
class Sample:
    """What was played in so many seconds."""

    decisions: int
    chance_steps: int | None
    """None where chance is played inside and cannot be counted."""
    seconds: float

    @property
    def steps(self) -> int | None:
        """Decisions and chance steps."""
        return None if self.chance_steps is None else self.decisions + self.chance_steps


class Door(Protocol):
    """Something that plays at random for some time, and says how far it came."""

    def warm(self) -> None:
        """Do whatever is to be done before a clock runs."""

    def run(self, seconds: float) -> Sample:
        """Play for about so long."""

    def close(self) -> None:
        """Let go of threads and processes."""


class Inside(Door):
    """A door in this process: it plays in bursts, and looks at the clock between them."""

    def __init__(self) -> None:
        self.burst = 1
        self.stopped = False

    def play_units(self, units: int) -> tuple[int, int]:
        """Play so many units, whatever they are; return decisions and chance steps."""
        raise NotImplementedError

    def warm(self) -> None:
        """Compile, then find out how much can be played between two looks at the clock."""
        self.play_units(1)
        while self._seconds_of_burst() < BURST:
            self.burst *= 2

    def _seconds_of_burst(self) -> float:
        started = time.perf_counter()
        self.play_units(self.burst)
        return time.perf_counter() - started

    def run(self, seconds: float) -> Sample:
        """Play for about so long."""
        decisions = chance_steps = 0
        started = now = time.perf_counter()
        while now - started < seconds and not self.stopped:
            more_decisions, more_chance = self.play_units(self.burst)
            decisions += more_decisions
            chance_steps += more_chance
            now = time.perf_counter()
        return Sample(decisions, chance_steps, now - started)

    def close(self) -> None:
        """Come to an end where another thread is still playing."""
        self.stopped = True


class Loop(Inside):
    """The compiled loop: whole games without Python in between."""

    def __init__(self, game: Game, players: int, seed: int = 1) -> None:
        super().__init__()
        self.seed = seed
        self.playout = Playout(game, game.setup(players, check_options(game, players, {})), players)
        self.rngs = streams(seed, 1)

    def play_units(self, units: int) -> tuple[int, int]:
        """So many games."""
        if len(self.rngs) < units:
            self.rngs = streams(self.seed, units)
        before = self.playout.tally.steps.copy()
        self.playout.play(self.rngs[:units])
        decisions, chance_steps = (self.playout.tally.steps - before).tolist()
        return decisions, chance_steps


class LoopThreads(Door):
    """The compiled loop in several threads, each with games of its own; wall time."""

    def __init__(self, game: Game, players: int, threads: int) -> None:
        self.loops = [Loop(game, players, seed) for seed in range(1, threads + 1)]
        self.pool = ThreadPoolExecutor(threads)

    def warm(self) -> None:
        """Compile and find out how long games take; then have the threads running."""
        for loop in self.loops:
            loop.warm()
        self.run(0)

    def run(self, seconds: float) -> Sample:
        """All threads at once."""
        started = time.perf_counter()
        samples = list(self.pool.map(lambda loop: loop.run(seconds), self.loops))
        wall = time.perf_counter() - started
        decisions = sum(sample.decisions for sample in samples)
        return Sample(decisions, sum(sample.chance_steps or 0 for sample in samples), wall)

    def close(self) -> None:
        """Stop the threads."""
        for loop in self.loops:
            loop.close()
        self.pool.shutdown()


class BatchDoor(Inside):
    """Many games side by side, driven from Python with actions sampled by NumPy."""

    def __init__(self, game: Game, players: int, size: int, threads: int = 1) -> None:
        super().__init__()
        self.batch = Batch(game, players=players, size=size, seed=1, threads=threads)
        self.rng = np.random.default_rng(1)

    def play_units(self, units: int) -> tuple[int, int]:
        """So many actions in every game."""
        batch, random, size = self.batch, self.rng.random, self.batch.size
        for _ in range(units):
            batch.step_nth(random(size) * batch.counts)
        return units * size, 0

    def run(self, seconds: float) -> Sample:
        """Play for about so long; chance is played inside."""
        sample = super().run(seconds)
        return Sample(sample.decisions, None, sample.seconds)

    def close(self) -> None:
        """Let the threads go."""
        super().close()
        self.batch.close()


class SingleDoor(Inside):
    """One game by numbers, move by move from Python."""

    def __init__(self, game: Game, players: int) -> None:
        super().__init__()
        self.single = Single(game, players=players)
        self.random = Random(1)

    def play_units(self, units: int) -> tuple[int, int]:
        """So many steps."""
        single, choice = self.single, self.random.choice
        chance_steps = 0
        for _ in range(units):
            if single.actor == OVER:
                single.reset()
            if single.actor == CHANCE:
                single.apply(single.draw())
                chance_steps += 1
            else:
                single.apply(choice(single.legal()))
        return units - chance_steps, chance_steps


class MatchDoor(Inside):
    """A match with texts: everything checked, everything kept."""

    def __init__(self, game: Game, players: int) -> None:
        super().__init__()
        self.game, self.players = game, players
        self.random = Random(1)
        self.match = self._new()

    def _new(self) -> Match:
        seed = self.random.getrandbits(32)
        return Match(self.game, players=self.players, seed=seed, compiled=True)

    def play_units(self, units: int) -> tuple[int, int]:
        """So many decisions, or deals of any length."""
        choice = self.random.choice
        decisions = chance_steps = 0
        for _ in range(units):
            match = self.match
            who = match.actor
            if who is None:
                self.match = self._new()
            elif who == CHANCE:
                chance_steps += len(match.deal())
            else:
                match.play(choice(match.legal()))
                decisions += 1
        return decisions, chance_steps
