"""Who may do what: tokens of seats, origins of pages, and how often anybody may ask."""

import re
import time
from collections import deque
from functools import cache
from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import NamedTuple
from urllib.parse import urlsplit

from starlette.requests import HTTPConnection

from caramba.games.contract import marked
from caramba.server.host.awake import Awake
from caramba.server.settings import Settings
from caramba.server.tables.refusal import Refusal
from caramba.server.tables.table import Table
from caramba.server.tables.tokens import hashed

COOKIE = "caramba_seat"
AT_TABLE = re.compile(r"/api/tables/([\w-]{1,24})(/|$)", re.ASCII)
"""Where a token of a seat is shown."""
CALLED = re.compile(r"(?:([\w.-]+?)\.?|\[([0-9a-f:.]+)\])(?::\d*)?", re.ASCII)
"""What a `Host` is: a name or an address, perhaps with a port."""
SWEEP = 1000
"""How many may be counted before those are forgotten who have been quiet for long."""

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline';"
        " img-src 'self' data:; font-src 'self'; media-src 'self'; manifest-src 'self';"
        " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


HTTPS_HEADERS = {
    "Cross-Origin-Opener-Policy": "same-origin",
    "Strict-Transport-Security": "max-age=31536000",
}
"""What browsers heed on safe addresses only, and complain about elsewhere."""


def token_of(request: HTTPConnection) -> str | None:
    """The token that comes with a request: as a bearer, or in the cookie of its table."""
    kind, _, token = request.headers.get("authorization", "").partition(" ")
    if kind.lower() == "bearer" and token:
        return token.strip()
    return request.cookies.get(COOKIE)


def seat_of(table: Table, request: HTTPConnection) -> int | None:
    """The seat that a request comes from; None for anybody else."""
    token = token_of(request)
    return table.seat_of(hashed(token)) if token else None


def may_look(table: Table, seat: int | None) -> None:
    """Whether somebody may see a table: all who may sit down, those who sit, or who may watch."""
    if seat is None and table.status != "open" and not table.kept.watch:
        raise Refusal("forbidden", marked("nobody may watch at this table"))


def check_host(request: HTTPConnection, settings: Settings) -> None:
    """Where the server has names, whoever calls it otherwise was led here by somebody else."""
    called = CALLED.fullmatch(request.headers.get("host", "").lower())
    if settings.hosts and not (called and (called[1] or called[2]) in settings.hosts):
        raise Refusal("forbidden", marked("this server does not go by that name"))


def check_origin(request: HTTPConnection, settings: Settings) -> None:
    """Pages of other sites may not speak for those who look at them."""
    origin = request.headers.get("origin")
    if origin is None or origin in settings.origins:
        return
    try:
        host = urlsplit(origin).netloc
    except ValueError:
        host = ""
    if not host or host != request.headers.get("host"):
        raise Refusal("forbidden", marked("this page may not do that: it comes from another place"))


def neighbourhood(address: str) -> str:
    """What counts as one address: of IPv6 the first half, all of which somebody has at once."""
    try:
        here = ip_address(address)
    except ValueError:
        return address[:64]
    if not isinstance(here, IPv6Address):
        return str(here)
    return str(here.ipv4_mapped or IPv6Address(int(here) >> 64 << 64))


def address_of(request: HTTPConnection) -> str:
    """Where a request comes from: uvicorn has looked at the proxy's word, if that is trusted."""
    return neighbourhood(request.client.host) if request.client else "unknown"


class Payer(NamedTuple):
    """Whose budget something is charged to: that of a seat, or else that of an address."""

    address: str = ""
    table: str = ""
    seat: int | None = None

    @property
    def is_seat(self) -> bool:
        """Whether a seat pays for itself."""
        return self.seat is not None


def payer(request: HTTPConnection, awake: Awake) -> Payer:
    """Who pays for a request: a seat that shows its token at its table, if that is awake.

    So whoever plays is not locked out by others at the same address. The database is not asked:
    whoever made up tokens would then be charged too late.
    """
    table = AT_TABLE.match(request.scope["path"])
    live = awake.tables.get(table[1]) if table else None
    seat = seat_of(live.table, request) if live else None
    if live is None or seat is None:
        return Payer(address=address_of(request))
    return Payer(table=live.table.id, seat=seat)


def is_one_of(networks: tuple[str, ...], address: str) -> bool:
    """Whether an address is one of these, or in one of these networks."""
    return any(ip_address(address) in network for network in _parsed(networks))


@cache
def _parsed(networks: tuple[str, ...]) -> list[IPv4Network | IPv6Network]:
    return [ip_network(network) for network in networks]


class Rate(NamedTuple):
    """At most so many in so many seconds."""

    name: str
    message: str
    """Why not more often."""
    many: int
    seconds: int

    @property
    def refusal(self) -> Refusal:
        """What is said to who was too fast."""
        return Refusal("too_fast", self.message, many=self.many, seconds=self.seconds)


class Limits:
    """How often something may be done: the times of late are kept for each who does it."""

    def __init__(self, settings: Settings) -> None:
        self._times: dict[tuple[Rate, tuple[str, ...]], deque[float]] = {}
        self._sweep_at = SWEEP
        too_many = marked("not so fast: at most {many} requests in {seconds} seconds")
        self.requests = Rate("requests", too_many, settings.requests_a_minute, 60)
        self.seat_requests = Rate("seat requests", too_many, settings.seat_requests_a_minute, 60)
        self.all_requests = Rate("all requests", too_many, settings.all_requests_a_minute, 60)
        self.tables = Rate(
            "tables",
            marked("not so fast: at most {many} new tables in {seconds} seconds"),
            settings.tables_an_hour,
            3600,
        )
        self.tries = Rate(
            "tries",
            marked("not so fast: at most {many} tries in {seconds} seconds"),
            settings.tries_a_minute,
            60,
        )
        many_messages = marked("not so fast: at most {many} messages in {seconds} seconds")
        self.messages = Rate("messages", many_messages, 5 * settings.messages_a_second, 5)
        self.all_messages = Rate(
            "all messages", many_messages, 5 * settings.all_messages_a_second, 5
        )
        self.hellos = Rate(
            "hellos",
            marked("not so fast: at most {many} greetings in {seconds} seconds"),
            settings.hellos_a_minute,
            60,
        )
        self.chat = Rate(
            "chat",
            marked("not so fast: at most {many} lines in {seconds} seconds"),
            settings.chat_a_minute,
            60,
        )

    async def check(self, limit: Rate, *who: str) -> None:
        """Count; refuse if that was too often."""
        self.count(limit, *who)

    def count(self, limit: Rate, *who: str) -> None:
        """Count what comes to this process."""
        now = time.monotonic()
        times = self._times.setdefault((limit, who), deque())
        _drop_old(times, now - limit.seconds)
        if len(times) >= limit.many:
            raise limit.refusal
        times.append(now)
        if len(self._times) > self._sweep_at:
            self._forget_old(now)

    async def charge(self, who: Payer, address: str) -> None:
        """Count a request: for who pays, and for the address with all its seats."""
        await self.check(self.all_requests, address)
        await self.check(self.seat_requests if who.is_seat else self.requests, *map(str, who))

    def forget(self, limit: Rate, *who: str) -> None:
        """Somebody has gone."""
        self._times.pop((limit, who), None)

    def _forget_old(self, now: float) -> None:
        """Forget those who have done nothing of late; not again before there are twice as many."""
        for (limit, who), times in list(self._times.items()):
            if not times or times[-1] <= now - limit.seconds:
                del self._times[limit, who]
        self._sweep_at = max(SWEEP, 2 * len(self._times))


def _drop_old(times: deque[float], before: float) -> None:
    while times and times[0] <= before:
        times.popleft()
