"""What is in the box of the Auction: data, with where it comes from."""

from typing import Final

GOODS: Final = ("gold", "ammunition", "dynamite")
LETTERS: Final = "gad"
"""The goods in the notation, in the same order."""

BANDS: Final = ("Bandidos", "Soldados", "Gringos", "Indios")

SPECIALS: Final = ("manos", "vuelta", "fuera", "seguridad")
"""Manos arriba, Estoy de vuelta, Fuera, En seguridad."""

DECK: Final = (
    *("g7", "a7", "d7"),
    *("g2a5", "g3a4", "g4a3", "g5a2"),
    *("g2d5", "g3d4", "g4d3", "g5d2"),
    *("a2d5", "a3d4", "a4d3", "a5d2"),
)
"""A02, a ruling: the printed list is not known. Every way to spread 7 points over one or
two goods with at least 2 on each; it holds the one card that the rule book shows (g3a4)."""

CRATES: Final = tuple(good + value for good in LETTERS for value in "22233344")
"""A04, a ruling: eight a good with values 2 to 4; agrees with every crate in the examples."""

HAND: Final = 4
"""Cards drawn at setup (A06)."""
DRAW: Final = 2
"""Cards drawn at the end of a turn (A32)."""
SAFE: Final = 6
"""What En seguridad stashes at most, in value (A43)."""
