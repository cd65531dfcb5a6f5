"""Many games side by side, everything in arrays: for learning and large experiments.

A batch plays chance by itself, so every game waits for a player or is over. Each game has a
random stream of its own: what happens does not depend on the number of threads.
"""

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

import numpy as np

from caramba.games import masks
from caramba.games.chance import streams
from caramba.games.compiled import compiled
from caramba.games.contract import CHANCE, OVER, Game, check_options, check_players, load
from caramba.games.errors import IllegalAction, InvalidSetup
from caramba.games.generic import actor, apply, draw, legal, observe, outcome, share_victory

BEGIN = -1
"""Instead of an action: a new game."""
LARGE = 32_768
"""From so many games on, even light work is worth a thread."""


class Batch:
    """So many games of one kind. `step` takes one action for each of them.

    All arrays are made once and written again at every step; copy what is to be kept.
    """

    def __init__(
        self,
        game: str | Game,
        *,
        players: int,
        size: int,
        seed: int = 0,
        options: Mapping[str, Any] | None = None,
        restart: bool = True,
        threads: int = 1,
    ) -> None:
        self.game = load(game) if isinstance(game, str) else game
        self.players = check_players(self.game, players)
        self.size, self.threads = _at_least_one("size", size), _at_least_one("threads", threads)
        self.restart = restart
        self.start = self.game.setup(players, check_options(self.game, players, options or {}))
        self.states = np.repeat(self.start, size)
        """The true states, for the referee."""
        self.actor = np.full(size, OVER, np.int8)
        """Whose turn it is in each game; OVER where it has ended and is not begun again."""
        self.legal = np.zeros((size, masks.width(self.game.actions)), np.uint64)
        """What the actor may do, as bits: action n is bit n % 64 of word n // 64."""
        self.counts = np.zeros(size, np.int16)
        """How many actions that are."""
        self.rewards = np.zeros((size, players), np.float32)
        """1 for the winner of a game that has just ended, shared among several; else 0."""
        self.points = np.zeros((size, players), np.int64)
        """The points of the game that ended last."""
        self.done = np.zeros(size, np.bool_)
        """Which games have ended in this step."""
        self._rngs = streams(seed, size)
        self._observations = np.zeros((0, self.game.observation), np.float32)
        self._matrix = np.zeros((0, self.game.actions), np.bool_)
        self._actions = np.full(size, BEGIN, np.int64)
        self._places = np.zeros(size, np.int64)
        bounds = np.linspace(0, size, threads + 1).astype(int).tolist()
        self._shares = list(pairwise(bounds))
        self._pool = ThreadPoolExecutor(threads - 1) if threads > 1 else None
        self.reset()

    def reset(self) -> None:
        """Begin every game anew; the random streams go on."""
        self._actions[:] = BEGIN
        self._run(self._step_share)
        self.done[:] = False

    def step(self, actions: np.ndarray) -> None:
        """One action for each game, by number; for games that are over it does not matter."""
        if np.shape(actions) != (self.size,):
            raise InvalidSetup(f"there must be {self.size} actions, one a game")
        self._actions[:] = actions
        wrong = min(self._run(self._check_share, light=True))
        if wrong < self.size:
            raise IllegalAction(f"action {self._actions[wrong]} is not legal in game {wrong}")
        self._run(self._step_share)

    def step_nth(self, places: np.ndarray) -> None:
        """In each game the legal action at a place from 0; beyond the last one, the last.

        Random play is `batch.step_nth(rng.random(batch.size) * batch.counts)`. All of it is
        shared among the threads, and there is nothing to check.
        """
        self._places[:] = places
        self._run(self._step_nth_share)

    def nth_legal(self, places: np.ndarray) -> np.ndarray:
        """Those actions, in an array that is used again."""
        self._places[:] = places
        self._run(self._nth_share, light=True)
        return self._actions

    def legal_matrix(self) -> np.ndarray:
        """The legal actions as a table of yes and no: games by actions."""
        if not len(self._matrix):
            self._matrix = np.zeros((self.size, self.game.actions), np.bool_)
        spread(self.legal, self._matrix)
        return self._matrix

    def observations(self) -> np.ndarray:
        """What the player to act may know in each game: one row a game."""
        if not len(self._observations):
            self._observations = np.zeros((self.size, self.game.observation), np.float32)
        self._run(self._observe_share)
        return self._observations

    def close(self) -> None:
        """Let the threads go."""
        if self._pool:
            self._pool.shutdown()

    def _run(self, work: Callable[[int, int], Any], light: bool = False) -> list[Any]:
        """Every thread does its share, the last one here; what they return.

        Light work of few games is done before other threads are awake.
        """
        if light and self.size < LARGE:
            return [work(0, self.size)]
        *others, own = self._shares
        waiting = [self._pool.submit(work, *share) for share in others] if self._pool else []
        done = work(*own)
        return [*(future.result() for future in waiting), done]

    def _check_share(self, first: int, last: int) -> int:
        """The first game of a share whose action is not legal; `size` if there is none."""
        part = slice(first, last)
        many = self.game.actions
        wrong = int(first_illegal(self._actions[part], self.actor[part], self.legal[part], many))
        return self.size if wrong < 0 else first + wrong

    def _nth_share(self, first: int, last: int) -> None:
        part = slice(first, last)
        actions, places = self._actions[part], self._places[part]
        nth_actions(self.legal[part], self.counts[part], places, actions)

    def _step_nth_share(self, first: int, last: int) -> None:
        self._nth_share(first, last)
        self._step_share(first, last)

    def _step_share(self, first: int, last: int) -> None:
        step_games(
            self.start,
            self.states[first:last],
            self._rngs[first:last],
            self._actions[first:last],
            self.actor[first:last],
            self.legal[first:last],
            self.counts[first:last],
            self.points[first:last],
            self.rewards[first:last],
            self.done[first:last],
            self.restart,
        )

    def _observe_share(self, first: int, last: int) -> None:
        observe_games(
            self.states[first:last], self.actor[first:last], self._observations[first:last]
        )


def _at_least_one(name: str, value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise InvalidSetup(f"{name} must be a whole number from 1 on, not {value!r:.20}")
    return value


@compiled
def step_games(
    start, states, rngs, actions, actors, legals, counts, points, rewards, done, restart
):
    """Take one action in each game, then let chance act until a player must."""
    for i in range(len(states)):
        done[i] = False
        rewards[i, :] = 0
        if actors[i] == OVER and actions[i] != BEGIN:
            continue
        s = states[i]
        number = actions[i]
        while True:
            if number == BEGIN:
                states[i] = start[0]
            else:
                apply(s, number)
            who = actor(s)
            if who == CHANCE:
                number = draw(s, rngs[i])
            elif who == OVER:
                _, winners = outcome(s, points[i])
                share_victory(winners, rewards[i])
                done[i] = True
                if not restart:
                    break
                number = BEGIN
            else:
                break
        actors[i] = who
        legals[i, :] = 0
        if who != OVER:
            legal(s, legals[i])
        counts[i] = masks.count(legals[i])


@compiled
def first_illegal(actions, actors, legals, many):
    """The first game whose action is not legal, or -1; where it is over, any action will do."""
    for i in range(len(actions)):
        a = actions[i]
        if actors[i] == OVER:
            actions[i] = 0
        elif not 0 <= a < many or not masks.is_allowed(legals[i], a):
            return i
    return -1


@compiled
def nth_actions(legals, counts, places, actions):
    """The legal action at a place, or the last one; 0 where there is none."""
    for i in range(len(actions)):
        place = min(max(places[i], 0), counts[i] - 1)
        actions[i] = masks.nth(legals[i], place) if counts[i] else 0


@compiled
def spread(legals, matrix):
    """Bits to yes and no."""
    for i in range(len(matrix)):
        for a in range(matrix.shape[1]):
            matrix[i, a] = masks.is_allowed(legals[i], a)


@compiled
def observe_games(states, actors, out):
    """What each actor may know; nothing where the game is over."""
    out[:] = 0
    for i in range(len(states)):
        if actors[i] != OVER:
            observe(states[i], int(actors[i]), out[i])
