"""What a seat of the Race knows, for the network: players in the order from it to the left."""

import numpy as np

from caramba.bots.advice import softmax
from caramba.bots.advice.race.evaluation import (
    RICH,
    SHARP,
    after_roll,
    hope_for_silver,
    look_ahead,
    stay_out,
)
from caramba.bots.compiled import compiled
from caramba.bots.network.sheet import at_least, each_of, one_of, skip, yes
from caramba.games.masks import allow, is_allowed
from caramba.games.race.actions import NO, OFFER
from caramba.games.race.rules import (
    arrived,
    each,
    fee,
    hats,
    last_space,
    mover,
    on_track,
    owner,
    rank,
    token_in_hand,
    zone,
)
from caramba.games.race.state import HATS, IN_HAND, NONE, SEATS, ZONES, Phase

PHASES = len(Phase)
AHEAD = 15
"""How far before a sombrero the track is looked at: three dice reach no farther."""
NEAR = (1 << AHEAD) - 1
FAR = 48
"""A sombrero so far from the mine is just far."""
PURSE = 24
CHANCE = 21
"""Chances are told apart by twentieths."""
OFFERS = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48)
"""Offers to think of, and steps by which those of others are told apart."""


@compiled
def consider(s, mask):
    """Of all that could be offered, some amounts: one silver more or less makes no difference."""
    if s.phase != Phase.OFFERS:
        return
    allowed = 0
    for step in range(len(OFFERS)):
        allowed |= int(is_allowed(mask, OFFER + OFFERS[step])) << step
    mask[:] = 0
    allow(mask, NO)
    for step in range(len(OFFERS)):
        if allowed >> step & 1:
            allow(mask, OFFER + OFFERS[step])


@compiled
def grade(offer):
    """Which of the steps an offer reaches; 0 for none."""
    reached = 0
    for step in range(len(OFFERS)):
        reached += int(offer >= OFFERS[step])
    return reached


@compiled
def fits(s):
    """Tracks about as long as those that were learned."""
    return 20 <= last_space(s) <= 54


@compiled
def features(s, seat, sheet):
    """The table, then the players with what they have on the track."""
    table(s, seat, sheet)
    standing, lying = track(s)
    chance = outlook(s, seat, sheet)
    for i in range(SEATS):
        if i < s.players:
            player(s, seat, (seat + i) % int(s.players), standing, lying, chance, sheet)
        else:
            skip(sheet, PLAYER)


@compiled
def track(s):
    """The spaces on which a sombrero stands, and those where an ambush lies, as bits."""
    standing = 0
    lying = 0
    for hat in range(hats(s)):
        standing |= 1 << int(s.position[hat])
        lying |= 1 << int(s.token[hat])
    return standing & ~1, lying & ~1


@compiled
def table(s, seat, sheet):
    """Where the race stands, and who moves."""
    one_of(sheet, int(s.players) - 2, SEATS - 1)
    one_of(sheet, int(s.phase), PHASES)
    one_of(sheet, int(s.race) - 1, 8)
    one_of(sheet, int(s.max_races) - int(s.race) + 1 if s.max_races else 0, 4)
    yes(sheet, s.persuasion)
    at_least(sheet, int(s.pot) // 3, PURSE)
    one_of(sheet, arrived(s), HATS)
    one_of(sheet, fee(s), 16)
    one_of(sheet, int(s.dice) if s.phase >= Phase.OFFERS else 0, HATS + 2)
    one_of(sheet, (int(s.seat) - seat) % int(s.players), SEATS)
    one_of(sheet, int(s.many) - int(s.place), HATS + 1)
    moving = s.phase >= Phase.TURN_AMBUSH and s.phase <= Phase.ROLL
    whose = (owner(s, mover(s)) - seat) % int(s.players) if moving else SEATS
    one_of(sheet, whose, SEATS + 1)


@compiled
def outlook(s, seat, sheet):
    """By rules of thumb: the chance to win, and what the roll to come may bring.

    Return how likely each sombrero is to stay out of the mine for longest.
    """
    left, chance, shares = np.zeros(HATS), np.zeros(HATS), np.zeros(int(s.players))
    if s.phase >= Phase.OFFERS and s.phase <= Phase.ROLL:
        gain = after_roll(s, seat, int(s.dice), left, chance, SHARP) - int(s.money[seat])
        one_of(sheet, int(gain / int(s.race)) + 12, 25)
    else:
        skip(sheet, 25)
    look_ahead(s, left, SHARP)
    stay_out(left, hats(s), chance)
    average = hope_for_silver(s, shares, chance) / int(s.players)
    one_of(sheet, int(4 * shares[seat] / average), 16)
    shares *= RICH / average
    softmax(shares)
    one_of(sheet, int(40 * shares[seat]), 41)
    return chance


SOMBRERO = CHANCE + FAR + HATS + 1 + HATS + 1 + ZONES + 2 + 2 * AHEAD + FAR + 12
PLAYER = 3 * PURSE + 3 + 3 + len(OFFERS) + 1 + 25 + 2 * SOMBRERO


@compiled
def player(s, seat, p, standing, lying, chance, sheet):
    """One player: money, and the sombreros with their ambushes, the foremost first."""
    silver = int(s.money[p])
    at_least(sheet, silver // 5, PURSE)
    one_of(sheet, silver, 2 * PURSE)
    one_of(sheet, token_in_hand(s, p) != NONE, 3)
    yes(sheet, s.bankrupt[p])
    yes(sheet, silver > s.money[seat])
    yes(sheet, silver < s.money[seat])
    one_of(sheet, grade(int(s.offer[p])), len(OFFERS) + 1)
    one_of(sheet, (silver - int(s.money[seat])) // 3 + 12, 25)
    first = p * each(s)
    if each(s) == 1:
        sombrero(s, first, standing, lying, chance, sheet)
        skip(sheet, SOMBRERO)
    elif s.position[first] >= s.position[first + 1]:
        sombrero(s, first, standing, lying, chance, sheet)
        sombrero(s, first + 1, standing, lying, chance, sheet)
    else:
        sombrero(s, first + 1, standing, lying, chance, sheet)
        sombrero(s, first, standing, lying, chance, sheet)


@compiled
def sombrero(s, hat, standing, lying, chance, sheet):
    """Where it stands, when it moves, what lies before it; and the token of the same number."""
    token = int(s.token[hat])
    here = int(s.position[hat])
    one_of(sheet, last_space(s) + 1 - here if here else FAR, FAR)
    one_of(sheet, int(s.arrival[hat]), HATS + 1)
    one_of(sheet, int((CHANCE - 1) * chance[hat]), CHANCE)
    if not on_track(s, hat):
        skip(sheet, HATS + 1 + ZONES + 2 + 2 * AHEAD)
    else:
        one_of(sheet, rank(s, hat), HATS + 1)
        one_of(sheet, zone(s, here), ZONES)
        yes(sheet, moves_yet(s, hat))
        yes(sheet, s.phase >= Phase.TURN_AMBUSH and mover(s) == hat)
        each_of(sheet, standing >> here + 1 & NEAR, AHEAD)
        each_of(sheet, lying >> here + 1 & NEAR, AHEAD)
    one_of(sheet, last_space(s) + 1 - token if token != IN_HAND else FAR, FAR)
    one_of(sheet, beyond(s, token), 12)


@compiled
def moves_yet(s, hat):
    """Whether a sombrero has its turn of this round still before it."""
    for i in range(max(0, int(s.place)), int(s.many)):
        if s.order[i] == hat:
            return True
    return False


@compiled
def beyond(s, space):
    """How many sombreros are still to come past a space, and are near."""
    many = 0
    for hat in range(hats(s)):
        if space and on_track(s, hat) and s.position[hat] <= space:
            many += 1 + (space - int(s.position[hat]) <= AHEAD)
    return many
