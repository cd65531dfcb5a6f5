"""Advice on the Auction: win little for little, hide the best crate, keep the last word."""

import math

import numpy as np

from caramba.bots.advice import Advice, anything
from caramba.bots.compiled import compiled
from caramba.games.auction.actions import (
    BID,
    BID_STEP,
    DONE,
    FUERA,
    HOLD,
    KEEP,
    MANOS,
    PASS,
    SEGURIDAD,
    STASH,
    VUELTA,
)
from caramba.games.auction.components import SAFE
from caramba.games.auction.rules import holds, is_protected, offer, stashed_value
from caramba.games.auction.state import CARDS, GOODS, NONE, Phase, Special
from caramba.games.bags import first_kind, many, one, total, without
from caramba.games.chance import below
from caramba.games.masks import count, forbid, is_allowed, nth

LEFT_IN_PLAY = 0.2
"""What a point left in play is worth, against one that can be stashed at once."""
CARD = 0.95
"""What a bid card is worth, in points, at a table of two."""
CROWD = 0.1
"""How much less that is for each further player."""
LEFT_LATE = 0.2
LATE = 0.05
SACK_A = 1.0
SACK_B = 10.0
PLENTY = 0.0
"""How much less that is for each card in hand."""

ENOUGH = 0.3
"""The gain in points that makes a bid worth while."""
AHEAD = 3.0
"""So far ahead, in points, it is time to end the bids."""
WORTH_GUARDING = 5
"""The value of crates in play for which Fuera is played."""
CARELESS = 8
"""One choice in so many is a careless one at the easy level."""
BID_BITS = np.uint64((1 << CARDS * BID_STEP) - 1)
"""All bids, in the first word of a mask."""

# Crates


@compiled
def best_crate(s, crates):
    """The value of the best crate of a bag."""
    best = 0
    while crates:
        k = first_kind(crates)
        best = max(best, int(s.crate_value[k]))
        crates = without(crates, k)
    return best


@compiled
def value_of(s, crates):
    """What the crates of a bag are worth together."""
    value = 0
    while crates:
        k = first_kind(crates)
        value += many(crates, k) * int(s.crate_value[k])
        crates = without(crates, k)
    return value


@compiled
def loot_of(s, good):
    """The crates that the winner of a good will take, own ones included."""
    loot = int(s.centre)
    for p in range(s.players):
        if not is_protected(s, p, good):
            loot += int(s.in_play[p])
    return loot & int(s.of_good[good])


# Bids


@compiled
def rivals_offer(s, me, good):
    """The best total of the others for a good."""
    best = 0
    for p in range(s.players):
        if p != me:
            best = max(best, offer(s, p, good))
    return best


@compiled
def leader_of(s, good):
    """Who would win a good now; NONE if nobody or several."""
    leader = NONE
    best = 0
    for p in range(s.players):
        value = offer(s, p, good)
        if value > best:
            leader = p
            best = value
        elif value == best:
            leader = NONE
    return leader


@compiled
def somebody_may_answer(s, me):
    """Whether a rival has not passed yet."""
    for p in range(s.players):
        if p != me and not s.passed[p] and (s.hand[p] or s.special[p] != NONE):
            return True
    return False


@compiled
def top_of(s, c):
    """The better side of a card."""
    values = s.card_value[c]
    return max(int(values[0]), int(values[1]), int(values[2]))


@compiled
def cheapest(s, hand, good, need):
    """The card that one misses least among those that reach a value for a good, or NONE.

    Among equals the one that counts most here.
    """
    choice = NONE
    least = 1000
    while hand:
        c = first_kind(hand)
        value = int(s.card_value[c][good])
        price = top_of(s, c) * 10 - value
        if value and value >= need and price < least:
            choice = c
            least = price
        hand = without(hand, c)
    return choice


@compiled
def strongest(s, hand, good):
    """The card that counts most for a good, or NONE."""
    choice = NONE
    most = 0
    while hand:
        c = first_kind(hand)
        if s.card_value[c][good] > most:
            choice = c
            most = int(s.card_value[c][good])
        hand = without(hand, c)
    return choice


@compiled
def smallest(s, hand, good):
    """The card that counts least for a good, or NONE."""
    choice = NONE
    least = 1000
    while hand:
        c = first_kind(hand)
        value = int(s.card_value[c][good])
        if 0 < value < least:
            choice = c
            least = value
        hand = without(hand, c)
    return choice


@compiled
def cards_needed(s, hand, good, need):
    """How many cards it takes to add so much to a bid; 0 if the hand cannot."""
    first = second = everything = 0
    while hand:
        c = first_kind(hand)
        value = int(s.card_value[c][good])
        everything += many(hand, c) * value
        if value > first:
            second = first
            first = value
        elif value > second:
            second = value
        hand = without(hand, c)
    if first >= need:
        return 1
    if first + second >= need:
        return 2
    return 3 if everything >= need else 0


@compiled
def bid_on(c, good):
    """The action of bidding a card."""
    return BID + c * BID_STEP + good


# What an end of the bids would bring


@compiled
def fortune(s, p, leaders, cards):
    """What a player gets if these win: one crate to hide, others at risk, less the cards spent."""
    crates = 0
    spent = cards
    for good in range(GOODS):
        if leaders[good] == p:
            crates += loot_of(s, good)
            spent += total(int(s.bid[p][good]))
        if is_protected(s, p, good):
            crates += int(s.in_play[p]) & int(s.of_good[good])
    best = best_crate(s, crates)
    left = LEFT_IN_PLAY if s.sack else LEFT_LATE
    return best + left * (value_of(s, crates) - best) - price_of_card(s, p) * spent


@compiled
def price_of_card(s, p):
    """What a bid card is worth to a player."""
    price = CARD - CROWD * (int(s.players) - 2) - PLENTY * total(int(s.hand[p]))
    return max(LATE, price * min(1.0, (SACK_A + total(int(s.sack))) / SACK_B))


@compiled
def standing(s, me, leaders, cards):
    """The own fortune against that of the others, if the bids ended like this."""
    others = 0.0
    for p in range(s.players):
        if p != me:
            others += fortune(s, p, leaders, 0)
    return fortune(s, me, leaders, cards) - others / (int(s.players) - 1)


@compiled
def medium_bid(s, mask):
    """Take the lead where that gains most for the cards; otherwise stay in for nothing."""
    me = int(s.seat)
    hand = int(s.hand[me])
    leaders = np.empty(GOODS, np.int64)
    for good in range(GOODS):
        leaders[good] = leader_of(s, good)
    now = standing(s, me, leaders, 0)
    choice = NONE
    best = ENOUGH
    for good in range(GOODS):
        if leaders[good] == me:
            continue
        need = rivals_offer(s, me, good) - offer(s, me, good) + 1
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
    return nth(mask, 0) if must_play else PASS


@compiled
def idle_card(s, good, leader):
    """The smallest card for a good, if even with it the good is lost to the leader; or NONE."""
    me = int(s.seat)
    c = smallest(s, int(s.hand[me]), good)
    if c == NONE or leader == me or leader == NONE:
        return NONE
    gap = offer(s, leader, good) - offer(s, me, good)
    return c if s.card_value[c][good] < gap else NONE


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


# Quicker and simpler players


@compiled
def quick_bid(s, mask, rng, luck):
    """The richest good that one card can win, with some luck; else PASS."""
    me = int(s.seat)
    hand = int(s.hand[me])
    choice = PASS
    best = 0
    for good in range(GOODS):
        mine = offer(s, me, good)
        rivals = rivals_offer(s, me, good)
        if mine <= rivals:
            c = cheapest(s, hand, good, rivals - mine + 1)
            if c != NONE:
                value = value_of(s, loot_of(s, good)) + below(rng, luck)
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
            choice = quick_bid(s, mask, rng, 3)
            return choice if is_allowed(mask, choice) else anything(s, mask, rng)
        case Phase.STASH:
            return stash_choice(s, mask)
        case Phase.SEGURIDAD:
            return safety_choice(s)
        case _:
            return HOLD


@compiled
def light(s, mask, rng):
    """Quick and varied, with most of the sense of a good player."""
    match s.phase:
        case Phase.FUERA:
            return fuera_choice(s, mask) if below(rng, 2) else HOLD
        case Phase.BIDS:
            return light_bid(s, mask, rng)
        case Phase.STASH:
            return SEGURIDAD if seguridad_pays(s, mask) else stash_choice(s, mask)
        case _:
            return safety_choice(s)


@compiled
def light_bid(s, mask, rng):
    """Mostly the richest good; sometimes end the bids, stay in for nothing, or pass."""
    if is_allowed(mask, MANOS) and below(rng, 4) == 0:
        return MANOS
    choice = quick_bid(s, mask, rng, 4)
    if choice == PASS and below(rng, 2):
        good = below(rng, GOODS)
        c = idle_card(s, good, leader_of(s, good))
        if c != NONE:
            return bid_on(c, good)
    return choice if is_allowed(mask, choice) else nth(mask, below(rng, count(mask)))


# For the search


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
        c = smallest(s, hand, good)
        if c != NONE:
            need = rivals_offer(s, me, good) - offer(s, me, good) + 1
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
    """Of crates of equal value and good there is one kind; keeping everything seldom pays."""
    if s.sack:
        forbid(mask, KEEP)


@compiled
def stage(s):
    """The turn."""
    return int(s.turn)


@compiled
def worth(s, shares):
    """By what is stashed, what may be, and the means to get more; it counts more near the end."""
    players = len(shares)
    left = total(int(s.sack)) + total(int(s.centre))
    for p in range(players):
        left += total(int(s.in_play[p]))
    sharpness = 1 / (1.0 + 0.25 * left)
    most = -1e9
    for p in range(players):
        crates = int(s.in_play[p])
        best = best_crate(s, crates)
        shares[p] = sharpness * (
            stashed_value(s, p)
            + 0.5 * best
            + 0.3 * (value_of(s, crates) - best)
            + CARD * total(int(s.hand[p]))
        )
        most = max(most, shares[p])
    everything = 0.0
    for p in range(players):
        shares[p] = math.exp(shares[p] - most)
        everything += shares[p]
    for p in range(players):
        shares[p] /= everything


ADVICE = Advice(easy=easy, medium=medium, light=light, narrow=narrow, stage=stage, worth=worth)
