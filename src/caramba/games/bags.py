"""Bags of pieces: how many of each kind, in one whole number with four bits a kind.

So two bags are put together by adding them, and a rule that moves pieces is one line.
"""

from caramba.games.chance import below
from caramba.games.compiled import compiled
from caramba.games.masks import lowest, nth_bit

MOST = 15
"""Of one kind, in all bags together."""
EVEN_KINDS = 0x0F0F0F0F0F0F0F0F
ONE_EACH = 0x111111111111111


@compiled
def one(kind):
    """A bag with one piece."""
    return 1 << 4 * kind


@compiled
def many(bag, kind):
    """How many pieces of a kind there are."""
    return bag >> 4 * kind & MOST


@compiled
def total(bag):
    """How many pieces there are in all: the even kinds and the odd ones side by side in bytes,
    whose sum is what is left over by 255.
    """
    return ((bag & EVEN_KINDS) + (bag >> 4 & EVEN_KINDS)) % 255


@compiled
def first_kind(bag):
    """The first kind of which there are pieces."""
    return lowest(bag) >> 2


@compiled
def without(bag, kind):
    """The bag without the pieces of a kind."""
    return bag & ~(MOST << 4 * kind)


@compiled
def weigh(bag, kinds, weights):
    """Every piece is as likely as any other."""
    for kind in range(kinds):
        weights[kind] = many(bag, kind)


@compiled
def kinds_in(bag):
    """A bag with one piece of each kind that there is."""
    return (bag | bag >> 1 | bag >> 2 | bag >> 3) & ONE_EACH


@compiled
def draw(bag, rng):
    """The kind of a piece drawn at random."""
    left = below(rng, total(bag))
    if bag == kinds_in(bag):
        return nth_bit(bag, left) >> 2
    while True:
        kind = first_kind(bag)
        left -= many(bag, kind)
        if left < 0:
            return kind
        bag = without(bag, kind)
