"""What things are worth in the Auction: crates, cards, and an end of the bids."""

from caramba.bots.advice import softmax
from caramba.bots.compiled import compiled
from caramba.games.auction.rules import is_protected, offer, stashed_value, value_of
from caramba.games.auction.state import GOODS, NONE
from caramba.games.bags import first_kind, many, total, without

LEFT_IN_PLAY = 0.1
"""What a point left in play is worth, against one that can be stashed at once."""
CARD = 1.35
"""What a bid card is worth, in points, to a player without cards at a table of two."""
CARD_IN_CROWD = 0.2
"""How much less it is worth for each further player."""
CARD_OF_MANY = 0.06
"""How much less it is worth for each card in hand."""
LAST_CRATES = 9
"""With fewer crates in the sack, cards become less useful."""

# Fitted to who won some thousand games of medium players, by logistic regression on what they
# had when a turn began: what is held is worth so many stashed points, and a lead of `blur`
# points makes a win e times as likely as another's.
CARD_HELD = 0.64
SPECIAL_HELD = 0.47
BLUR = 0.53
BLUR_BY_SACK = 0.107
BLUR_BY_CRATE = 0.054

# Crates


@compiled
def best_crate(s, crates):
    """The value of the best crate of a bag."""
    best = 0
    while crates:
        k = first_kind(crates)
        best = max(best, int(s.crate_value[k]))
        crates = without(crates, k)
    return best


@compiled
def loot_of(s, good):
    """The crates that the winner of a good will take, own ones included."""
    loot = int(s.centre)
    for p in range(s.players):
        if not is_protected(s, p, good):
            loot += int(s.in_play[p])
    return loot & int(s.of_good[good])


# Bids


@compiled
def rivals_offer(s, me, good):
    """The best total of the others for a good."""
    best = 0
    for p in range(s.players):
        if p != me:
            best = max(best, offer(s, p, good))
    return best


@compiled
def gap(s, me, good):
    """How far the player is behind the best of the others for a good."""
    return rivals_offer(s, me, good) - offer(s, me, good)


@compiled
def top_of(s, c):
    """The better side of a card."""
    values = s.card_value[c]
    return max(int(values[0]), int(values[1]), int(values[2]))


@compiled
def cheapest(s, hand, good, need):
    """The card that one misses least among those that reach a value for a good, or NONE.

    Among equals the one that counts most here.
    """
    choice = NONE
    least = 1000
    while hand:
        c = first_kind(hand)
        value = int(s.card_value[c][good])
        price = top_of(s, c) * 10 - value
        if value and value >= need and price < least:
            choice = c
            least = price
        hand = without(hand, c)
    return choice


@compiled
def strongest(s, hand, good):
    """The card that counts most for a good, or NONE."""
    choice = NONE
    most = 0
    while hand:
        c = first_kind(hand)
        if s.card_value[c][good] > most:
            choice = c
            most = int(s.card_value[c][good])
        hand = without(hand, c)
    return choice


@compiled
def smallest(s, hand, good, need):
    """The card that counts least for a good, but no less than this; or NONE."""
    choice = NONE
    least = 1000
    while hand:
        c = first_kind(hand)
        value = int(s.card_value[c][good])
        if need <= value < least:
            choice = c
            least = value
        hand = without(hand, c)
    return choice


@compiled
def cards_needed(s, hand, good, need):
    """How many cards it takes to add so much to a bid; 0 if the hand cannot."""
    first = second = everything = 0
    while hand:
        c = first_kind(hand)
        value = int(s.card_value[c][good])
        everything += many(hand, c) * value
        if value > first:
            second = first
            first = value
        elif value > second:
            second = value
        hand = without(hand, c)
    if first >= need:
        return 1
    if first + second >= need:
        return 2
    return 3 if everything >= need else 0


# What an end of the bids would bring


@compiled
def fortune(s, p, leaders, cards):
    """What a player gets if these win: one crate to hide, others at risk, less the cards spent."""
    crates = 0
    spent = cards
    for good in range(GOODS):
        if leaders[good] == p:
            crates += loot_of(s, good)
            spent += total(int(s.bid[p][good]))
        if is_protected(s, p, good):
            crates += int(s.in_play[p]) & int(s.of_good[good])
    best = best_crate(s, crates)
    return best + LEFT_IN_PLAY * (value_of(s, crates) - best) - price_of_card(s, p) * spent


@compiled
def price_of_card(s, p):
    """What a bid card is worth to a player: less with many in hand, and near the end."""
    crowd = CARD_IN_CROWD * (int(s.players) - 2)
    price = CARD - crowd - CARD_OF_MANY * total(int(s.hand[p]))
    late = (3 + min(LAST_CRATES, total(int(s.sack)))) / (3 + LAST_CRATES)
    return max(0.05, price * late)


@compiled
def standing(s, me, leaders, cards):
    """The own fortune against that of the others, if the bids ended like this."""
    others = 0.0
    for p in range(s.players):
        if p != me:
            others += fortune(s, p, leaders, 0)
    return fortune(s, me, leaders, cards) - others / (int(s.players) - 1)


# How likely everybody is to win


@compiled
def stage(s):
    """The turn."""
    return int(s.turn)


@compiled
def worth(s, shares):
    """By what is stashed and the means to get more; a lead counts more as the crates run out.

    Crates in play add nothing: they are as likely to change hands as those in the centre.
    """
    players = len(shares)
    out = total(int(s.centre))
    for p in range(players):
        out += total(int(s.in_play[p]))
    blur = BLUR + BLUR_BY_SACK * total(int(s.sack)) + BLUR_BY_CRATE * out
    for p in range(players):
        means = CARD_HELD * total(int(s.hand[p])) + SPECIAL_HELD * (s.special[p] != NONE)
        shares[p] = (stashed_value(s, p) + means) / blur
    softmax(shares)
