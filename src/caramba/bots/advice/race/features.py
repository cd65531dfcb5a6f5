"""What a seat of the Race knows, for the network: players in the order from it to the left."""

from caramba.bots.advice.race.considering import OFFERS
from caramba.bots.advice.race.evaluation import BELOW, DIE, SUMS
from caramba.bots.advice.race.hunch import NOW, foresight, slate
from caramba.bots.advice.race.tactics import falls_in, highest_offer
from caramba.bots.compiled import compiled
from caramba.bots.network.sheet import at_least, each_of, guess, one_of, skip, yes
from caramba.games.race.actions import DIE as SHOWS
from caramba.games.race.components import AMBUSH_DICE, FACES
from caramba.games.race.rules import (
    apply,
    arrived,
    each,
    has_offers,
    hats,
    last_space,
    mover,
    on_track,
    on_track_now,
    open_roll,
    owner,
    rank,
    zone,
)
from caramba.games.race.state import HATS, IN_HAND, SEATS, ZONES, Phase

PHASES = len(Phase)
MOST_OF_A_DIE = FACES - 1
AHEAD = 15
"""How far before a sombrero the track is looked at: three dice reach no farther."""
NEAR = (1 << AHEAD) - 1
FAR = 48
"""A sombrero so far from the mine is just far."""
PURSE = 24
GAP = 20
"""A distance of more than this to the next sombrero is just large."""
STEPS = 12
"""By which the danger of ambushes is told."""


@compiled
def way(s, seat, number):
    """What the own dice show together, nobody having offered anything; the mine ends the way."""
    declared = s.phase == Phase.OFFERS and not has_offers(s)
    if not (declared or s.phase == Phase.ROLL) or owner(s, mover(s)) != seat:
        return -1.0
    dice = int(s.dice) if declared else int(s.dice_left)
    to_the_mine = last_space(s) + 1 - int(s.position[mover(s)])
    if number > min(MOST_OF_A_DIE * dice, to_the_mine):
        return -1.0
    if declared:
        open_roll(s)
    left = number
    for _ in range(dice):
        shows = min(MOST_OF_A_DIE, left)
        apply(s, SHOWS + shows)
        left -= shows
    return SUMS[dice, number] if number < to_the_mine else 1 - BELOW[dice, number]


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
    """The table, the row of sombreros, then the players with what they have on the track."""
    a = slate()
    foresight(s, a)
    guess(sheet, a[NOW, seat])
    table(s, seat, a[NOW, seat], sheet)
    row(s, seat, sheet)
    standing, lying = track(s)
    for i in range(SEATS):
        if i < s.players:
            player(s, seat, (seat + i) % int(s.players), standing, lying, sheet)
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
def table(s, seat, expected, sheet):
    """Where the race stands, what is offered, and what the rule of thumb expects."""
    one_of(sheet, int(s.players) - 2, SEATS - 1)
    at_least(sheet, int(s.race) - 1, 8)
    one_of(sheet, int(s.max_races) - int(s.race) + 1 if s.max_races else 0, 4)
    yes(sheet, s.persuasion)
    at_least(sheet, int(s.pot) // int(s.race) // 2, PURSE)
    one_of(sheet, arrived(s), HATS)
    at_least(sheet, int(40 * expected), 40)
    one_of(sheet, int(s.phase), PHASES)
    bids = s.phase >= Phase.OFFERS and s.phase < Phase.ROLL and has_offers(s)
    giver = highest_offer(s)
    one_of(sheet, 1 + (giver - seat) % int(s.players) if bids else 0, SEATS + 1)
    one_of(sheet, grade(int(s.offer[giver])) if bids else 0, len(OFFERS) + 1)
    moving = s.phase >= Phase.TURN_AMBUSH and s.phase <= Phase.ROLL
    whose = (owner(s, mover(s)) - seat) % int(s.players) if moving else SEATS
    one_of(sheet, whose, SEATS + 1)


@compiled
def row(s, seat, sheet):
    """The sombreros on the track from the last to the first: whose, and how far to the next."""
    on = on_track_now(s)
    for i in range(HATS):
        if i >= on:
            skip(sheet, SEATS + GAP)
            continue
        hat = of_rank(s, on - i)
        one_of(sheet, (owner(s, hat) - seat) % int(s.players), SEATS)
        ahead = int(s.position[of_rank(s, on - i - 1)]) if i + 1 < on else last_space(s) + 1
        one_of(sheet, ahead - int(s.position[hat]), GAP)


@compiled
def of_rank(s, place):
    """The sombrero of that rank."""
    for hat in range(hats(s)):
        if on_track(s, hat) and rank(s, hat) == place:
            return hat
    return 0


SOMBRERO = FAR + FAR // 3 + HATS + 3 + HATS + 1 + ZONES + 2 * AHEAD + STEPS + FAR
PLAYER = PURSE + 2 * PURSE + 3 + 1 + 25 + 2 * SOMBRERO


@compiled
def player(s, seat, p, standing, lying, sheet):
    """One player: money, and the sombreros with their ambushes, the foremost first."""
    silver = int(s.money[p])
    at_least(sheet, silver // 5, PURSE)
    one_of(sheet, silver // int(s.race), 2 * PURSE)
    one_of(sheet, in_hand(s, p), 3)
    yes(sheet, s.bankrupt[p])
    one_of(sheet, (silver - int(s.money[seat])) // 3 + 12, 25)
    first = p * each(s)
    if each(s) == 1:
        sombrero(s, first, standing, lying, sheet)
        skip(sheet, SOMBRERO)
    elif s.position[first] >= s.position[first + 1]:
        sombrero(s, first, standing, lying, sheet)
        sombrero(s, first + 1, standing, lying, sheet)
    else:
        sombrero(s, first + 1, standing, lying, sheet)
        sombrero(s, first, standing, lying, sheet)


@compiled
def in_hand(s, p):
    """How many ambushes a player can still lay."""
    many = 0
    for token in range(p * each(s), (p + 1) * each(s)):
        many += s.token[token] == IN_HAND
    return many


@compiled
def sombrero(s, hat, standing, lying, sheet):
    """Where it stands, what it rolls in this round, what lies before it; and a token."""
    token = int(s.token[hat])
    here = int(s.position[hat])
    if not on_track(s, hat):
        skip(sheet, SOMBRERO - FAR)
    else:
        left = last_space(s) + 1 - here
        one_of(sheet, left, FAR)
        at_least(sheet, left // 3, FAR // 3)
        one_of(sheet, dice_due(s, hat), HATS + 3)
        one_of(sheet, rank(s, hat), HATS + 1)
        one_of(sheet, zone(s, here), ZONES)
        each_of(sheet, standing >> here + 1 & NEAR, AHEAD)
        each_of(sheet, lying >> here + 1 & NEAR, AHEAD)
        at_least(sheet, int(2 * danger(s, hat)), STEPS)
    one_of(sheet, last_space(s) + 1 - token if token != IN_HAND else 0, FAR)


@compiled
def danger(s, hat):
    """How far ambushes may drive a sombrero in its next turn or later, in spaces."""
    lost = 0.0
    for token in range(hats(s)):
        space = int(s.token[token])
        if space > s.position[hat]:
            lost += falls_in(s, hat, space) * DIE * AMBUSH_DICE[zone(s, space)]
    return lost


@compiled
def dice_due(s, hat):
    """How many dice a sombrero is still to roll in this round."""
    if s.phase >= Phase.OFFERS and s.phase <= Phase.ROLL and mover(s) == hat:
        return int(s.dice)
    return rank(s, hat) if moves_yet(s, hat) else 0


@compiled
def moves_yet(s, hat):
    """Whether a sombrero has its turn of this round still before it."""
    if s.phase < Phase.ROUND_AMBUSH:
        return True
    for i in range(0 if s.phase == Phase.ROUND_AMBUSH else int(s.place), int(s.many)):
        if s.order[i] == hat:
            return True
    return False
