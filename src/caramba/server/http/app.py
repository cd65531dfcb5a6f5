"""The application: routes, errors, limits and headers put together."""

import asyncio
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from html import escape
from typing import Any

from fastapi import FastAPI, Request, Response, WebSocket
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse, PlainTextResponse
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Receive, Scope, Send

from caramba import __version__
from caramba.games.contract import marked
from caramba.games.errors import CarambaError, InvalidSetup
from caramba.language import words
from caramba.server import telemetry
from caramba.server.host.host import Host
from caramba.server.host.turns import PAYER
from caramba.server.http import api
from caramba.server.http.connections import Config, Entrance
from caramba.server.http.page import add_page
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


def make_app(settings: Settings) -> FastAPI:
    """A server with these settings."""
    host, limits = Host(settings), Limits(settings)
    door = Door(host, limits)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        await host.open()
        telemetry.log.info("ready")
        yield
        await host.close()
        telemetry.log.info("closed")

    app = FastAPI(
        title="Caramba!",
        version=__version__,
        summary="Tables for three games of one name. The games themselves run over sockets.",
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
    )
    app.state.host, app.state.limits = host, limits
    app.include_router(api.router)
    _add_operations(app, host)
    _add_errors(app)
    _add_guard(app, host, limits)
    app.add_middleware(Gate, host=host)

    @app.websocket("/api/tables/{table}/socket")
    async def talk(socket: WebSocket, table: str) -> None:
        await door.enter(socket, table[:24])

    if settings.page:
        add_page(app, settings.page)
    return app


def _add_operations(app: FastAPI, host: Host) -> None:
    @app.get("/healthz", include_in_schema=False)
    async def healthy() -> PlainTextResponse:
        """The process answers."""
        return PlainTextResponse("ok\n")

    @app.get("/readyz", include_in_schema=False)
    async def ready() -> PlainTextResponse:
        """The database can be used, too."""
        try:
            await host.store.look()
        except CarambaError:
            return PlainTextResponse("the database does not answer\n", 503)
        return PlainTextResponse("ok\n" if host.ready else "closing\n", 200 if host.ready else 503)

    @app.get("/metrics", include_in_schema=False)
    def metrics() -> Response:
        """Figures for Prometheus."""
        return Response(generate_latest(telemetry.REGISTRY), media_type=CONTENT_TYPE_LATEST)

    @app.get("/api", include_in_schema=False)
    def describe() -> HTMLResponse:
        """What the interface has, for people."""
        return HTMLResponse(_described(app.openapi()))


def _described(schema: dict[str, Any]) -> str:
    rows = "".join(
        f"<dt><code>{method.upper()} {escape(path)}</code></dt>"
        f"<dd>{escape(action.get('description') or action.get('summary', ''))}</dd>"
        for path, actions in schema["paths"].items()
        for method, action in actions.items()
    )
    return (
        "<!doctype html><html lang=en><meta charset=utf-8><title>Caramba! - the interface</title>"
        "<h1>Caramba! - the interface</h1><p>All of it for programs:"
        f" <a href=/api/openapi.json>openapi.json</a>.</p><dl>{rows}</dl>"
    )


def _refused(request: Request, refusal: Refusal, status: int | None = None) -> JSONResponse:
    """A refusal in the language of who asks."""
    return _problem(refusal.code, refusal.text(words(language_of(request))), status)


def _problem(code: str, reason: str, status: int | None = None) -> JSONResponse:
    sayable = reason.encode(errors="replace").decode()
    return JSONResponse({"code": code, "reason": sayable}, status or STATUS.get(code, 400))


def _add_errors(app: FastAPI) -> None:
    @app.exception_handler(Refusal)
    async def refused(request: Request, error: Refusal) -> JSONResponse:
        return _refused(request, error)

    @app.exception_handler(Broken)
    async def broken(request: Request, error: Broken) -> JSONResponse:
        telemetry.stumbled("a request failed", error)
        refusal = Refusal("unavailable", marked("not now; try again in a moment"))
        return _refused(request, refusal, 503)

    @app.exception_handler(CarambaError)
    async def wrong(_: Request, error: CarambaError) -> JSONResponse:
        return _problem("invalid", str(error))

    @app.exception_handler(RequestValidationError)
    async def invalid(_: Request, error: RequestValidationError) -> JSONResponse:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        return _problem("invalid", f"{where}: {first['msg']}"[:300])

    @app.exception_handler(HTTPException)
    async def other(request: Request, error: HTTPException) -> JSONResponse:
        if error.status_code == 404:
            return _refused(request, Refusal("missing", marked("there is nothing here")))
        return _problem("invalid", str(error.detail), error.status_code)


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


def _add_guard(app: FastAPI, host: Host, limits: Limits) -> None:
    @app.middleware("http")
    async def guard(request: Request, answer: Callable[[Request], Awaitable[Response]]) -> Response:
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
