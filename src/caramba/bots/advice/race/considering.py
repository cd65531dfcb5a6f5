"""What is worth a thought in the Race: so that a network need not judge all there is."""

from caramba.bots.advice.race.evaluation import DIE, fees
from caramba.bots.compiled import compiled
from caramba.games.masks import allow, is_allowed, lowest, nth
from caramba.games.race.actions import AMBUSH, NO, OFFER, PLACE
from caramba.games.race.rules import hats, last_space, on_track, on_track_now, owner, rank
from caramba.games.race.state import Phase

OFFERS = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48)
"""Offers to think of, and steps by which those of others are told apart."""
SPREAD = 7
"""So many places along the track are worth a thought, about."""


@compiled
def consider(s, mask):
    """Few places, ambushes where others may come, and some of all the amounts to offer."""
    match s.phase:
        case Phase.PLACE:
            keep_spaces(mask, good_places(s, mask), PLACE)
        case Phase.ROUND_AMBUSH | Phase.TURN_AMBUSH:
            keep_spaces(mask, ambushes(s, mask), AMBUSH)
            allow(mask, NO)
        case Phase.OFFERS:
            keep_offers(s, mask)


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


@compiled
def ambushes(s, mask):
    """As bits: spaces on which others are likely to end their next move."""
    spaces = 0
    for hat in range(hats(s)):
        if on_track(s, hat) and owner(s, hat) != s.seat:
            likely = int(s.position[hat]) + int(DIE * rank(s, hat))
            for space in range(likely - 1, min(likely + 2, last_space(s)) + 1):
                if is_allowed(mask, AMBUSH + space):
                    spaces |= 1 << space
    return spaces


@compiled
def keep_offers(s, mask):
    """Of all that could be offered, some amounts, up to half of what is at stake."""
    allowed = 0
    most = max(1, (int(s.pot) + fees(s, on_track_now(s))) // 2)
    for step in range(len(OFFERS)):
        if OFFERS[step] <= most:
            allowed |= int(is_allowed(mask, OFFER + OFFERS[step])) << step
    mask[:] = 0
    allow(mask, NO)
    for step in range(len(OFFERS)):
        if allowed >> step & 1:
            allow(mask, OFFER + OFFERS[step])
