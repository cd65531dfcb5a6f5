"""`caramba serve`: tables for people, on this machine or for the world."""

import gc
import math
import os
import re
import signal
import sys
import webbrowser
from collections.abc import Callable
from contextlib import suppress
from ipaddress import ip_network
from socket import AF_INET, SO_REUSEADDR, SOCK_DGRAM, SOL_SOCKET, socket
from threading import Thread
from typing import TYPE_CHECKING, Any, TypeVar

import click

from caramba.cli.console import complain
from caramba.cli.rules import compile_everything
from caramba.games.errors import InvalidSetup

if TYPE_CHECKING:
    from caramba.server.settings import Settings

USUAL_PORT = 8000
Command = TypeVar("Command", bound=Callable[..., Any] | click.Command)


class Seconds(click.FloatRange):
    """A time; 'nan' is none."""

    def convert(self, value: Any, *where: Any) -> Any:
        """The number, if it is one."""
        number = super().convert(value, *where)
        return self.fail("seconds must be a number", *where) if math.isnan(number) else number


def seconds(
    name: str, default: float, least: float, most: float | None, says: str
) -> Callable[[Command], Command]:
    """An option that is a time."""
    return click.option(
        name, type=Seconds(least, most), default=default, show_default=True, help=says
    )


def origins(_: click.Context, __: click.Parameter, pages: tuple[str, ...]) -> tuple[str, ...]:
    """Addresses that pages may come from, checked."""
    for page in pages:
        if not page.startswith(("http://", "https://")):
            raise click.UsageError(f"an origin is such as https://example.org, not {page[:60]!r}")
    return pages


def networks(_: click.Context, __: click.Parameter, proxies: tuple[str, ...]) -> tuple[str, ...]:
    """Addresses or networks, checked."""
    try:
        return tuple(str(ip_network(proxy, strict=False)) for proxy in proxies)
    except ValueError as error:
        raise click.UsageError(f"a proxy is an address such as 127.0.0.1: {error}"[:200]) from None


def names(_: click.Context, __: click.Parameter, hosts: tuple[str, ...]) -> tuple[str, ...]:
    """Names of this server, checked."""
    for host in hosts:
        if not re.fullmatch(r"[\w.-]+|[0-9a-fA-F:]*::[0-9a-fA-F:]*", host):
            raise click.UsageError(f"a name is such as play.example.org, not {host[:60]!r}")
    return tuple(host.lower() for host in hosts)


@click.command(context_settings={"auto_envvar_prefix": "CARAMBA_SERVE"})
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option("--port", type=click.IntRange(0, 65535), default=USUAL_PORT, show_default=True)
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
    callback=origins,
    help="Where a page comes from, such as https://example.org, if this server sees another Host:"
    " behind a proxy that changes it. May be repeated.",
)
@click.option(
    "--proxy",
    multiple=True,
    metavar="ADDRESS",
    callback=networks,
    help="Where a proxy stands in front of this server, such as 127.0.0.1 or 10.1.0.0/16: it is"
    " believed about addresses and https. May be repeated.",
)
@click.option(
    "--allow-host",
    multiple=True,
    metavar="NAME",
    callback=names,
    help="A name under which this server may be asked, such as play.example.org; any, unless given."
    " May be repeated.",
)
@click.option("--max-tables", type=click.IntRange(1), default=10_000, show_default=True)
@click.option(
    "--per-address",
    type=click.IntRange(1),
    default=200,
    show_default=True,
    help="Connections that one address may have open; a proxy may have any number.",
)
@click.option(
    "--searchers",
    type=click.IntRange(0),
    default=32,
    show_default=True,
    help="Seats of bots that look ahead, at tables being played from one address.",
)
@click.option(
    "--thinkers",
    type=click.IntRange(1, 64),
    help="Threads in which bots look ahead; one a core, but for one core.",
)
@seconds("--pause", 0.6, 0, 60, "Seconds before a bot acts, so that people can follow.")
@seconds(
    "--window",
    4.0,
    0,
    60,
    "Seconds that a question stays open of which nobody may know who could say yes.",
)
@seconds(
    "--gone",
    60.0,
    0,
    None,
    "Seconds for which a seat must have been gone before the others may vote to let a bot play"
    " there.",
)
@seconds(
    "--idle",
    300.0,
    0.01,
    None,
    "Seconds after which a table that nobody looks at is put out of memory.",
)
@seconds(
    "--uncounted",
    86400.0,
    1,
    None,
    "Seconds after which a game that nobody touched no longer counts against --max-tables: a day.",
)
@seconds(
    "--close-after",
    90 * 86400.0,
    1,
    None,
    "Seconds after which a game that nobody touched is closed: 90 days.",
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
@click.option("--open", "open_page", is_flag=True, help="Open the page in a browser.")
def serve(
    host: str,
    port: int,
    database: str | None,
    origin: tuple[str, ...],
    proxy: tuple[str, ...],
    allow_host: tuple[str, ...],
    thinkers: int | None,
    limits: bool,
    log: str,
    open_page: bool,
    **given: Any,
) -> None:
    """Run the server: one process, nothing to configure.

    \b
    caramba serve
    caramba serve --host 0.0.0.0
    caramba serve --proxy 127.0.0.1 --allow-host play.example.org

    The first is for this machine, the second for your network. For the world, as in the third, put
    a proxy such as Caddy or nginx in front, which does https and keeps slow or many callers off.

    Every step is on the disk before anybody sees it: the process may be killed at any time. On
    SIGTERM or Ctrl-C, players are told to come back, which their pages do by themselves.

    /healthz and /readyz answer load balancers, /metrics answers Prometheus, /api describes the
    interface for programs. docs/server.md tells about back-ups, proxies and security.

    Each option can be given as an environment variable, such as CARAMBA_SERVE_PORT=8080.
    """
    from caramba.server.settings import Settings, built_page, default_database

    unlimited = {} if limits else dict.fromkeys(LIMITED, 10**9)
    settings = Settings(
        database=database or default_database(),
        origins=origin,
        proxies=proxy,
        hosts=allow_host,
        page=built_page(),
        thinkers=thinkers or max(1, (os.cpu_count() or 1) - 1),
        **{**given, **unlimited},
    )
    run_server(settings, host, port, log, open_page)


def welcome(context: click.Context) -> None:
    """Bare `caramba`: a server for this machine and its network, and the page in a browser."""
    context.invoke(serve, host="0.0.0.0", port=usual_port(), log="warning", open_page=True)


def usual_port() -> int:
    """The port people know; any free one if something else has it."""
    with socket() as probe:
        probe.setsockopt(SOL_SOCKET, SO_REUSEADDR, 1)
        try:
            probe.bind(("0.0.0.0", USUAL_PORT))
        except OSError:
            return 0
    return USUAL_PORT


LIMITED = (
    "tables_an_hour",
    "requests_a_minute",
    "tries_a_minute",
    "connections",
    "messages_a_second",
    "hellos_a_minute",
    "chat_a_minute",
    "seat_requests_a_minute",
    "all_requests_a_minute",
    "all_messages_a_second",
    "seat_connections",
    "per_address",
    "searchers",
)


def run_server(
    settings: "Settings", host: str, port: int, log: str, open_page: bool = False
) -> None:
    """Serve until told to stop. What is wrong with the database or the port is found first."""
    import uvicorn

    from caramba.server.http.app import configure, listen
    from caramba.server.http.connections import raise_descriptors
    from caramba.server.store.database import prepare
    from caramba.server.telemetry import set_up_log

    class Server(uvicorn.Server):
        async def startup(self, sockets: list[socket] | None = None) -> None:
            await super().startup(sockets)
            if self.started:
                settle_down()
                announce(listening, settings, open_page)

    signal.signal(signal.SIGPIPE, signal.SIG_IGN)  # who hangs up early ends nothing but that
    sys.setswitchinterval(0.001)  # the loop does not wait long for what is done aside
    set_up_log(log)
    raise_descriptors()
    prepare(settings.database)
    config = configure(settings, host=host, port=port, log_level="warning", log_config=None)
    listening = listen(config)
    compile_everything()
    load_everything()
    server = Server(config)
    with suppress(SystemExit):  # of uvicorn, with a code of its own
        server.run(sockets=[listening])
    if not server.started:
        raise InvalidSetup("the server could not start; the lines above say why")


def load_everything() -> None:
    """Load the compiled rules now: while somebody plays, everybody would wait for that."""
    from caramba import warmup
    from caramba.games import names
    from caramba.games.contract import load

    for name in names():
        warmup.prepare(load(name), for_bots=True, advance=lambda done, total: None)


def settle_down() -> None:
    """Have Python look seldom through all that is in memory: everybody waits meanwhile.

    What is there from the start is never garbage, and of what comes later most is gone soon.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(5000, 5, 10_000)  # short pauses; the host looks through all now and then


def announce(listening: socket, settings: "Settings", open_page: bool) -> None:
    """Say where the page is, and open it where there is a screen."""
    place, port = listening.getsockname()[:2]
    everywhere = place in ("0.0.0.0", "::")
    place = own_address() if everywhere else place
    address = f"http://[{place}]:{port}/" if ":" in place else f"http://{place}:{port}/"
    if not settings.page:
        address += "api"  # for programs, while there is no page
    complain(f"Caramba! is at {address} - Ctrl-C ends it")
    if everywhere:
        complain("whoever can reach this machine, such as a phone in the same network, can join")
    if open_page and settings.page and has_screen():
        Thread(target=webbrowser.open, args=(address,), daemon=True).start()


def own_address() -> str:
    """The address of this machine in its network; its own name for itself if it has none."""
    with socket(AF_INET, SOCK_DGRAM) as probe, suppress(OSError):
        probe.connect(("192.0.2.1", 9))  # sends nothing: it only finds out the way
        return str(probe.getsockname()[0])
    return "127.0.0.1"


def has_screen() -> bool:
    """Whether a browser would have somewhere to open."""
    graphical = ("DISPLAY", "WAYLAND_DISPLAY")
    return sys.platform in ("darwin", "win32") or any(os.environ.get(name) for name in graphical)
