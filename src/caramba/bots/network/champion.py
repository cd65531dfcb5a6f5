"""The player: every action is judged by what the seat would know after it.

Beside the features of its game, a sheet has one more: whether a player by rules would do the same.
So a network begins with what is known about a game, and learns where it is wrong.
"""

from typing import NamedTuple

import numpy as np

from caramba.bots.advice import consider, features, foresee, strong
from caramba.bots.compiled import compiled
from caramba.bots.network.network import NARROW, WIDE, change_rows, judge_sums, sum_rows
from caramba.bots.network.sheet import HEAD, NEXT, YESES, blank, clear, yes
from caramba.games import masks


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


def desk_for(states: np.ndarray, actions: int, number_of_features: int) -> Desk:
    """A desk for a game, of which this is a state."""
    return Desk(
        np.repeat(states[:1], 2),
        blank(2),
        np.zeros(masks.width(actions), np.uint64),
        np.zeros(actions, np.int64),
        np.zeros(actions, np.float32),
        np.zeros(number_of_features, np.int8),
        np.zeros(WIDE, np.float32),
        np.zeros(NARROW, np.float32),
    )


@compiled
def judge_all(s, seat, mask, advised, weights, desk):
    """The value of every action that is worth considering; how many they are.

    `advised` is what a player by rules would do.
    """
    desk.mask[:] = mask
    consider(s, desk.mask)
    masks.allow(desk.mask, advised)
    many = masks.list_members(desk.mask, desk.actions)
    desk.sheets[1, YESES] = 0
    for i in range(many):
        write(s, seat, desk.actions[i], advised, desk.worlds, desk.sheets[0])
        if i == 0:
            sum_rows(weights, desk.sheets[0], desk.sums)
        else:
            change_rows(weights, desk.sheets[1], desk.sheets[0], desk.marks, desk.sums)
        copy(desk.sheets[0], desk.sheets[1])
        desk.values[i] = judge_sums(weights, desk.sums, desk.narrow)
    return many


@compiled
def write(s, seat, action, advised, worlds, sheet):
    """What a seat would know after an action of its own, and whether that was advised."""
    worlds[0] = s
    foresee(worlds[0], action)
    clear(sheet)
    features(worlds[0], seat, sheet)
    yes(sheet, action == advised)


@compiled
def copy(sheet, other):
    """Note the same on another sheet."""
    for i in range(HEAD + sheet[YESES]):
        other[i] = sheet[i]


@compiled
def best_of(states, seat, mask, rng, weights, desk):
    """The action with the highest value, in a world as the seat may imagine it."""
    advised = strong(states[0], mask, rng)
    many = judge_all(states[0], seat, mask, advised, weights, desk)
    best = 0
    for i in range(1, many):
        if desk.values[i] > desk.values[best]:
            best = i
    return desk.actions[best]


def width_of_features(states: np.ndarray) -> int:
    """How many features the game of these states has, and the one beside them."""
    sheet = blank(1)[0]
    fill_in(states, sheet)
    return int(sheet[NEXT]) + 1


@compiled
def fill_in(states, sheet):
    """What the first seat knows of the first of these states."""
    clear(sheet)
    features(states[0], 0, sheet)
