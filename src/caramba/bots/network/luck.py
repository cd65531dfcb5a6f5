"""Who was lucky, and by how much: by the judgement of a network that sees all, and without favour.

What a step of chance gave a seat is how well it stands after it, less how well it would stand on
average over all that chance could have done, each with its weight. That average is exact, so
luck is nothing on average, whoever plays and however badly the network judges: a share of
victory less the luck of its seat has the same mean, and less spread the better the judgement.
"""

from collections.abc import Sequence

import numpy as np

from caramba.bots.advice import features
from caramba.bots.compiled import compiled
from caramba.bots.network.champion import desk_for, guessed, unit
from caramba.bots.network.kept import Origin
from caramba.bots.network.network import Weights, judge_sums, sum_rows
from caramba.bots.network.sheet import GUESS, NEXT, clear
from caramba.games.contract import CHANCE, Game
from caramba.games.generic import apply, chances, outcome, share_victory


class Luck:
    """A judge of luck for one game."""

    def __init__(self, game: Game, weights: Weights, origin: Origin) -> None:
        self.game, self.weights, self.origin = game, weights, origin

    def of(self, start: np.ndarray, log: Sequence[tuple[int, int]], players: int) -> list[float]:
        """What chance gave each seat in a game, in shares of victory."""
        desk = desk_for(start, self.game, self.origin.features)
        luck, steps = np.zeros(players), np.array(log, np.int64).reshape(-1, 2)
        after = np.zeros((2, players))
        odds = np.zeros(self.game.widest_chance, np.int64)
        points = np.zeros(players, np.int64)
        add_luck(start.copy(), steps, self.weights, desk, odds, after, points, luck)
        return [round(float(one), 6) for one in luck]


@compiled
def everything(s, seat, sheet):
    """What all know together: what this seat knows, then what all others do as one."""
    clear(sheet)
    features(s, seat, sheet)
    width, own = sheet[NEXT], sheet[GUESS]
    for p in range(s.players):
        if p != seat:
            sheet[NEXT] = width
            features(s, p, sheet)
    sheet[NEXT], sheet[GUESS] = 2 * width, own


@compiled
def add_luck(states, steps, weights, desk, odds, after, points, luck):
    """Go through a game and add up what each step of chance gave everybody."""
    for i in range(len(steps)):
        if steps[i, 0] == CHANCE:
            judge_chance(states, steps[i, 1], weights, desk, odds, after, points)
            luck += after[1] - after[0]
        apply(states[0], steps[i, 1])


@compiled
def judge_chance(states, number, weights, desk, odds, after, points):
    """How everybody stands after a step of chance: on average, and after what it was."""
    odds[:] = 0
    first, many = chances(states[0], odds)
    total = 0
    for k in range(many):
        total += int(odds[k])
    after[:] = 0
    for k in range(many):
        if odds[k]:
            desk.worlds[1] = states[0]
            apply(desk.worlds[1], first + k)
            add_standing(desk.worlds[1], odds[k] / total, weights, desk, after[0], points)
            if first + k == number:
                add_standing(desk.worlds[1], 1.0, weights, desk, after[1], points)


@compiled
def add_standing(s, part, weights, desk, standing, points):
    """Add how well everybody stands, as who sees all cards would say, to a weighted sum.

    One seat's gain is another's loss: what all think to have gained together is taken away.
    """
    players = len(standing)
    end, winners = outcome(s, points)
    shares = np.zeros(players)
    whole = unit(desk.scale, players)
    if end:
        share_victory(winners, shares)
    else:
        for p in range(players):
            everything(s, p, desk.sheets[0])
            sum_rows(weights, desk.sheets[0], desk.sums)
            more = judge_sums(weights, desk.sums, desk.narrow)
            shares[p] = (more + guessed(desk.sheets[0], desk.scale, players)) / whole
    mean = shares.mean()
    for p in range(players):
        standing[p] += part * (shares[p] - mean)
