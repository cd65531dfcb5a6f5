"""Before and after a game: making a table, sitting down, beginning, playing once more."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any, Literal

import msgspec

from caramba.games.contract import Game, check_options, check_players, load, marked
from caramba.match.fair import SEED_BYTES
from caramba.match.match import DEFAULT_NAMES
from caramba.server.host import telling
from caramba.server.host.awake import Live
from caramba.server.host.connection import POLICY
from caramba.server.host.host import Host
from caramba.server.host.thinking import check_level
from caramba.server.host.turns import PAYER
from caramba.server.store import changes
from caramba.server.store.changes import Change
from caramba.server.store.errors import Taken
from caramba.server.tables import dealing
from caramba.server.tables.kept import Row
from caramba.server.tables.names import check_name, is_free
from caramba.server.tables.places import Place
from caramba.server.tables.refusal import Refusal
from caramba.server.tables.table import Table
from caramba.server.tables.tokens import hashed, new_code, new_id, new_token
from caramba.wire import Clock, Promise, Reveal

FREE = "…"
"""The name of a seat that nobody has."""


@dataclass(frozen=True)
class Sat:
    """A seat that somebody has taken, and what shows it."""

    table: str
    seat: int | None
    token: str | None


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """A table as somebody wants it."""

    game: str
    seats: list[str | None]
    """By seat: the level of a bot; None for a person."""
    options: dict[str, Any]
    public: bool
    watch: bool
    chat: bool
    take_backs: bool
    clock: Clock
    name: str | None
    """Of who makes it and sits down; None for somebody who only watches."""
    mixes: bool
    """Whether they mix something into the deal."""


async def make_table(host: Host, wanted: Wanted) -> Sat:
    """A new table; who makes it takes the first seat for a person."""
    game = load(wanted.game)
    players = check_players(game, len(wanted.seats))
    check_options(game, players, wanted.options)
    await host.room.check_tables()
    people = [seat for seat, level in enumerate(wanted.seats) if level is None]
    if people and wanted.name is None:
        raise Refusal("invalid", marked("who makes a table with seats for people needs a name"))
    seat = people[0] if people else None
    token = new_token() if people else None
    places: list[Place] = []
    for level in wanted.seats:
        taken = [wanted.name or "", *(place.name for place in places)]
        places.append(_place(level, wanted.clock, taken))
    if seat is not None and token and wanted.name:
        _seat(places, seat, wanted.name, token, wanted.mixes)
    row = _row(host, game, wanted, seat)
    with host.room.for_searchers(wanted.seats):
        await write_table(host, row, places)
        async with host.awake.changing(row["id"]) as live:
            live.payer = PAYER.get()
            await go_on(host, live)
    return Sat(row["id"], seat, token)


def _row(host: Host, game: Game, wanted: Wanted, owner: int | None) -> Row:
    now = host.settings.now()
    return {
        "id": new_id(),
        "code": None,
        "game": game.name,
        "rules": game.version,
        "players": len(wanted.seats),
        "options": wanted.options,
        "public": wanted.public,
        "watch": wanted.watch,
        "chat": wanted.chat,
        "take_backs": wanted.take_backs,
        "clock": msgspec.to_builtins(wanted.clock),
        "owner": owner,
        "status": "open",
        "seed": secrets.token_bytes(SEED_BYTES),
        "created": now,
        "touched": now,
        "due": None,
        "rematch": None,
    }


def _place(level: str | None, clock: Clock, taken: Sequence[str]) -> Place:
    """A free seat, or a bot with a name that nobody else here has."""
    if level is None:
        return _new_place("open", FREE, None, clock)
    name = next(name for name in DEFAULT_NAMES if is_free(name, taken))
    return _new_place("bot", name, check_level(level), clock)


def _new_place(kind: Literal["open", "bot"], name: str, level: str | None, clock: Clock) -> Place:
    return Place(
        kind=kind,
        name=name,
        level=level,
        token=None,
        mixes=False,
        promise=None,
        entropy=None,
        ask={},
        away=False,
        seconds=clock.game,
    )


def _seat(places: list[Place], seat: int, name: str, token: str, mixes: bool) -> None:
    """Somebody sits down."""
    place = places[seat]
    others = [other.name for other in places if other is not place]
    place.name = check_name(name, [FREE, *others])
    place.kind, place.token, place.mixes = "person", hashed(token), mixes


async def write_table(host: Host, row: Row, places: list[Place]) -> None:
    """Keep a new table, with a code that no other open table has."""
    seats = changes.new_seats(row["id"], map(_columns, places))
    for _ in range(20):
        row["code"] = new_code()
        try:
            return await host.store.write(changes.new_table(row), seats)
        except Taken:
            continue
    raise Refusal("too_fast", marked("there is no free code; come back later"))


def _columns(place: Place) -> Row:
    return {field.name: getattr(place, field.name) for field in fields(place) if field.init}


# Sitting down, and getting up


async def sit(host: Host, table: str, seat: int | None, name: str, mixes: bool) -> Sat:
    """Take a free seat: that one, or any."""
    async with host.awake.changing(table) as live:
        places = live.table.places
        free = [s for s, place in enumerate(places) if place.kind == "open" and not place.token]
        if live.table.status != "open" or not free:
            raise Refusal("illegal", marked("there is no free seat at this table"))
        if seat is not None and seat not in free:
            raise Refusal("illegal", marked("that seat is taken"))
        chosen = free[0] if seat is None else seat
        token = new_token()
        _seat(places, chosen, name, token, mixes)
        if live.table.row["owner"] is None:
            live.table.row["owner"] = chosen
        await go_on(
            host,
            live,
            changes.update_seat(table, chosen, **_columns(places[chosen])),
            changes.update_table(table, owner=live.table.row["owner"]),
        )
        return Sat(table, chosen, token)


async def get_up(host: Host, table: str, token: str) -> None:
    """Leave a table before the game begins."""
    async with host.awake.changing(table) as live:
        seat = own_seat(live, token)
        if live.table.status not in ("open", "dealing"):
            raise Refusal("illegal", marked("the game has begun; a bot can play for you"))
        if not dealing.may_be_left(live.table):
            message = marked("the deal has begun; the game waits for those who have promised")
            raise Refusal("illegal", message)
        _vacate(live, seat, None)
        dealing.forget(live.table)
        row = live.table.row
        if row["owner"] == seat:
            row["owner"] = min(live.table.persons(), default=None)
        await host.keeper.keep(
            live, *_all_seats(live.table), changes.update_table(table, owner=row["owner"])
        )
        telling.tell(live)


def _all_seats(table: Table) -> list[Change]:
    """What keeps all seats as they are now."""
    return [
        changes.update_seat(table.id, seat, **_columns(place))
        for seat, place in enumerate(table.places)
    ]


def _vacate(live: Live, seat: int, level: str | None) -> Change:
    """Give a seat to a bot, or to nobody: whoever was connected to it can watch, if anybody may."""
    place = live.table.places[seat] = _place(
        level, live.table.clock, [place.name for place in live.table.places]
    )
    for connection in live.connections:
        if connection.seat == seat:
            connection.seat = None
            if not live.table.row["watch"]:
                connection.close(POLICY)
    return changes.update_seat(live.table.id, seat, **_columns(place))


def own_seat(live: Live, token: str | None) -> int:
    """The seat of a token."""
    seat = live.table.seat_of(hashed(token)) if token else None
    if seat is None:
        raise Refusal("forbidden", marked("you have no seat at this table"))
    return seat


# Beginning


async def go_on(host: Host, live: Live, *more: Change) -> None:
    """Keep what has changed; deal as soon as nobody is missing, in one go with the last change.

    Called with the lock held.
    """
    table = live.table
    full = all(place.kind != "open" for place in table.places)
    if full and table.status == "open" and dealing.is_needed(table):
        table.status = "dealing"
    if full and not dealing.awaited(table):
        table.asked_at = host.settings.now()
        await host.keeper.play(live, table.begin, *more)
    else:
        await host.keeper.keep(live, *more)
        telling.tell(live)


async def mix(host: Host, live: Live, seat: int, asked: Promise | Reveal) -> None:
    """A seat takes part in the deal. Called with the lock held."""
    if isinstance(asked, Promise):
        dealing.promise(live.table, seat, asked.commitment)
    else:
        dealing.reveal(live.table, seat, asked.entropy)
    place = live.table.places[seat]
    change = changes.update_seat(live.table.id, seat, promise=place.promise, entropy=place.entropy)
    await go_on(host, live, change)


async def fill_and_begin(host: Host, table: str, token: str, level: str) -> None:
    """Whoever made the table gives the free seats to bots."""
    async with host.awake.changing(table) as live:
        if own_seat(live, token) != live.table.row["owner"]:
            raise Refusal("forbidden", marked("only who made the table can do that"))
        if live.table.status != "open":
            raise Refusal("illegal", marked("the game has begun already"))
        free = [seat for seat, place in enumerate(live.table.places) if place.kind == "open"]
        with host.room.for_searchers([level] * len(free)):
            await go_on(host, live, *[_vacate(live, seat, level) for seat in free])


# Once more


async def rematch(host: Host, table: str, token: str, mixes: bool) -> Sat:
    """Sit down at the next table of the same people, everybody one seat on, each with their token.

    The first who wants one makes it; it begins when all are there, or when bots take the rest.
    """
    async with host.awake.changing(table) as live:
        seat = own_seat(live, token)
        if live.table.status != "over":
            raise Refusal("illegal", marked("the game is not over"))
        if live.table.row["rematch"] is None:
            await _make_rematch(host, live, seat)
            telling.tell_table(live)
        following: str = live.table.row["rematch"]
    async with host.awake.changing(following) as live:
        live.payer = live.payer or PAYER.get()
        seat = (seat + 1) % len(live.table.places)
        place = live.table.places[seat]
        if live.table.status == "open" and place.kind == "open":
            place.kind, place.mixes = "person", mixes
            await go_on(host, live, changes.update_seat(following, seat, **_columns(place)))
    return Sat(following, seat, token)


async def _make_rematch(host: Host, live: Live, maker: int) -> None:
    await host.room.check_tables()
    table = live.table
    now = host.settings.now()
    places = [_again(place, table.clock) for place in table.places]
    row = {
        **table.row,
        "id": new_id(),
        "status": "open",
        "seed": secrets.token_bytes(SEED_BYTES),
        "owner": (maker + 1) % len(places),
        "created": now,
        "touched": now,
        "due": None,
        "rematch": None,
    }
    with host.room.for_searchers([place.level for place in places]):
        await write_table(host, row, places[-1:] + places[:-1])
        (await host.awake.wake(row["id"])).payer = PAYER.get()
    table.row["rematch"] = row["id"]
    await host.keeper.keep(live, changes.update_table(table.id, rematch=row["id"]))


def _again(place: Place, clock: Clock) -> Place:
    """The same for another game: a bot at once, a person as soon as they come."""
    if place.kind == "bot":
        return _new_place("bot", place.name, place.level, clock)
    again = _new_place("open", place.name, None, clock)
    again.token, again.ask = place.token, place.ask
    return again
