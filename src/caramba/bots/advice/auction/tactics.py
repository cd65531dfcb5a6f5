"""What to do in the Auction: win little for little, hide the best crate, keep the last word."""

import numpy as np

from caramba.bots.advice import anything
from caramba.bots.advice.auction.evaluation import (
    best_crate,
    cards_needed,
    cheapest,
    gap,
    loot_of,
    smallest,
    standing,
    strongest,
    top_of,
)
from caramba.bots.compiled import compiled
from caramba.games.auction.actions import (
    BID,
    BID_STEP,
    DONE,
    FUERA,
    HOLD,
    MANOS,
    PASS,
    SEGURIDAD,
    STASH,
    VUELTA,
)
from caramba.games.auction.components import SAFE
from caramba.games.auction.rules import alone, highest, value_of
from caramba.games.auction.state import GOODS, NONE, Phase
from caramba.games.bags import first_kind, one, without
from caramba.games.chance import below
from caramba.games.masks import is_allowed, nth

ENOUGH = 0.3
"""The gain in points that makes a bid worth while."""
AHEAD = 2.0
"""So far ahead, in points, it is time to end the bids."""
WORTH_GUARDING = 5
"""The value of crates in play for which Fuera is played."""
CARELESS = 8
"""One choice in so many is a careless one at the easy level."""


@compiled
def somebody_may_answer(s, me):
    """Whether a rival has not passed yet."""
    for p in range(s.players):
        if p != me and not s.passed[p] and (s.hand[p] or s.special[p] != NONE):
            return True
    return False


@compiled
def bid_on(c, good):
    """The action of bidding a card."""
    return BID + c * BID_STEP + good


@compiled
def medium_bid(s, mask):
    """Take the lead where that gains most for the cards; otherwise stay in for nothing."""
    me = int(s.seat)
    hand = int(s.hand[me])
    leaders = np.empty(GOODS, np.int64)
    for good in range(GOODS):
        leaders[good] = alone(highest(s, good)[1])
    now = standing(s, me, leaders, 0)
    choice = NONE
    best = ENOUGH
    for good in range(GOODS):
        if leaders[good] == me:
            continue
        need = gap(s, me, good) + 1
        cards = cards_needed(s, hand, good, need)
        if not cards:
            continue
        leader = leaders[good]
        leaders[good] = me
        gain = standing(s, me, leaders, cards) - now
        leaders[good] = leader
        if gain > best:
            best = gain
            c = cheapest(s, hand, good, need) if cards == 1 else strongest(s, hand, good)
            choice = bid_on(c, good)
    if not somebody_may_answer(s, me):
        return choice if choice != NONE else wait(s, mask, leaders, False)
    if is_allowed(mask, MANOS) and now >= AHEAD:
        return MANOS
    return choice if choice != NONE else wait(s, mask, leaders, True)


@compiled
def wait(s, mask, leaders, may_stall):
    """Pass; but while others may answer, rather lay a card where it loses and comes back.

    Whoever is still in when the others have passed takes what is left for little.
    """
    must_play = not is_allowed(mask, PASS)
    if may_stall or must_play:
        c = best_discard(s, mask)
        if c != NONE:
            return VUELTA + c
        for good in range(GOODS):
            c = idle_card(s, good, leaders[good])
            if c != NONE:
                return bid_on(c, good)
    return any_small_bid(s) if must_play else PASS


@compiled
def any_small_bid(s):
    """The smallest card for some good; whoever must play has one."""
    good = 0
    while smallest(s, int(s.hand[s.seat]), good, 1) == NONE:
        good += 1
    return bid_on(smallest(s, int(s.hand[s.seat]), good, 1), good)


@compiled
def idle_card(s, good, leader):
    """The smallest card for a good, if even with it the good is lost to the leader; or NONE."""
    me = int(s.seat)
    c = smallest(s, int(s.hand[me]), good, 1)
    if NONE in (c, leader) or leader == me:
        return NONE
    return c if s.card_value[c][good] < gap(s, me, good) else NONE


@compiled
def best_discard(s, mask):
    """The card for Estoy de vuelta: one of more than common strength, or NONE."""
    cards = int(s.discard[s.seat])
    choice = NONE
    most = 5
    while cards:
        c = first_kind(cards)
        if top_of(s, c) > most and is_allowed(mask, VUELTA + c):
            most = top_of(s, c)
            choice = c
        cards = without(cards, c)
    return choice


# Before and after the bids


@compiled
def fuera_choice(s, mask):
    """Protect a good that is worth more than the one crate that can be hidden in a turn."""
    choice = HOLD
    most = WORTH_GUARDING - 1
    for good in range(GOODS):
        if is_allowed(mask, FUERA + good):
            value = value_of(s, int(s.in_play[s.seat]) & int(s.of_good[good]))
            if value > most:
                most = value
                choice = FUERA + good
    return choice


@compiled
def stash_choice(s, mask):
    """The best crate; among equals the one that leaves the better bonus."""
    mine = int(s.in_play[s.seat])
    choice = nth(mask, 0)
    most = -1
    crates = mine
    while crates:
        k = first_kind(crates)
        rest = (mine - one(k)) & int(s.of_good[s.crate_good[k]])
        merit = 100 * int(s.crate_value[k]) + best_crate(s, rest)
        if merit > most:
            most = merit
            choice = STASH + k
        crates = without(crates, k)
    return choice


@compiled
def safe_with(s, crates, k, room):
    """What fits into so much room if this crate goes first, then always the best that fits."""
    value = 0
    while k != NONE:
        value += int(s.crate_value[k])
        crates -= one(k)
        k = best_fitting(s, crates, room - value)
    return value


@compiled
def best_fitting(s, crates, room):
    """The kind of the best crate worth no more than that, or NONE."""
    choice = NONE
    most = 0
    while crates:
        k = first_kind(crates)
        if most < s.crate_value[k] <= room:
            most = int(s.crate_value[k])
            choice = k
        crates = without(crates, k)
    return choice


@compiled
def safest_first(s, room):
    """Which crate to bring into safety first: its kind, or NONE; and what will be safe in all."""
    mine = int(s.in_play[s.seat])
    choice = NONE
    most = 0
    crates = mine
    while crates:
        k = first_kind(crates)
        if s.crate_value[k] <= room:
            value = safe_with(s, mine, k, room)
            if value > most:
                most = value
                choice = k
        crates = without(crates, k)
    return choice, most


@compiled
def seguridad_pays(s, mask):
    """Whether En seguridad hides clearly more than one crate."""
    if not is_allowed(mask, SEGURIDAD):
        return False
    return safest_first(s, SAFE)[1] >= best_crate(s, int(s.in_play[s.seat])) + 2


@compiled
def safety_choice(s):
    """Fill the hideout."""
    k = safest_first(s, int(s.safe_left))[0]
    return DONE if k == NONE else STASH + k


@compiled
def medium(s, mask, rng):
    """Good play without looking ahead."""
    match s.phase:
        case Phase.FUERA:
            return fuera_choice(s, mask)
        case Phase.BIDS:
            return medium_bid(s, mask)
        case Phase.STASH:
            return SEGURIDAD if seguridad_pays(s, mask) else stash_choice(s, mask)
        case _:
            return safety_choice(s)


# A simpler player


@compiled
def easy_bid(s, rng):
    """The least card that wins the richest good, or nearly; else PASS."""
    me = int(s.seat)
    hand = int(s.hand[me])
    choice = PASS
    best = 0
    for good in range(GOODS):
        behind = gap(s, me, good)
        if behind >= 0:
            c = cheapest(s, hand, good, behind + 1)
            if c != NONE:
                value = value_of(s, loot_of(s, good)) + below(rng, 3)
                if value > best:
                    best = value
                    choice = bid_on(c, good)
    return choice


@compiled
def easy(s, mask, rng):
    """Bid on the richest good, hide the best crate; now and then do anything."""
    if below(rng, CARELESS) == 0:
        return anything(s, mask, rng)
    match s.phase:
        case Phase.BIDS:
            choice = easy_bid(s, rng)
            return choice if is_allowed(mask, choice) else anything(s, mask, rng)
        case Phase.STASH:
            return stash_choice(s, mask)
        case Phase.SEGURIDAD:
            return safety_choice(s)
        case _:
            return HOLD
