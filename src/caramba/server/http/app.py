"""The application: routes, errors, limits and headers put together."""

import asyncio
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
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
from caramba.server.http.connections import Config, Entrance
from caramba.server.http.routing import PREFIX, Answer
from caramba.server.http.security import (
    HEADERS,
    HTTPS_HEADERS,
    Limits,
    address_of,
    check_host,
    check_origin,
    payer,
)
from caramba.server.http.socket import Door
from caramba.server.http.texts import language_of
from caramba.server.settings import Settings
from caramba.server.store.errors import Broken
from caramba.server.tables.refusal import Refusal

STATUS = {
    "invalid": 400,
    "forbidden": 403,
    "missing": 404,
    "illegal": 409,
    "stale": 409,
    "too_large": 413,
    "too_fast": 429,
}
Guard = Callable[[Request, RequestResponseEndpoint], Awaitable[Response]]
WATCHED = ("/healthz", "/readyz", "/metrics")
"""For operators, who may ask by address."""
MAX_BODY = 16 * 1024
MAX_SOCKET_FRAME = 64 * 1024
"""Larger frames end a conversation at once; smaller ones that are too large get an answer."""


def configure(settings: Settings, **more: Any) -> Config:
    """How uvicorn has to run a server with these settings.

    Of the addresses that a proxy names, the last that is no proxy counts: what stands before that,
    anybody could have written.
    """
    return Config(
        make_app(settings),
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


def listen(config: Config) -> socket.socket:
    """The socket to serve on. Without the option, each answer waits 40 ms for the next packet."""
    family = socket.AF_INET6 if ":" in config.host else socket.AF_INET
    where = (config.host, config.port)
    try:
        listening = socket.create_server(where, family=family, backlog=config.backlog)
    except OSError as error:
        why = str(error.strerror).partition(" (while")[0]
        raise InvalidSetup(f"cannot listen on {config.host}, port {config.port}: {why}") from None
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return Entrance(listening, config.settings)


def make_app(settings: Settings) -> Starlette:
    """A server with these settings."""
    host, limits = Host(settings), Limits(settings)
    door = Door(host, limits)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        await host.open()
        telemetry.log.info("ready")
        yield
        await host.close()
        telemetry.log.info("closed")

    async def talk(socket: WebSocket) -> None:
        await door.enter(socket, socket.path_params["table"][:24])

    app = Starlette(
        routes=[
            *_operations(host),
            *api.routes(),
            WebSocketRoute(f"{PREFIX}/tables/{{table}}/socket", talk),
            *(page.routes(settings.page) if settings.page else ()),
        ],
        middleware=[
            Middleware(Gate, host=host),
            Middleware(BaseHTTPMiddleware, dispatch=_guard(host, limits)),
        ],
        exception_handlers=ERRORS,
        lifespan=lifespan,
    )
    app.state.host, app.state.limits = host, limits
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
        return Response(generate_latest(telemetry.REGISTRY), media_type=CONTENT_TYPE_LATEST)

    return [Route(*each) for each in zip(WATCHED, (healthy, ready, metrics), strict=True)]


# What went wrong


def _refused(request: Request, refusal: Refusal, status: int | None = None) -> Response:
    """A refusal in the language of who asks."""
    return _problem(refusal.code, refusal.text(words(language_of(request))), status)


def _problem(code: str, reason: str, status: int | None = None) -> Response:
    sayable = reason.encode(errors="replace").decode()
    answer = Answer(Problem(code=code, reason=sayable))
    answer.status_code = status or STATUS.get(code, 400)
    return answer


async def _say_refused(request: Request, error: Any) -> Response:
    return _refused(request, error)


async def _say_broken(request: Request, error: Exception) -> Response:
    telemetry.stumbled("a request failed", error)
    refusal = Refusal("unavailable", marked("not now; try again in a moment"))
    return _refused(request, refusal, 503)


async def _say_wrong(_: Request, error: Exception) -> Response:
    return _problem("invalid", str(error))


async def _say_other(request: Request, error: Any) -> Response:
    if error.status_code == 404:
        return _refused(request, Refusal("missing", marked("there is nothing here")))
    return _problem("invalid", str(error.detail), error.status_code)


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
                limits.charge(payer(request, host.awake), address_of(request))
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
    return request.url.path.startswith("/api")


def check_length(request: Request) -> None:
    """A body says how long it is, and is short."""
    length = request.headers.get("content-length", "0")
    if not length.isdecimal() or "transfer-encoding" in request.headers:
        raise Refusal("invalid", marked("say how long the body is: Content-Length"))
    if int(length) > MAX_BODY:
        raise Refusal("too_large", marked("a body has at most {many} bytes"), many=MAX_BODY)
