"""What a seat knows, as a list of yes/no features: a sheet on which the yeses are noted.

A game writes its features one after the other, each of a fixed width, so that a feature always has
the same number. The first places of the sheet are how many yeses there are, the number at which the
next feature begins, and what a rule of thumb expects.
"""

import math

import numpy as np

from caramba.bots.compiled import compiled
from caramba.games.masks import lowest

YESES, NEXT, GUESS, HEAD = 0, 1, 2, 3
MOST = 1021
"""So many yeses fit on a sheet."""


def blank(many: int) -> np.ndarray:
    """Some empty sheets."""
    return np.zeros((many, HEAD + MOST), np.int32)


FINE = 1 << 24
"""A whole victory, as a guess is written down."""


def yeses(sheet: np.ndarray) -> list[int]:
    """The numbers of the features that are noted, in the order of the game."""
    return [int(one) for one in sheet[HEAD : HEAD + sheet[YESES]]]


@compiled
def clear(sheet):
    """Begin anew."""
    sheet[YESES] = 0
    sheet[NEXT] = 0
    sheet[GUESS] = 0


@compiled
def guess(sheet, share):
    """What share of victory a rule of thumb expects: the network learns what is to be added."""
    sheet[GUESS] = int(share * FINE)


@compiled
def note(sheet, number):
    """A yes, to the feature of that number counted from here, unless the sheet is full."""
    if sheet[YESES] == MOST:
        return
    sheet[HEAD + sheet[YESES]] = sheet[NEXT] + number
    sheet[YESES] += 1


@compiled
def skip(sheet, width):
    """Nothing of this part is so."""
    sheet[NEXT] += width


@compiled
def yes(sheet, is_so):
    """One feature: whether it is so."""
    if is_so:
        note(sheet, 0)
    skip(sheet, 1)


@compiled
def one_of(sheet, value, width):
    """Which one of so many values, from 0; the first and last stand for all beyond them."""
    note(sheet, min(max(value, 0), width - 1))
    skip(sheet, width)


@compiled
def at_least(sheet, value, width):
    """For each of so many values, from 1, whether it is reached: like values share yeses."""
    for reached in range(min(max(value, 0), width)):
        note(sheet, reached)
    skip(sheet, width)


@compiled
def each_of(sheet, bits, width):
    """Which of so many things are there, given as bits."""
    while bits:
        note(sheet, lowest(bits))
        bits &= bits - 1
    skip(sheet, width)


@compiled
def set_apart(sheet, many, begun, other):
    """Let what was noted since there were so many yeses be twice: here, or `other` features."""
    width = sheet[NEXT] - begun
    if other:
        for i in range(HEAD + many, HEAD + sheet[YESES]):
            sheet[i] += width
    sheet[NEXT] += width


SCALES = 16
SMALL = 8


@compiled
def scaled(sheet, value):
    """How large a number is: below nothing, up to 1, 2, 3 and so on; above 8, up to 16, 32, ..."""
    if value < 0:
        note(sheet, 0)
    elif value > SMALL:
        note(sheet, min(SCALES - 1, SMALL - 3 + math.ceil(math.log2(value))))
    elif value > 0:
        note(sheet, math.ceil(value))
    skip(sheet, SCALES)
