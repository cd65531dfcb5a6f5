"""Before and after a game: making a table, sitting down, beginning, playing once more."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
import sqlalchemy as sql

from caramba.games.contract import Game, check_options, check_players, load, marked
from caramba.games.errors import InvalidFile, InvalidSetup
from caramba.match.fair import SEED_BYTES
from caramba.match.match import DEFAULT_NAMES
from caramba.match.saved import check_names
from caramba.server import store
from caramba.server.host import POLICY, Host, Live
from caramba.server.security import hashed, new_code, new_id, new_token
from caramba.server.store import Row, Statement, Taken
from caramba.server.table import Place, Refusal
from caramba.server.thinking import check_level
from caramba.wire import Clock

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
    clock: Clock
    name: str | None
    """Of who makes it and sits down; None for somebody who only watches."""
    entropy: str | None


async def make_table(host: Host, wanted: Wanted) -> Sat:
    """A new table; who makes it takes the first seat for a person."""
    game = load(wanted.game)
    players = check_players(game, len(wanted.seats))
    check_options(game, players, wanted.options)
    await check_room(host)
    people = [seat for seat, level in enumerate(wanted.seats) if level is None]
    if people and wanted.name is None:
        raise Refusal("invalid", marked("who makes a table with seats for people needs a name"))
    seat = people[0] if people else None
    token = new_token() if people else None
    places: list[Place] = []
    for level in wanted.seats:
        taken = [wanted.name, *(place.name for place in places)]
        places.append(_place(level, wanted.clock, taken))
    if seat is not None and token and wanted.name:
        _seat(places[seat], wanted.name, token, wanted.entropy)
    row = _row(host, game, wanted, seat)
    await write_table(host, row, places)
    async with host.changing(row["id"]) as live:
        await begin_if_full(host, live)
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
        "clock": msgspec.to_builtins(wanted.clock),
        "owner": owner,
        "status": "open",
        "seed": secrets.token_bytes(SEED_BYTES),
        "created": now,
        "touched": now,
        "due": None,
        "rematch": None,
    }


def _place(level: str | None, clock: Clock, taken: Sequence[str | None]) -> Place:
    """A free seat, or a bot with a name that nobody else here has."""
    if level is None:
        return Place("open", FREE, None, None, None, {}, False, clock.game)
    name = next(name for name in DEFAULT_NAMES if name not in taken)
    return Place("bot", name, check_level(level), None, None, {}, False, clock.game)


def _seat(place: Place, name: str, token: str, entropy: str | None) -> None:
    """Somebody sits down."""
    try:
        (place.name,) = check_names([" ".join(name.split())], 1)
    except InvalidFile as error:
        raise InvalidSetup(str(error)) from None
    place.kind, place.token, place.entropy = "person", hashed(token), entropy


async def check_room(host: Host) -> None:
    """Whether there may be another table."""
    t = store.tables
    many = sql.select(sql.func.count().label("many")).where(t.c.status != "over")
    if (await host.store.rows(many))[0]["many"] >= host.settings.max_tables:
        message = marked("this server has as many tables as it can hold; come back later")
        raise Refusal("too_fast", message)


async def write_table(host: Host, row: Row, places: list[Place]) -> None:
    """Keep a new table, with a code that no other open table has."""
    rows = [
        {"table_id": row["id"], "seat": seat, **_columns(place)}
        for seat, place in enumerate(places)
    ]
    for _ in range(20):
        row["code"] = new_code()
        try:
            insert = (sql.insert(store.tables), row)
            return await host.store.write(insert, (sql.insert(store.seats), rows))
        except Taken:
            continue
    raise Refusal("too_fast", marked("there is no free code; come back later"))


def _columns(place: Place) -> Row:
    columns = ("kind", "name", "level", "token", "entropy", "ask", "away", "seconds")
    return {column: getattr(place, column) for column in columns}


# Sitting down, and getting up


async def sit(host: Host, table: str, seat: int | None, name: str, entropy: str | None) -> Sat:
    """Take a free seat: that one, or any."""
    async with host.changing(table) as live:
        places = live.table.places
        free = [s for s, place in enumerate(places) if place.kind == "open" and not place.token]
        if live.table.status != "open" or not free:
            raise Refusal("illegal", marked("there is no free seat at this table"))
        if seat is not None and seat not in free:
            raise Refusal("illegal", marked("that seat is taken"))
        chosen = free[0] if seat is None else seat
        token = new_token()
        _seat(places[chosen], name, token, entropy)
        if live.table.row["owner"] is None:
            live.table.row["owner"] = chosen
        await host.keep(
            live,
            store.update_seat(table, chosen, **_columns(places[chosen])),
            store.update_table(table, owner=live.table.row["owner"]),
        )
        await begin_if_full(host, live)
        host.tell(live)
        return Sat(table, chosen, token)


async def get_up(host: Host, table: str, token: str) -> None:
    """Leave a table before the game begins."""
    async with host.changing(table) as live:
        seat = own_seat(live, token)
        if live.table.status != "open":
            raise Refusal("illegal", marked("the game has begun; a bot can play for you"))
        change = _vacate(live, seat, None)
        row = live.table.row
        if row["owner"] == seat:
            row["owner"] = min(live.table.persons(), default=None)
        await host.keep(live, change, store.update_table(table, owner=row["owner"]))
        host.tell(live)


def _vacate(live: Live, seat: int, level: str | None) -> Statement:
    """Give a seat to a bot, or to nobody: whoever was connected to it can watch, if anybody may."""
    place = live.table.places[seat] = _place(
        level, live.table.clock, [place.name for place in live.table.places]
    )
    for connection in live.connections:
        if connection.seat == seat:
            connection.seat = None
            if not live.table.row["watch"]:
                connection.close(POLICY)
    return store.update_seat(live.table.id, seat, **_columns(place))


def own_seat(live: Live, token: str | None) -> int:
    """The seat of a token."""
    seat = live.table.seat_of(hashed(token)) if token else None
    if seat is None:
        raise Refusal("forbidden", marked("you have no seat at this table"))
    return seat


# Beginning


async def begin_if_full(host: Host, live: Live) -> None:
    """Deal, as soon as nobody is missing. Called with the lock held."""
    if all(place.kind != "open" for place in live.table.places):
        await begin(host, live)


async def begin(host: Host, live: Live) -> None:
    """Deal."""
    live.table.asked_at = host.settings.now()
    await host.play(live, live.table.begin)


async def fill_and_begin(host: Host, table: str, token: str, level: str) -> None:
    """Whoever made the table gives the free seats to bots."""
    async with host.changing(table) as live:
        if own_seat(live, token) != live.table.row["owner"]:
            raise Refusal("forbidden", marked("only who made the table can do that"))
        if live.table.status != "open":
            raise Refusal("illegal", marked("the game has begun already"))
        free = [seat for seat, place in enumerate(live.table.places) if place.kind == "open"]
        changes = [_vacate(live, seat, level) for seat in free]
        await host.keep(live, *changes)
        await begin(host, live)


# Once more


async def rematch(host: Host, table: str, token: str, entropy: str | None) -> Sat:
    """Sit down at the next table of the same people, everybody one seat on, each with their token.

    The first who wants one makes it; it begins when all are there, or when bots take the rest.
    """
    async with host.changing(table) as live:
        seat = own_seat(live, token)
        if live.table.status != "over":
            raise Refusal("illegal", marked("the game is not over"))
        if live.table.row["rematch"] is None:
            await _make_rematch(host, live, seat)
            host.tell_table(live)
        following: str = live.table.row["rematch"]
    async with host.changing(following) as live:
        seat = (seat + 1) % len(live.table.places)
        place = live.table.places[seat]
        if live.table.status == "open" and place.kind == "open":
            place.kind, place.entropy = "person", entropy
            await host.keep(live, store.update_seat(following, seat, **_columns(place)))
            await begin_if_full(host, live)
            host.tell(live)
    return Sat(following, seat, token)


async def _make_rematch(host: Host, live: Live, maker: int) -> None:
    await check_room(host)
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
    await write_table(host, row, places[-1:] + places[:-1])
    table.row["rematch"] = row["id"]
    await host.keep(live, store.update_table(table.id, rematch=row["id"]))


def _again(place: Place, clock: Clock) -> Place:
    """The same for another game: a bot at once, a person as soon as they come."""
    kind: Any = "bot" if place.kind == "bot" else "open"
    level = place.level if kind == "bot" else None
    return Place(kind, place.name, level, place.token, None, place.ask, False, clock.game)
