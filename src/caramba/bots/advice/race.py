"""Advice on the Race: nobody wants to arrive, and silver is all that counts.

All of it rests on one estimate: how likely each sombrero is to stay out of the mine for
longest. That is what the pot is worth to its owner, so dice, ambushes and offers have a price.
"""

from typing import NamedTuple

import numpy as np

from caramba.bots.advice import Advice, softmax
from caramba.bots.compiled import compiled
from caramba.games.chance import below
from caramba.games.masks import allow, count, is_allowed, lowest, nth
from caramba.games.race.actions import ACCEPT, AMBUSH, DICE, NO, OFFER, PLACE
from caramba.games.race.components import AMBUSH_DICE, FACES
from caramba.games.race.rules import (
    has_ambush,
    hat_on,
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
from caramba.games.race.state import HATS, NONE, SPACES, Phase

DIE = 2.5  # what a die shows on average; for quick guesses, in parts of a space:
PARTS = 4
DIE_PARTS = 11  # and what is gone farther, on occupied spaces and in ambushes
PENDING_PARTS = 5
FAR = 5 * (HATS + 1)  # what all dice show at most, with one that was paid for

FADE = 12.0
STEEP = 10.0
"""How fast hope fades towards the mine: by trial. Players with 8 to 14 do about equally well."""


class Style(NamedTuple):
    """How a player sees a race: by trial, each against the others."""

    pending: float
    """Spaces a rank that a sombrero is expected to go in a turn to come."""
    grows: float
    """How much the pot is expected to grow by dice bought off: by sombrero, times the race."""
    thrift: float
    """How much a price counts, compared with what may be won."""
    poor: float
    rich: float
    """How much more for those who have less, or more, than the average: by parts of it."""
    ambush: float
    """What an ambush must bring, in parts of the pot; for less, the token is kept."""


SHARP = Style(pending=1.25, grows=0.4, thrift=0.55, poor=0.6, rich=0.25, ambush=0.0)
SIMPLE = Style(pending=0.5, grows=0.0, thrift=1.0, poor=0.0, rich=0.0, ambush=0.005)
"""Underrates how far the others will go, and does not see that they feed the pot."""


def _hopes():
    """How much each part of a space from the mine speaks for staying out: near it, a lot."""
    left = np.arange(PARTS * (SPACES + 1) + 1) / PARTS
    return np.exp(-STEEP * np.exp(-left / FADE))


HOPE = _hopes()


def _sums():
    """The chance of each sum, by the number of dice."""
    chances = np.zeros((HATS + 2, FAR + 1))
    chances[0, 0] = 1
    for dice in range(1, HATS + 2):
        for face in range(FACES):
            chances[dice, face:] += chances[dice - 1, : FAR + 1 - face] / FACES
    return chances


SUMS = _sums()
BELOW = np.cumsum(SUMS, axis=1) - SUMS  # the chance of a smaller sum


# What a position is worth


@compiled
def look_ahead(s, left, style):
    """How far from the mine each sombrero is when this round is over; 0 if not on the track."""
    for hat in range(hats(s)):
        left[hat] = float(last_space(s) + 1 - s.position[hat]) if on_track(s, hat) else 0.0
    if s.phase < Phase.ROUND_AMBUSH:
        return
    for i in range(0 if s.phase == Phase.ROUND_AMBUSH else int(s.place), int(s.many)):
        hat = s.order[i]
        left[hat] = max(0.5, left[hat] - style.pending * (rank(s, hat) + 1))


@compiled
def stay_out(left, n, chance):
    """The chance of each sombrero to be the last on the track."""
    total = 1e-9
    for hat in range(n):
        chance[hat] = HOPE[int(PARTS * left[hat])] if left[hat] > 0 else 0.0
        total += chance[hat]
    for hat in range(n):
        chance[hat] /= total


@compiled
def fees(s, on):
    """What is still to be paid by all but one of the sombreros on the track."""
    n = hats(s)
    return (n * (n - 1) - (n - on) * (n - on + 1)) // 2 * int(s.race)


@compiled
def silver(s, p, left, chance, style):
    """What a player may expect to have after this race."""
    n = hats(s)
    stay_out(left, n, chance)
    on = 0
    for hat in range(n):
        on += left[hat] > 0
    coming = fees(s, on)
    just_in = (n - on) * int(s.race)
    each_pays = 0.0 if s.bankrupt[p] else coming / max(1, on - 1)
    pot = int(s.pot) + coming + style.grows * on * int(s.race)
    has = float(s.money[p])
    for hat in range(n):
        if on_track(s, hat) and left[hat] == 0:
            pot += just_in
    for hat in range(n):
        if owner(s, hat) == p:
            if left[hat] > 0:
                has += chance[hat] * pot - (1 - chance[hat]) * each_pays
            elif on_track(s, hat) and not s.bankrupt[p]:
                has -= just_in
    return has


@compiled
def goes_on(s, hat, space):
    """How much farther a sombrero goes that lands here, on average."""
    if has_ambush(s, space):
        return DIE * AMBUSH_DICE[zone(s, space)]
    return DIE if hat_on(s, space, hat) != NONE else 0.0


@compiled
def gift(s, p, hat, space):
    """What a player gets, or gives, if a sombrero lands here."""
    host = hat_on(s, space, hat)
    if host == NONE or has_ambush(s, space) or owner(s, host) == owner(s, hat):
        return 0
    if owner(s, hat) == p:
        return 0 if s.bankrupt[owner(s, host)] else int(s.race)
    return -int(s.race) if owner(s, host) == p else 0


@compiled
def after_roll(s, p, dice, left, chance, style):
    """What a player may expect to have after the race if the mover rolls so many dice now."""
    hat = mover(s)
    at, end = int(s.position[hat]), last_space(s)
    look_ahead(s, left, style)
    has = 0.0
    arrives = 1.0
    for n in range(min(5 * dice, end - at) + 1):
        space = at + n
        left[hat] = max(0.5, end + 1 - space - goes_on(s, hat, space))
        has += SUMS[dice, n] * (silver(s, p, left, chance, style) + gift(s, p, hat, space))
        arrives -= SUMS[dice, n]
    left[hat] = 0.0
    if arrives > 1e-9:
        has += arrives * silver(s, p, left, chance, style)
    return has


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
def gain_from_die(s, p, left, chance, style):
    """What it is worth to a player that the mover rolls one die more."""
    dice = int(s.dice)
    more = after_roll(s, p, dice + 1, left, chance, style)
    return more - after_roll(s, p, dice, left, chance, style)


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


# Light


@compiled
def light(s, mask, rng):
    """Medium's ideas by rule of thumb, and not always the same."""
    match s.phase:
        case Phase.PLACE:
            return nth(mask, min(below(rng, 2), count(mask) - 1))
        case Phase.ROUND_AMBUSH | Phase.TURN_AMBUSH:
            return ambush_ahead(s, mask, rng, 12)
        case Phase.DICE:
            return dice_by_thumb(s, mask, rng)
        case Phase.OFFERS:
            return NO
        case _:
            best = highest_offer(s)
            return ACCEPT + best if s.offer[best] > 2 * s.race else NO


@compiled
def ambush_ahead(s, mask, rng, seldom):
    """Once in so many times, or less, a few spaces ahead of somebody else."""
    hat = below(rng, seldom * hats(s))
    if hat >= hats(s) or not on_track(s, hat) or owner(s, hat) == s.seat:
        return NO
    space = int(s.position[hat]) + 1 + below(rng, 5)
    fine = space <= last_space(s) and is_allowed(mask, AMBUSH + space)
    return AMBUSH + space if fine else NO


@compiled
def dice_by_thumb(s, mask, rng):
    """As many dice as pay off on average; prices are felt differently."""
    hat = mover(s)
    due = rank(s, hat)
    if due == 1:
        return DICE + 1
    others, on = hope_of_others(s, hat)
    coming = fees(s, on)
    stake = int(s.pot) + coming + coming / max(1, on - 1)
    mood = 0.9 + 0.05 * below(rng, 5)
    left = PARTS * (last_space(s) + 1 - int(s.position[hat]))
    best, most = due, -1e9
    for dice in range(1, due + 1):
        hope = HOPE[max(2, left - DIE_PARTS * dice)]
        has = stake * hope / (hope + others) - mood * price(s, due - dice)
        if has > most and is_allowed(mask, DICE + dice):
            best, most = dice, has
    return DICE + best


@compiled
def hope_of_others(s, hat):
    """How much speaks for the others, those behind having moved; and how many are on the track."""
    hope = 0.0
    on = 1
    for other in range(hats(s)):
        if on_track(s, other) and other != hat:
            left = PARTS * (last_space(s) + 1 - int(s.position[other]))
            if s.position[other] < s.position[hat]:
                left = max(2, left - PENDING_PARTS * (rank(s, other) + 1))
            hope += HOPE[left]
            on += 1
    return hope, on


# Search


@compiled
def narrow(s, mask):
    """Few places, the best ambush, amounts that may pay, the highest offer; all numbers of dice."""
    match s.phase:
        case Phase.PLACE:
            keep_spaces(mask, good_places(s, mask), PLACE)
        case Phase.ROUND_AMBUSH | Phase.TURN_AMBUSH:
            best = best_ambush(s, mask, np.zeros(HATS), np.zeros(HATS), SHARP)
            mask[:] = 0
            allow(mask, NO)
            allow(mask, best)
        case Phase.OFFERS:
            keep_amounts(s, mask)
        case Phase.ANSWER:
            mask[:] = 0
            allow(mask, NO)
            allow(mask, ACCEPT + highest_offer(s))


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


SPREAD = 7


@compiled
def keep_amounts(s, mask):
    """No offer, or one of the good amounts that the die may be worth and that can be paid."""
    most = gain_from_die(s, s.seat, np.zeros(HATS), np.zeros(HATS), SHARP)
    mask[:] = 0
    allow(mask, NO)
    for step in range(AMOUNTS):
        amount = good_amount(s, step)
        if amount <= min(most, s.money[s.seat]):
            allow(mask, OFFER + amount)


@compiled
def stage(s):
    """The race: all places and ambushes are new then."""
    return int(s.race)


@compiled
def worth(s, shares):
    """The richer after this race, the likelier to win: by silver in parts of the average."""
    left, chance = np.zeros(HATS), np.zeros(HATS)
    look_ahead(s, left, SHARP)
    stay_out(left, hats(s), chance)
    average = hope_for_silver(s, shares, chance) / len(shares)
    shares *= RICH / average
    softmax(shares)


RICH = 1.15
"""Fitted to some 1,000 games of medium players for each number of players: about the same for
all of them, at the start of a race and in the middle (six players would have a little less)."""


@compiled
def hope_for_silver(s, has, chance):
    """Fill in what the players may expect to have after this race; return the sum."""
    on = on_track_now(s)
    coming = fees(s, on) if on else 0
    stake, each_pays = int(s.pot) + coming, coming / max(1, on - 1)
    total = 0.0
    for p in range(len(has)):
        has[p] = float(s.money[p])
        total += has[p]
    for hat in range(hats(s)):
        if on_track(s, hat):
            p = owner(s, hat)
            has[p] += chance[hat] * stake
            if not s.bankrupt[p]:
                has[p] = max(0.0, has[p] - (1 - chance[hat]) * each_pays)
    return max(1.0, total + int(s.pot))


ADVICE = Advice(
    easy=easy,
    medium=medium,
    first_thought=medium,
    strong=strong,
    light=light,
    narrow=narrow,
    stage=stage,
    worth=worth,
)
