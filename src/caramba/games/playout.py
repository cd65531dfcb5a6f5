"""Random games, many at a time: the compiled loop behind `simulate` and the benchmarks."""

from copy import deepcopy
from dataclasses import dataclass

import numpy as np

from caramba.games.chance import streams
from caramba.games.compiled import compiled
from caramba.games.contract import CHANCE, OVER, Game, Result
from caramba.games.generic import actor, apply, outcome, outcome_of, random_step
from caramba.games.masks import ones, width


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
        self._mask = np.zeros(width(game.actions), np.uint64)
        self._points = np.zeros(players, np.int64)
        self._log = np.zeros((0, 2), np.int16)

    def load(self) -> None:
        """Have the compiled code at hand before a clock runs."""
        self.play(streams(0, 1))

    def play(self, rngs: np.ndarray) -> int:
        """One game for each random stream; return the number of steps of the last."""
        t = self.tally
        scratch = (self._mask, self._points)
        sums = (t.steps, t.points, t.wins, t.ends)
        return int(play_games(self.start, self.state, rngs, *scratch, *sums, self._log))

    def record(self, rng: np.ndarray) -> list[tuple[int, int]]:
        """One game more, step by step: who (a seat or CHANCE), and the number."""
        before, again = rng.copy(), deepcopy(self.tally)
        steps = self.play(rng[np.newaxis])
        if steps > len(self._log):
            self._log = np.zeros((2 * steps, 2), np.int16)
            self.tally = again
            rng[:] = before
            self.play(rng[np.newaxis])
        return [(int(who), int(number)) for who, number in self._log[:steps]]

    def result(self) -> Result:
        """How the last game ended."""
        end, winners = outcome_of(self.state, self._points)
        return Result.of(self.game, self._points, end, winners)


@compiled
def play_games(start, states, rngs, mask, points, steps, all_points, wins, ends, log):
    """Play a game from the start for each random stream, and add up what came of it.

    The log holds as many steps of the last game as fit; their number is returned.
    """
    taken = 0
    for i in range(len(rngs)):
        states[0] = start[0]
        s = states[0]
        taken = 0
        who = actor(s)
        while who != OVER:
            number = random_step(s, who, mask, rngs[i])
            if taken < len(log):
                log[taken][0] = who
                log[taken][1] = number
            apply(s, number)
            steps[int(who == CHANCE)] += 1
            taken += 1
            who = actor(s)
        add_result(states, points, all_points, wins, ends)
    return taken


@compiled
def add_result(states, points, all_points, wins, ends):
    """Add a finished game to the sums."""
    end, winners = outcome(states[0], points)
    ends[end - 1] += 1
    sharing = ones(winners)
    for p in range(len(points)):
        all_points[p] += points[p]
        wins[p] += (winners >> p & 1) / sharing
