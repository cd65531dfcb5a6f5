"""People who come and go: a bot plays for them, and they take their seat back."""

from collections.abc import Mapping
from math import ceil

from caramba.games.contract import marked
from caramba.server.tables.refusal import Refusal
from caramba.server.tables.table import Table


def leave(table: Table, seat: int) -> None:
    """A bot plays on."""
    if seat == table.actor:
        table.charge(seat, table.settings.now())
    table.places[seat].away = True
    table.places[seat].votes.clear()


def come_back(table: Table, seat: int) -> None:
    """The person plays again; who is asked gets new time for the answer, once."""
    place = table.places[seat]
    if place.away and seat == table.actor:
        if place.returned == table.number:
            raise Refusal("illegal", marked("the bot takes this step; come back after it"))
        place.returned = table.number
        table.asked_at = table.opened_at = table.settings.now()
    place.away = False
    place.votes.clear()


def vote_at(table: Table, seat: int, left: float | None) -> float | None:
    """When the others may vote for a bot at a seat that was left then; None for never."""
    replaceable = table.status == "playing" and table.places[seat].plays_itself
    return left + table.settings.gone if replaceable and left is not None else None


def vote(table: Table, seat: int, about: int, yes: bool, left: Mapping[int, float]) -> bool:
    """Count a vote to let a bot play for someone; whether all who are here want that.

    `left` tells who is not here, and since when.
    """
    playing = table.status == "playing" and about < len(table.places)
    if not playing or not table.places[about].plays_itself:
        raise Refusal("illegal", marked("nobody plays there whom a bot could replace"))
    since = vote_at(table, about, left.get(about))
    if since is None or about == seat:
        raise Refusal("illegal", marked("a bot replaces only those who are not here"))
    if since > table.settings.now():
        message = marked("{name} may be back in a moment; vote in {seconds} seconds")
        wait = ceil(since - table.settings.now())
        raise Refusal("illegal", message, name=table.places[about].name, seconds=wait)
    votes = table.places[about].votes
    if not yes:
        votes.discard(seat)
        return False
    votes.add(seat)
    return votes >= table.persons(but=about) - left.keys()
