"""What a hand of the Cards costs, and what a call may bring."""

import math

from caramba.bots.advice import softmax
from caramba.bots.compiled import compiled
from caramba.games.cards.rules import ALL_ONES, BELOW_KNIGHTS, MANY, left_of, points_of, takeable
from caramba.games.cards.state import ALL_JOKERS
from caramba.games.masks import lowest, ones

MUCH = 1000.0
"""More than any hand costs."""

# What a hand of the next turn costs.
NEXT_SET = 0.85
"""How much of the heaviest set in a hand is as good as gone."""
HURRY = 0.1
"""How much less with every lap when a deal drags on: or sets would be passed round for ever."""
GIFT = 0.25
"""How much of what a discard saves the next player is our own loss, with two players."""
USUAL_CARD = 6
"""Points of a card from the pile, about."""


@compiled
def cost_after_take(s, kept):
    """What these cards cost with one more, from the pile or from the table."""
    least = cost_with_pile(s, kept)
    rest = int(takeable(s))
    while rest:
        least = min(least, cost_of(s, kept | rest & -rest))
        rest &= rest - 1
    return least


@compiled
def cost_with_pile(s, kept):
    """The mean over all cards that are out of sight."""
    rest = out_of_sight(s)
    many = ones(rest)
    total = 0.0
    while rest:
        total += cost_of(s, kept | rest & -rest)
        rest &= rest - 1
    return total / many if many else cost_of(s, kept)


@compiled
def out_of_sight(s):
    """The cards that may be in the pile, as far as the player in turn knows."""
    cards = int(s.pile)
    for p in range(s.players):
        if p != s.seat:
            cards |= int(s.hand[p]) & ~int(s.known[p])
    return cards


@compiled
def cost_of(s, hand):
    """The points of a hand, less much of what can go at once in the next turn."""
    gone = max(0.0, NEXT_SET - HURRY * laps_too_many(s))
    return points_of(hand) - gone * heaviest_set(s, hand)


@compiled
def heaviest_set(s, hand):
    """The most points that can be discarded in one turn; jokers are not thought of."""
    most = 0
    rest = hand & ~ALL_JOKERS
    while rest:
        alike = rest & 0b1111 << (lowest(rest) & ~3)
        most = max(most, points_of(alike))
        rest &= ~alike
    if s.traditional:
        for suit in range(4):
            most = max(most, run_points(s, hand >> suit))
        return most
    return max(most, run_points(s, hand | hand >> 3), run_points(s, hand >> 1 | hand >> 2))


@compiled
def run_points(s, cards):
    """The points of the run among cards of a kind, of which the first suit is looked at."""
    cards &= ALL_ONES & ~ALL_JOKERS
    if s.traditional:  # the queens follow the jacks
        cards = cards & BELOW_KNIGHTS | cards >> 4 & ~BELOW_KNIGHTS
    middle = cards & cards >> 4 & cards >> 8
    if middle == 0:
        return 0
    run = middle | middle << 4 | middle << 8
    if s.traditional:
        run = run & BELOW_KNIGHTS | (run & ~BELOW_KNIGHTS) << 4
    return points_of(run)


@compiled
def gift(s, seat, cards):
    """What a discard of a seat is worth to the next player, who may take the lowest card of it."""
    card = lowest(cards)
    saved = USUAL_CARD - points_of(cards & -cards)
    known = int(s.known[left_of(s, seat)])
    if known & 0b1111 << (card & ~3):
        saved += USUAL_CARD
    return GIFT * max(0, saved) / (in_game(s) - 1)


@compiled
def in_game(s):
    """How many players have not left the game."""
    many = 0
    for p in range(s.players):
        many += 1 - int(s.out[p])
    return many


# Caramba!

# How likely a hand is to have more points than ours: rounded from logistic regressions on the
# calls that were possible in games between medium players, 2 to 8 of them.
MORE_EARLY = 7.3
"""Over the number of the lap: with time, all hands get low."""
LATE = 8
"""From this lap on, hands hardly get lower."""
MORE_UNKNOWN = 0.75
"""For each card that nobody has seen."""
MORE_KNOWN = 0.2
"""For each point of the cards that were seen."""
MORE_OWN = -0.4
"""For each point of our own."""

WAITING = 3.0
"""The points that a player who could call gains on the others by waiting, about."""
LONG = 10
"""A deal of more laps than this begins to drag on."""
IMPATIENCE = 1.0
"""By how many points a player then dares more with every lap: or all would wait for ever."""
UNKNOWN_POINTS = 4.0
"""Points of a card in another hand, about: less than in the pile, for low cards are kept."""


@compiled
def gain_of_call(s):
    """How many points a call gains on the others, on average, as far as one can guess."""
    points = points_of(int(s.hand[s.seat]))
    chance = chance_of_call(s, points)
    return chance * others_points(s, int(s.seat)) - (1 - chance) * (points + int(s.penalty))


@compiled
def waiting(s):
    """The points that a player may hope to gain by waiting, fewer as a deal drags on."""
    return WAITING - IMPATIENCE * laps_too_many(s)


@compiled
def laps_too_many(s):
    """How long the deal has been dragging on."""
    return max(0, int(s.lap) - LONG)


@compiled
def others_points(s, seat):
    """The points of another player's hand, on average, as far as one can guess."""
    total = 0.0
    for p in range(s.players):
        if p != seat and not s.out[p]:
            known = int(s.known[p])
            total += points_of(known) + UNKNOWN_POINTS * (ones(s.hand[p]) - ones(known))
    return total / (in_game(s) - 1)


@compiled
def chance_of_call(s, points):
    """How likely it is that everybody else has more points."""
    chance = 1.0
    for p in range(s.players):
        if p != s.seat and not s.out[p]:
            chance *= chance_of_more(s, p, points)
    return chance


@compiled
def chance_of_more(s, p, points):
    """How likely a player is to have more points than these, by what is known of the hand."""
    known = int(s.known[p])
    unknown = ones(s.hand[p]) - ones(known)
    if unknown == 0:
        return 1.0 if points_of(known) > points else 0.0
    evidence = MORE_EARLY / min(int(s.lap), LATE) + MORE_UNKNOWN * unknown
    evidence += MORE_KNOWN * points_of(known) + MORE_OWN * points
    return 1 / (1 + math.exp(-evidence))


# How likely everybody is to win


@compiled
def stage(s):
    """One stage a deal."""
    return int(s.deal)


# How much a lead counts: fitted to games between medium players of 2, 3, 4 and 6, some of them
# short; with elimination, of 3 and 4. The log loss is 0.59, 0.86, 1.06 and 1.33, where knowing
# nothing gives 0.69, 1.10, 1.39 and 1.79.
SPREAD = 22.0
"""The lead that counts, times the players: a deal can shift totals by about as much."""
RISE = 7.0
"""Points by which the highest total rises in a deal, about."""
UNSURE = 1.9
"""Deals by which the end may be nearer or farther."""
SPREAD_OF_LAST, RISE_OF_LAST, UNSURE_OF_LAST = 48.0, 31.0, 1.0
"""The same with elimination, by the total of the last but one to leave."""


@compiled
def worth(s, shares):
    """By the totals: the fewer points are left to play, the more a lead counts."""
    slope = slope_of(s)
    for p in range(s.players):
        shares[p] = -MUCH if s.out[p] else -slope * int(s.score[p])
    softmax(shares)


@compiled
def slope_of(s):
    """How much a point counts, by how many deals are left to make up for it."""
    left = int(s.max_deals) - int(s.deal) + 1
    if s.elimination:
        left = min(left, (int(s.end_score) - second_fewest(s)) / RISE_OF_LAST)
        return in_game(s) / (SPREAD_OF_LAST * math.sqrt(max(left, 0) + UNSURE_OF_LAST))
    left = min(left, (int(s.end_score) - most_points(s)) / RISE)
    return in_game(s) / (SPREAD * math.sqrt(max(left, 0) + UNSURE))


@compiled
def most_points(s):
    """The highest total."""
    most = -MANY
    for p in range(s.players):
        most = max(most, int(s.score[p]))
    return most


@compiled
def second_fewest(s):
    """The lowest total but one, of those who are still in the game."""
    fewest = MANY
    second = MANY
    for p in range(s.players):
        if not s.out[p]:
            total = int(s.score[p])
            second = min(second, max(fewest, total))
            fewest = min(fewest, total)
    return second
