"""What to do in the Cards: get rid of much at once, keep what goes together, call in time."""

import numpy as np

from caramba.bots.advice.cards.evaluation import (
    MUCH,
    cost_after_take,
    cost_of,
    cost_with_pile,
    gain_of_call,
    gift,
    waiting,
)
from caramba.bots.compiled import compiled
from caramba.games.cards.actions import CARAMBA, DROP, TAKE, TAKE_PILE
from caramba.games.cards.components import CALL_LIMIT, HAND
from caramba.games.cards.rules import MANY, chosen, nth_card, points_of
from caramba.games.cards.state import Phase
from caramba.games.chance import below
from caramba.games.masks import count, is_allowed, lowest, nth, ones

EVERY_DROP = np.uint64((1 << (1 << HAND)) - 2)
"""A bit for every discard there is, in the first word of a mask."""


# Strong


@compiled
def strong(s, mask, rng):
    """Keep what costs least, the next discard in mind; call when it is likely to succeed."""
    if s.phase == Phase.TAKE:
        return best_take(s, mask)
    if is_allowed(mask, CARAMBA) and gain_of_call(s) >= waiting(s):
        return CARAMBA
    return best_drop(s, mask)


@compiled
def best_drop(s, mask):
    """The discard after which the hand, with the best card to take, costs least."""
    hand = int(s.hand[s.seat])
    best = -1
    least = MUCH
    for choice in range(1, 1 << ones(hand)):
        if is_allowed(mask, DROP + choice):
            cards = chosen(hand, choice)
            cost = cost_after_take(s, hand & ~cards) + gift(s, s.seat, cards)
            if cost < least:
                least = cost
                best = DROP + choice
    return best


@compiled
def best_take(s, mask):
    """A card of the table if it is better than what the pile is likely to give."""
    kept = int(s.hand[s.seat])
    best = TAKE_PILE
    least = cost_with_pile(s, kept)
    for place in range(ones(s.previous)):
        if is_allowed(mask, TAKE + place):
            cost = cost_of(s, kept | 1 << nth_card(int(s.previous), place))
            if cost < least:
                least = cost
                best = TAKE + place
    return best


# Medium


@compiled
def medium(s, mask, rng):
    """Throw out about what weighs most, take what is low or makes a pair, call about in time."""
    if s.phase == Phase.TAKE:
        return low_card(s, mask, 2 + below(rng, 4), int(s.hand[s.seat]))
    if is_allowed(mask, CARAMBA) and gain_of_call(s) >= waiting(s) - below(rng, 5):
        return CARAMBA
    return heaviest_drop(s, mask, rng, 4)


# Easy

AS_PAIR = 3
"""Points of a low card that is about as good as a pair."""
CARELESS = 6
"""One turn in so many is played without thought."""


@compiled
def easy(s, mask, rng):
    """Throw out what weighs most, take what is low, call with a low hand; be careless at times."""
    if s.phase == Phase.TAKE:
        return low_card(s, mask, 3 if below(rng, 2) else -1, 0)
    if is_allowed(mask, CARAMBA):
        points = points_of(int(s.hand[s.seat]))
        if points <= 3 or (points <= CALL_LIMIT and below(rng, 3) == 0):
            return CARAMBA
    if below(rng, CARELESS) == 0:
        return any_drop(mask, rng)
    return heaviest_drop(s, mask, rng, 0)


@compiled
def any_drop(mask, rng):
    """A random discard; Caramba, if allowed, is the first action of all."""
    first = 1 if is_allowed(mask, CARAMBA) else 0
    return nth(mask, first + below(rng, count(mask) - first))


@compiled
def low_card(s, mask, limit, kept):
    """The lowest card of the table, if it has no more points than that; else the pile.

    A card of the same rank as one that is kept is as good as a low one: both can go together.
    """
    best = TAKE_PILE
    place = 0
    rest = int(s.previous)
    while rest:
        points = points_of(rest & -rest)
        if kept & 0b1111 << (lowest(rest) & ~3):
            points = min(points, AS_PAIR)
        if points <= limit and is_allowed(mask, TAKE + place):
            limit = points - 1
            best = TAKE + place
        rest &= rest - 1
        place += 1
    return best


@compiled
def heaviest_drop(s, mask, rng, doubt):
    """The discard with the most points, give or take some."""
    by_place = points_by_place(int(s.hand[s.seat]))
    best = -1
    most = -MANY
    drops = np.int64(mask[0] & EVERY_DROP)
    while drops:
        choice = lowest(drops)
        points = points_at(by_place, choice) + below(rng, doubt + 1)
        if points > most:
            most = points
            best = DROP + choice
        drops &= drops - 1
    return best


@compiled
def points_by_place(hand):
    """The points of each card of a sorted hand, one more than they are, in a byte each."""
    packed = 0
    shift = 0
    while hand:
        packed |= (points_of(hand & -hand) + 1) << shift
        shift += 8
        hand &= hand - 1
    return packed


@compiled
def points_at(by_place, choice):
    """The points of the cards that a choice means."""
    points = 0
    while choice:
        points += (by_place >> 8 * lowest(choice) & 255) - 1
        choice &= choice - 1
    return points
