"""Where a game stands, and what the rules say of it: on paper, or compiled."""

from functools import cached_property
from typing import Any

from caramba.games import masks
from caramba.games.contract import CHANCE, OVER, Action, Game, Result, Vocabulary
from caramba.games.paper import Noted
from caramba.games.stepping import Stepper


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
        self.memory: dict[Any, Any] = {}
        """What was worked out for somebody who looks, and is the same for whoever looks next."""

    def take(self, number: int) -> tuple["Position", list[Noted] | None]:
        """The next position, and what the rules noted on the way there. This one is used up."""
        s = self.on_paper
        self.game.paper.apply(s, number)
        after = self.game.layout.pack(s)
        noted = s.journal
        if noted:
            noted[-1] = noted[-1]._replace(table=after)
        s.journal, s.shared = [], {}
        return Position(self.game, self.players, after, s), noted

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """What the actor, a seat or chance, can say here."""
        assert self.actor is not None
        return self.game.vocabulary(self.on_paper, self.actor)

    @cached_property
    def legal(self) -> dict[int, Action]:
        """By number: what the seat to act may do; nothing when chance is to act."""
        if self.actor is None or self.actor == CHANCE:
            return {}
        write = self.vocabulary.write
        return {n: action for n in self._legal_numbers() if (action := write(n))}

    def _legal_numbers(self) -> list[int]:
        mask = [0] * masks.width(self.game.actions)
        self.game.paper.legal(self.on_paper, mask)
        return masks.members(mask)

    @cached_property
    def weighed(self) -> dict[int, int]:
        """By number: what chance may do, and the weight of each."""
        weights = [0] * self.game.widest_chance
        first, many = self.game.paper.chances(self.on_paper, weights)
        return {n: int(weight) for n, weight in enumerate(weights[:many], first) if weight}

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


class CompiledPosition(Position):
    """The same for programs that play many games: by compiled rules, which note nothing."""

    def __init__(self, game: Game, players: int, stepper: Stepper, fixed: dict[str, Any]) -> None:
        self.game, self.players = game, players
        self.packed = stepper.states.tobytes()
        self.actor = None if stepper.actor == OVER else stepper.actor
        self.memory = {}
        self._stepper, self._fixed = stepper, fixed
        self._numbers = stepper.legal()
        self.on_paper = game.layout.glimpse(self.packed, fixed)
        if self.actor is not None:
            self.vocabulary = game.vocabulary(self.on_paper, self.actor)
        if self.actor == CHANCE:
            self.weighed = dict(zip(self._numbers, stepper.weights(), strict=True))

    def take(self, number: int) -> tuple[Position, None]:
        """The next position. This one is used up."""
        self._stepper.apply(number)
        return CompiledPosition(self.game, self.players, self._stepper, self._fixed), None

    def _legal_numbers(self) -> list[int]:
        return self._numbers
