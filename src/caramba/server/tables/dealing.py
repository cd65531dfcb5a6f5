"""The order of a fair deal, once everybody sits: first all promise, then all reveal.

The fingerprint of the server's seed is shown before. Each seat that mixes something in sends the
fingerprint of that; when all have, each sends the thing itself, and the game begins. So nobody,
also not a dealer who plays along, knows what the others add while there is still a choice.
Whoever does not reveal keeps the game from beginning, and can do nothing else.
"""

from hashlib import sha256

from caramba.games.contract import marked
from caramba.server.tables.places import Place
from caramba.server.tables.refusal import Refusal
from caramba.server.tables.table import Table


def is_needed(table: Table) -> bool:
    """Whether anybody mixes something in."""
    return bool(_mixing(table))


def awaited(table: Table) -> list[int]:
    """The seats whose promise is missing, or then whose share."""
    if table.status != "dealing":
        return []
    mixing = _mixing(table)
    silent = [seat for seat, place in mixing.items() if place.promise is None]
    return silent or [seat for seat, place in mixing.items() if place.entropy is None]


def promise(table: Table, seat: int, commitment: str) -> None:
    """A seat commits itself; it may think again until all have promised."""
    place = _dealing(table, seat)
    if _all_promised(table) and place.promise != commitment:
        raise Refusal("illegal", marked("everybody has promised; now nothing can be changed"))
    place.promise = commitment


def reveal(table: Table, seat: int, entropy: str) -> None:
    """A seat shows what it has promised."""
    place = _dealing(table, seat)
    if not _all_promised(table):
        raise Refusal("illegal", marked("nothing is revealed before everybody has promised"))
    if sha256(bytes.fromhex(entropy)).hexdigest() != place.promise:
        raise Refusal("illegal", marked("this is not what was promised"))
    place.entropy = entropy


def may_be_left(table: Table) -> bool:
    """Whether somebody may still get up: not by the light of what others have revealed."""
    return not _all_promised(table) or table.status == "open"


def forget(table: Table) -> None:
    """Somebody got up: all promise anew when the table is full again."""
    table.status = "open"
    for place in table.places:
        place.promise = None


def _mixing(table: Table) -> dict[int, Place]:
    return {seat: place for seat, place in enumerate(table.places) if place.mixes}


def _all_promised(table: Table) -> bool:
    return all(place.promise is not None for place in _mixing(table).values())


def _dealing(table: Table, seat: int) -> Place:
    """A seat that has something to say while the cards are not dealt yet."""
    if table.status != "dealing" or not table.places[seat].mixes:
        raise Refusal("illegal", marked("nobody asks you to mix something into a deal"))
    return table.places[seat]
