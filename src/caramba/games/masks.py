"""Sets of action numbers, as bits in 64-bit words: which actions are legal."""

from collections.abc import Iterable
from typing import Any

import numpy as np
from numba import types
from numba.extending import intrinsic, overload

from caramba.games.compiled import compiled

WORD = 64
ALL = np.uint64(2**64 - 1)


def width(actions: int) -> int:
    """How many words a mask over so many actions takes."""
    return -(-actions // WORD)


def ones(word: Any) -> int:
    """How many bits of a word are set."""
    return int(word).bit_count()


@intrinsic
def _popcount(typing, word):  # pragma: no cover - runs while compiling
    """One instruction, for which Numba has no name."""

    def build(context, builder, signature, arguments):
        return builder.ctpop(arguments[0])

    return types.int64(word), build


@overload(ones)
def _ones(word):  # pragma: no cover - runs while compiling
    return lambda word: _popcount(word)  # type: ignore[call-arg]


@compiled
def lowest(word):
    """The number of the lowest bit that is set."""
    return ones((word - 1) & ~word)


def run(first: int, many: int) -> int:
    """A word in which so many bits are set, from this one on: a plain number on paper."""
    return ((1 << many) - 1) << first


@overload(run)
def _run(first, many):  # pragma: no cover - runs while compiling
    return lambda first, many: (ALL >> np.uint64(WORD - many)) << np.uint64(first)


@compiled
def allow(mask, action):
    """Put an action into the set."""
    mask[action >> 6] |= run(action & 63, 1)


@compiled
def allow_bits(mask, first, bits):
    """Put an action into the set for each bit, counted from the first; all in one word."""
    mask[first >> 6] |= word_of(bits << (first & 63))


def word_of(bits: int) -> int:
    """These bits as a word."""
    return bits


@overload(word_of)
def _word_of(bits):  # pragma: no cover - runs while compiling
    return lambda bits: np.uint64(bits)


@compiled
def allow_range(mask, first, last):
    """Put all actions from the first to the last into the set."""
    while first <= last:
        upto = min(last, first | 63)
        mask[first >> 6] |= run(first & 63, upto - first + 1)
        first = upto + 1


@compiled
def forbid(mask, action):
    """Take an action out of the set."""
    mask[action >> 6] ^= mask[action >> 6] & run(action & 63, 1)


@compiled
def is_allowed(mask, action):
    """Whether an action is in the set."""
    return mask[action >> 6] >> np.uint64(action & 63) & np.uint64(1) != np.uint64(0)


@compiled
def count(mask):
    """How many actions the set holds."""
    total = 0
    for word in mask:
        total += ones(word)
    return total


@compiled
def nth_bit(word, n):
    """The place of the n-th bit that is set, from 0: halve the word until it is found."""
    word = np.uint64(word)
    place = 0
    for width in (32, 16, 8, 4, 2, 1):
        lower = ones(word & (ALL >> np.uint64(64 - width)))
        if n >= lower:
            n -= lower
            place += width
            word >>= np.uint64(width)
    return place


@compiled
def nth(mask, n):
    """The n-th smallest action of the set, from 0; -1 if it holds fewer."""
    for i in range(len(mask)):
        word = mask[i]
        here = ones(word)
        if n < here:
            return i * 64 + nth_bit(word, n)
        n -= here
    return -1


@compiled
def list_members(mask, out):
    """Write the actions of the set into an array, in order; return how many."""
    found = 0
    for i in range(len(mask)):
        word = mask[i]
        while word:
            out[found] = i * 64 + lowest(word)
            word &= word - np.uint64(1)
            found += 1
    return found


def members(mask: Iterable[Any]) -> list[int]:
    """The actions of the set, in order."""
    found: list[int] = []
    for place, word in enumerate(mask):
        bits = int(word)
        while bits:
            found.append(place * WORD + (bits & -bits).bit_length() - 1)
            bits &= bits - 1
    return found
