"""What is worth a thought in the Race, for the search."""

import numpy as np

from caramba.bots.advice.race.evaluation import SHARP, gain_from_die
from caramba.bots.advice.race.tactics import AMOUNTS, best_ambush, good_amount, highest_offer
from caramba.bots.compiled import compiled
from caramba.games.masks import allow, is_allowed, lowest, nth
from caramba.games.race.actions import ACCEPT, NO, OFFER, PLACE
from caramba.games.race.rules import last_space
from caramba.games.race.state import HATS, Phase


@compiled
def narrow(s, mask):
    """Few places, the best ambush, amounts that may pay, the highest offer; all numbers of dice."""
    match s.phase:
        case Phase.PLACE:
            keep_spaces(mask, good_places(s, mask), PLACE)
        case Phase.ROUND_AMBUSH | Phase.TURN_AMBUSH:
            best = best_ambush(s, mask, np.zeros(HATS), np.zeros(HATS), SHARP)
            mask[:] = 0
            allow(mask, NO)
            allow(mask, best)
        case Phase.OFFERS:
            keep_amounts(s, mask)
        case Phase.ANSWER:
            mask[:] = 0
            allow(mask, NO)
            allow(mask, ACCEPT + highest_offer(s))


@compiled
def keep_spaces(mask, spaces, do):
    """Allow an action on these spaces and nothing else."""
    mask[:] = 0
    while spaces:
        allow(mask, do + lowest(spaces))
        spaces &= spaces - 1


@compiled
def good_places(s, mask):
    """As bits: the rearmost free spaces, and some all along the track."""
    first = nth(mask, 0) - PLACE
    spaces = 1 << first
    apart = last_space(s) // SPREAD + 1
    for space in range(first + 1, last_space(s) + 1):
        near = space <= first + 2 or (space - first) % apart == 0
        if near and is_allowed(mask, PLACE + space):
            spaces |= 1 << space
    return spaces


SPREAD = 7


@compiled
def keep_amounts(s, mask):
    """No offer, or one of the good amounts that the die may be worth and that can be paid."""
    most = gain_from_die(s, s.seat, np.zeros(HATS), np.zeros(HATS), SHARP)
    mask[:] = 0
    allow(mask, NO)
    for step in range(AMOUNTS):
        amount = good_amount(s, step)
        if amount <= min(most, s.money[s.seat]):
            allow(mask, OFFER + amount)
