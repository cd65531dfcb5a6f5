"""The player: every action is judged by what the seat would know after it.

Where the seat goes on itself after an action, that is judged by the best it can do next; where
chance goes on, by the mean over its ways, if the game tells of them: the network sees few kinds of
moments then, compares like with like, and need not learn what can be worked out.
"""

import math
from hashlib import sha256
from typing import NamedTuple

import numpy as np

from caramba.bots.advice import advice_on, consider, features, foresee, stage, way, worth
from caramba.bots.compiled import compiled
from caramba.bots.network.network import NARROW, WIDE, change_rows, judge_sums
from caramba.bots.network.sheet import FINE, GUESS, HEAD, NEXT, YESES, blank, clear, yeses
from caramba.games import masks
from caramba.games.chance import streams
from caramba.games.contract import OVER, Game, check_options
from caramba.games.generic import (
    actor,
    apply,
    legal,
    outcome,
    random_step,
    share_victory,
)

LEAST = np.float32(-1e9)
LOOKS = 200
"""After so many steps one has seen what features mean."""
COARSE = 1 << 12
"""What a guess is told by: not by the last digits, which may differ between machines."""
MOST_SEATS = 8


class Desk(NamedTuple):
    """Where actions are judged: room for a world, sheets, and what the network works out."""

    worlds: np.ndarray
    sheets: np.ndarray
    mask: np.ndarray
    actions: np.ndarray
    values: np.ndarray
    marks: np.ndarray
    sums: np.ndarray
    narrow: np.ndarray
    points: np.ndarray
    shares: np.ndarray
    scale: float  # of values


def desk_for(states: np.ndarray, game: Game, number_of_features: int) -> Desk:
    """A desk for a game, of which this is a state."""
    actions = game.actions
    return Desk(
        np.repeat(states[:1], 3),
        blank(2),
        np.zeros(masks.width(actions), np.uint64),
        np.zeros(actions, np.int64),
        np.zeros(actions, np.float32),
        np.zeros(number_of_features, np.int8),
        np.zeros(WIDE, np.float32),
        np.zeros(NARROW, np.float32),
        np.zeros(MOST_SEATS, np.int64),
        np.zeros(MOST_SEATS),
        advice_on(game).scale,
    )


@compiled
def judge_all(s, seat, mask, weights, desk):
    """The value of every action that is worth considering; how many they are."""
    desk.mask[:] = mask
    consider(s, desk.mask)
    many = masks.list_members(desk.mask, desk.actions)
    desk.sheets[1, YESES] = 0
    desk.sums[:] = weights.wide
    for i in range(many):
        desk.worlds[0] = s
        foresee(desk.worlds[0], desk.actions[i])
        if actor(desk.worlds[0]) == seat:
            desk.values[i] = judge_next(seat, weights, desk)
        else:
            desk.values[i] = look(desk.worlds[0], seat, weights, desk)
    return many


@compiled
def judge_next(seat, weights, desk):
    """The value of the best that the seat can do next."""
    desk.mask[:] = 0
    legal(desk.worlds[0], desk.mask)
    consider(desk.worlds[0], desk.mask)
    best = LEAST
    for place in range(masks.count(desk.mask)):
        desk.worlds[1] = desk.worlds[0]
        foresee(desk.worlds[1], masks.nth(desk.mask, place))
        best = max(best, look(desk.worlds[1], seat, weights, desk))
    return best


@compiled
def look(s, seat, weights, desk):
    """The value of a world; where chance goes on, the mean over its ways."""
    total, weighed = 0.0, 0.0
    desk.worlds[2] = s
    number = 0
    weight = way(desk.worlds[2], seat, number)
    while weight >= 0:
        if weight > 0:
            total += weight
            weighed += weight * judge_rest(desk.worlds[2], stage(s), seat, weights, desk)
            desk.worlds[2] = s
        number += 1
        weight = way(desk.worlds[2], seat, number)
    return np.float32(weighed / total) if total > 0 else judge(s, seat, weights, desk)


@compiled
def judge_rest(s, before, seat, weights, desk):
    """The value of a world after chance has gone on: the stage, or the game, may be over."""
    shares = desk.shares[: int(s.players)]
    end, winners = outcome(s, desk.points)
    if end:
        share_victory(winners, shares)
    elif stage(s) != before:
        worth(s, shares)
    else:
        return judge(s, seat, weights, desk)
    return np.float32(shares[seat] * unit(desk.scale, len(shares)))


@compiled
def unit(scale, players):
    """The value of a whole victory."""
    return scale * math.sqrt(players)


@compiled
def judge_anew(s, seat, weights, desk):
    """What the network says of a world, whatever it was asked before; its sheet is the first."""
    desk.sheets[1, YESES] = 0
    desk.sums[:] = weights.wide
    return judge(s, seat, weights, desk)


@compiled
def judge(s, seat, weights, desk):
    """What the network says of a world, from what it said of the one before."""
    clear(desk.sheets[0])
    features(s, seat, desk.sheets[0])
    change_rows(weights, desk.sheets[1], desk.sheets[0], desk.marks, desk.sums)
    copy(desk.sheets[0], desk.sheets[1])
    more = judge_sums(weights, desk.sums, desk.narrow)
    return more + guessed(desk.sheets[0], desk.scale, int(s.players))


@compiled
def guessed(sheet, scale, players):
    """What a rule of thumb expected, as a value."""
    return np.float32(unit(scale, players) * sheet[GUESS] / FINE)


@compiled
def write(s, seat, action, worlds, sheet):
    """What a seat would know after an action of its own; whether it then goes on itself."""
    worlds[0] = s
    foresee(worlds[0], action)
    clear(sheet)
    features(worlds[0], seat, sheet)
    return actor(worlds[0]) == seat


@compiled
def copy(sheet, other):
    """Note the same on another sheet."""
    for i in range(HEAD + sheet[YESES]):
        other[i] = sheet[i]


@compiled
def best_of(states, seat, mask, weights, desk):
    """The action with the highest value, in a world as the seat may imagine it."""
    many = judge_all(states[0], seat, mask, weights, desk)
    best = 0
    for i in range(1, many):
        if desk.values[i] > desk.values[best]:
            best = i
    return desk.actions[best]


def width_of_features(states: np.ndarray) -> int:
    """How many features the game of these states has."""
    sheet = blank(1)[0]
    fill_in(states, 0, sheet)
    return int(sheet[NEXT])


@compiled
def fill_in(states, seat, sheet):
    """What a seat knows of the first of these states."""
    clear(sheet)
    features(states[0], seat, sheet)


def sight(game: Game) -> str:
    """What its features mean, in short: what they say of a game that is always the same.

    Where a network has learned with others, it does not understand these.
    """
    state, rng, sheet = standard_start(game), streams(0, 1)[0], blank(1)[0]
    mask = np.zeros(masks.width(game.actions), np.uint64)
    seen = sha256(str(advice_on(game).scale).encode())
    for _ in range(LOOKS):
        if stroll(state, rng, mask) == OVER:
            break
        for seat in range(game.players[0]):
            fill_in(state, seat, sheet)
            seen.update(np.array([sheet[GUESS] // COARSE, *sorted(yeses(sheet))]).tobytes())
    return seen.hexdigest()[:16]


@compiled
def stroll(states, rng, mask):
    """Take any step, and return who took it."""
    who = actor(states[0])
    if who != OVER:
        apply(states[0], random_step(states[0], who, mask, rng))
    return who


def standard_start(game: Game) -> np.ndarray:
    """A game without options, before its first step."""
    players = game.players[0]
    return game.setup(players, check_options(game, players, {}))
