"""What a position in the Race is worth.

All of it rests on one estimate: how likely each sombrero is to stay out of the mine for
longest. That is what the pot is worth to its owner, so dice, ambushes and offers have a price.
"""

from typing import NamedTuple

import numpy as np

from caramba.bots.advice import softmax
from caramba.bots.compiled import compiled
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
    rank,
    zone,
)
from caramba.games.race.state import HATS, NONE, SPACES, Phase

DIE = 2.5
"""What a die shows on average."""
PARTS = 4
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


@compiled
def gain_from_die(s, p, left, chance, style):
    """What it is worth to a player that the mover rolls one die more."""
    dice = int(s.dice)
    more = after_roll(s, p, dice + 1, left, chance, style)
    return more - after_roll(s, p, dice, left, chance, style)


# How likely everybody is to win


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
