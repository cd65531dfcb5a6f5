"""What a seat of the Cards knows, for the network: players in the order from it to the left."""

from caramba.bots.advice.cards.evaluation import (
    UNKNOWN_POINTS,
    chance_of_more,
    heaviest_set,
    in_game,
)
from caramba.bots.compiled import compiled
from caramba.bots.network.sheet import at_least, each_of, one_of, skip, yes
from caramba.games.cards.actions import CARAMBA
from caramba.games.cards.components import HAND, RANKS
from caramba.games.cards.knowledge import seen
from caramba.games.cards.rules import apply, choices_without_jokers, chosen, points_of, takeable
from caramba.games.cards.state import ALL_JOKERS, CARDS, SEATS, Phase
from caramba.games.masks import lowest, ones

PHASES = len(Phase)
CALLED = Phase.OVER
"""The phase after a call, before anybody has shown a hand."""
HIGHEST = 51
"""A hand has fewer points."""
BY = 6
"""Totals are told apart by so many points."""


@compiled
def fits(s):
    """Limits and totals near those that were learned."""
    near = 3 <= s.call_limit <= 15 and 10 <= s.penalty <= 50 and 40 <= s.end_score <= 150
    return near and s.max_laps >= 20 and s.max_deals >= 20


@compiled
def foresee(s, action):
    """A call shows hands that nobody knows yet: only that it was made is foreseen."""
    if action == CARAMBA:
        s.phase = CALLED
    else:
        apply(s, action)


@compiled
def features(s, seat, sheet):
    """The table, the own hand, then the others."""
    table(s, seat, sheet)
    own(s, seat, sheet)
    for i in range(1, SEATS):
        p = (seat + i) % int(s.players)
        if i < s.players and not s.out[p]:
            rival(s, seat, p, sheet)
        else:
            skip(sheet, RIVAL)


@compiled
def table(s, seat, sheet):
    """Where the deal stands, the rules of the house, and the cards that are open."""
    one_of(sheet, in_game(s) - 2, SEATS - 1)
    one_of(sheet, int(s.phase), PHASES)
    one_of(sheet, time_of(int(s.lap)), 32)
    one_of(sheet, int(s.max_laps) - int(s.lap), 4)
    at_least(sheet, ones(s.pile) // 4, 12)
    yes(sheet, s.shuffles > 0)
    yes(sheet, s.ends_only)
    yes(sheet, s.others_score)
    yes(sheet, s.elimination)
    yes(sheet, s.traditional)
    one_of(sheet, int(s.penalty) // 10, 8)
    one_of(sheet, int(s.call_limit), 16)
    one_of(sheet, place_of_turn(s, seat), SEATS)
    ranks_of(sheet, int(s.laid))
    each_of(sheet, int(s.previous), CARDS)
    ranks_of(sheet, int(s.previous))
    ranks_of(sheet, int(s.older))


@compiled
def time_of(lap):
    """Laps, told apart less finely as they grow, up to the 200 that there may be."""
    if lap <= 16:
        return lap
    return 16 + (lap - 16) // 4 if lap <= 48 else 24 + min(7, (lap - 48) // 24)


@compiled
def place_of_turn(s, seat):
    """How far from this seat it is to whose turn it is."""
    return (int(s.seat) - seat) % int(s.players)


@compiled
def ranks_of(sheet, cards):
    """How many of each rank there are in a set, and whether there are jokers."""
    for rank in range(len(RANKS)):
        at_least(sheet, ones(cards >> 4 * rank & 15), 4)
    at_least(sheet, ones(cards & ALL_JOKERS), 2)


@compiled
def own(s, seat, sheet):
    """The hand: its cards and ranks, points, and what would be left after the best discard."""
    hand = int(s.hand[seat])
    points = points_of(hand)
    each_of(sheet, hand, CARDS)
    ranks_of(sheet, hand)
    one_of(sheet, points + 4, HIGHEST + 4)
    one_of(sheet, points - int(s.call_limit) + 12, 25)
    one_of(sheet, ones(hand), HAND + 1)
    left = least_left(s, hand, points)
    one_of(sheet, left + 4, 32)
    one_of(sheet, left - int(s.call_limit) + 12, 25)
    if s.phase == Phase.TAKE and s.seat == seat:
        one_of(sheet, least_with_table(s, hand) + 4, 32)
    else:
        skip(sheet, 32)
    one_of(sheet, int(20 * chance_of_least(s, seat, points)), 21)
    one_of(sheet, int(points_of_others(s, seat)) - points + 8, 32)
    one_of(sheet, int(s.score[seat]) // BY, 18)
    one_of(sheet, (int(s.end_score) - int(s.score[seat])) // BY, 18)


@compiled
def least_left(s, hand, points):
    """The points of the hand after its heaviest discard."""
    cards = hand & ~ALL_JOKERS
    if cards == 0:
        return points
    choices = choices_without_jokers(s, cards)
    most = 0
    while choices:
        most = max(most, points_of(chosen(cards, lowest(choices))))
        choices &= choices - 1
    return points - most


@compiled
def least_with_table(s, hand):
    """The points of the hand after its heaviest set, with the open card that is best for that."""
    least = points_of(hand)
    rest = int(takeable(s))
    while rest:
        more = hand | rest & -rest
        least = min(least, points_of(more) - heaviest_set(s, more))
        rest &= rest - 1
    return least


@compiled
def chance_of_least(s, seat, points):
    """How likely it is that everybody else has more points, by a rule of thumb."""
    chance = 1.0
    for p in range(s.players):
        if p != seat and not s.out[p]:
            chance *= chance_of_more(s, p, points)
    return chance


@compiled
def points_of_others(s, seat):
    """The points of the lowest of the other hands, as far as one can guess."""
    least = float(HIGHEST)
    for p in range(s.players):
        if p != seat and not s.out[p]:
            known = int(s.known[p])
            least = min(least, points_of(known) + UNKNOWN_POINTS * (ones(s.hand[p]) - ones(known)))
    return least


RIVAL = CARDS + 24 + (HAND + 1) + (HAND + 1) + 41 + 18


@compiled
def rival(s, seat, p, sheet):
    """What one is sure of in another hand, and the totals."""
    cards = seen(s, p, seat)
    each_of(sheet, cards, CARDS)
    one_of(sheet, points_of(cards) + 4, 24)
    one_of(sheet, ones(s.hand[p]), HAND + 1)
    one_of(sheet, ones(s.hand[p]) - ones(cards), HAND + 1)
    one_of(sheet, (int(s.score[p]) - int(s.score[seat])) // BY + 20, 41)
    one_of(sheet, (int(s.end_score) - int(s.score[p])) // BY, 18)
