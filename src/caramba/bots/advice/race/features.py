"""What a seat of the Race knows, for the network: players in the order from it to the left."""

from caramba.bots.compiled import compiled
from caramba.bots.network.sheet import at_least, each_of, one_of, skip, yes
from caramba.games.race.rules import (
    arrived,
    each,
    fee,
    has_ambush,
    hat_on,
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
FAR = 48
"""A sombrero so far from the mine is just far."""
PURSE = 24


@compiled
def fits(s):
    """Tracks about as long as those that were learned."""
    return 20 <= last_space(s) <= 54


@compiled
def features(s, seat, sheet):
    """The table, then the players with what they have on the track."""
    table(s, seat, sheet)
    for i in range(SEATS):
        if i < s.players:
            player(s, seat, (seat + i) % int(s.players), sheet)
        else:
            skip(sheet, PLAYER)


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


SOMBRERO = FAR + HATS + 1 + HATS + 1 + ZONES + 2 + 2 * AHEAD + FAR + 12
PLAYER = 3 * PURSE + 3 + 3 + 24 + 25 + 2 * SOMBRERO


@compiled
def player(s, seat, p, sheet):
    """One player: money, and the sombreros with their ambushes, the foremost first."""
    silver = int(s.money[p])
    at_least(sheet, silver // 5, PURSE)
    one_of(sheet, silver, 2 * PURSE)
    one_of(sheet, token_in_hand(s, p) != NONE, 3)
    yes(sheet, s.bankrupt[p])
    yes(sheet, silver > s.money[seat])
    yes(sheet, silver < s.money[seat])
    one_of(sheet, int(s.offer[p]), 24)
    one_of(sheet, (silver - int(s.money[seat])) // 3 + 12, 25)
    first = p * each(s)
    if each(s) == 1:
        sombrero(s, first, sheet)
        skip(sheet, SOMBRERO)
    elif s.position[first] >= s.position[first + 1]:
        sombrero(s, first, sheet)
        sombrero(s, first + 1, sheet)
    else:
        sombrero(s, first + 1, sheet)
        sombrero(s, first, sheet)


@compiled
def sombrero(s, hat, sheet):
    """Where it stands, when it moves, what lies before it; and the token of the same number."""
    token = int(s.token[hat])
    here = int(s.position[hat])
    one_of(sheet, last_space(s) + 1 - here if here else FAR, FAR)
    one_of(sheet, int(s.arrival[hat]), HATS + 1)
    if not on_track(s, hat):
        skip(sheet, HATS + 1 + ZONES + 2 + 2 * AHEAD)
    else:
        one_of(sheet, rank(s, hat), HATS + 1)
        one_of(sheet, zone(s, here), ZONES)
        yes(sheet, moves_yet(s, hat))
        yes(sheet, s.phase >= Phase.TURN_AMBUSH and mover(s) == hat)
        hosts = 0
        ambushes = 0
        for step in range(1, AHEAD + 1):
            if here + step <= last_space(s):
                hosts |= (hat_on(s, here + step, hat) != NONE) << (step - 1)
                ambushes |= int(has_ambush(s, here + step)) << (step - 1)
        each_of(sheet, hosts, AHEAD)
        each_of(sheet, ambushes, AHEAD)
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
