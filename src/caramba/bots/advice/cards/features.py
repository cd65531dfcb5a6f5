"""What a seat of the Cards knows, for the network.

A deal brings much more or less by luck than by one choice: what is compared is noted in the same
features, and ordered things as steps that are reached, so that little has to be learned.
"""

import math

import numpy as np

from caramba.bots.advice.cards.evaluation import (
    UNKNOWN_POINTS,
    chance_of_more,
    cost_after_take,
    cost_of,
    cost_with_pile,
    gain_of_call,
    gift,
    in_game,
    others_points,
    slope_of,
    worth,
)
from caramba.bots.compiled import compiled
from caramba.bots.network.sheet import (
    NEXT,
    YESES,
    at_least,
    each_of,
    guess,
    one_of,
    set_apart,
    skip,
    yes,
)
from caramba.games.cards.actions import CARAMBA
from caramba.games.cards.components import HAND, RANKS
from caramba.games.cards.knowledge import seen
from caramba.games.cards.rules import (
    apply,
    choices_without_jokers,
    chosen,
    last_card,
    left_of,
    points_of,
)
from caramba.games.cards.state import ALL_JOKERS, ALL_KNIGHTS, CARDS, SEATS, Phase
from caramba.games.masks import lowest, ones

PHASES = len(Phase)
CALLED = Phase.OVER
"""The phase after a call, before anybody has shown a hand."""
HIGHEST = 51
"""A hand has fewer points."""
OWN, OTHERS = 0.9, 0.3
"""What a point that one's own hand costs, and one that others hold, changes in the end, about."""
LOW = 3
"""Ranks that everybody would like to have, beside the Knights."""
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
    """The table, the own hand, then the others: the next player, and all the rest as one.

    With two players it is another game, of which others have nothing to learn.
    """
    many, begun = sheet[YESES], sheet[NEXT]
    cost = cost_to_come(s, seat, int(s.hand[seat]))
    guess(sheet, chance_to_win(s, seat, cost))
    table(s, seat, sheet)
    open_cards(s, seat, sheet)
    own(s, seat, cost, sheet)
    follower = left_of(s, seat)
    rival(s, seat, follower, sheet)
    first = sheet[NEXT]
    for p in range(s.players):
        if p != seat and p != follower and not s.out[p]:
            sheet[NEXT] = first
            rival(s, seat, p, sheet)
    sheet[NEXT] = first + RIVAL
    set_apart(sheet, many, begun, s.players > 2)


@compiled
def chance_to_win(s, seat, cost):
    """By the totals, and by what a rule of thumb expects of the deal."""
    shares = np.zeros(int(s.players))
    worth(s, shares)
    odds = shares[seat] * math.exp(slope_of(s) * lead_to_come(s, seat, cost))
    return odds / (odds + 1 - shares[seat])


@compiled
def lead_to_come(s, seat, cost):
    """How many points this deal will gain on the others."""
    if s.phase == CALLED:
        return gain_of_call(s)
    given = given_by(s, seat)
    lost = cost + (gift(s, seat, given) if given else 0.0)
    return OTHERS * others_points(s, seat) - OWN * lost


@compiled
def given_by(s, seat):
    """What the next player may take, if this seat has just discarded or is about to take."""
    if s.seat != seat:
        return int(s.previous)
    return int(s.laid) if s.phase == Phase.TAKE or s.phase == Phase.DRAW else 0


@compiled
def table(s, seat, sheet):
    """Where the deal stands, and the rules of the house."""
    one_of(sheet, in_game(s) - 2, SEATS - 1)
    one_of(sheet, int(s.phase), PHASES)
    one_of(sheet, time_of(int(s.lap)), 32)
    one_of(sheet, int(s.max_laps) - int(s.lap), 4)
    one_of(sheet, ones(s.pile) // 4, 12)
    yes(sheet, s.shuffles > 0)
    yes(sheet, s.ends_only)
    yes(sheet, s.others_score)
    yes(sheet, s.elimination)
    yes(sheet, s.traditional)
    one_of(sheet, int(s.penalty) // 10, 8)
    one_of(sheet, int(s.call_limit), 16)
    one_of(sheet, place_of_turn(s, seat), SEATS)


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
def open_cards(s, seat, sheet):
    """What this seat may take, what the next one may, and which low cards are gone.

    The same cards lie elsewhere before and after a turn: what counts is who may take them.
    """
    mine = s.seat == seat
    in_midst = mine and (s.phase == Phase.TAKE or s.phase == Phase.DRAW)
    ranks_of(sheet, int(s.previous) if mine and s.phase <= Phase.TAKE else 0)
    given = given_by(s, seat)
    ranks_of(sheet, given)
    at_least(sheet, points_of(given & -given) + 2 if given else 0, 12)
    yes(sheet, share_a_rank(given, int(s.known[left_of(s, seat)])))
    gone = int(s.older) | (int(s.previous) if in_midst and s.phase == Phase.DRAW else 0)
    one_of(sheet, ones(gone & ALL_KNIGHTS), 5)
    for rank in range(LOW):
        one_of(sheet, ones(gone >> 4 * rank & 15), 5)


@compiled
def share_a_rank(some, others):
    """Whether a card of the one set has the rank of one in the other."""
    while some:
        if others & 0b1111 << (lowest(some) & ~3):
            return True
        some &= some - 1
    return False


@compiled
def ranks_of(sheet, cards):
    """How many of each rank there are in a set, and whether there are jokers."""
    for rank in range(len(RANKS)):
        at_least(sheet, ones(cards >> 4 * rank & 15), 4)
    at_least(sheet, ones(cards & ALL_JOKERS), 2)


@compiled
def own(s, seat, cost, sheet):
    """The hand: its cards and ranks, points, and what it costs by rules of thumb."""
    hand = int(s.hand[seat])
    points = points_of(hand)
    each_of(sheet, hand, CARDS)
    ranks_of(sheet, hand)
    one_of(sheet, points + 4, HIGHEST + 4)
    one_of(sheet, points - int(s.call_limit) + 12, 25)
    at_least(sheet, (points + 5) // 2, 16)
    one_of(sheet, int(2 * cost) + 8, 48)
    at_least(sheet, int(cost) + 4, 24)
    one_of(sheet, ones(hand), HAND + 1)
    left = least_left(s, hand, points)
    one_of(sheet, left + 4, 32)
    one_of(sheet, left - int(s.call_limit) + 12, 25)
    one_of(sheet, int(20 * chance_of_least(s, seat, points)), 21)
    one_of(sheet, int(points_of_others(s, seat)) - points + 8, 32)
    one_of(sheet, int(s.score[seat]) // BY, 18)
    one_of(sheet, (int(s.end_score) - int(s.score[seat])) // BY, 18)


@compiled
def cost_to_come(s, seat, hand):
    """What the hand costs by rules of thumb, with the card that is still to be taken or drawn."""
    if s.seat == seat and s.phase == Phase.TAKE:
        return cost_after_take(s, hand)
    if s.seat == seat and s.phase == Phase.DRAW:
        return cost_with_pile(s, hand)
    return cost_of(s, hand)


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


FIGURES = 12
"""Points of a card, from -1 to 10."""
DROPPED = 2 * (len(RANKS) + 1) + 24 + (HAND + 1) * FIGURES
RIVAL = CARDS + 24 + (HAND + 1) + (HAND + 1) + 41 + 18 + DROPPED


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
    dropped(s, p, sheet)


@compiled
def dropped(s, p, sheet):
    """What a player discarded last: who throws out a low card has few high ones left."""
    cards = int(s.dropped[p]) & ~ALL_JOKERS
    if cards == 0:
        skip(sheet, DROPPED)
        return
    highest = 1 << last_card(cards)
    one_of(sheet, lowest(cards) >> 2, len(RANKS))
    one_of(sheet, 1 + (last_card(cards) >> 2) if ones(cards) > 1 else 0, len(RANKS) + 2)
    one_of(sheet, points_of(cards) + 1, 24)
    one_of(sheet, FIGURES * ones(s.hand[p]) + points_of(highest) + 1, (HAND + 1) * FIGURES)
