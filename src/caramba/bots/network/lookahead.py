"""A player who looks one turn ahead: the network at the end of it, in many imagined worlds.

The actions that the network likes best are tried in worlds that the seat cannot tell from the true
one, all in the same worlds and with the same luck. The others do there what the network would do
in their place, by what they know; when it is the seat's turn again, it is asked how well that
stands. What the network likes best is done unless something else is better beyond doubt.
"""

from pathlib import Path
from typing import NamedTuple

import numpy as np

from caramba.bots.advice import advice_on, stage, worth
from caramba.bots.budget import FEW, Budget, Slicer
from caramba.bots.compiled import compiled
from caramba.bots.knowledge import Knowledge
from caramba.bots.network.champion import MOST_SEATS, Desk, best_of, judge_all, unit
from caramba.bots.network.network import Weights
from caramba.bots.network.player import Champion
from caramba.games import masks
from caramba.games.chance import below
from caramba.games.contract import CHANCE, OVER
from caramba.games.generic import actor, apply, draw, legal, outcome, resample, share_victory

TRIED = 6
"""So many actions are tried."""
DOUBT = 1.0
"""So many standard errors better is beyond doubt."""
HOPELESS = 2.5
"""What would have to be so many standard errors better than it looks is given up."""
SEEDS = 1 << 31


class Trial(NamedTuple):
    """What is tried, and what came of it."""

    actions: np.ndarray
    sums: np.ndarray  # of the values, less those of the first action
    squares: np.ndarray
    values: np.ndarray
    games: np.ndarray
    mask: np.ndarray
    shares: np.ndarray
    points: np.ndarray


class LookAhead(Champion):
    """Looks one turn ahead, in games where that is better than the network alone."""

    def __init__(self, budget: Budget, seed: int = 0, file: Path | None = None) -> None:
        super().__init__(seed, file)
        self.budget = budget

    def decide(self, world: np.ndarray, knowledge: Knowledge, weights: Weights, desk: Desk) -> int:
        """Try actions as long as the budget allows, and as long as there is a question."""
        if not advice_on(knowledge.game).looks_ahead:
            return super().decide(world, knowledge, weights, desk)
        by_stage = advice_on(knowledge.game).learns_by_stage
        trial = trial_of(world, best_first(world, knowledge, weights, desk), knowledge.mask)
        slicer, tried = Slicer(self.budget), 0
        while len(trial.actions) > 1:
            worlds = slicer.worlds(len(trial.actions), 1.0)
            if worlds == 0:
                break
            look(world, knowledge.seat, worlds, weights, desk, trial, by_stage, self.rng)
            tried += worlds
            if tried >= FEW:
                trial = without_hopeless(trial, tried)
        return int(trial.actions[best_place(trial, tried)])


def best_first(world: np.ndarray, knowledge: Knowledge, weights: Weights, desk: Desk) -> np.ndarray:
    """The actions that the network likes best."""
    many = judged(world, knowledge.seat, knowledge.mask, weights, desk)
    order = np.argsort(-desk.values[:many], kind="stable")[:TRIED]
    return desk.actions[:many][order]


@compiled
def judged(states, seat, mask, weights, desk):
    """How many actions were judged."""
    return judge_all(states[0], seat, mask, weights, desk)


def trial_of(world: np.ndarray, actions: np.ndarray, mask: np.ndarray) -> Trial:
    """Room to try these."""
    many = len(actions)
    return Trial(
        actions,
        np.zeros(many),
        np.zeros(many),
        np.zeros(many),
        np.repeat(world[:1], 2),
        np.zeros_like(mask),
        np.zeros(MOST_SEATS),
        np.zeros(MOST_SEATS, np.int64),
    )


def gains(trial: Trial, tried: int) -> tuple[np.ndarray, np.ndarray]:
    """By how much each is better than the first, and the error of that."""
    mean = trial.sums / max(1, tried)
    spread = trial.squares / max(1, tried) - mean**2
    return mean, np.sqrt(np.maximum(spread, 0) / max(1, tried))


def best_place(trial: Trial, tried: int) -> int:
    """Where the best one is: the first, unless another is better beyond doubt."""
    mean, error = gains(trial, tried)
    sure = np.where(mean > DOUBT * error, mean, 0.0)
    return int(np.argmax(sure))


def without_hopeless(trial: Trial, tried: int) -> Trial:
    """Those that may still be the best; the first stays, since all are compared with it."""
    mean, error = gains(trial, tried)
    stays = mean + HOPELESS * error > max(0.0, float(np.max(mean - HOPELESS * error)))
    stays[0] = True
    return trial._replace(**{name: getattr(trial, name)[stays] for name in Trial._fields[:4]})


@compiled
def look(world, seat, worlds, weights, desk, trial, by_stage, rng):
    """Try all actions in so many worlds."""
    luck = np.zeros(1, np.uint64)
    for _ in range(worlds):
        trial.games[1] = world[0]
        resample(trial.games[1], seat, rng)
        begun = np.uint64(1 + below(rng, SEEDS))
        for i in range(len(trial.actions)):
            trial.games[0] = trial.games[1]
            luck[0] = begun
            now = stage(trial.games[0])
            apply(trial.games[0], trial.actions[i])
            trial.values[i] = go_on(seat, now, weights, desk, trial, by_stage, luck)
        for i in range(len(trial.actions)):
            gain = trial.values[i] - trial.values[0]
            trial.sums[i] += gain
            trial.squares[i] += gain * gain


@compiled
def go_on(seat, now, weights, desk, trial, by_stage, luck):
    """The value for a seat once it is its turn again, or of the end of the stage or game."""
    s = trial.games[0]
    others = False  # whether anybody else has done anything since
    who = actor(s)
    while who != OVER and not (by_stage and stage(s) != now):
        if who == CHANCE:
            apply(s, draw(s, luck))
        else:
            trial.mask[:] = 0
            legal(s, trial.mask)
            if masks.count(trial.mask) == 1:
                apply(s, masks.nth(trial.mask, 0))
            elif who == seat and others:
                many = judge_all(s, seat, trial.mask, weights, desk)
                return float(desk.values[:many].max())
            else:
                apply(s, best_of(trial.games, who, trial.mask, weights, desk))
        others = others or who != seat
        who = actor(s)
    return at_the_end(s, seat, desk, trial)


@compiled
def at_the_end(s, seat, desk, trial):
    """The value of the end of the game, or of a stage of it."""
    shares = trial.shares[: int(s.players)]
    end, winners = outcome(s, trial.points)
    if end:
        share_victory(winners, shares)
    else:
        worth(s, shares)
    return shares[seat] * unit(desk.scale, len(shares))
