"""Advice on the Auction: win little for little, hide the best crate, keep the last word."""

import numpy as np

from caramba.bots.advice import Advice, anything, softmax
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
from caramba.games.auction.rules import holds, is_protected, leader_of, offer, stashed_value
from caramba.games.auction.state import CARDS, GOODS, NONE, Phase, Special
from caramba.games.bags import first_kind, many, one, total, without
from caramba.games.chance import below
from caramba.games.masks import count, forbid, is_allowed, nth

LEFT_IN_PLAY = 0.1
"""What a point left in play is worth, against one that can be stashed at once."""
CARD = 1.35
"""What a bid card is worth, in points, to a player without cards at a table of two."""
CARD_IN_CROWD = 0.2
"""How much less it is worth for each further player."""
CARD_OF_MANY = 0.06
"""How much less it is worth for each card in hand."""
LAST_CRATES = 9
"""With fewer crates in the sack, cards become less useful."""
ENOUGH = 0.3
"""The gain in points that makes a bid worth while."""
AHEAD = 2.0
"""So far ahead, in points, it is time to end the bids."""
WORTH_GUARDING = 5
"""The value of crates in play for which Fuera is played."""
CARELESS = 8
"""One choice in so many is a careless one at the easy level."""
BID_BITS = np.uint64((1 << CARDS * BID_STEP) - 1)
"""All bids, in the first word of a mask."""
QUICK_CARD = 0.8
"""What a bid card is worth to a quick player."""
FIRST_GOOD = 0.4
"""By how much of the best crate that one is winning a further good is worth less."""

# Fitted to who won some thousand games of medium players, by logistic regression on what they
# had when a turn began: what is held is worth so many stashed points, and a lead of `blur`
# points makes a win e times as likely as another's.
CARD_HELD = 0.64
SPECIAL_HELD = 0.47
BLUR = 0.53
BLUR_BY_SACK = 0.107
BLUR_BY_CRATE = 0.054

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
def gap(s, me, good):
    """How far the player is behind the best of the others for a good."""
    return rivals_offer(s, me, good) - offer(s, me, good)


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
def smallest(s, hand, good, need):
    """The card that counts least for a good, but no less than this; or NONE."""
    choice = NONE
    least = 1000
    while hand:
        c = first_kind(hand)
        value = int(s.card_value[c][good])
        if need <= value < least:
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
    return best + LEFT_IN_PLAY * (value_of(s, crates) - best) - price_of_card(s, p) * spent


@compiled
def price_of_card(s, p):
    """What a bid card is worth to a player: less with many in hand, and near the end."""
    crowd = CARD_IN_CROWD * (int(s.players) - 2)
    price = CARD - crowd - CARD_OF_MANY * total(int(s.hand[p]))
    late = (3 + min(LAST_CRATES, total(int(s.sack)))) / (3 + LAST_CRATES)
    return max(0.05, price * late)


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


# Quicker and simpler players


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
    """Mostly the best crate for the cards it costs; a second good is worth less than the first."""
    me = int(s.seat)
    hand = int(s.hand[me])
    gaps = (gap(s, me, 0), gap(s, me, 1), gap(s, me, 2))
    tops = (
        best_crate(s, loot_of(s, 0)),
        best_crate(s, loot_of(s, 1)),
        best_crate(s, loot_of(s, 2)),
    )
    have = 0
    for good in range(GOODS):
        if gaps[good] < 0:
            have = max(have, tops[good])
    if have and is_allowed(mask, MANOS) and below(rng, 3) == 0:
        return MANOS
    choice = NONE
    best = 0.0
    for good in range(GOODS):
        if gaps[good] >= 0:
            cards = total(int(s.bid[me][good])) + 1
            gain = tops[good] - FIRST_GOOD * have - cards * QUICK_CARD + below(rng, 8) / 8
            if gain > best:
                c = smallest(s, hand, good, gaps[good] + 1)
                if c == NONE:  # a bid that loses comes back
                    c = strongest(s, hand, good)
                if c != NONE:
                    best = gain
                    choice = bid_on(c, good)
    if choice == NONE and below(rng, 4):
        for good in range(GOODS):
            c = smallest(s, hand, good, 1)
            if c != NONE and s.card_value[c][good] < gaps[good]:
                return bid_on(c, good)
    if choice != NONE:
        return choice
    return PASS if is_allowed(mask, PASS) else nth(mask, below(rng, count(mask)))


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


@compiled
def stage(s):
    """The turn."""
    return int(s.turn)


@compiled
def worth(s, shares):
    """By what is stashed and the means to get more; a lead counts more as the crates run out.

    Crates in play add nothing: they are as likely to change hands as those in the centre.
    """
    players = len(shares)
    out = total(int(s.centre))
    for p in range(players):
        out += total(int(s.in_play[p]))
    blur = BLUR + BLUR_BY_SACK * total(int(s.sack)) + BLUR_BY_CRATE * out
    for p in range(players):
        means = CARD_HELD * total(int(s.hand[p])) + SPECIAL_HELD * (s.special[p] != NONE)
        shares[p] = (stashed_value(s, p) + means) / blur
    softmax(shares)


ADVICE = Advice(
    easy=easy,
    medium=medium,
    first_thought=medium,
    strong=medium,
    light=light,
    narrow=narrow,
    stage=stage,
    worth=worth,
    far=2,
)
