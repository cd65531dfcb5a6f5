"""Who was lucky, and by how much: by the judgement of a network that sees all, and without favour.

What a step of chance gave a seat is how well it stands after it, less how well it would stand on
average over all that chance could have done, each with its weight. What somebody drew who decides
by lot is judged likewise, less the average over what the same player drew again, and as well might
have done. So luck is nothing on average, whoever plays and however badly the network judges: a
share of victory less the luck of its seat has the same mean, and less spread the better the
judgement.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from caramba.bots.advice import features
from caramba.bots.compiled import compiled
from caramba.bots.network.champion import desk_for, guessed, unit
from caramba.bots.network.kept import Origin
from caramba.bots.network.network import Weights, judge_sums, sum_rows
from caramba.bots.network.player import came_along, network_for
from caramba.bots.network.sheet import GUESS, NEXT, clear
from caramba.games import generic
from caramba.games.contract import CHANCE, Game
from caramba.games.errors import InvalidSetup
from caramba.games.generic import outcome, share_victory

OWN = "own"
"""Instead of a file: the judge that came with the game."""
LOTS = 8
"""So often who decides by lot draws again: the more often, the less of its luck is left."""


class Luck:
    """A judge of luck for one game."""

    def __init__(self, game: Game, weights: Weights, origin: Origin) -> None:
        self.game, self.weights, self.origin = game, weights, origin

    def of(
        self,
        start: np.ndarray,
        log: Sequence[tuple[int, int]],
        players: int,
        others: Mapping[int, Sequence[int]] | None = None,
    ) -> list[float]:
        """What lots gave each seat in a game, in shares of victory.

        `others` tells, by place in the log of a player's lot, what was drawn again.
        """
        review, luck = Review(self, start, players), np.zeros(players)
        for place, (who, number) in enumerate(log):
            if who == CHANCE:
                luck += review.chance(number)
            elif others and place in others:
                luck += review.lot(number, others[place])
            generic.apply_to(review.state, number)
        return [round(float(one), 6) for one in luck]


class Review:
    """A game that is gone through once more."""

    def __init__(self, luck: Luck, start: np.ndarray, players: int) -> None:
        self.luck, self.state, self.players = luck, start.copy(), players
        self.desk = desk_for(start, luck.game, luck.origin.features)
        self.odds = np.zeros(luck.game.widest_chance, np.int64)

    def chance(self, number: int) -> np.ndarray:
        """What a step of chance gives everybody."""
        first, standings, odds = self.ways(self.state)
        given: np.ndarray = standings[number - first] - odds @ standings
        return given

    def lot(self, number: int, others: Sequence[int]) -> np.ndarray:
        """What an action gives everybody that was drawn, as were the others."""
        standings = {one: self.ahead(one) for one in {number, *others}}
        given: np.ndarray = standings[number] - np.mean([standings[one] for one in others], 0)
        return given

    def ahead(self, number: int) -> np.ndarray:
        """How everybody stands after an action: on average, where chance goes on.

        The network has learned from tables as chance leaves them.
        """
        world = self.state.copy()
        generic.apply_to(world, number)
        mean: np.ndarray
        if generic.actor_of(world) == CHANCE:
            _, standings, odds = self.ways(world)
            mean = odds @ standings
        else:
            (mean,) = self.standings(world)
        return mean

    def ways(self, state: np.ndarray) -> tuple[int, np.ndarray, np.ndarray]:
        """All that chance can do: the first number, how everybody stands then, and how likely."""
        self.odds[:] = 0
        first, many = map(int, generic.chances_of(state, self.odds))
        worlds = np.repeat(state, many)
        possible = np.flatnonzero(self.odds[:many])
        for way in possible:
            generic.apply_to(worlds[way : way + 1], first + way)
        standings = np.zeros((many, self.players))
        standings[possible] = self.standings(worlds[possible])
        return first, standings, self.odds[:many] / self.odds[:many].sum()

    def standings(self, worlds: np.ndarray) -> np.ndarray:
        """How everybody stands in each of these worlds."""
        shares = np.zeros((len(worlds), self.players))
        judge_worlds(worlds, self.luck.weights, self.desk, shares)
        return shares


def judge_for(game: Game, players: int, name: str) -> Luck:
    """The judge of that name, if it has learned this game with so many players."""
    file = own_judge(game) if name == OWN else Path(name)
    if file is None:
        raise InvalidSetup(f"no judge of luck came with {game.name}; name a file")
    weights, origin = network_for(game, file, judges=True)
    if players not in origin.players:
        numbers = ", ".join(map(str, origin.players))
        raise InvalidSetup(f"{file} has learned to judge {numbers} players, not {players}")
    return Luck(game, weights, origin)


def own_judge(game: Game) -> Path | None:
    """The judge that came with a game."""
    return came_along(game, "judge.npz")


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
def judge_worlds(worlds, weights, desk, shares):
    """How well everybody stands in each world, as who sees all cards would say.

    One seat's gain is another's loss: what all think to have gained together is taken away.
    """
    for i in range(len(worlds)):
        judge_world(worlds[i], weights, desk, shares[i])
        shares[i] -= shares[i].mean()


@compiled
def judge_world(s, weights, desk, shares):
    """How well everybody thinks to stand."""
    players = len(shares)
    end, winners = outcome(s, desk.points)
    if end:
        share_victory(winners, shares)
        return
    whole = unit(desk.scale, players)
    for p in range(players):
        everything(s, p, desk.sheets[0])
        sum_rows(weights, desk.sheets[0], desk.sums)
        more = judge_sums(weights, desk.sums, desk.narrow)
        shares[p] = (more + guessed(desk.sheets[0], desk.scale, players)) / whole
