"""What is in the box of the Race: data, with where it comes from."""

from typing import Final

ZONES: Final = ("stone", "gravel", "earth")
"""The ground of the track, from its beginning to the mine (R03)."""

TRACK: Final = (12, 12, 12)
"""R03, a ruling: spaces of each zone. That there are three in this order is reported by
reviews; how many spaces they have is not known."""

FACES: Final = 6
"""Dice show 0 to 5 (R02)."""

AMBUSH_DICE: Final = (3, 2, 1)
"""Dice rolled again on an ambush, by zone (R14)."""

SILVER: Final = 30
"""What a player begins with for each sombrero (R01): 2 gold of 10 and 10 silver."""

FEW: Final = 3
"""Up to so many players have two sombreros each (R01)."""
