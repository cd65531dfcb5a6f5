"""`caramba serve`: tables for people, on this machine or for the world."""

import math
import os
from contextlib import suppress
from socket import socket
from typing import TYPE_CHECKING, Any

import click

from caramba.cli.console import complain
from caramba.cli.rules import compile_everything
from caramba.games.errors import InvalidSetup

if TYPE_CHECKING:
    from caramba.server.settings import Settings


@click.command(context_settings={"auto_envvar_prefix": "CARAMBA_SERVE"})
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True)
@click.option(
    "--database",
    metavar="URL",
    help="Where tables are kept, such as sqlite:///tables.db; a file in your own folder for such"
    " things unless given.",
)
@click.option(
    "--origin",
    multiple=True,
    metavar="ORIGIN",
    help="Where a page comes from, such as https://example.org, if this server sees another Host:"
    " behind a proxy that changes it. May be repeated.",
)
@click.option(
    "--trust-proxy",
    is_flag=True,
    help="Believe what a proxy in front of this server says of addresses and https. Only if there"
    " is one: else anybody could pretend to be anywhere.",
)
@click.option("--max-tables", type=click.IntRange(1), default=10_000, show_default=True)
@click.option("--thinkers", type=click.IntRange(1, 64), help="Threads for bots; one a core.")
@click.option(
    "--pause",
    type=click.FloatRange(0, 60),
    default=0.6,
    show_default=True,
    help="Seconds before a bot acts, so that people can follow.",
)
@click.option(
    "--window",
    type=click.FloatRange(0, 60),
    default=4.0,
    show_default=True,
    help="Seconds that a question stays open of which nobody may know who could say yes.",
)
@click.option(
    "--idle",
    type=click.FloatRange(0.01),
    default=300.0,
    show_default=True,
    help="Seconds after which a table that nobody looks at is put out of memory.",
)
@click.option(
    "--limits/--no-limits", default=True, help="Whether addresses are limited in what they may ask."
)
@click.option(
    "--log",
    type=click.Choice(["debug", "info", "warning", "error"]),
    default="info",
    show_default=True,
    help="What is written to the error stream, as lines of JSON.",
)
def serve(
    host: str,
    port: int,
    database: str | None,
    origin: tuple[str, ...],
    trust_proxy: bool,
    max_tables: int,
    thinkers: int | None,
    pause: float,
    window: float,
    idle: float,
    limits: bool,
    log: str,
) -> None:
    """Run the server: one process, nothing to configure.

    \b
    caramba serve
    caramba serve --host 0.0.0.0 --port 80 --database sqlite:////var/lib/caramba/tables.db

    Every step is on the disk before anybody sees it: the process may be killed at any time. On
    SIGTERM or Ctrl-C, players are told to come back, which their pages do by themselves.

    /healthz and /readyz answer load balancers, /metrics answers Prometheus, /api describes the
    interface for programs. docs/server.md tells about back-ups, proxies and security.

    Each option can be given as an environment variable, such as CARAMBA_SERVE_PORT=8080.
    """
    from caramba.server.settings import Settings, built_page, default_database

    for seconds in (pause, window, idle):
        if math.isnan(seconds):
            raise click.UsageError("seconds must be a number")
    for page in origin:
        if not page.startswith(("http://", "https://")):
            raise click.UsageError(f"an origin is such as https://example.org, not {page[:60]!r}")
    unlimited: dict[str, Any] = {} if limits else dict.fromkeys(LIMITED, 10**9)
    run_server(
        Settings(
            database=database or default_database(),
            origins=origin,
            trust_proxy=trust_proxy,
            page=built_page(),
            max_tables=max_tables,
            thinkers=thinkers or os.cpu_count() or 1,
            pause=pause,
            window=window,
            idle=idle,
            **unlimited,
        ),
        host,
        port,
        log,
    )


LIMITED = (
    "tables_an_hour",
    "requests_a_minute",
    "tries_a_minute",
    "connections",
    "messages_a_second",
    "chat_a_minute",
)


def run_server(settings: "Settings", host: str, port: int, log: str) -> None:
    """Serve until told to stop. What is wrong with the database or the port is found first."""
    import uvicorn

    from caramba.server.app import configure, listen
    from caramba.server.store import prepare
    from caramba.server.telemetry import set_up_log

    class Server(uvicorn.Server):
        async def startup(self, sockets: list[socket] | None = None) -> None:
            await super().startup(sockets)
            if self.started:
                what = "" if settings.page else "api"  # for programs, while there is no page
                complain(f"Caramba! is at {_address(listening)}{what} - Ctrl-C ends it")

    set_up_log(log)
    prepare(settings.database)
    config = configure(settings, host=host, port=port, log_level="warning", log_config=None)
    listening = listen(config)
    compile_everything()
    server = Server(config)
    with suppress(SystemExit):  # of uvicorn, with a code of its own
        server.run(sockets=[listening])
    if not server.started:
        raise InvalidSetup("the server could not start; the lines above say why")


def _address(listening: socket) -> str:
    address, port = listening.getsockname()[:2]
    return f"http://[{address}]:{port}/" if ":" in address else f"http://{address}:{port}/"
