"""A game between bots, from its first step to its last."""

import time
from collections.abc import Sequence
from contextlib import nullcontext

import numpy as np

from caramba.bots.knowledge import Bot, Knowledge, ask, draws_again, listens
from caramba.bots.levels import make_bot
from caramba.bots.limits import Limit, TooLate
from caramba.games import generic, masks
from caramba.games.contract import CHANCE, OVER, Event, Game, Result
from caramba.games.playout import Playout, add_result
from caramba.match.position import Position

LATE = "too late"
"""How a game ended in which somebody did not answer in time."""


class BotGame:
    """Bots around one game. They are asked only where there is a choice."""

    def __init__(
        self,
        game: Game,
        start: np.ndarray,
        bots: Sequence[Bot],
        limit: Limit | None = None,
        lots: int = 0,
    ) -> None:
        self.game, self.bots = game, bots
        self.in_time = limit.hold if limit else nullcontext
        """Holds a decision to the limit, if there is one."""
        self.players = len(bots)
        self.state = start.copy()
        """The true state, for the referee."""
        self.log: list[tuple[int, int]] = []
        """Who (a seat or CHANCE), and the number of the step."""
        self.lots = lots
        """So often who decides by lot draws again, for a judge of luck."""
        self.others: dict[int, list[int]] = {}
        """By place in the log: what was drawn again, where that is not always the same."""
        self.seconds: list[list[float]] = [[] for _ in bots]
        """How long each has thought, decision by decision."""
        self._mask = np.zeros(masks.width(game.actions), np.uint64)
        self.told: dict[int, list[Event]] = {p: [] for p, bot in enumerate(bots) if listens(bot)}
        """By seat of a bot that listens: what it was told."""
        self._on_paper = Position(game, self.players, start.tobytes()) if self.told else None

    def to_the_end(self, chance: np.ndarray) -> Result:
        """Play to the end, chance from a stream of its own."""
        while (who := int(generic.actor_of(self.state))) != OVER:
            try:
                number = generic.draw_for(self.state, chance) if who == CHANCE else self._ask(who)
            except TooLate:
                return self._result(forfeited_by=who)
            self.log.append((who, int(number)))
            generic.apply_to(self.state, number)
            self._tell(int(number))
        return self._result()

    def _tell(self, number: int) -> None:
        """What happened in a step, to all who listen, each as their seat sees it."""
        if self._on_paper is None:
            return
        self._on_paper, noted = self._on_paper.take(number)
        for what, facts, _ in noted or ():
            event = self.game.event(self._on_paper.on_paper, what, *facts)
            for seat, told in self.told.items():
                told.append(event.seen_by(frozenset([seat])))

    def _result(self, forfeited_by: int | None = None) -> Result:
        """What came of it; all others win what somebody forfeits, with the points as they are."""
        points = np.zeros(self.players, np.int64)
        end, winners = generic.outcome_of(self.state, points)
        if forfeited_by is not None:
            others = (seat for seat in range(self.players) if seat != forfeited_by)
            return Result(tuple(points.tolist()), tuple(others), LATE)
        return Result.of(self.game, points, end, winners)

    def _ask(self, seat: int) -> int:
        generic.legal_of(self.state, self._mask)
        if masks.count(self._mask) == 1:
            return int(masks.nth(self._mask, 0))
        told = self.told.get(seat, ())
        knowledge = Knowledge(self.game, self.state, seat, self.players, told)
        with self.in_time():
            started = time.perf_counter()
            try:
                number = ask(self.bots[seat], knowledge)
            finally:
                self.seconds[seat].append(time.perf_counter() - started)
        if self.lots and draws_again(self.bots[seat]):
            self._draw_again(seat, knowledge, number)
        return number

    def _draw_again(self, seat: int, knowledge: Knowledge, number: int) -> None:
        with self.in_time():
            others = [ask(self.bots[seat], knowledge, "again") for _ in range(self.lots)]
        if others != [number] * self.lots:
            self.others[len(self.log)] = others


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
        bot_game = BotGame(self.game, self.start, bots)
        bot_game.to_the_end(rng)
        self.state[:] = bot_game.state
        t = self.tally
        t.steps += np.bincount([who == CHANCE for who, _ in bot_game.log], minlength=2)
        add_result(self.state, self._points, t.points, t.wins, t.ends)
        return bot_game.log
