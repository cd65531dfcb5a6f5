"""What is worth a thought in the Auction, for the search."""

import numpy as np

from caramba.bots.advice.auction.evaluation import cheapest, gap, smallest, strongest
from caramba.bots.advice.auction.tactics import best_discard, bid_on
from caramba.bots.compiled import compiled
from caramba.games.auction.actions import BID_STEP, KEEP, VUELTA
from caramba.games.auction.rules import holds
from caramba.games.auction.state import CARDS, GOODS, NONE, Phase, Special
from caramba.games.masks import count, forbid

BID_BITS = np.uint64((1 << CARDS * BID_STEP) - 1)
"""All bids, in the first word of a mask."""


@compiled
def narrow(s, mask):
    """Of each good keep the least card that takes the lead, the strongest and the smallest."""
    match s.phase:
        case Phase.BIDS:
            narrow_bids(s, mask)
        case Phase.STASH:
            narrow_stash(s, mask)
        case _:
            pass


@compiled
def narrow_bids(s, mask):
    """Few cards of each good, and one card at most for Estoy de vuelta."""
    me = int(s.seat)
    hand = int(s.hand[me])
    bids = 0
    for good in range(GOODS):
        c = smallest(s, hand, good, 1)
        if c != NONE:
            need = gap(s, me, good) + 1
            bids |= 1 << bid_on(c, good) | 1 << bid_on(strongest(s, hand, good), good)
            c = cheapest(s, hand, good, need)
            if c != NONE:
                bids |= 1 << bid_on(c, good)
    mask[0] &= ~BID_BITS | np.uint64(bids)
    if holds(s, me, Special.VUELTA):
        narrow_vuelta(s, mask)


@compiled
def narrow_vuelta(s, mask):
    """Only the best discard, if it is a strong one; unless there is nothing else to do."""
    chosen = best_discard(s, mask)
    for c in range(CARDS):
        if c != chosen and count(mask) > 1:
            forbid(mask, VUELTA + c)


@compiled
def narrow_stash(s, mask):
    """To keep everything in play pays at most when it delays the end."""
    if s.sack:
        forbid(mask, KEEP)
