"""How good a network is, quickly: games in which one seat is its own, and all others rule players'.

Every seat has its turn with the same luck. The others may also be a rival: another network.
"""

from collections.abc import Sequence

import numpy as np

from caramba.bots.advice import strong
from caramba.bots.compiled import compiled
from caramba.bots.network.champion import best_of, desk_for
from caramba.bots.network.network import Weights, weights_in
from caramba.bots.network.selfplay import hall_for
from caramba.games import masks
from caramba.games.chance import streams
from caramba.games.contract import CHANCE, OVER, Game, check_options
from caramba.games.generic import actor, apply, draw, legal, outcome, resample, share_victory


class Duel:
    """Games of a network against players by rules, or against a rival."""

    def __init__(self, game: Game, features: int, rival: Weights | None = None) -> None:
        self.game, self.features, self.rival = game, features, rival

    def shares(self, theta: np.ndarray, players: Sequence[int], games: int) -> tuple[float, ...]:
        """What it wins on average in so many games, times the players: 1 is its fair share."""
        weights = weights_in(theta, self.features)
        return tuple(self._share(weights, n, -(-games // n)) for n in players)

    def _share(self, weights: Weights, players: int, deals: int) -> float:
        start = self.game.setup(players, check_options(self.game, players, {}))
        hall = hall_for(start, self.game.actions)
        desk = desk_for(start, self.game, self.features)
        pairs = streams(0, 2 * deals).reshape(deals, 2, 1)  # one for luck, one for thoughts
        both = (weights, self.rival)
        won = sum(float(play_deal(start, *pair, *both, hall, desk)) for pair in pairs)
        return won / deals


@compiled
def play_deal(start, luck, thoughts, weights, rival, hall, desk):
    """A deal in every seat; what was won in all of them together."""
    won = 0.0
    before = luck[0]
    for seat in range(int(start[0].players)):
        luck[0] = before
        won += play_from(start, seat, luck, thoughts, weights, rival, hall, desk)
    return won


@compiled
def play_from(start, seat, luck, thoughts, weights, rival, hall, desk):
    """One game: the share of that seat."""
    hall.games[0] = start[0]
    s = hall.games[0]
    who = actor(s)
    while who != OVER:
        if who == CHANCE:
            apply(s, draw(s, luck))
        else:
            hall.mask[:] = 0
            legal(s, hall.mask)
            hall.games[1] = s
            resample(hall.games[1], who, thoughts)
            world = hall.games[1:]
            if masks.count(hall.mask) == 1:
                apply(s, masks.nth(hall.mask, 0))
            elif who == seat:
                apply(s, best_of(world, who, hall.mask, weights, desk))
            elif rival is None:
                apply(s, strong(world[0], hall.mask, thoughts))
            else:
                apply(s, best_of(world, who, hall.mask, rival, desk))
        who = actor(s)
    _, winners = outcome(s, hall.points)
    share_victory(winners, hall.shares[: int(s.players)])
    return hall.shares[seat]
