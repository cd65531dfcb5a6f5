"""Over HTTP: finding and making tables, sitting down and getting up, beginning, once more."""

from caramba.bodies import Again, Filling, Found, Listed, NewTable, Seated, Sitting, Token
from caramba.games.contract import marked
from caramba.server.crew.crew import Elsewhere
from caramba.server.host import lobby, telling
from caramba.server.http.addresses import AtTable, ByCode
from caramba.server.http.routing import Call, Endpoints, JsonAnswer
from caramba.server.http.security import COOKIE, may_look
from caramba.server.tables.refusal import Refusal
from caramba.wire import TableShown

ENDPOINTS = Endpoints()
DAYS = 86400


@ENDPOINTS.add("GET", "/tables")
async def list_tables(call: Call) -> JsonAnswer[list[Listed]]:
    """The public tables, the latest first: those to join, and those to watch."""
    return JsonAnswer(await call.host.store.listed())


@ENDPOINTS.add("POST", "/tables", 201)
async def make_table(call: Call, body: NewTable) -> JsonAnswer[Seated]:
    """Make a table. With a seat for a person, you sit down at the first."""
    await call.limits.check(call.limits.tables, call.address)
    return _seated(call, await lobby.make_table(call.host, body))


def _seated(call: Call, seated: Seated) -> JsonAnswer[Seated]:
    """The answer to somebody who has a seat: the token, and for browsers a cookie."""
    answer = JsonAnswer(seated, **{"Cache-Control": "no-store"})
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


@ENDPOINTS.add("GET", "/codes/{code}")
async def find_by_code(call: Call, asked: ByCode) -> JsonAnswer[Found]:
    """The table of a code."""
    await call.limits.check(call.limits.tries, "code", call.address)
    table = await call.host.store.table_of(asked.code.upper())
    if table is None:
        raise Refusal("missing", marked("no table that one can join has this code"))
    return JsonAnswer(Found(table=table))


@ENDPOINTS.add("GET", "/tables/{table}")
async def show_table(call: Call, asked: AtTable) -> JsonAnswer[TableShown]:
    """A table without its game; the game itself comes over the socket."""
    async with call.host.awake.changing(asked.table) as live:
        may_look(live.table, call.seat_at(live.table))
        return JsonAnswer(telling.shown(live))


@ENDPOINTS.add("POST", "/tables/{table}/seats", 201)
async def sit(call: Call, asked: AtTable, body: Sitting) -> JsonAnswer[Seated]:
    """Sit down."""
    seated = await lobby.sit(call.host, asked.table, body.seat, body.name, body.mixes)
    return _seated(call, seated)


@ENDPOINTS.add("POST", "/tables/{table}/seats/mine", 201)
async def sit_again(call: Call, asked: AtTable, body: Again) -> JsonAnswer[Seated]:
    """Sit down at the seat that is kept for you: at the next table of the same people."""
    return _seated(call, await lobby.sit_again(call.host, asked.table, call.token, body.mixes))


@ENDPOINTS.add("DELETE", "/tables/{table}/seats/mine", 204)
async def get_up(call: Call, asked: AtTable) -> None:
    """Get up, before the game begins."""
    await lobby.get_up(call.host, asked.table, call.token)


@ENDPOINTS.add("POST", "/tables/{table}/session")
async def open_session(call: Call, asked: AtTable, body: Token) -> JsonAnswer[Seated]:
    """Exchange the token of a link for a cookie."""
    async with call.host.awake.changing(asked.table) as live:
        seat = lobby.own_seat(live, body.token)
    return _seated(call, Seated(table=asked.table, seat=seat, token=body.token))


@ENDPOINTS.add("POST", "/tables/{table}/start", 204)
async def start(call: Call, asked: AtTable, body: Filling) -> None:
    """Let bots take the free seats, and begin: for who made the table."""
    await lobby.fill_and_begin(call.host, asked.table, call.token, body.level)


@ENDPOINTS.add("POST", "/tables/{table}/rematch", 201)
async def rematch(call: Call, asked: AtTable, body: Again) -> JsonAnswer[Seated]:
    """Play once more with the same people: whoever is first makes the next table."""
    following = await lobby.next_table(call.host, asked.table, call.token)
    try:
        seated = await lobby.sit_again(call.host, following, call.token, body.mixes)
    except Elsewhere as elsewhere:
        path = f"/tables/{following}/seats/mine"
        seated = await call.ask_at(elsewhere.worker, path, body, Seated)
    return _seated(call, seated)
