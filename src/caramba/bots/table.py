"""A game between bots, from its first step to its last."""

import time
from collections.abc import Sequence

import numpy as np

from caramba.bots.knowledge import Bot, Knowledge, ask
from caramba.bots.levels import make_bot
from caramba.games import generic, masks
from caramba.games.contract import CHANCE, OVER, Game, Result
from caramba.games.playout import Playout, add_result


class Table:
    """Bots around one game. They are asked only where there is a choice."""

    def __init__(self, game: Game, start: np.ndarray, bots: Sequence[Bot]) -> None:
        self.game, self.bots = game, bots
        self.players = len(bots)
        self.state = start.copy()
        """The true state, for the referee."""
        self.log: list[tuple[int, int]] = []
        """Who (a seat or CHANCE), and the number of the step."""
        self.seconds: list[list[float]] = [[] for _ in bots]
        """How long each has thought, decision by decision."""
        self._mask = np.zeros(masks.words(game.actions), np.uint64)

    def play(self, chance: np.ndarray) -> Result:
        """Play to the end, chance from a stream of its own."""
        while (who := int(generic.actor_of(self.state))) != OVER:
            number = generic.draw_for(self.state, chance) if who == CHANCE else self._ask(who)
            self.log.append((who, int(number)))
            generic.apply_to(self.state, number)
        points = np.zeros(self.players, np.int64)
        result = Result.of(self.game, points, *generic.outcome_of(self.state, points))
        assert result is not None
        return result

    def _ask(self, seat: int) -> int:
        generic.legal_of(self.state, self._mask)
        if masks.count(self._mask) == 1:
            return int(masks.nth(self._mask, 0))
        knowledge = Knowledge(self.game, self.state, seat, self.players)
        started = time.perf_counter()
        number = ask(self.bots[seat], knowledge)
        self.seconds[seat].append(time.perf_counter() - started)
        return number


class BotPlayout(Playout):
    """Plays games with bots, and adds them up like random ones."""

    def __init__(
        self, game: Game, start: np.ndarray, players: int, names: Sequence[str], seed: int
    ) -> None:
        super().__init__(game, start, players)
        self.names = names
        self._seeds = np.random.SeedSequence(seed)

    def load(self) -> None:
        """There is nothing to load: bots are slow enough."""

    def play(self, rngs: np.ndarray) -> int:
        """One game for each chance stream; return the number of steps of the last."""
        return len([self.record(rng) for rng in rngs][-1])

    def record(self, rng: np.ndarray) -> list[tuple[int, int]]:
        """One game more, step by step: who (a seat or CHANCE), and the number."""
        seeds = self._seeds.spawn(1)[0].generate_state(len(self.names))
        bots = [make_bot(name, int(s)) for name, s in zip(self.names, seeds, strict=True)]
        table = Table(self.game, self.start, bots)
        table.play(rng)
        self.state[:] = table.state
        t = self.tally
        t.steps += np.bincount([who == CHANCE for who, _ in table.log], minlength=2)
        add_result(self.state, self._points, t.points, t.wins, t.ends)
        return table.log
