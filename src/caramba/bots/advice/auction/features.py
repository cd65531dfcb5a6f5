"""What a seat of the Auction knows, for the network: all in the order of the players from it."""

import numpy as np

from caramba.bots.advice.auction.evaluation import best_crate, loot_of, standing, worth
from caramba.bots.compiled import compiled
from caramba.bots.network.sheet import each_of, guess, one_of, skip, yes
from caramba.games.auction.rules import alone, highest, offer, stashed_value, value_of
from caramba.games.auction.state import (
    CARDS,
    CRATE_KINDS,
    GOODS,
    NONE,
    OPTIONS,
    SEATS,
    SPECIALS,
    Phase,
    setup,
)
from caramba.games.bags import kinds_in, total

PHASES = len(Phase)
ENOUGH = 32
"""A bid is hardly ever higher."""
CLOSE = 10
"""A difference of more than this is just large."""


STANDARD = setup(2, {option.name: option.default for option in OPTIONS})[0]
CARDS_LEARNED = STANDARD.card_value.copy()
CRATES_LEARNED = STANDARD.crate_value.copy()


@compiled
def fits(s):
    """Cards and crates are known by their numbers, so they have to be those of the box."""
    for c in range(CARDS):
        for good in range(GOODS):
            if s.card_value[c][good] != CARDS_LEARNED[c][good]:
                return False
    for k in range(CRATE_KINDS):
        if s.crate_value[k] != CRATES_LEARNED[k]:
            return False
    return True


@compiled
def features(s, seat, sheet):
    """The table, then player by player."""
    guess(sheet, 1 / int(s.players))
    table(s, seat, sheet)
    leaders = np.zeros(GOODS, np.int64)
    for good in range(GOODS):
        leaders[good] = market(s, seat, good, sheet)
    outlook(s, seat, leaders, sheet)
    own(s, seat, sheet)
    for i in range(SEATS):
        if i < s.players:
            player(s, seat, (seat + i) % int(s.players), sheet)
        else:
            skip(sheet, PLAYER)


@compiled
def table(s, seat, sheet):
    """Where the game stands."""
    one_of(sheet, int(s.players) - 2, SEATS - 1)
    one_of(sheet, int(s.phase), PHASES)
    one_of(sheet, int(s.turn), 16)
    one_of(sheet, int(s.max_turns) - int(s.turn), 6)
    one_of(sheet, from_seat(s, seat, s.first), SEATS)
    one_of(sheet, from_seat(s, seat, s.seat), SEATS)
    yes(sheet, s.first_round)
    one_of(sheet, int(s.safe_left), 7)
    one_of(sheet, total(int(s.sack)), 25)
    for special in range(SPECIALS):
        yes(sheet, s.gone[special])
    one_of(sheet, still_in(s), SEATS + 1)


@compiled
def from_seat(s, seat, other):
    """How far another player sits to the left."""
    return (int(other) - seat) % int(s.players)


@compiled
def still_in(s):
    """How many have not passed."""
    many = 0
    for p in range(s.players):
        many += not s.passed[p]
    return many


@compiled
def market(s, seat, good, sheet):
    """A good: what it would bring, who leads, and how far one is from that. Return the leader."""
    one_of(sheet, value_of(s, int(s.sack) & int(s.of_good[good])), 25)
    loot = loot_of(s, good)
    one_of(sheet, value_of(s, loot), 16)
    one_of(sheet, best_crate(s, loot), 5)
    best, leaders = highest(s, good)
    leader = alone(leaders)
    one_of(sheet, SEATS if leader == NONE else from_seat(s, seat, leader), SEATS + 1)
    one_of(sheet, best, ENOUGH)
    rival = 0
    for p in range(s.players):
        if p != seat:
            rival = max(rival, offer(s, p, good))
    one_of(sheet, offer(s, seat, good) - rival + CLOSE, 2 * CLOSE + 1)
    one_of(sheet, s.protected_good == good and 1 + from_seat(s, seat, s.protected_seat), SEATS + 1)
    return leader


@compiled
def outlook(s, seat, leaders, sheet):
    """By rules of thumb: what it would bring if the bids ended now, and the chance to win."""
    one_of(sheet, int(2 * standing(s, seat, leaders, 0)) + 24, 49)
    shares = np.zeros(int(s.players))
    worth(s, shares)
    one_of(sheet, int(40 * shares[seat]), 41)


@compiled
def own(s, seat, sheet):
    """What only this seat knows."""
    one_of(sheet, int(s.special[seat]) + 1, SPECIALS + 1)
    each_of(sheet, cards(s.hand[seat]), CARDS)
    for good in range(GOODS):
        one_of(sheet, reach(s, int(s.hand[seat]), good), 48)


@compiled
def cards(bag):
    """The kinds of cards in a bag, as bits."""
    bits = 0
    kinds = kinds_in(int(bag))
    for c in range(CARDS):
        bits |= (kinds >> 4 * c & 1) << c
    return bits


@compiled
def reach(s, hand, good):
    """All that a hand could bid on a good."""
    value = 0
    for c in range(CARDS):
        value += (hand >> 4 * c & 15) * int(s.card_value[c][good])
    return value


PLAYER = 3 * CARDS + 16 + 2 + 48 + 21 + GOODS * (6 + 16 + 5 + ENOUGH)


@compiled
def player(s, seat, p, sheet):
    """What everybody knows of one player."""
    each_of(sheet, cards(s.known[p]), CARDS)
    each_of(sheet, cards(s.discard[p]), CARDS)
    each_of(sheet, cards(int(s.bid[p][0]) | int(s.bid[p][1]) | int(s.bid[p][2])), CARDS)
    one_of(sheet, total(int(s.hand[p])), 16)
    yes(sheet, s.passed[p])
    yes(sheet, s.special[p] != NONE)
    stashed = stashed_value(s, p)
    one_of(sheet, stashed, 48)
    one_of(sheet, stashed - stashed_value(s, seat) + CLOSE, 2 * CLOSE + 1)
    for good in range(GOODS):
        one_of(sheet, total(int(s.bid[p][good])), 6)
        crates = int(s.in_play[p]) & int(s.of_good[good])
        one_of(sheet, value_of(s, crates), 16)
        one_of(sheet, best_crate(s, crates), 5)
        one_of(sheet, offer(s, p, good), ENOUGH)
