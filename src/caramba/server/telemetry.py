"""What an operator sees: figures for Prometheus, and lines of JSON for a log."""

import logging
import os
import sys
import time
import traceback
from collections.abc import Callable
from http import HTTPMethod
from pathlib import Path

import structlog
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector
from structlog.typing import EventDict

REGISTRY = CollectorRegistry()
AWAKE = Gauge(
    "caramba_tables_awake", "Tables in memory", registry=REGISTRY, multiprocess_mode="livesum"
)
CONNECTIONS = Gauge(
    "caramba_connections", "Open sockets", registry=REGISTRY, multiprocess_mode="livesum"
)
STEPS = Counter("caramba_steps", "Steps played and kept", ["game"], registry=REGISTRY)
REFUSED = Counter("caramba_refused", "Messages refused", ["code"], registry=REGISTRY)
REQUESTS = Counter("caramba_requests", "HTTP requests", ["method", "status"], registry=REGISTRY)
TURNED_AWAY = Counter("caramba_turned_away", "Connections closed", ["why"], registry=REGISTRY)
PASSED_ON = Counter(
    "caramba_passed_on",
    "Requests and sockets of other workers' tables",
    ["kind"],
    registry=REGISTRY,
)
REDIS = Gauge(
    "caramba_redis_answers",
    "Whether Redis answers, if there is one",
    registry=REGISTRY,
    multiprocess_mode="livemin",
)
WRITING = Histogram("caramba_write_seconds", "Time to keep a change", registry=REGISTRY)

SELDOM = 10.0
"""Seconds in which the same warning is written once."""
REMEMBERED = 1000
"""Warnings after which those are forgotten that came long ago."""

log = structlog.get_logger()


def figures() -> bytes:
    """All figures, in the words of Prometheus: those of all workers that keep theirs together."""
    registry = REGISTRY
    if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
        registry = CollectorRegistry()
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    return generate_latest(registry)


def stumbled(what: str, error: BaseException) -> None:
    """Note something that should not happen: where, but no values, which may be secrets."""
    place = traceback.extract_tb(error.__traceback__)[-1:]
    where = f"{Path(place[0].filename).name}:{place[0].lineno}" if place else ""
    log.error(what, error=type(error).__name__, where=where)


def answered(method: str, status: int) -> None:
    """Count a request. A method that somebody made up is no word of ours."""
    known = method if method in HTTPMethod.__members__ else "other"
    REQUESTS.labels(known, str(status)).inc()


class Forward(logging.Handler):
    """Writes what libraries have to say as lines like ours: what went wrong, but no stack."""

    def emit(self, record: logging.LogRecord) -> None:
        """Write a line."""
        error = record.exc_info[0] if record.exc_info else None
        more = {"error": error.__name__} if error else {}
        log.log(record.levelno, record.getMessage()[:300], logger=record.name, **more)


class Seldom:
    """Lets the same warning or error pass once in a while, with how often it came meanwhile."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._last: dict[tuple[str, ...], tuple[float, int]] = {}

    def __call__(self, _: object, __: str, line: EventDict) -> EventDict:
        """The line, if it is to be written."""
        if line["level"] in ("debug", "info"):
            return line
        what, now = _what(line), self._now()
        written, missed = self._last.get(what, (-SELDOM, 0))
        if now - written < SELDOM:
            self._last[what] = written, missed + 1
            raise structlog.DropEvent
        if len(self._last) >= REMEMBERED:
            self._last = {w: at for w, at in self._last.items() if now - at[0] < SELDOM}
        self._last[what] = now, 0
        return {**line, "repeated": missed} if missed else line


def _what(line: EventDict) -> tuple[str, ...]:
    """What makes lines the same: all that tells where they come from, and not their details."""
    first = str(line["event"]).partition("\n")[0]
    return first, *(str(line.get(name)) for name in ("logger", "error", "where", "why"))


def set_up_log(level: str = "info", as_json: bool = True) -> None:
    """Lines to the error stream: as JSON, or for people."""
    logging.basicConfig(handlers=[Forward()], level=logging.WARNING, force=True)
    show = structlog.processors.JSONRenderer() if as_json else structlog.dev.ConsoleRenderer()
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            Seldom(),
            structlog.processors.TimeStamper(fmt="iso"),
            show,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(getattr(logging, level.upper())),
        # A line in one go, so that those of several processes do not mix.
        logger_factory=structlog.WriteLoggerFactory(sys.stderr),
        cache_logger_on_first_use=False,
    )
