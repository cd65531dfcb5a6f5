"""Over HTTP: finding and making tables, sitting down and getting up, beginning, once more."""

from caramba.bodies import Again, Filling, Found, Listed, NewTable, Seated, Sitting, Token
from caramba.games.contract import marked
from caramba.server.host import lobby, telling
from caramba.server.http.addresses import AtTable, ByCode
from caramba.server.http.routing import Actions, Answer, Call
from caramba.server.http.security import COOKIE, may_look
from caramba.server.tables.refusal import Refusal
from caramba.wire import TableShown

ACTIONS = Actions()
DAYS = 86400


@ACTIONS.add("GET", "/tables")
async def list_tables(call: Call) -> Answer[list[Listed]]:
    """The public tables, the latest first: those to join, and those to watch."""
    return Answer(await call.host.store.listed())


@ACTIONS.add("POST", "/tables", 201)
async def make_table(call: Call, body: NewTable) -> Answer[Seated]:
    """Make a table. With a seat for a person, you sit down at the first."""
    call.limits.check(call.limits.tables, call.address)
    return _seated(call, await lobby.make_table(call.host, body))


def _seated(call: Call, seated: Seated) -> Answer[Seated]:
    """The answer to somebody who has a seat: the token, and for browsers a cookie."""
    answer = Answer(seated, **{"Cache-Control": "no-store"})
    if seated.token:
        answer.set_cookie(
            COOKIE,
            seated.token,
            max_age=400 * DAYS,
            path=f"/api/tables/{seated.table}",
            secure=call.request.url.scheme == "https",
            httponly=True,
            samesite="strict",
        )
    return answer


@ACTIONS.add("GET", "/codes/{code}")
async def find_by_code(call: Call, asked: ByCode) -> Answer[Found]:
    """The table of a code."""
    call.limits.check(call.limits.tries, "code", call.address)
    table = await call.host.store.table_of(asked.code.upper())
    if table is None:
        raise Refusal("missing", marked("no table that one can join has this code"))
    return Answer(Found(table=table))


@ACTIONS.add("GET", "/tables/{table}")
async def show_table(call: Call, asked: AtTable) -> Answer[TableShown]:
    """A table without its game; the game itself comes over the socket."""
    async with call.host.awake.changing(asked.table) as live:
        may_look(live.table, call.seat_at(live.table))
        return Answer(telling.shown(live))


@ACTIONS.add("POST", "/tables/{table}/seats", 201)
async def sit(call: Call, asked: AtTable, body: Sitting) -> Answer[Seated]:
    """Sit down."""
    seated = await lobby.sit(call.host, asked.table, body.seat, body.name, body.mixes)
    return _seated(call, seated)


@ACTIONS.add("DELETE", "/tables/{table}/seats/mine", 204)
async def get_up(call: Call, asked: AtTable) -> None:
    """Get up, before the game begins."""
    await lobby.get_up(call.host, asked.table, call.token)


@ACTIONS.add("POST", "/tables/{table}/session")
async def open_session(call: Call, asked: AtTable, body: Token) -> Answer[Seated]:
    """Exchange the token of a link for a cookie."""
    async with call.host.awake.changing(asked.table) as live:
        seat = lobby.own_seat(live, body.token)
    return _seated(call, Seated(table=asked.table, seat=seat, token=body.token))


@ACTIONS.add("POST", "/tables/{table}/start", 204)
async def start(call: Call, asked: AtTable, body: Filling) -> None:
    """Let bots take the free seats, and begin: for who made the table."""
    await lobby.fill_and_begin(call.host, asked.table, call.token, body.level)


@ACTIONS.add("POST", "/tables/{table}/rematch", 201)
async def rematch(call: Call, asked: AtTable, body: Again) -> Answer[Seated]:
    """Play once more with the same people: whoever is first makes the next table."""
    return _seated(call, await lobby.rematch(call.host, asked.table, call.token, body.mixes))
