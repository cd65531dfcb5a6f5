"""Before and after a game: making a table, sitting down, beginning, playing once more."""

import secrets
from collections.abc import Sequence

from caramba.bodies import NewTable, Seated
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
from caramba.server.tables.kept import KeptTable
from caramba.server.tables.names import check_name, is_free
from caramba.server.tables.places import Place
from caramba.server.tables.refusal import NotNow, Refusal
from caramba.server.tables.table import Table
from caramba.server.tables.tokens import hashed, new_code, new_id, new_token
from caramba.wire import Clock, Promise, Reveal, Terms

FREE = "…"
"""The name of a seat that nobody has."""


async def make_table(host: Host, wanted: NewTable) -> Seated:
    """A new table; who makes it takes the first seat for a person."""
    if host.crew and not host.crew.link.is_here:
        raise NotNow  # it would be there, but nobody could come to it
    game = load(wanted.game)
    players = check_players(game, len(wanted.seats))
    check_options(game, players, wanted.options)
    await host.room.check_tables()
    levels = [seat.level if seat.kind == "bot" else None for seat in wanted.seats]
    people = [seat for seat, level in enumerate(levels) if level is None]
    if people and wanted.name is None:
        raise Refusal("invalid", marked("who makes a table with seats for people needs a name"))
    seat = people[0] if people else None
    token = new_token() if people else None
    places: list[Place] = []
    for level in levels:
        taken = [wanted.name or "", *(place.name for place in places)]
        places.append(_place(level, wanted.clock, taken))
    if seat is not None and token and wanted.name:
        _seat(places, seat, wanted.name, token, wanted.mixes)
    table = _new_table(game, wanted, players, seat, host.settings.now())
    with host.room.for_searchers(levels):
        await _write_table(host, table, places)
        async with host.awake.changing(table.id) as live:
            live.payer = PAYER.get()
            await go_on(host, live)
    return Seated(table=table.id, seat=seat, token=token)


def _new_table(game: Game, terms: Terms, players: int, owner: int | None, now: float) -> KeptTable:
    """A table on these terms, with a new name and a new seed."""
    agreed = {name: getattr(terms, name) for name in Terms.__struct_fields__}
    return KeptTable(
        **agreed,
        id=new_id(),
        code=None,
        players=players,
        status="open",
        owner=owner,
        rematch=None,
        rules=game.version,
        seed=secrets.token_bytes(SEED_BYTES),
        created=now,
        touched=now,
    )


def _place(level: str | None, clock: Clock, taken: Sequence[str]) -> Place:
    """A free seat, or a bot with a name that nobody else here has."""
    if level is None:
        return Place(kind="open", name=FREE, seconds=clock.game)
    name = next(name for name in DEFAULT_NAMES if is_free(name, taken))
    return Place(kind="bot", name=name, level=check_level(level), seconds=clock.game)


def _seat(places: list[Place], seat: int, name: str, token: str, mixes: bool) -> None:
    """Somebody sits down."""
    place = places[seat]
    others = [other.name for other in places if other is not place]
    place.name = check_name(name, [FREE, *others])
    place.kind, place.token, place.mixes = "person", hashed(token), mixes


async def _write_table(host: Host, table: KeptTable, places: list[Place]) -> None:
    """Keep a new table, with a code that no other open table has."""
    for _ in range(20):
        table.code = new_code()
        try:
            return await host.store.write(*changes.new_table(table, places))
        except Taken:
            continue
    raise Refusal("too_fast", marked("there is no free code; come back later"))


# Sitting down, and getting up


async def sit(host: Host, table: str, seat: int | None, name: str, mixes: bool) -> Seated:
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
        if live.table.kept.owner is None:
            live.table.kept.owner = chosen
        await go_on(
            host,
            live,
            changes.keep_seat(table, chosen, places[chosen]),
            changes.update_table(table, owner=live.table.kept.owner),
        )
        return Seated(table=table, seat=chosen, token=token)


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
        kept = live.table.kept
        if kept.owner == seat:
            kept.owner = min(live.table.persons(), default=None)
        owner = changes.update_table(table, owner=kept.owner)
        await host.keeper.keep(live, *_all_seats(live.table), owner)
        telling.tell(live)


def _all_seats(table: Table) -> list[Change]:
    """What keeps all seats as they are now."""
    return [changes.keep_seat(table.id, seat, place) for seat, place in enumerate(table.places)]


def _vacate(live: Live, seat: int, level: str | None) -> Change:
    """Give a seat to a bot, or to nobody: whoever was connected to it can watch, if anybody may."""
    place = live.table.places[seat] = _place(
        level, live.table.clock, [place.name for place in live.table.places]
    )
    for connection in live.connections:
        if connection.seat == seat:
            connection.seat = None
            if not live.table.kept.watch:
                connection.close(POLICY)
    return changes.keep_seat(live.table.id, seat, place)


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
        table.asked_at = table.opened_at = host.settings.now()
        await host.keeper.enact(live, table.begin, *more)
    else:
        await host.keeper.keep(live, *more)
        telling.tell(live)


async def mix(host: Host, live: Live, seat: int, asked: Promise | Reveal) -> None:
    """A seat takes part in the deal. Called with the lock held."""
    place = live.table.places[seat]
    before = place.promise, place.entropy
    if isinstance(asked, Promise):
        dealing.promise(live.table, seat, asked.commitment)
    else:
        dealing.reveal(live.table, seat, asked.entropy)
    if (place.promise, place.entropy) != before:
        given = {"promise": place.promise, "entropy": place.entropy}
        await go_on(host, live, changes.update_seat(live.table.id, seat, **given))


async def fill_and_begin(host: Host, table: str, token: str, level: str) -> None:
    """Whoever made the table gives the free seats to bots."""
    async with host.awake.changing(table) as live:
        if own_seat(live, token) != live.table.kept.owner:
            raise Refusal("forbidden", marked("only who made the table can do that"))
        if live.table.status != "open":
            raise Refusal("illegal", marked("the game has begun already"))
        free = [seat for seat, place in enumerate(live.table.places) if place.kind == "open"]
        with host.room.for_searchers([level] * len(free)):
            await go_on(host, live, *[_vacate(live, seat, level) for seat in free])


# Once more


async def next_table(host: Host, table: str, token: str) -> str:
    """The next table of the same people, everybody one seat on, each with their token.

    The first who wants one makes it; it begins when all are there, or when bots take the rest.
    """
    async with host.awake.changing(table) as live:
        seat = own_seat(live, token)
        if live.table.status != "over":
            raise Refusal("illegal", marked("the game is not over"))
        if live.table.kept.rematch is None:
            await _make_rematch(host, live, seat)
            telling.tell_table(live)
        following = live.table.kept.rematch
        assert following is not None
        return following


async def sit_again(host: Host, table: str, token: str, mixes: bool) -> Seated:
    """Sit down at the seat that is kept for who has its token."""
    async with host.awake.changing(table) as live:
        live.payer = live.payer or PAYER.get()
        seat = live.table.seat_of(hashed(token)) if token else None
        if seat is None:
            raise Refusal("illegal", marked("you got up from that table; join it by its link"))
        place = live.table.places[seat]
        if live.table.status == "open" and place.kind == "open":
            place.kind, place.mixes = "person", mixes
            await go_on(host, live, changes.keep_seat(table, seat, place))
    return Seated(table=table, seat=seat, token=token)


async def _make_rematch(host: Host, live: Live, maker: int) -> None:
    await host.room.check_tables()
    old = live.table
    places = [_again(place, old.clock) for place in old.places]
    owner = (maker + 1) % len(places)
    new = _new_table(old.game, old.kept, len(places), owner, host.settings.now())
    with host.room.for_searchers([place.level for place in places]):
        await _write_table(host, new, places[-1:] + places[:-1])
        (await host.awake.wake(new.id)).payer = PAYER.get()
    old.kept.rematch = new.id
    await host.keeper.keep(live, changes.update_table(old.id, rematch=new.id))


def _again(place: Place, clock: Clock) -> Place:
    """The same for another game: a bot at once, a person as soon as they come."""
    if place.kind == "bot":
        return Place(kind="bot", name=place.name, level=place.level, seconds=clock.game)
    return Place(kind="open", name=place.name, seconds=clock.game, token=place.token, ask=place.ask)
