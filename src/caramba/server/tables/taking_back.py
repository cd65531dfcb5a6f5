"""Taking steps back: at once where nobody has learned anything, else if everybody agrees."""

from caramba.games.contract import marked
from caramba.server.tables.kept import Entry
from caramba.server.tables.log import BACK
from caramba.server.tables.refusal import Refusal
from caramba.server.tables.table import Table

MOST_TAKEN_BACK = 500
"""Times at one table: nobody has to read again what was played and taken back for ever."""


def is_allowed(table: Table) -> bool:
    """Whether anything is taken back at this table."""
    return table.kept.take_backs and sum(table.log.taken_back) < MOST_TAKEN_BACK


def can_take_back(table: Table, seat: int) -> bool:
    """Whether a seat has a step that could be taken back."""
    has_acted = table.log.last_by_hand(seat) is not None
    return has_acted and is_allowed(table) and table.status == "playing"


def take_back(table: Table, seat: int, number: int, key: str, here: set[int]) -> list[Entry]:
    """Take back the last step of a seat; nothing yet if others have to agree first.

    Nobody's steps, and no draws that somebody saw, are taken back without them: so all people
    at the table are asked, and whoever is not here cannot be.
    """
    table.check_number(number)
    if not is_allowed(table):
        raise Refusal("forbidden", marked("nothing is taken back at this table"))
    keep = table.log.last_by_hand(seat)
    if keep is None:
        raise Refusal("illegal", marked("you have not done anything yet"))
    if table.status == "over":
        raise Refusal("illegal", marked("the game is over"))
    if table.wish and (table.wish.seat, table.wish.key) == (seat, key):
        return []
    if table.wish or table.wishes.has_one(seat, number):
        raise Refusal("illegal", marked("that was asked already; play on first"))
    asked = set() if table.is_harmless(seat, keep) else table.people(but=seat)
    for other in asked - here:
        message = marked("{name} would have to agree, and is not here")
        raise Refusal("illegal", message, name=table.places[other].name)
    until = table.settings.now() + table.settings.consent
    table.wish = table.wishes.new(seat, number, keep, key, asked, until)
    return _grant(table)


def consent(table: Table, seat: int, wish: int, yes: bool) -> list[Entry]:
    """A seat agrees, or not, that another takes something back."""
    if table.wish is None or table.wish.name != wish or seat not in table.wish.asked:
        raise Refusal("illegal", marked("nobody asks you to take something back"))
    if not yes:
        table.wish.against = seat
        table.wish = None
        return []
    table.wish.agreed.add(seat)
    return _grant(table)


def _grant(table: Table) -> list[Entry]:
    """Take back, if all have agreed who were asked."""
    wish = table.wish
    if wish is None or wish.asked - wish.agreed:
        return []
    table.go_back(wish.seat, wish.keep)
    return table.after([Entry(wish.seat, f"{BACK} {wish.keep}", wish.key)])
