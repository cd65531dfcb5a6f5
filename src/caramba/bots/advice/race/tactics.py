"""What to do in the Race: nobody wants to arrive, and silver is all that counts."""

import numpy as np

from caramba.bots.advice.race.evaluation import (
    BELOW,
    DIE,
    FAR,
    HOPE,
    PARTS,
    SHARP,
    SIMPLE,
    SUMS,
    after_roll,
    fees,
    gain_from_die,
    look_ahead,
    stay_out,
)
from caramba.bots.compiled import compiled
from caramba.games.chance import below
from caramba.games.masks import count, is_allowed, lowest, nth
from caramba.games.race.actions import ACCEPT, AMBUSH, DICE, NO, OFFER
from caramba.games.race.components import AMBUSH_DICE
from caramba.games.race.rules import (
    hats,
    last_space,
    mover,
    on_track,
    on_track_now,
    owner,
    price,
    rank,
    zone,
)
from caramba.games.race.state import HATS, Phase

# Medium, and strong


@compiled
def medium(s, mask, rng):
    """Whatever is expected to bring the most silver in this race, at first sight."""
    return most_silver(s, mask, SIMPLE)


@compiled
def strong(s, mask, rng):
    """The same, with a sharper eye."""
    return most_silver(s, mask, SHARP)


@compiled
def most_silver(s, mask, style):
    """What is expected to bring the most silver in this race."""
    left, chance = np.zeros(HATS), np.zeros(HATS)
    match s.phase:
        case Phase.PLACE:
            return best_place(s, mask)
        case Phase.ROUND_AMBUSH | Phase.TURN_AMBUSH:
            return best_ambush(s, mask, left, chance, style)
        case Phase.DICE:
            return best_dice(s, mask, left, chance, style)
        case Phase.OFFERS:
            return best_offer(s, mask, left, chance, style)
        case _:
            return best_answer(s, left, chance, style)


@compiled
def best_place(s, mask):
    """As far back as there is room."""
    return nth(mask, 0)


@compiled
def best_ambush(s, mask, left, chance, style):
    """Where those ahead of the own sombreros are likely to fall into it, and not these."""
    look_ahead(s, left, style)
    stay_out(left, hats(s), chance)
    best, most = NO, style.ambush
    spaces = good_ambushes(s, mask)
    while spaces:
        space = lowest(spaces)
        spaces &= spaces - 1
        gain = 0.0
        for hat in range(hats(s)):
            if on_track(s, hat) and s.position[hat] < space:
                lost = falls_in(s, hat, space) * chance[hat] * pushed(s, space)
                gain += lost * gains_by(s, hat, chance)
        if gain > most:
            best, most = AMBUSH + space, gain
    return best


@compiled
def gains_by(s, hat, chance):
    """What part of another's loss goes to own sombreros; an own loss counts against them.

    A sombrero that is driven past an own one makes that roll one die more: nothing is won.
    """
    gain = 0.0
    for own in range(hats(s)):
        if owner(s, own) == s.seat and s.position[own] < s.position[hat]:
            gain += chance[own]
    return gain - 1 if owner(s, hat) == s.seat else gain


@compiled
def pushed(s, space):
    """What part of its hope to stay out a sombrero loses in an ambush on this space."""
    left = float(last_space(s) + 1 - space)
    on = max(0.5, left - DIE * AMBUSH_DICE[zone(s, space)])
    return 1 - HOPE[int(PARTS * on)] / HOPE[int(PARTS * left)]


@compiled
def good_ambushes(s, mask):
    """As bits: the spaces on which the others are most likely to end their next move."""
    spaces = 0
    for hat in range(hats(s)):
        if on_track(s, hat) and owner(s, hat) != s.seat:
            likely = int(s.position[hat]) + 5 * rank(s, hat) // 2
            for space in range(likely, min(likely + 1, last_space(s)) + 1):
                if is_allowed(mask, AMBUSH + space):
                    spaces |= 1 << space
    return spaces


LATER = 0.2  # the chance to end some later move on a given space


@compiled
def falls_in(s, hat, space):
    """The chance that a sombrero ends a move on a space ahead of it: in its next turn or later."""
    ahead = space - int(s.position[hat])
    dice = rank(s, hat)
    if ahead > FAR:
        return LATER
    return SUMS[dice, ahead] + LATER * BELOW[dice, ahead]


@compiled
def best_dice(s, mask, left, chance, style):
    """Roll fewer dice if the pot is worth their price."""
    due = rank(s, mover(s))
    thrift = thrift_of(s, s.seat, style)
    best, most = DICE + due, -1e9
    for dice in range(1, due + 1):
        if is_allowed(mask, DICE + dice):
            has = after_roll(s, s.seat, dice, left, chance, style) - thrift * price(s, due - dice)
            if has > most:
                best, most = DICE + dice, has
    return best


@compiled
def thrift_of(s, p, style):
    """How much prices count for a player: more for those far from the average."""
    total = 1.0
    for other in range(s.players):
        total += s.money[other]
    above = s.money[p] * s.players / total - 1
    return style.thrift + max(-style.poor * above, style.rich * above)


@compiled
def best_offer(s, mask, left, chance, style):
    """No more than half of what the die is worth: who accepts that has made a mistake."""
    gain = gain_from_die(s, s.seat, left, chance, style) / 2
    best = 0
    for step in range(AMOUNTS):
        amount = good_amount(s, step)
        if amount <= gain and is_allowed(mask, OFFER + amount):
            best = amount
    return OFFER + best if best else NO


AMOUNTS = 4


@compiled
def good_amount(s, step):
    """Offers to think of: parts of what is at stake, from a sixteenth to a half."""
    return max(1, (int(s.pot) + fees(s, on_track_now(s))) >> AMOUNTS - step)


@compiled
def best_answer(s, left, chance, style):
    """The highest offer, if it makes up for the die."""
    best = highest_offer(s)
    gain = gain_from_die(s, s.seat, left, chance, style)
    return ACCEPT + best if s.offer[best] + gain > 0 else NO


@compiled
def highest_offer(s):
    """Who offers the most."""
    best = 0
    for p in range(s.players):
        if s.offer[p] > s.offer[best]:
            best = p
    return best


# Easy


@compiled
def easy(s, mask, rng):
    """Plays by feeling: never asks what a die costs, and takes any money for one."""
    match s.phase:
        case Phase.PLACE:
            return nth(mask, below(rng, count(mask) // 6 + 1))
        case Phase.ROUND_AMBUSH | Phase.TURN_AMBUSH:
            return ambush_ahead(s, mask, rng, 6)
        case Phase.DICE:
            return dice_by_feeling(s, mask, rng)
        case Phase.OFFERS:
            return NO
        case _:
            best = highest_offer(s)
            return ACCEPT + best if s.offer[best] > s.race else NO


CARELESS = 8
"""One roll in so many is made without thought."""


@compiled
def dice_by_feeling(s, mask, rng):
    """All of them, but up to two less where they could lead to the mine; now and then any."""
    if below(rng, CARELESS) == 0:
        return nth(mask, below(rng, count(mask)))
    due = rank(s, mover(s))
    near = last_space(s) - int(s.position[mover(s)]) < 4 * due
    dice = max(1, due - below(rng, 3)) if near else due
    return DICE + dice if is_allowed(mask, DICE + dice) else DICE + due


@compiled
def ambush_ahead(s, mask, rng, seldom):
    """Once in so many times, or less, a few spaces ahead of somebody else."""
    hat = below(rng, seldom * hats(s))
    if hat >= hats(s) or not on_track(s, hat) or owner(s, hat) == s.seat:
        return NO
    space = int(s.position[hat]) + 1 + below(rng, 5)
    fine = space <= last_space(s) and is_allowed(mask, AMBUSH + space)
    return AMBUSH + space if fine else NO
