"""The rules of the Cards, in the order of the rule book (RULES.md).

`legal` and `apply` are one match on the phase, then one pair of functions a phase. A set of
cards is a whole number with a bit for each card (see state.py), so `a & b` is what two sets
share, `a | b` both together, and `a & ~b` what is left of one without the other.
"""

from caramba.games.cards.actions import CARAMBA, CARD, DROP, FIRST, TAKE, TAKE_PILE
from caramba.games.cards.components import BLACK, HAND, POINTS
from caramba.games.cards.state import ALL_JOKERS, CARDS, KNIGHT, NONE, End, Phase, What
from caramba.games.chance import below
from caramba.games.compiled import compiled, no_such_phase
from caramba.games.contract import CHANCE, OVER
from caramba.games.masks import allow, allow_bits, allow_range, forbid, lowest, nth_bit, ones
from caramba.games.paper import tell

MANY = 10_000
"""More points than anybody can have."""
ALL_ONES = sum(1 << card for card in range(0, CARDS, 4))
"""One suit, to which the ranks of a hand are brought together."""
BELOW_KNIGHTS = (1 << 4 * KNIGHT) - 1
SINGLES = tuple(sum(1 << (1 << place) for place in range(size)) for size in range(HAND + 1))
"""By size of the hand: a bit for every choice of one card."""
ENDING_AT = tuple(((1 << (1 << place)) - 1) << (1 << place) for place in range(HAND))
"""By place in the hand: a bit for every choice whose last card is there."""
OF_THREE_OR_MORE = sum(1 << choice for choice in range(1 << HAND) if choice.bit_count() >= 3)
"""A bit for every choice of so many cards."""


@compiled
def actor(s):
    """Whose step it is."""
    match s.phase:
        case Phase.DISCARD | Phase.TAKE:
            return int(s.seat)
        case Phase.OVER:
            return OVER
        case Phase.FIRST | Phase.DEAL | Phase.DRAW:
            return CHANCE
        case _:
            return no_such_phase()


@compiled
def legal(s, mask):
    """What the actor may do."""
    match s.phase:
        case Phase.DISCARD:
            legal_discard(s, mask)
        case Phase.TAKE:
            legal_take(s, mask)
        case _:
            no_such_phase()


@compiled
def chances(s, weights):
    """What chance may do: the first outcome's number, and how many are weighted."""
    match s.phase:
        case Phase.FIRST:
            return chances_first(s, weights)
        case Phase.DEAL | Phase.DRAW:
            return chances_card(s, weights)
        case _:
            return no_such_phase(), 0


@compiled
def draw(s, rng):
    """What chance does, by these weights."""
    match s.phase:
        case Phase.FIRST:
            return FIRST + (below(rng, s.players) if s.chosen_first == NONE else s.chosen_first)
        case Phase.DEAL | Phase.DRAW:
            return CARD + nth_card(int(s.pile), below(rng, ones(s.pile)))
        case _:
            return no_such_phase()


@compiled
def apply(s, a):
    """Take one step."""
    match s.phase:
        case Phase.FIRST:
            apply_first(s, a)
        case Phase.DEAL:
            apply_deal(s, a)
        case Phase.DISCARD:
            apply_discard(s, a)
        case Phase.TAKE:
            apply_take(s, a)
        case Phase.DRAW:
            apply_draw(s, a)
        case _:
            no_such_phase()


@compiled
def outcome(s, points):
    """C16: the totals; the end (0 while playing), and the winners as bits."""
    for p in range(s.players):
        points[p] = s.score[p]
    return int(s.end), winners(s) if s.end else 0


# Small words of the rules


@compiled
def rank(card):
    """C01: from 0 for the ones to 13 for the kings."""
    return card >> 2


@compiled
def place_in_run(s, card):
    """C07, C25: the order of runs; without knights the queen follows the jack."""
    if s.traditional and rank(card) > KNIGHT:
        return rank(card) - 1
    return rank(card)


@compiled
def points_of(cards):
    """C02: what a set of cards counts; jokers count nothing."""
    points = 0
    rest = cards & ~ALL_JOKERS
    while rest:
        points += POINTS[rank(lowest(rest))]
        rest &= rest - 1
    return points


@compiled
def nth_card(cards, n):
    """The n-th card of a set, from 0."""
    return nth_bit(cards, n)


@compiled
def last_card(cards):
    """The highest card of a set."""
    return nth_card(cards, ones(cards) - 1)


@compiled
def left_of(s, seat):
    """The next player to the left who is still in the game."""
    p = int(seat) + 1
    while p == s.players or s.out[p]:
        p = 0 if p == s.players else p + 1
    return p


# Deal


@compiled
def chances_first(s, weights):
    """C04: anyone begins, or the seat that was chosen."""
    for p in range(s.players):
        weights[p] = s.chosen_first == NONE or s.chosen_first == p
    return FIRST, int(s.players)


@compiled
def apply_first(s, a):
    """C04: this seat begins the first deal."""
    s.beginner = a - FIRST
    tell(s, What.FIRST, s.beginner)
    open_deal(s)


@compiled
def open_deal(s):
    """C03: one card at a time, the beginner first."""
    s.phase = Phase.DEAL
    s.lap = 1
    s.seat = s.beginner
    tell(s, What.NEW_DEAL, s.beginner, s.deal)


@compiled
def chances_card(s, weights):
    """C03, C08: any card of the pile."""
    for card in range(CARDS):
        weights[card] = s.pile >> card & 1
    return CARD, CARDS


@compiled
def apply_deal(s, a):
    """C03: until everybody has five."""
    give_from_pile(s, a - CARD)
    tell(s, What.DEAL, s.seat, a - CARD)
    s.seat = left_of(s, s.seat)
    if ones(s.hand[s.seat]) == HAND:
        open_turn(s)


@compiled
def give_from_pile(s, card):
    """A card for the seat in turn that nobody else sees."""
    s.pile &= ~(1 << card)
    s.hand[s.seat] |= 1 << card


# A turn: discard, then draw


@compiled
def open_turn(s):
    """C05: first a discard, or Caramba."""
    s.phase = Phase.DISCARD


@compiled
def legal_discard(s, mask):
    """C05, C11: Caramba, a single card, cards of one rank, or a run."""
    if may_call(s):
        allow(mask, CARAMBA)
    hand = int(s.hand[s.seat])
    if has_singles_only(s, hand):
        allow_bits(mask, DROP, SINGLES[ones(hand)])
        return
    if hand & ALL_JOKERS == 0:
        allow_bits(mask, DROP, choices_without_jokers(s, hand))
        return
    for choice in range(1, 1 << ones(hand)):
        cards = chosen(hand, choice)
        if is_of_one_rank(cards) or is_run(s, cards):
            allow(mask, DROP + choice)


@compiled
def has_singles_only(s, hand):
    """Whether there is no pair, no joker, and nowhere three ranks in a row: often it is so."""
    ranks = (hand | hand >> 1 | hand >> 2 | hand >> 3) & ALL_ONES
    if ones(ranks) < ones(hand) or hand & ALL_JOKERS:
        return False
    if s.traditional:  # C25: the queens follow the jacks
        ranks = ranks & BELOW_KNIGHTS | ranks >> 4 & ~BELOW_KNIGHTS
    return ranks & ranks >> 4 & ranks >> 8 == 0


@compiled
def choices_without_jokers(s, hand):
    """C05-C07 for a hand without jokers, all at once: a bit for every choice that is allowed.

    Cards of one rank, or in a row, are others with one more card that fits the last of them.
    """
    alike = 0
    rows = 0
    place = 0
    rest = hand
    while rest:
        card = lowest(rest)
        alike |= 1 << (1 << place)
        rows |= 1 << (1 << place)
        lower = hand
        for last in range(place):
            other = lowest(lower)
            if rank(other) == rank(card):
                alike |= (alike & ENDING_AT[last]) << (1 << place)
            elif follows(s, other, card):
                rows |= (rows & ENDING_AT[last]) << (1 << place)
            lower &= lower - 1
        place += 1
        rest &= rest - 1
    return alike | rows & OF_THREE_OR_MORE


@compiled
def follows(s, low, high):
    """C06, C07, C25: whether one card is next to the other in a run."""
    if place_in_run(s, low) + 1 != place_in_run(s, high):
        return False
    return is_of_a_kind(s, 1 << low | 1 << high)


@compiled
def chosen(hand, choice):
    """The cards of a sorted hand that a choice means."""
    cards = 0
    while choice:
        card = hand & -hand
        if choice & 1:
            cards |= card
        hand &= hand - 1
        choice >>= 1
    return cards


@compiled
def is_of_one_rank(cards):
    """C05, C25: one to four cards of the same rank, jokers standing for some of them."""
    others = cards & ~ALL_JOKERS
    if others == 0:
        return True
    return ones(cards) <= 4 and rank(lowest(others)) == rank(last_card(others))


@compiled
def is_run(s, cards):
    """C06, C07, C25: at least three in a row and of a kind, jokers standing for some of them."""
    return ones(cards) >= 3 and is_of_a_kind(s, cards) and gaps(s, cards) <= jokers(cards)


@compiled
def is_of_a_kind(s, cards):
    """C06, C25: all black or all red; with the traditional deck, all of one suit."""
    rest = cards & ~ALL_JOKERS
    suit = lowest(rest) & 3
    while rest:
        other = lowest(rest) & 3
        if other != suit and (s.traditional or BLACK[other] != BLACK[suit]):
            return False
        rest &= rest - 1
    return True


@compiled
def gaps(s, cards):
    """C07: how many ranks a run lacks between its ends; more than any run if one is there twice."""
    rest = cards & ~ALL_JOKERS
    lacking = 0
    while rest & (rest - 1):
        low = lowest(rest)
        rest &= rest - 1
        step = place_in_run(s, lowest(rest)) - place_in_run(s, low)
        lacking += step - 1 if step else HAND
    return lacking


@compiled
def jokers(cards):
    """C25: how many jokers are in a set."""
    return ones(cards & ALL_JOKERS)


@compiled
def apply_discard(s, a):
    """C05, C11: Caramba ends the deal; else the cards go to the table."""
    if a == CARAMBA:
        call(s)
        return
    cards = chosen(int(s.hand[s.seat]), a - DROP)
    s.hand[s.seat] &= ~cards
    s.known[s.seat] &= ~cards
    s.laid = cards
    s.dropped[s.seat] = cards
    s.phase = Phase.TAKE
    tell(s, What.DROP, s.seat, cards)


@compiled
def legal_take(s, mask):
    """C08: the top of the pile, or a card of the previous player's set."""
    allow(mask, TAKE_PILE)
    allow_range(mask, TAKE, TAKE + ones(s.previous) - 1)
    if takeable(s) != s.previous:
        for place in range(ones(s.previous)):
            if takeable(s) >> nth_card(int(s.previous), place) & 1 == 0:
                forbid(mask, TAKE + place)


@compiled
def takeable(s):
    """C08, C22: any card of the previous player's set, or only the ends of a run."""
    cards = int(s.previous)
    if s.ends_only and not is_of_one_rank(cards):
        return run_ends(s, cards)
    return cards


@compiled
def run_ends(s, cards):
    """C22, C25: the lowest card and the highest, and the jokers that fill no gap."""
    others = cards & ~ALL_JOKERS
    free = cards & ALL_JOKERS
    for _ in range(gaps(s, cards)):
        free &= free - 1
    return 1 << lowest(others) | 1 << last_card(others) | free


@compiled
def apply_take(s, a):
    """C08: everybody sees what is taken from the table."""
    if a == TAKE_PILE:
        tell(s, What.TAKE, s.seat, 0)
        open_draw(s)
        return
    card = 1 << nth_card(int(s.previous), a - TAKE)
    s.previous &= ~card
    s.hand[s.seat] |= card
    s.known[s.seat] |= card
    tell(s, What.TAKE, s.seat, card)
    close_turn(s)


@compiled
def open_draw(s):
    """C09: when the pile is empty, all discards but those of this turn are shuffled first."""
    if s.pile == 0:
        s.pile = s.older | s.previous
        s.older = 0
        s.previous = 0
        s.shuffles += 1
        for card in range(CARDS):
            if s.pile >> card & 1:
                s.shuffled[card] = s.shuffles
        tell(s, What.SHUFFLED, NONE, s.pile)
    s.phase = Phase.DRAW


@compiled
def apply_draw(s, a):
    """C08: the top of the pile."""
    give_from_pile(s, a - CARD)
    tell(s, What.DRAW, s.seat, a - CARD)
    close_turn(s)


@compiled
def close_turn(s):
    """C04, C08, C17: to the left; what was discarded now is the previous player's set."""
    s.older |= s.previous
    s.previous = s.laid
    s.laid = 0
    s.seat = left_of(s, s.seat)
    if s.seat != s.beginner:
        open_turn(s)
    elif s.lap < s.max_laps:
        s.lap += 1
        open_turn(s)
    else:
        tell(s, What.VOID, NONE, s.lap)
        close_deal(s)


# Caramba!


@compiled
def may_call(s):
    """C11, C12, C18: few points, and not in the first lap."""
    return s.lap > 1 and points_of(int(s.hand[s.seat])) <= s.call_limit


@compiled
def call(s):
    """C13, C14: the hands are shown and scored, and totals of just 100 drop."""
    caller = int(s.seat)
    points = points_of(int(s.hand[caller]))
    tell(s, What.CARAMBA, caller, points)
    show_hands(s)
    fewest = fewest_of_others(s, caller)
    if points < fewest:
        tell(s, What.WON, caller)
        score_others(s, caller, MANY)
    else:
        tell(s, What.FAILED, caller)
        score(s, caller, points + int(s.penalty))
        if s.others_score:
            score_others(s, caller, fewest)
    drop_scores(s)
    close_deal(s)


@compiled
def show_hands(s):
    """C11, C16: from now on everybody knows all hands."""
    for p in range(s.players):
        if not s.out[p]:
            s.known[p] = s.hand[p]
            tell(s, What.SHOWN, p, s.hand[p])


@compiled
def fewest_of_others(s, caller):
    """C13: the fewest points in the hands of the others."""
    fewest = MANY
    for p in range(s.players):
        if p != caller and not s.out[p]:
            fewest = min(fewest, points_of(int(s.hand[p])))
    return fewest


@compiled
def score_others(s, caller, exempt):
    """C13, C23: everybody else scores the points in hand, but for those with so many."""
    for p in range(s.players):
        points = points_of(int(s.hand[p]))
        if p != caller and not s.out[p] and points != exempt:
            score(s, p, points)


@compiled
def score(s, p, points):
    """C13, C14: points are added to a total."""
    s.score[p] += points
    if points:
        tell(s, What.SCORES, p, points, s.score[p])


# End


@compiled
def drop_scores(s):
    """C15, C20, C21: totals of exactly 100 become 75."""
    for p in range(s.players):
        if s.score[p] == s.end_score:
            s.score[p] = s.drop_to
            if s.drop_to < s.end_score:
                tell(s, What.DROPS, p, s.end_score, s.drop_to)


@compiled
def close_deal(s):
    """C16, C17: it may be the end, or there is another deal."""
    if s.elimination:
        see_who_is_out(s)
    s.end = reason_to_end(s)
    if s.end:
        finish(s)
    else:
        next_deal(s)


@compiled
def see_who_is_out(s):
    """C24: whoever is above 100 leaves."""
    for p in range(s.players):
        if is_above(s, p) and not s.out[p]:
            s.out[p] = 1
            tell(s, What.OUT, p, s.score[p])


@compiled
def finish(s):
    """C16: the game is over, and all hands lie open, if they do not already."""
    if s.phase != Phase.DISCARD:
        show_hands(s)
    s.phase = Phase.OVER
    tell(s, What.OVER, NONE, s.end, s.elimination and s.end == End.POINTS)


@compiled
def is_above(s, p):
    """C16, C20: whether a total is above 100."""
    return s.score[p] > s.end_score


@compiled
def reason_to_end(s):
    """C16, C17, C24: the first reason that holds."""
    above = 0
    for p in range(s.players):
        above += is_above(s, p)
    if above >= (s.players - 1 if s.elimination else 1):
        return End.POINTS
    if s.deal == s.max_deals:
        return End.DEALS
    return End.NOT_YET


@compiled
def next_deal(s):
    """C04: all cards are shuffled, and the deal moves left."""
    for p in range(s.players):
        s.pile |= s.hand[p]
        s.hand[p] = 0
        s.known[p] = 0
        s.dropped[p] = 0
    s.pile |= s.previous | s.older
    s.previous = 0
    s.older = 0
    s.shuffles = 0
    for card in range(CARDS):
        s.shuffled[card] = 0
    s.deal += 1
    s.beginner = left_of(s, s.beginner)
    open_deal(s)


@compiled
def winners(s):
    """C16, C24: the lowest total wins, of those who are still in."""
    fewest = MANY
    for p in range(s.players):
        if not s.out[p]:
            fewest = min(fewest, int(s.score[p]))
    bits = 0
    for p in range(s.players):
        if not s.out[p] and s.score[p] == fewest:
            bits |= 1 << p
    return bits
