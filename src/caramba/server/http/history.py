"""Over HTTP: looking back at a game."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial

import msgspec
from starlette.responses import Response

from caramba.bodies import LogPart, Replayed, TurnOdds
from caramba.games.contract import REFEREE, SPECTATOR, marked
from caramba.match import saved
from caramba.match.match import Match
from caramba.server.host.awake import Live
from caramba.server.http.addresses import AtTable, Look, LookBack, Replay
from caramba.server.http.routing import Call, Endpoints, JsonAnswer
from caramba.server.http.security import may_look
from caramba.server.tables import showing
from caramba.server.tables.log import RECENT
from caramba.server.tables.refusal import Refusal
from caramba.server.tables.table import Table

ENDPOINTS = Endpoints()


# After the end


@ENDPOINTS.add("GET", "/tables/{table}/saved")
async def download(call: Call, asked: AtTable) -> Response:
    """The finished game as a file that `caramba verify` accepts."""
    early = Refusal("illegal", marked("the game is not over; its file would tell everything"))
    match, content = await _made(call, asked.table, "saved", _file, early)
    name = f"caramba-{match.game.name}-{asked.table}.jsonl"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(content, media_type="application/x-ndjson", headers=headers)


def _file(match: Match) -> bytes:
    return b"".join(line + b"\n" for line in saved.lines(match.to_saved()))


@ENDPOINTS.add("GET", "/tables/{table}/story")
async def story(call: Call, asked: Look) -> Response:
    """How a game that is over came about: by turns, what decided each, and the points after it."""
    language = showing.spoken(asked.lang)
    early = Refusal("forbidden", marked("what others hold is shown after the end"))
    make = partial(_story, language)
    _, content = await _made(call, asked.table, f"story {language}", make, early)
    return Response(content, media_type="application/json")


def _story(language: str, match: Match) -> bytes:
    return msgspec.json.encode(showing.story(match, language))


async def _made(
    call: Call, table: str, name: str, make: Callable[[Match], bytes], early: Refusal
) -> tuple[Match, bytes]:
    """A game that is over, and something that is made of it: once, aside, and then kept."""
    async with _looking(call, table) as live:
        match = live.table.match
        if live.table.status != "over" or match is None:
            raise early
        if name not in live.made:
            live.made[name] = await call.host.aside.do(partial(make, match))
        return match, live.made[name]


# At any time


@ENDPOINTS.add("GET", "/tables/{table}/log")
async def log(call: Call, asked: LookBack) -> JsonAnswer[LogPart]:
    """What you were told before a step, as your seat or who watches: some steps at a time."""
    async with _looking(call, asked.table) as live:
        match, own = _played(live.table, asked.until), call.seat_at(live.table)
        since = max(0, asked.until - RECENT)
        viewer = SPECTATOR if own is None else own
        told = showing.told(match, viewer, since, asked.until, showing.spoken(asked.lang))
        return JsonAnswer(LogPart(since=since, until=asked.until, events=told))


@ENDPOINTS.add("GET", "/tables/{table}/replay")
async def replay(call: Call, asked: Replay) -> JsonAnswer[Replayed]:
    """The game after so many steps: as your seat saw it, or as everybody who watched.

    After the end also as any seat, or openly.
    """
    async with _looking(call, asked.table) as live:
        whole, own = _played(live.table, asked.step), call.seat_at(live.table)
        viewer = _viewer(live.table, own, asked)
        before, language = whole.at(asked.step), showing.spoken(asked.lang)
        since, last = max(0, asked.step - RECENT), max(0, asked.step - 1)
        news = showing.news_of(before, viewer, since, language, follows=last)
        known = msgspec.structs.asdict(news)
        return JsonAnswer(Replayed(**known, of=live.table.steps_at[-1], you=own))


@ENDPOINTS.add("GET", "/tables/{table}/odds")
async def odds(call: Call, asked: AtTable) -> JsonAnswer[TurnOdds]:
    """Exact odds that help to decide what is asked now, where the game has them."""
    async with _looking(call, asked.table) as live:
        match, own = live.table.match, call.seat_at(live.table)
        if match is None or match.game.odds is None:
            raise Refusal("missing", marked("there are no odds for this"))
        view, number = match.view(SPECTATOR if own is None else own), live.table.number
    found = await call.host.aside.do(partial(match.game.odds, view))  # nobody waits for that
    return JsonAnswer(TurnOdds(number=number, odds=found))


@asynccontextmanager
async def _looking(call: Call, table: str) -> AsyncIterator[Live]:
    """A table, for who may look at it."""
    async with call.host.awake.changing(table) as live:
        may_look(live.table, call.seat_at(live.table))
        yield live


def _played(table: Table, step: int) -> Match:
    """The game, if it has got to that step."""
    if table.match is None or step > table.steps_at[-1]:
        raise Refusal("missing", marked("there is no such step"))
    return table.match


def _viewer(table: Table, own: int | None, asked: Replay) -> int:
    eyes = SPECTATOR if own is None else own
    wanted = REFEREE if asked.everything else eyes if asked.seat is None else asked.seat
    if wanted == eyes:
        return wanted
    if table.status != "over":
        raise Refusal("forbidden", marked("what others hold is shown after the end"))
    if wanted >= len(table.places):
        raise Refusal("invalid", marked("there is no seat {seat}"), seat=wanted)
    return wanted
