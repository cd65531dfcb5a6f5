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
from dataclasses import fields, replace
from ipaddress import ip_address, ip_network
from socket import SO_REUSEADDR, SOL_SOCKET, socket
from threading import Thread
from typing import Any, TypeVar

import click

from caramba.cli.compiling import Compiling
from caramba.cli.console import complain
from caramba.cli.options import FILE
from caramba.cli.workers import POOL, Role, Supervisor
from caramba.games.errors import InvalidSetup
from caramba.server.settings import Settings, built_page, default_database

USUAL_PORT = 8000
DEFAULTS = {field.name: field.default for field in fields(Settings)}
Command = TypeVar("Command", bound=Callable[..., Any] | click.Command)


class Seconds(click.FloatRange):
    """A time; 'nan' is none."""

    def convert(self, value: Any, *where: Any) -> Any:
        """The number, if it is one."""
        number = super().convert(value, *where)
        return self.fail("a time must be a number", *where) if math.isnan(number) else number


def setting(name: str, least: float, most: float | None, says: str) -> Callable[[Command], Command]:
    """An option that is a setting of the same name, a time or a number, with its default."""
    default = DEFAULTS[name]
    kind: Any = Seconds if isinstance(default, float) else click.IntRange
    option, limits = f"--{name.replace('_', '-')}", kind(least, most)
    return click.option(option, type=limits, default=default, show_default=True, help=says)


def several(
    option: str, one: str, check: Callable[..., tuple[str, ...]], says: str
) -> Callable[[Command], Command]:
    """An option that may be repeated."""
    help_text = f"{says} May be repeated."
    return click.option(option, multiple=True, metavar=one, callback=check, help=help_text)


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


def inside(context: click.Context, option: click.Parameter, where: str) -> str:
    """An address and a port at which others can be, checked."""
    host, _, port = where.rpartition(":")
    try:
        is_place = not ip_address(host.strip("[]")).is_unspecified and 0 <= int(port) < 65536
    except ValueError:
        is_place = False
    if not is_place:
        raise click.UsageError(
            f"--inner is an address of this machine and a port, such as 10.1.0.7:9000, not"
            f" {where[:60]!r}"
        )
    return where


@click.command(context_settings={"auto_envvar_prefix": "CARAMBA_SERVE"})
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option("--port", type=click.IntRange(0, 65535), default=USUAL_PORT, show_default=True)
@click.option(
    "--database",
    metavar="URL",
    help="Where tables are kept, such as sqlite:///tables.db or postgresql://user@host/name; a file"
    " in your own folder for such things unless given.",
)
@click.option(
    "--workers",
    type=click.IntRange(1, 256),
    default=1,
    show_default=True,
    help="Processes that serve on the same port, for --redis and a PostgreSQL.",
)
@click.option(
    "--redis",
    metavar="URL",
    help="Through which workers, here and on other machines, are one server; such as"
    " redis://127.0.0.1:6379/0.",
)
@click.option(
    "--inner",
    metavar="ADDRESS:PORT",
    default=DEFAULTS["inner"],
    show_default=True,
    callback=inside,
    help="Where other workers reach those of this machine: from that port on; with 0, any free.",
)
@several(
    "--origin",
    "ORIGIN",
    origins,
    "Where a page comes from, such as https://example.org, if this server sees another Host:"
    " behind a proxy that changes it.",
)
@several(
    "--proxy",
    "ADDRESS",
    networks,
    "Where a proxy stands in front of this server, such as 127.0.0.1 or 10.1.0.0/16: it is"
    " believed about addresses and https.",
)
@several(
    "--allow-host",
    "NAME",
    names,
    "A name under which this server may be asked, such as play.example.org; any, unless given.",
)
@setting("max_tables", 1, None, "Tables that are open or being played.")
@setting("per_address", 1, None, "Connections that one address may have open; a proxy any number.")
@setting("searchers", 0, None, "Seats of bots that look ahead, at tables of one address.")
@click.option(
    "--thinkers",
    type=click.IntRange(1, 64),
    help="Threads in which bots look ahead; one a core, but for one core.",
)
@setting("pause", 0, 60, "Seconds before a bot acts, so that people can follow.")
@setting("window", 0, 60, "Seconds that a question stays open whose answer tells what one holds.")
@setting("gone", 0, None, "Seconds for which a seat must be gone before a vote for a bot there.")
@setting("idle", 0.01, None, "Seconds after which a table nobody looks at is put out of memory.")
@setting("uncounted", 1, None, "Seconds until an untouched game leaves --max-tables: a day.")
@setting("close_after", 1, None, "Seconds until an untouched game is closed: 90 days.")
@click.option(
    "--keep-finished",
    type=Seconds(0),
    metavar="DAYS",
    help="Days for which a game is kept once it is over; for ever unless given.",
)
@click.option(
    "--export-finished",
    type=FILE,
    metavar="FOLDER",
    help="Where such a game is saved to a file before it is removed.",
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
    workers: int,
    redis: str | None,
    inner: str,
    origin: tuple[str, ...],
    proxy: tuple[str, ...],
    allow_host: tuple[str, ...],
    thinkers: int | None,
    limits: bool,
    log: str,
    open_page: bool,
    **given: Any,
) -> None:
    """Run the server: one process, nothing to configure; or several, with --workers.

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
    if given["export_finished"] and given["keep_finished"] is None:
        raise click.UsageError("--export-finished is for --keep-finished")
    check_crew(workers, redis, database)
    check_ports(host, port, inner, workers)
    unlimited = {} if limits else dict.fromkeys(LIMITED, 10**9)
    settings = Settings(
        database=database or default_database(),
        origins=origin,
        proxies=proxy,
        hosts=allow_host,
        page=built_page(),
        redis=redis,
        inner=inner,
        pool=os.environ.get(POOL),
        thinkers=thinkers or max(1, (os.cpu_count() or 1) - 1),
        **{**given, **unlimited},
    )
    if workers == 1 or Role.mine():
        run_server(settings, host, port, log, open_page)
    else:
        run_workers(settings, host, port, workers)


def check_crew(workers: int, redis: str | None, database: str | None) -> None:
    """Several workers need something to agree by, and a database that all of them reach."""
    if workers > 1 and not redis:
        raise click.UsageError("--workers needs --redis, by which they know of each other.")
    if redis and not (database or "").startswith(POSTGRESQL):
        raise click.UsageError(
            "--redis needs a PostgreSQL as --database: a file belongs to one server."
        )


def check_ports(host: str, port: int, inner: str, workers: int) -> None:
    """Workers cannot be reached inside where everybody comes in."""
    place, _, first = inner.rpartition(":")
    last = int(first) + workers - 1
    if last > 65535:
        raise click.UsageError("--inner needs a port for each worker: there are none above 65535.")
    if port and int(first) <= port <= last and meet(host, place.strip("[]")):
        raise click.UsageError(
            f"--port and --inner must differ: {port} is one of the ports at which workers reach"
            " each other."
        )


def meet(host: str, inner: str) -> bool:
    """Whether one cannot listen on a port of both; a name may stand for any address."""
    try:
        return ip_address(host).is_unspecified or ip_address(host) == ip_address(inner)
    except ValueError:
        return True


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


POSTGRESQL = ("postgresql:", "postgresql+", "postgres:")
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


def run_server(settings: Settings, host: str, port: int, log: str, open_page: bool = False) -> None:
    """Serve until told to stop. What is wrong with the database or the port is found first."""
    from caramba.server.crew.link import check_redis
    from caramba.server.http.app import Server, configure, enter, listen, listen_inside
    from caramba.server.http.connections import raise_descriptors
    from caramba.server.store.database import prepare
    from caramba.server.telemetry import set_up_log

    class Announced(Server):
        async def startup(self, sockets: list[socket] | None = None) -> None:
            await super().startup(sockets)
            if self.started:
                settle_down()
                if role:
                    role.is_ready()
                else:
                    announce(listening, settings, open_page)

        async def shutdown(self, sockets: list[socket] | None = None) -> None:
            compiling.end()  # a signal may leave no time for that later
            await super().shutdown(sockets)

    signal.signal(signal.SIGPIPE, signal.SIG_IGN)  # who hangs up early ends nothing but that
    sys.setswitchinterval(0.001)  # the loop does not wait long for what is done aside
    set_up_log(log)
    raise_descriptors()
    if role := Role.mine():
        role.begin()
    else:
        prepare(settings.database)
        if settings.redis:
            check_redis(settings.redis)
    compiling = Compiling() if role is None or role.number == 0 else Compiling(None)
    settings = replace(settings, compiled=compiling.is_done)
    sockets = []
    if settings.redis:
        inner, settings = listen_inside(settings, role.number if role else 0)
        sockets = [inner]
    config = configure(settings, host=host, port=port, log_level="warning", log_config=None)
    listening = enter(role.socket, settings) if role else listen(config)
    server = Announced(config)
    compiling.start()
    try:
        with suppress(SystemExit):  # of uvicorn, with a code of its own
            server.run(sockets=[listening, *sockets])
    finally:
        compiling.end()
    if not server.started:
        raise InvalidSetup("the server could not start; the lines above say why")


def run_workers(settings: Settings, host: str, port: int, many: int) -> None:
    """Have several processes serve until told to stop. What is wrong is found first."""
    from caramba.server.crew.link import check_redis
    from caramba.server.http.app import listening_at
    from caramba.server.store.database import prepare

    prepare(settings.database)
    assert settings.redis
    check_redis(settings.redis)
    listening = listening_at(host, port)
    supervisor = Supervisor(listening, many, settings.thinkers)
    sys.exit(supervisor.run(where(listening, settings)))


def settle_down() -> None:
    """Have Python look seldom through all that is in memory: everybody waits meanwhile.

    What is there from the start is never garbage, and of what comes later most is gone soon.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(5000, 5, 10_000)  # short pauses; the host looks through all now and then


def where(listening: socket, settings: Settings) -> str:
    """The address of the page; for programs, while there is no page."""
    from caramba.server.http.reaching import EVERYWHERE, address_at, own_address

    place, port = listening.getsockname()[:2]
    address = address_at(own_address() if place in EVERYWHERE else place, port) + "/"
    return address if settings.page else f"{address}api"


def announce(listening: socket, settings: Settings, open_page: bool) -> None:
    """Say where the page is, and open it where there is a screen."""
    from caramba.server.http.reaching import EVERYWHERE

    address, everywhere = where(listening, settings), listening.getsockname()[0] in EVERYWHERE
    complain(f"Caramba! is at {address} - Ctrl-C ends it")
    if everywhere:
        complain("whoever can reach this machine, such as a phone in the same network, can join")
    if open_page and settings.page and has_screen():
        Thread(target=webbrowser.open, args=(address,), daemon=True).start()


def has_screen() -> bool:
    """Whether a browser would have somewhere to open."""
    graphical = ("DISPLAY", "WAYLAND_DISPLAY")
    return sys.platform in ("darwin", "win32") or any(os.environ.get(name) for name in graphical)
