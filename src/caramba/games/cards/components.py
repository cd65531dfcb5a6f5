"""What is on the table of the Cards: data, with where it comes from."""

from typing import Final

RANKS: Final = ("1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "C", "Q", "K")
"""From low to high (C01, C07); C is the knight, the cavalier of a tarot deck."""

POINTS: Final = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, -1, 10, 10)
"""By rank (C02)."""

SUITS: Final = ("s", "h", "d", "c")
"""Spades, hearts, diamonds and clubs, in the order in which a hand is sorted."""

BLACK: Final = (True, False, False, True)
"""By suit (C06)."""

JOKERS: Final = ("Xb", "Xr")
"""The black one and the red one of the traditional deck; worth 0 (C25)."""

DECKS: Final = ("tarot", "traditional")
"""C01: 56 cards with knights; C25: 52 cards without them, and two jokers."""

HAND: Final = 5
"""Cards dealt to everybody (C03)."""

CALL_LIMIT: Final = 7
"""The most points to call with (C11)."""

PENALTY: Final = 30
"""What a failed call costs (C14)."""

END_SCORE: Final = 100
"""The game ends above this total (C16)."""

DROP_TO: Final = 75
"""What a total of exactly that drops to (C15)."""
