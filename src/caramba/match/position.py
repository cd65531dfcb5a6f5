"""Where a game stands: its state on paper, and what the rules say of it."""

from functools import cached_property
from typing import Any

import numpy as np

from caramba.games import masks
from caramba.games.contract import CHANCE, OVER, Action, Game, Result, Vocabulary
from caramba.games.paper import Noted


class Position:
    """A state between two steps. Taking a step leads to another one."""

    def __init__(self, game: Game, players: int, packed: bytes, on_paper: Any = None) -> None:
        self.game, self.players = game, players
        self.packed = packed
        """The state as the bytes of its record."""
        self.on_paper = on_paper or game.layout.unpack(packed)
        who: int = game.paper.actor(self.on_paper)
        self.actor = None if who == OVER else who
        """Whose step it is: a seat, CHANCE, or None when the game is over."""

    def take(self, number: int | None) -> tuple["Position", tuple[Noted, ...]]:
        """The next position, and what the rules noted on the way there. This one is used up."""
        s = self.on_paper
        self.game.paper.apply(s, number)
        after = self.game.layout.pack(s)
        *noted, last = s.journal
        s.journal, s.shared = [], {}
        return Position(self.game, self.players, after, s), (*noted, last._replace(table=after))

    def vocabulary(self, who: int) -> Vocabulary:
        """What somebody, or chance, can say here."""
        return self.game.vocabulary(self.on_paper, who)

    @cached_property
    def legal(self) -> dict[int, Action]:
        """By number: what the seat to act may do; nothing when chance is to act."""
        if self.actor is None or self.actor == CHANCE:
            return {}
        mask = np.zeros(masks.width(self.game.actions), np.uint64)
        self.game.paper.legal(self.on_paper, mask)
        write = self.vocabulary(self.actor).write
        return {n: action for n in masks.members(mask) if (action := write(n))}

    @cached_property
    def weighed(self) -> tuple[int, list[int]]:
        """The number of the first thing that chance may do, and the weights of all."""
        weights = [0] * self.game.widest_chance
        first, many = self.game.paper.chances(self.on_paper, weights)
        return first, [int(weight) for weight in weights[:many]]

    @property
    def points(self) -> list[int]:
        """Everybody's points so far."""
        return self._outcome()[0]

    @property
    def result(self) -> Result | None:
        """Points, winners and reason of the end; None while the game goes on."""
        return Result.of(self.game, *self._outcome()) if self.actor is None else None

    def _outcome(self) -> tuple[list[int], int, int]:
        """Points, the end, and the winners as bits."""
        points = [0] * self.players
        end, winners = self.game.paper.outcome(self.on_paper, points)
        return points, end, winners

    @property
    def places(self) -> tuple[int, ...]:
        """By seat, once the game is over: who came first, second, and so on."""
        result = self.result
        if result is None:
            return ()
        sign = 1 if self.game.few_points_win else -1
        ranks = [(p not in result.winners, sign * n) for p, n in enumerate(result.points)]
        return tuple(1 + sum(other < rank for other in ranks) for rank in ranks)
