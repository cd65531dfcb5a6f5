"""Who may do what: tokens of seats, origins of pages, and how often anybody may ask."""

import hashlib
import secrets
from urllib.parse import urlsplit

from limits import RateLimitItem, parse
from limits.storage import MemoryStorage
from limits.strategies import MovingWindowRateLimiter
from starlette.requests import HTTPConnection

from caramba.server.settings import Settings
from caramba.server.table import Refusal, Table

COOKIE = "caramba_seat"
LETTERS = "BCDFGHJKLMNPQRSTVWXZ"
"""Of codes: no vowels, so that they spell nothing."""

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline';"
        " img-src 'self' data:; font-src 'self'; media-src 'self'; manifest-src 'self';"
        " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


def new_token() -> str:
    """What whoever has a seat shows."""
    return secrets.token_urlsafe(24)


def new_id() -> str:
    """The name of a table: who does not know it cannot guess it."""
    return secrets.token_urlsafe(12)


def new_code() -> str:
    """A short name of a table, to be told by word of mouth."""
    return "".join(secrets.choice(LETTERS) for _ in range(6))


def hashed(token: str) -> str:
    """All that is kept of a token."""
    return hashlib.sha256(token.encode(errors="replace")).hexdigest()


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
        raise Refusal("forbidden", "this page may not do that: it comes from another place")


def address_of(request: HTTPConnection) -> str:
    """Where a request comes from: uvicorn has looked at the proxy's word, if that is trusted."""
    return request.client.host if request.client else "unknown"


class Limits:
    """How often something may be done."""

    def __init__(self, settings: Settings) -> None:
        self._limiter = MovingWindowRateLimiter(MemoryStorage())
        self.requests = parse(f"{settings.requests_a_minute}/minute")
        self.tables = parse(f"{settings.tables_an_hour}/hour")
        self.tries = parse(f"{settings.tries_a_minute}/minute")
        self.messages = parse(f"{5 * settings.messages_a_second}/5 second")
        self.chat = parse(f"{settings.chat_a_minute}/minute")

    def check(self, limit: RateLimitItem, *who: str) -> None:
        """Count; refuse if that was too often."""
        if not self._limiter.hit(limit, *who):
            raise Refusal("too_fast", f"not so fast: at most {limit}")

    def forget(self, limit: RateLimitItem, *who: str) -> None:
        """Somebody has gone."""
        self._limiter.clear(limit, *who)
