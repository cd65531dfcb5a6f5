"""How likely everybody is to win, at any moment of a race: what the network begins with.

Who wins the race takes the pot, and who cannot pay is out: so it is asked for each player what
would be if that one won the race, and how likely that is by where the sombreros stand.
"""

import math

import numpy as np

from caramba.bots.advice.race.evaluation import (
    DIE,
    RICH,
    SHARP,
    SUMS,
    fees,
    gain_from_die,
    goes_on,
    look_ahead,
    stay_out,
)
from caramba.bots.advice.race.tactics import LATER, falls_in, highest_offer
from caramba.bots.compiled import compiled
from caramba.games.race.components import AMBUSH_DICE
from caramba.games.race.rules import (
    each,
    has_ambush,
    has_offers,
    hat_on,
    hats,
    last_space,
    mover,
    on_track,
    owner,
    zone,
)
from caramba.games.race.state import HATS, NONE, SEATS, Phase

LEFT, CHANCE, PURSE, DUE, MONEY, RUIN, WINS, NOW, THEN = range(9)
"""Rows of a slate, on which it is worked out."""
NEVER = 1e-3
"""Less likely than this is not looked into."""
EAGER = 0.5
"""A mover who gains so much silver by an offer, times the race, accepts it with 73 %."""
CAUTION = 0.5
"""How much less the pot is expected to be than it seems: by sombrero, times those of each and
the race. By trial: who counts on all of it pays too much for it."""


@compiled
def slate():
    """Room to work in."""
    return np.zeros((9, max(HATS, SEATS)))


@compiled
def foresight(s, a):
    """Fill in how likely each is to win now: `a[NOW]`."""
    for p in range(int(s.players)):
        a[PURSE, p] = s.money[p]
    if s.phase < Phase.OFFERS:
        stand(s, a)
        weigh(s, a, 1.0, NOW)
        return
    roll(s, a, NOW)
    if s.phase < Phase.ROLL and has_offers(s):
        bargain(s, a)


@compiled
def bargain(s, a):
    """An offer is accepted if it makes up for the die, in silver; near that, perhaps."""
    giver, taker = highest_offer(s), owner(s, mover(s))
    a[PURSE, giver] -= int(s.offer[giver])
    a[PURSE, taker] += int(s.offer[giver])
    s.dice += 1  # as if it were accepted; all is as it was right after
    roll(s, a, THEN)
    s.dice -= 1
    gain = int(s.offer[giver]) + gain_from_die(s, taker, a[LEFT], a[CHANCE], SHARP)
    gain /= EAGER * int(s.race)
    accepts = 1 / (1 + math.exp(-min(max(gain, -30.0), 30.0)))
    for p in range(int(s.players)):
        a[NOW, p] += accepts * (a[THEN, p] - a[NOW, p])


@compiled
def stand(s, a):
    """How far from the mine everybody will be, also those who are still to be placed."""
    left = a[LEFT]
    look_ahead(s, left, SHARP)
    if s.phase == Phase.PLACE:
        for i in range(int(s.place), int(s.many)):
            left[s.order[i]] = float(last_space(s) - i)
    for hat in range(hats(s)):
        for token in range(hats(s)):
            space = int(s.token[token])
            if on_track(s, hat) and space > s.position[hat]:
                lost = falls_in(s, hat, space) * DIE * AMBUSH_DICE[zone(s, space)]
                left[hat] = max(0.5, left[hat] - lost)


@compiled
def roll(s, a, row):
    """How likely each is to win, by what the mover may roll."""
    stand(s, a)
    hat, end = mover(s), last_space(s)
    dice = int(s.dice_left) if s.phase == Phase.ROLL else int(s.dice)
    at = int(s.position[hat]) + (int(s.sum_rolled) if s.phase == Phase.ROLL else 0)
    a[row, :] = 0
    arrives = 1.0
    for n in range(min(5 * dice, end - at) + 1):
        space = at + n
        a[LEFT, hat] = max(0.5, end + 1 - space - goes_on(s, hat, space) - traps(s, space))
        gift(s, a, hat, space, 1)
        weigh(s, a, SUMS[dice, n], row)
        gift(s, a, hat, space, -1)
        arrives -= SUMS[dice, n]
    a[LEFT, hat] = 0.0
    if arrives > NEVER:
        weigh(s, a, arrives, row)


@compiled
def traps(s, space):
    """How much farther the ambushes beyond a space will drive a sombrero."""
    lost = 0.0
    for token in range(hats(s)):
        if s.token[token] > space:
            lost += LATER * DIE * AMBUSH_DICE[zone(s, int(s.token[token]))]
    return lost


@compiled
def gift(s, a, hat, space, times):
    """The welcome gift for who lands here."""
    host = hat_on(s, space, hat)
    if host == NONE or has_ambush(s, space):
        return
    giver, taker = owner(s, host), owner(s, hat)
    if giver != taker and not s.bankrupt[giver]:
        a[PURSE, giver] -= times * int(s.race)
        a[PURSE, taker] += times * int(s.race)


@compiled
def weigh(s, a, likely, row):
    """Add how likely each is to win, sombreros being so far from the mine, times how likely."""
    n, players = hats(s), int(s.players)
    stay_out(a[LEFT], n, a[CHANCE])
    a[WINS, :] = 0
    on = 0
    for hat in range(n):
        on += a[LEFT, hat] > 0
        a[WINS, owner(s, hat)] += a[CHANCE, hat]
    coming = fees(s, on)
    each_pays = coming / max(1, on - 1)
    pot = int(s.pot) + coming - CAUTION * each(s) * on * int(s.race)
    a[DUE, :] = 0
    for hat in range(n):
        if a[LEFT, hat] > 0:
            a[DUE, owner(s, hat)] += each_pays
        elif on_track(s, hat):
            a[DUE, owner(s, hat)] += (n - on) * int(s.race)
            pot += (n - on) * int(s.race)
    for p in range(players):
        if a[WINS, p] > NEVER:
            a[DUE, p] -= each_pays
            if_wins(s, a, p, pot, likely * a[WINS, p], row)
            a[DUE, p] += each_pays


@compiled
def if_wins(s, a, winner, pot, likely, row):
    """Add how likely each is to win the game, if one wins this race."""
    players = int(s.players)
    ends = 1.0 if s.race == s.max_races else 0.0
    total = float(s.pot)
    for p in range(players):
        has, due = a[PURSE, p], a[DUE, p]
        total += has
        a[RUIN, p] = 0.0
        if s.bankrupt[p]:
            a[RUIN, p] = 1.0
        else:
            if due > 0:
                a[RUIN, p] = min(max(0.5 + (due - has) / (2 * int(s.race)), 0.0), 1.0)
            has = max(0.0, has - due)
        a[MONEY, p] = has
        if p == winner:
            a[RUIN, p] = 0.0
            a[MONEY, p] += pot
        ends = max(ends, a[RUIN, p])
    best = winner
    for p in range(players):
        if a[RUIN, p] < 1 and a[MONEY, p] > a[MONEY, best]:
            best = p
    a[row, best] += likely * ends
    sum_of = 0.0
    steep = RICH * players / max(1.0, total)
    for p in range(players):
        a[MONEY, p] = math.exp(steep * a[MONEY, p])
        sum_of += a[MONEY, p]
    for p in range(players):
        a[row, p] += likely * (1 - ends) * a[MONEY, p] / sum_of
