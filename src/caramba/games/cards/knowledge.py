"""What is known of a hand in the Cards."""

from caramba.games.compiled import compiled
from caramba.games.masks import lowest


@compiled
def seen(s, p, seat):
    """The cards in the hand of `p` that a seat is sure of.

    Those are cards that were taken from the table, and cards that can be nowhere else: what
    was not yet shuffled back when the pile ran out is in one of the hands.
    """
    if p == seat:
        return int(s.hand[p])
    sure = int(s.known[p])
    rest = int(s.hand[p]) & ~sure
    while rest:
        card = lowest(rest)
        if not hides_elsewhere(s, p, seat, s.shuffled[card]):
            sure |= 1 << card
        rest &= rest - 1
    return sure


@compiled
def hides_elsewhere(s, p, seat, shuffle):
    """Whether cards of that shuffle are out of a seat's sight, other than in the hand of `p`."""
    if s.pile and shuffle == s.shuffles:
        return True
    for other in range(s.players):
        if other != seat and other != p and of_shuffle(s, hidden(s, other), shuffle):
            return True
    return False


@compiled
def hidden(s, p):
    """The cards in a hand that nobody else has seen come there."""
    return int(s.hand[p]) & ~int(s.known[p])


@compiled
def of_shuffle(s, cards, shuffle):
    """Those cards of a set that were last shuffled at that time."""
    found = 0
    while cards:
        if s.shuffled[lowest(cards)] == shuffle:
            found |= cards & -cards
        cards &= cards - 1
    return found
