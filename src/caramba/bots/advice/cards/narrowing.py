"""What is worth a thought in the Cards, for the search."""

import numpy as np

from caramba.bots.advice.cards.evaluation import gain_of_call, waiting
from caramba.bots.advice.cards.tactics import EVERY_DROP, points_at, points_by_place
from caramba.bots.compiled import compiled
from caramba.games.cards.actions import CARAMBA, DROP
from caramba.games.cards.rules import MANY
from caramba.games.masks import allow, count, forbid, is_allowed, lowest

WIDTH = 8
"""So many actions are worth a thought."""


@compiled
def narrow(s, mask):
    """Call or not as advised, since worlds imagined at random know nothing of how low hands get.

    Otherwise leave out the discards that get rid of the fewest points.
    """
    if is_allowed(mask, CARAMBA):
        if gain_of_call(s) >= waiting(s):
            mask[:] = 0
            allow(mask, CARAMBA)
        else:
            forbid(mask, CARAMBA)
    by_place = points_by_place(int(s.hand[s.seat]))
    for _ in range(count(mask) - WIDTH):
        forbid(mask, lightest_drop(mask, by_place))


@compiled
def lightest_drop(mask, by_place):
    """The discard with the fewest points."""
    lightest = -1
    fewest = MANY
    drops = np.int64(mask[0] & EVERY_DROP)
    while drops:
        choice = lowest(drops)
        points = points_at(by_place, choice)
        if points < fewest:
            fewest = points
            lightest = DROP + choice
        drops &= drops - 1
    return lightest
