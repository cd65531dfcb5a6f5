"""The application: routes, errors, limits and headers put together."""

import asyncio
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import uvicorn
from prometheus_client import CONTENT_TYPE_LATEST
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.base import BaseHTTPMiddleware, RequestResponseEndpoint
from starlette.requests import HTTPConnection, Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket

from caramba.bodies import Problem
from caramba.games.contract import marked
from caramba.games.errors import CarambaError, InvalidSetup
from caramba.language import words
from caramba.server import telemetry
from caramba.server.host.host import Host
from caramba.server.host.turns import PAYER
from caramba.server.http import api, page
from caramba.server.http.accepting import language_of
from caramba.server.http.connections import WAITING, Config, Entrance
from caramba.server.http.passing import MAX_BODY, Inside, Passing, PassingOn
from caramba.server.http.routing import PREFIX, JsonAnswer
from caramba.server.http.security import (
    HEADERS,
    HTTPS_HEADERS,
    Limits,
    address_of,
    check_host,
    check_origin,
    payer,
)
from caramba.server.http.sharing import SharedLimits
from caramba.server.http.socket import Reception
from caramba.server.settings import Settings
from caramba.server.store.errors import Broken
from caramba.server.tables.refusal import NotNow, Refusal

STATUS = {
    "invalid": 400,
    "forbidden": 403,
    "missing": 404,
    "illegal": 409,
    "stale": 409,
    "too_large": 413,
    "too_fast": 429,
    "unavailable": 503,
}
Guard = Callable[[Request, RequestResponseEndpoint], Awaitable[Response]]
WATCHED = ("/healthz", "/readyz", "/metrics")
"""For operators, who may ask by address."""
MAX_SOCKET_FRAME = 64 * 1024
"""Larger frames end a conversation at once; smaller ones that are too large get an answer."""


def configure(settings: Settings, **more: Any) -> Config:
    """How uvicorn has to run a server with these settings.

    Of the addresses that a proxy names, the last that is no proxy counts: what stands before that,
    anybody could have written.
    """
    app = make_app(settings)
    app.state.place = more.get("host", "127.0.0.1")
    return Config(
        app,
        settings,
        access_log=False,
        ws_max_size=MAX_SOCKET_FRAME,
        ws_ping_interval=20,
        ws_ping_timeout=20,
        proxy_headers=bool(settings.proxies),
        forwarded_allow_ips=list(settings.proxies),
        server_header=False,
        timeout_graceful_shutdown=5,
        **more,
    )


class Server(uvicorn.Server):
    """Runs until told to stop; if there are other workers, it first lets its tables go to them."""

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Accept nobody any more, let everybody go, and end."""
        app: Any = self.config.app
        if app.state.host.crew:
            for server in self.servers:
                server.close()
            await app.state.host.leave()
        await super().shutdown(sockets)


def listen(config: Config) -> socket.socket:
    """The socket to serve on."""
    return enter(listening_at(config.host, config.port), config.settings)


def enter(listening: socket.socket, settings: Settings) -> Entrance:
    """The same, for who keeps to these settings."""
    return Entrance(listening, settings)


def listen_inside(settings: Settings, number: int = 0) -> tuple[socket.socket, Settings]:
    """The socket on which other workers come to one of those here; the settings with its address.

    Each has a port of its own: any, or that many behind the first.
    """
    host, _, port = settings.inner.rpartition(":")
    listening = listening_at(host.strip("[]"), int(port) and int(port) + number)
    settings = replace(settings, inner=f"{host}:{listening.getsockname()[1]}")
    return Entrance(listening, replace(settings, per_address=10**9)), settings


def listening_at(host: str, port: int) -> socket.socket:
    """A socket. Without the option, each answer waits 40 ms for the next packet."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listening = socket.create_server((host, port), family=family, backlog=WAITING)
    except OSError as error:
        why = str(error.strerror).partition(" (while")[0]
        raise InvalidSetup(f"cannot listen on {host}, port {port}: {why}") from None
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listening


def make_app(settings: Settings) -> Starlette:
    """A server with these settings."""
    host = Host(settings)
    limits = SharedLimits(settings, host.crew) if host.crew else Limits(settings)
    passing = Passing(host.crew) if host.crew else None
    reception = Reception(host, limits)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        await host.open()
        telemetry.log.info("ready")
        yield
        await host.close()
        if passing:
            await passing.close()
        telemetry.log.info("closed")

    async def talk(socket: WebSocket) -> None:
        name = socket.path_params["table"][:24]
        await reception.enter(socket, name.replace("\0", "?"))  # PostgreSQL cannot look for that

    app = Starlette(
        routes=[
            *_operations(host),
            *api.routes(),
            WebSocketRoute(f"{PREFIX}/tables/{{table}}/socket", talk),
            *(page.routes(settings.page) if settings.page else ()),
        ],
        middleware=[
            *([Middleware(Inside, passing=passing)] if passing else ()),
            Middleware(Gate, host=host),
            *([Middleware(PassingOn, passing, host.awake, _turned_away)] if passing else ()),
            Middleware(BaseHTTPMiddleware, dispatch=_guard(host, limits)),
        ],
        exception_handlers=ERRORS,
        lifespan=lifespan,
    )
    app.state.host, app.state.limits, app.state.passing = host, limits, passing
    return app


def _operations(host: Host) -> list[Route]:
    async def healthy(_: Request) -> Response:
        """The process answers."""
        return PlainTextResponse("ok\n")

    async def ready(_: Request) -> Response:
        """The database can be used, too."""
        try:
            await host.store.look()
        except CarambaError:
            return PlainTextResponse("the database does not answer\n", 503)
        return PlainTextResponse("ok\n" if host.ready else "closing\n", 200 if host.ready else 503)

    def metrics(_: Request) -> Response:
        """Figures for Prometheus."""
        return Response(telemetry.figures(), media_type=CONTENT_TYPE_LATEST)

    return [Route(*each) for each in zip(WATCHED, (healthy, ready, metrics), strict=True)]


# What went wrong


def _refused(request: Request, refusal: Refusal, status: int | None = None) -> Response:
    """A refusal in the language of who asks."""
    return _problem(refusal.code, refusal.text(words(language_of(request))), status)


def _problem(code: str, reason: str, status: int | None = None) -> Response:
    sayable = reason.encode(errors="replace").decode()
    answer = JsonAnswer(Problem(code=code, reason=sayable))
    answer.status_code = status or STATUS.get(code, 400)
    return answer


def _turned_away(request: Request, refusal: Refusal) -> Response:
    """A refusal of what got no further than the door."""
    response = _refused(request, refusal)
    response.headers.update(HEADERS)
    telemetry.answered(request.method, response.status_code)
    return response


async def _say_refused(request: Request, error: Any) -> Response:
    return _refused(request, error)


async def _say_broken(request: Request, error: Exception) -> Response:
    telemetry.stumbled("a request failed", error)
    return _refused(request, NotNow())


async def _say_wrong(_: Request, error: Exception) -> Response:
    return _problem("invalid", str(error))


async def _say_other(request: Request, error: Any) -> Response:
    if error.status_code == 404:
        return _nothing(request)
    return _problem("invalid", str(error.detail), error.status_code)


def _nothing(request: Request) -> Response:
    """At an address that there is not: people see the page, programs a refusal."""
    folder = request.app.state.host.settings.page
    if folder and request.method in ("GET", "HEAD") and not _for_programs(request):
        return page.nowhere(folder)
    return _refused(request, Refusal("missing", marked("there is nothing here")))


ERRORS: dict[Any, Callable[[Request, Exception], Awaitable[Response]]] = {
    Refusal: _say_refused,
    Broken: _say_broken,
    CarambaError: _say_wrong,
    HTTPException: _say_other,
}


# Who is let in


class Gate:
    """Lets requests and sockets in one at a time, addresses in turn; operators at once."""

    def __init__(self, app: ASGIApp, host: Host) -> None:
        self.app, self.host = app, host

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Wait, then go on."""
        if scope["type"] != "lifespan" and scope["path"] not in WATCHED:
            PAYER.set(address_of(HTTPConnection(scope)))
            await self.host.turns.wait()
        await self.app(scope, receive, send)


def _guard(host: Host, limits: Limits) -> Guard:
    async def guard(request: Request, answer: RequestResponseEndpoint) -> Response:
        """Count, check where it comes from and how long it is, and add the headers."""
        try:
            if request.url.path not in WATCHED:
                check_host(request, host.settings)
            if _for_programs(request):
                await limits.charge(payer(request, host.awake), address_of(request))
            if request.method not in ("GET", "HEAD", "OPTIONS"):
                check_origin(request, host.settings)
                check_length(request)
            response = await answer(request)
        except Refusal as refusal:
            if refusal.code == "too_fast":
                await asyncio.sleep(host.settings.calm)
            response = _refused(request, refusal)
        except Exception as error:
            telemetry.stumbled("a request failed", error)
            sorry = Refusal("unavailable", marked("something went wrong here; it was noted"))
            response = _refused(request, sorry, 500)
        response.headers.update(HEADERS)
        if _for_programs(request):
            response.headers.setdefault("Cache-Control", "no-store")
        if request.url.scheme == "https":
            response.headers.update(HTTPS_HEADERS)
        telemetry.answered(request.method, response.status_code)
        return response

    return guard


def _for_programs(request: Request) -> bool:
    """Whether it is part of the interface: files of the page are cheap, and many at once."""
    return f"{request.url.path}/".startswith(f"{PREFIX}/")


def check_length(request: Request) -> None:
    """A body says how long it is, and is short."""
    length = request.headers.get("content-length", "0")
    if not length.isdecimal() or "transfer-encoding" in request.headers:
        raise Refusal("invalid", marked("say how long the body is: Content-Length"))
    if int(length) > MAX_BODY:
        raise Refusal("too_large", marked("a body has at most {many} bytes"), many=MAX_BODY)
