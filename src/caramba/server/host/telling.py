"""Telling: who hears what of a table, in which order. What is said is made in `showing`."""

from collections.abc import Iterable

from caramba.games.contract import marked
from caramba.server.host.awake import Live
from caramba.server.host.connection import Connection
from caramba.server.tables import showing
from caramba.server.tables.kept import Entry
from caramba.server.tables.log import Part
from caramba.server.tables.refusal import Refusal
from caramba.server.tables.wishes import Wish
from caramba.wire import PROTOCOL, Accepted, Changed, Said, TableShown, Welcome, encode

# To everybody


def shown(live: Live) -> TableShown:
    """The table without the game."""
    live.look_round()
    now = live.table.settings.now()
    return showing.show_table(live.table, live.left, live.watching, live.preparing, now)


def tell(live: Live) -> None:
    """Send everybody what is new to them."""
    table = shown(live)
    frames: dict[tuple[int | None, Part, str, bool], bytes] = {}
    for connection in live.connections:
        seat, missed = connection.seat, live.table.log.recent(connection.number)
        what = (seat, missed, connection.language, connection.shown == table)
        if what not in frames:
            frames[what] = _news(live, *what[:3], table, knows=what[3], follows=True)
        connection.send(frames[what])
        connection.number, connection.shown = live.table.number, table


def _news(
    live: Live,
    seat: int | None,
    missed: Part,
    language: str,
    table: TableShown,
    knows: bool,
    follows: bool,
) -> bytes:
    if live.table.match:
        new = None if knows else table
        return encode(showing.show_news(live.table, seat, missed, language, new, follows))
    windows = showing.show_windows(live.table, seat, language)
    return encode(Changed(table=table, windows=windows))


def tell_table(live: Live, to: Iterable[Connection] | None = None) -> None:
    """Send everybody, or only these, the table, the game being as it was."""
    table = shown(live)
    for connection in live.connections if to is None else to:
        windows = showing.show_windows(live.table, connection.seat, connection.language)
        connection.send(Changed(table=table, windows=windows))
        connection.shown = table


def tell_chat(live: Live, said: Said) -> None:
    """Send a line of chat to those whom it is for."""
    for connection in live.connections:
        if connection.hears(said):
            connection.send(said)


# To one


def greet(live: Live, connection: Connection, have: int | None) -> None:
    """Somebody has connected: what they missed. Called with the lock held."""
    table, seat, language = live.table, connection.seat, connection.language
    new_face = connection not in live.connections
    if seat is not None and seat not in live.here:
        table.comes(seat)
    live.connections.add(connection)
    live.payer = live.payer or connection.address
    live.changed.set()  # bots that had nobody to play for go on
    if seat is not None:
        connection.done = live.done.setdefault(seat, connection.done)
        table.places[seat].votes.clear()
    now = shown(live)
    windows = showing.show_windows(table, seat, language)
    chat = [said for said in live.said if connection.hears(said)]
    connection.send(Welcome(protocol=PROTOCOL, you=seat, table=now, windows=windows, chat=chat))
    if table.match:
        missed = table.log.recent(have)
        connection.send(_news(live, seat, missed, language, now, knows=True, follows=False))
    connection.number, connection.shown = table.number, now
    if new_face:
        tell_table(live, live.connections - {connection})


def part(live: Live, connection: Connection) -> None:
    """Somebody has gone. Called with the lock held."""
    live.connections.discard(connection)
    if live.is_awake:
        tell_table(live)
        live.changed.set()


# To who asked for something


def accept(live: Live, entries: Iterable[Entry]) -> None:
    """Tell who asked for something that it is kept."""
    for entry in entries:
        if entry.who is not None and entry.key is not None:
            done = Accepted(key=entry.key, number=live.table.log.keys[entry.who, entry.key])
            for connection in live.of_seat(entry.who):
                connection.send(done)


def drop(live: Live, seat: int, key: str) -> None:
    """Tell who answered before the time if something else came instead."""
    if (seat, key) not in live.table.log.keys:
        refusal = Refusal("stale", marked("the question was answered otherwise"))
        _refuse(live, seat, key, refusal)


def end_wish(live: Live, wish: Wish) -> None:
    """Tell who wanted to take something back if that is not done."""
    if (wish.seat, wish.key) in live.table.log.keys:
        return
    if wish.against is None:
        refusal = Refusal("stale", marked("something else came before everybody agreed"))
    else:
        name = live.table.places[wish.against].name
        refusal = Refusal("illegal", marked("{name} does not agree"), name=name)
    _refuse(live, wish.seat, wish.key, refusal)


def _refuse(live: Live, seat: int, key: str, refusal: Refusal) -> None:
    """Tell a seat, wherever it is connected, that something is not done after all."""
    for connection in live.of_seat(seat):
        connection.refuse(refusal, key, live.table.number)
