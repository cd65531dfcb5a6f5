"""The HTTP interface: all that is not the socket. /api/openapi.json describes it."""

from collections.abc import Callable
from functools import partial
from typing import Annotated, Any, Literal

import msgspec
from fastapi import APIRouter, Depends, Path, Query, Request, Response
from fastapi.responses import HTMLResponse, PlainTextResponse
from pydantic import BaseModel, ConfigDict, Field

from caramba.bots.levels import DEFAULT, LEVELS
from caramba.games import names
from caramba.games.contract import REFEREE, SPECTATOR, Game, load, marked
from caramba.language import languages, words
from caramba.match import saved
from caramba.match.match import Match
from caramba.server.host import lobby, telling
from caramba.server.host.awake import Live
from caramba.server.host.host import Host
from caramba.server.host.lobby import Sat, Wanted
from caramba.server.http import texts
from caramba.server.http.security import COOKIE, Limits, address_of, seat_of, token_of
from caramba.server.tables import showing
from caramba.server.tables.log import RECENT
from caramba.server.tables.refusal import Refusal
from caramba.wire import Clock

Id = Annotated[str, Path(min_length=1, max_length=24, pattern="^[A-Za-z0-9_-]+$")]
Name = Annotated[str, Field(min_length=1, max_length=saved.MAX_NAME)]
Mixes = Annotated[
    bool, Field(description="Whether you mix something into the deal: see `promise`.")
]
Lang = Annotated[str, Query(max_length=8)]
Level = Literal["random", "easy", "medium", "hard", "expert"]
Words = dict[str, str | list[str]]


class Body(BaseModel):
    """What is sent to us: nothing unknown is let through."""

    model_config = ConfigDict(extra="forbid")


class SeatWanted(Body):
    """A seat for a person, or for a bot of some level."""

    kind: Literal["person", "bot"] = "person"
    level: Level = "medium"


class ClockWanted(Body):
    """Seconds for each decision, and for a whole game; null for no limit."""

    move: Annotated[float, Field(ge=1, le=30 * 86400)] | None = None
    game: Annotated[float, Field(ge=10, le=365 * 86400)] | None = None


class NewTable(Body):
    """A table to be made."""

    game: Annotated[str, Field(max_length=40)]
    seats: Annotated[list[SeatWanted], Field(min_length=1, max_length=8)]
    options: dict[Annotated[str, Field(max_length=40)], Any] = {}
    public: bool = False
    watch: bool = True
    chat: bool = True
    take_backs: bool = True
    clock: ClockWanted = ClockWanted()
    name: Name | None = None
    mixes: Mixes = False


class Sitting(Body):
    """Somebody who sits down; at any free seat unless one is named."""

    name: Name
    seat: Annotated[int, Field(ge=0, le=15)] | None = None
    mixes: Mixes = False


class Filling(Body):
    """Bots for the free seats."""

    level: Level = "medium"


class Again(Body):
    """Somebody who wants to play once more."""

    mixes: Mixes = False


class Token(Body):
    """A seat's token, as it stands in a link."""

    token: Annotated[str, Field(min_length=1, max_length=64)]


class Seated(BaseModel):
    """Where you sit. The token is your seat: whoever has it plays for you."""

    table: str
    seat: int | None
    token: str | None


class Found(BaseModel):
    """A table."""

    table: str


def host_of(request: Request) -> Host:
    """The tables."""
    host: Host = request.app.state.host
    return host


def limits_of(request: Request) -> Limits:
    """How often anybody may ask."""
    limits: Limits = request.app.state.limits
    return limits


TheHost = Annotated[Host, Depends(host_of)]
TheLimits = Annotated[Limits, Depends(limits_of)]
REFUSALS: dict[int | str, dict[str, Any]] = {
    code: {"description": text}
    for code, text in {
        400: "It cannot be done so; the answer says why.",
        403: "Not for you.",
        404: "There is no such thing.",
        409: "Not now.",
        413: "Too large.",
        429: "Too often.",
    }.items()
}
router = APIRouter(prefix="/api", responses=REFUSALS)


# Games


@router.get("/games")
def list_games(lang: Lang = "en") -> list[dict[str, Any]]:
    """The games there are: for how many, with which options and standing answers."""
    return [_game(load(name), showing.spoken(lang)) for name in names()]


def _game(game: Game, language: str) -> dict[str, Any]:
    say = words(language).gettext
    return {
        "name": game.name,
        "players": list(game.players),
        "options": [
            {"name": option.name, "default": option.default, "help": option.help}
            for option in game.options
        ],
        "windows": [
            {"name": window.phase, "title": say(window.title), "ask": window.ask}
            for window in game.windows
        ],
    }


@router.get("/games/{game}/rules", response_class=PlainTextResponse)
def rules(
    game: Annotated[str, Path(max_length=40)],
    lang: Lang = "en",
    as_format: Annotated[Literal["markdown", "html"], Query(alias="format")] = "markdown",
) -> Response:
    """The rules of a game: as Markdown, or as a part of a page with an id on each rule."""
    if game not in names():
        raise Refusal("missing", marked("there is no such game"))
    language = showing.spoken(lang)
    if as_format == "html":
        return HTMLResponse(texts.rules_as_html(game, language))
    return PlainTextResponse(texts.rules(game, language))


@router.get("/levels")
def list_levels(lang: Lang = "en") -> list[dict[str, Any]]:
    """How strong bots can be."""
    say = words(showing.spoken(lang)).gettext
    return [
        {
            "name": level.name,
            "title": say(level.title),
            "description": say(level.description),
            "default": level.name == DEFAULT,
        }
        for level in LEVELS.values()
    ]


@router.get("/languages")
def list_languages() -> list[str]:
    """The languages we speak."""
    return list(languages())


@router.get("/words/{lang}")
def list_words(lang: Annotated[str, Path(max_length=8)], response: Response) -> Words:
    """All texts in a language, by the English text; a pair where one and many differ."""
    if lang not in languages():
        raise Refusal("missing", marked("we do not speak this language"))
    response.headers["Cache-Control"] = "public, max-age=300"
    return texts.catalogue(lang)


# Tables


@router.get("/tables")
async def list_tables(host: TheHost) -> list[dict[str, Any]]:
    """The public tables, the latest first: those to join, and those to watch."""
    return await host.store.listed()


@router.post("/tables", status_code=201)
async def make_table(
    new: NewTable, request: Request, response: Response, host: TheHost, limits: TheLimits
) -> Seated:
    """Make a table. With a seat for a person, you sit down at the first."""
    limits.check(limits.tables, address_of(request))
    wanted = Wanted(
        game=new.game,
        seats=[None if seat.kind == "person" else seat.level for seat in new.seats],
        options=new.options,
        public=new.public,
        watch=new.watch,
        chat=new.chat,
        take_backs=new.take_backs,
        clock=Clock(move=new.clock.move, game=new.clock.game),
        name=new.name,
        mixes=new.mixes,
    )
    return _seated(await lobby.make_table(host, wanted), request, response)


def _seated(sat: Sat, request: Request, response: Response) -> Seated:
    """The answer to somebody who has a seat: the token, and for browsers a cookie."""
    if sat.token:
        response.set_cookie(
            COOKIE,
            sat.token,
            max_age=400 * 86400,
            path=f"/api/tables/{sat.table}",
            secure=request.url.scheme == "https",
            httponly=True,
            samesite="strict",
        )
    response.headers["Cache-Control"] = "no-store"
    return Seated(table=sat.table, seat=sat.seat, token=sat.token)


@router.get("/codes/{code}")
async def find_by_code(
    code: Annotated[str, Path(min_length=6, max_length=6)],
    request: Request,
    host: TheHost,
    limits: TheLimits,
) -> Found:
    """The table of a code."""
    limits.check(limits.tries, "code", address_of(request))
    table = await host.store.table_of(code.upper())
    if table is None:
        raise Refusal("missing", marked("no table that one can join has this code"))
    return Found(table=table)


@router.get("/tables/{table}")
async def show_table(table: Id, request: Request, host: TheHost) -> dict[str, Any]:
    """A table without its game; the game itself comes over the socket."""
    async with host.awake.changing(table) as live:
        may_look(live, seat_of(live.table, request))
        shown: dict[str, Any] = msgspec.to_builtins(telling.shown(live))
        return shown


def may_look(live: Live, seat: int | None) -> None:
    """Whether somebody may see a table: all who may sit down, those who sit, or who may watch."""
    if seat is None and live.table.status != "open" and not live.table.row["watch"]:
        raise Refusal("forbidden", marked("nobody may watch at this table"))


@router.post("/tables/{table}/seats", status_code=201)
async def sit(
    table: Id, who: Sitting, request: Request, response: Response, host: TheHost
) -> Seated:
    """Sit down."""
    sat = await lobby.sit(host, table, who.seat, who.name, who.mixes)
    return _seated(sat, request, response)


@router.delete("/tables/{table}/seats/mine", status_code=204)
async def get_up(table: Id, request: Request, host: TheHost) -> None:
    """Get up, before the game begins."""
    await lobby.get_up(host, table, token_of(request) or "")


@router.post("/tables/{table}/session")
async def open_session(
    table: Id, token: Token, request: Request, response: Response, host: TheHost
) -> Seated:
    """Exchange the token of a link for a cookie."""
    async with host.awake.changing(table) as live:
        seat = lobby.own_seat(live, token.token)
    return _seated(Sat(table, seat, token.token), request, response)


@router.post("/tables/{table}/start", status_code=204)
async def start(table: Id, request: Request, host: TheHost, filling: Filling | None = None) -> None:
    """Let bots take the free seats, and begin: for who made the table."""
    await lobby.fill_and_begin(host, table, token_of(request) or "", (filling or Filling()).level)


@router.post("/tables/{table}/rematch", status_code=201)
async def rematch(
    table: Id, request: Request, response: Response, host: TheHost, again: Again | None = None
) -> Seated:
    """Play once more with the same people: whoever is first makes the next table."""
    sat = await lobby.rematch(host, table, token_of(request) or "", (again or Again()).mixes)
    return _seated(sat, request, response)


# Looking back


@router.get("/tables/{table}/saved", response_class=PlainTextResponse)
async def download(table: Id, request: Request, host: TheHost) -> Response:
    """The finished game as a file that `caramba verify` accepts."""
    async with host.awake.changing(table) as live:
        may_look(live, seat_of(live.table, request))
        if live.table.status != "over" or not live.table.match:
            message = marked("the game is not over; its file would tell everything")
            raise Refusal("illegal", message)
        content = await _made(host, live, "saved", partial(_file, live.table.match))
    name = f"caramba-{live.table.game.name}-{table}.jsonl"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(content, media_type="application/x-ndjson", headers=headers)


def _file(match: Match) -> bytes:
    return b"".join(line + b"\n" for line in saved.lines(match.to_saved()))


async def _made(host: Host, live: Live, name: str, work: Callable[[], bytes]) -> bytes:
    """Something that is made of a game that is over: once, aside, and then kept."""
    if name not in live.made:
        live.made[name] = await host.aside.do(work)
    return live.made[name]


@router.get("/tables/{table}/story")
async def story(table: Id, request: Request, host: TheHost, lang: Lang = "en") -> Response:
    """How a game that is over came about: by turns, what decided each, and the points after it."""
    async with host.awake.changing(table) as live:
        may_look(live, seat_of(live.table, request))
        if live.table.status != "over" or not live.table.match:
            raise Refusal("forbidden", marked("what others hold is shown after the end"))
        language = showing.spoken(lang)
        tell = partial(_story, live.table.match, language)
        content = await _made(host, live, f"story {language}", tell)
    return Response(content, media_type="application/json")


def _story(match: Match, language: str) -> bytes:
    return msgspec.json.encode(showing.story(match, language))


@router.get("/tables/{table}/log")
async def log(
    table: Id,
    request: Request,
    host: TheHost,
    until: Annotated[int, Query(ge=0, le=10_000_000)],
    lang: Lang = "en",
) -> dict[str, Any]:
    """What you were told before a step, as your seat or who watches: some steps at a time."""
    async with host.awake.changing(table) as live:
        own = seat_of(live.table, request)
        may_look(live, own)
        match = live.table.match
        if match is None or until > live.table.steps_at[-1]:
            raise Refusal("missing", marked("there is no such step"))
        since = max(0, until - RECENT)
        viewer = SPECTATOR if own is None else own
        told = showing.told(match, viewer, since, until, showing.spoken(lang))
        return {"since": since, "until": until, "events": msgspec.to_builtins(told)}


@router.get("/tables/{table}/replay")
async def replay(
    table: Id,
    request: Request,
    host: TheHost,
    step: Annotated[int, Query(ge=0, le=10_000_000)] = 0,
    seat: Annotated[int | None, Query(ge=0, le=15)] = None,
    everything: bool = False,
    lang: Lang = "en",
) -> dict[str, Any]:
    """The game after so many steps: as a seat saw it, openly, or as everybody who watched.

    As a seat and openly after the end only; your own seat always.
    """
    async with host.awake.changing(table) as live:
        own = seat_of(live.table, request)
        may_look(live, own)
        match = live.table.match
        if match is None or step > live.table.steps_at[-1]:
            raise Refusal("missing", marked("there is no such step"))
        viewer = _viewer(live, own, seat, everything)
        shown = _replayed(match.at(step), viewer, showing.spoken(lang))
        return {"table": table, "step": step, "steps": live.table.steps_at[-1], **shown}


def _viewer(live: Live, own: int | None, seat: int | None, everything: bool) -> int:
    wanted = REFEREE if everything else SPECTATOR if seat is None else seat
    if wanted in (SPECTATOR, own):
        return wanted
    if live.table.status != "over":
        raise Refusal("forbidden", marked("what others hold is shown after the end"))
    if wanted >= len(live.table.places):
        raise Refusal("invalid", marked("there is no seat {seat}"), seat=wanted)
    return wanted


def _replayed(match: Match, viewer: int, language: str) -> dict[str, Any]:
    view = match.view(viewer)
    told = showing.told(match, viewer, max(0, match.length - 1), match.length, language)
    return {"view": msgspec.to_builtins(view), "events": msgspec.to_builtins(told)}
