"""Random games, many at a time: the compiled loop behind `simulate` and the benchmarks."""

from dataclasses import dataclass

import numpy as np

from caramba.games.chance import streams
from caramba.games.compiled import compiled
from caramba.games.contract import CHANCE, OVER, Game, Result
from caramba.games.generic import actor, apply, outcome, outcome_of, random_step
from caramba.games.masks import words


@dataclass
class Tally:
    """What came of a number of games."""

    steps: np.ndarray  # decisions, chance steps
    points: np.ndarray  # sums by seat
    wins: np.ndarray  # by seat; a shared victory counts as its share
    ends: np.ndarray  # by reason

    @classmethod
    def of(cls, game: Game, players: int) -> "Tally":
        """An empty tally."""
        return cls(
            np.zeros(2, np.int64),
            np.zeros(players, np.int64),
            np.zeros(players, np.float64),
            np.zeros(len(game.ends), np.int64),
        )


class Playout:
    """Plays random games from a start, and adds them up."""

    def __init__(self, game: Game, start: np.ndarray, players: int) -> None:
        self.game = game
        self.start = start
        self.state = start.copy()
        self.tally = Tally.of(game, players)
        self._mask = np.zeros(words(game.actions), np.uint64)
        self._weights = np.zeros(game.widest_chance, np.int64)
        self._points = np.zeros(players, np.int64)
        self._log = np.zeros((0, 2), np.int16)

    def load(self) -> None:
        """Have the compiled code at hand before a clock runs."""
        self.play(streams(0, 1))
        self.record(streams(0, 1)[0])

    def play(self, rngs: np.ndarray) -> None:
        """One game for each random stream."""
        t = self.tally
        scratch = (self._mask, self._weights, self._points)
        play_games(self.start, self.state, rngs, *scratch, t.steps, t.points, t.wins, t.ends)

    def record(self, rng: np.ndarray) -> list[tuple[int, int]]:
        """One game more, step by step: who (a seat or CHANCE), and the number."""
        while True:
            before = rng.copy()
            self.state[0] = self.start[0]
            steps = play_out(self.state, rng, self._mask, self._weights, self._log)
            if steps <= len(self._log):
                break
            self._log = np.zeros((2 * steps, 2), np.int16)
            rng[:] = before
        t = self.tally
        add_result(self.state, self._points, t.points, t.wins, t.ends)
        log: list[tuple[int, int]] = [(int(who), int(n)) for who, n in self._log[:steps]]
        decisions = sum(who != CHANCE for who, _ in log)
        t.steps += (decisions, steps - decisions)
        return log

    def result(self) -> Result | None:
        """How the last game ended."""
        end, winners = outcome_of(self.state, self._points)
        return Result.of(self.game, self._points, end, winners)


@compiled
def play_out(states, rng, mask, weights, log):
    """Play to the end; return the number of steps, of which the log holds as many as fit."""
    s = states[0]
    steps = 0
    who = actor(s)
    while who != OVER:
        number = random_step(s, who, mask, weights, rng)
        if steps < len(log):
            log[steps][0] = who
            log[steps][1] = number
        apply(s, number)
        steps += 1
        who = actor(s)
    return steps


@compiled
def play_games(start, states, rngs, mask, weights, points, steps, all_points, wins, ends):
    """Play a game from the start for each random stream, and add up what came of it."""
    for i in range(len(rngs)):
        states[0] = start[0]
        s = states[0]
        who = actor(s)
        while who != OVER:
            apply(s, random_step(s, who, mask, weights, rngs[i]))
            steps[int(who == CHANCE)] += 1
            who = actor(s)
        add_result(states, points, all_points, wins, ends)


@compiled
def add_result(states, points, all_points, wins, ends):
    """Add a finished game to the sums."""
    end, winners = outcome(states[0], points)
    ends[end - 1] += 1
    sharing = 0
    for p in range(len(points)):
        sharing += winners >> p & 1
    for p in range(len(points)):
        all_points[p] += points[p]
        wins[p] += (winners >> p & 1) / sharing
