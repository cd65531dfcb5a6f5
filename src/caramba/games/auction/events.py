"""What is told of the Auction: the numbers that the rules tell, as named facts."""

from typing import Any

from caramba.games.auction.actions import named, names_of_pieces
from caramba.games.auction.components import LETTERS
from caramba.games.auction.components import SPECIALS as SPECIAL_NAMES
from caramba.games.auction.state import ENDS, What
from caramba.games.contract import Telling, end_of, number, seats, telling


def _special(s: Any, special: int) -> str:
    return SPECIAL_NAMES[special]


def _good(s: Any, good: int) -> str:
    return LETTERS[good]


def _card(s: Any, kind: int) -> str:
    return names_of_pieces(s)[0][kind]


def _cards(s: Any, bag: int) -> list[str]:
    return list(named(names_of_pieces(s)[0], bag))


def _crate(s: Any, kind: int) -> str:
    return names_of_pieces(s)[1][kind]


def _crates(s: Any, bag: int) -> list[str]:
    return list(named(names_of_pieces(s)[1], bag))


FACTS: dict[int, Telling] = {
    What.SPECIAL: Telling(secret=True, card=_special),
    What.DEAL: Telling(secret=True, card=_card),
    What.TURN: Telling(turn=number),
    What.CRATE: Telling(crate=_crate),
    What.FUERA: Telling(good=_good),
    What.BID: Telling(card=_card, good=_good),
    What.VUELTA: Telling(card=_card),
    What.WON: Telling(good=_good, total=number, crates=_crates, discards=_cards),
    What.TIE: Telling(good=_good, total=number, crates=_crates, seats=seats),
    What.UNWANTED: Telling(good=_good),
    What.STASH: Telling(crate=_crate),
    What.OVER: Telling(end=end_of(ENDS)),
}
event = telling(What, FACTS)
