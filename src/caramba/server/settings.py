"""How a server is set up. Everything has a default that suits one machine and some friends."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path


def default_database() -> str:
    """A file in the user's folder for such things."""
    from caramba.match.saved import state_folder  # the command line asks for settings only

    return f"sqlite:///{state_folder() / 'tables.db'}"


def built_page() -> Path | None:
    """The folder of the page, if it has been built."""
    folder = Path(__file__).parent.parent / "page"
    return folder if (folder / "index.html").exists() else None


@dataclass(frozen=True, kw_only=True)
class Settings:
    """What `caramba serve` can be told."""

    database: str
    origins: tuple[str, ...] = ()
    """Further origins of pages that may open a socket; a page of this server always may."""
    proxies: tuple[str, ...] = ()
    """Addresses and networks of proxies, which are believed about addresses and https."""
    page: Path | None = None
    """The folder of the built page; without it there is only the interface for programs."""
    hosts: tuple[str, ...] = ()
    """Names under which this server may be asked, in small letters; any, if there are none."""

    redis: str | None = None
    """The URL of a Redis, through which several workers are one server; without it there is one."""
    inner: str = "127.0.0.1:0"
    """The address and port at which other workers reach this one."""

    pool: str | None = None
    """Where bots of all workers of a machine look ahead; in each worker by itself, if nowhere."""

    max_tables: int = 10_000
    """Tables that are open or being played, and were touched of late."""
    searchers: int = 32
    """Seats of bots that look ahead, at tables being played from one address."""
    tables_an_hour: int = 60
    """New tables from one address."""
    requests_a_minute: int = 600
    """From one address."""
    tries_a_minute: int = 20
    """To find a table by its code, from one address."""
    connections: int = 50
    """Sockets from one address."""
    messages_a_second: int = 20
    """On one socket, on average over five seconds."""
    hellos_a_minute: int = 120
    """Of one seat, or of those who watch from one address: each is told how the game stands."""
    chat_a_minute: int = 30
    """On one socket."""
    seat_requests_a_minute: int = 600
    """From one seat, which has its own instead of those of its address."""
    all_requests_a_minute: int = 3000
    """From one address, with all seats there."""
    all_messages_a_second: int = 200
    """On all sockets from one address, on average over five seconds."""
    seat_connections: int = 8
    """Sockets of one seat, likewise."""
    per_address: int = 200
    """Connections from one address that are open, whatever they are for; a proxy has no limit."""

    calm: float = 1.0
    """Seconds for which nothing more is heard, or answered, of who was too fast."""
    hello: float = 10.0
    """Seconds within which a client has to say hello."""
    pause: float = 0.6
    """Seconds before a bot acts: so that people can follow."""
    window: float = 4.0
    """Seconds that a secret question stays open, whatever people hold; half where none decides."""
    back: float = 30.0
    """Seconds for which an open question waits for people to come back after a table woke up."""
    consent: float = 30.0
    """Seconds that bots wait while a player asks the others to take something back."""
    gone: float = 60.0
    """Seconds for which a seat must have been gone before the others may vote for a bot there."""
    idle: float = 300.0
    """Seconds after which a table that nobody looks at is put to sleep."""
    sweep: float = 1.0
    """Seconds between two looks for sleeping tables whose clock has run out."""
    retry: float = 60.0
    """Seconds after which a sleeping table that could not be woken is tried again."""
    keep_open: float = 86400.0
    """Seconds after which a table that never began is removed."""
    uncounted: float = 86400.0
    """Seconds after which a game that nobody touched no longer counts against max_tables."""
    close_after: float = 90 * 86400.0
    """Seconds after which a game that nobody touched is closed."""
    keep_finished: float | None = None
    """Days for which a game is kept once it is over; for ever, if there are none."""
    export_finished: Path | None = None
    """The folder in which such a game is written to a file before it is removed."""
    thinkers: int = 2
    """Threads in which bots think."""
    headers: float = 10.0
    """Seconds within which the headers of a request have to come, all of them."""
    body: float = 20.0
    """Seconds within which its body has to come."""
    answer: float = 60.0
    """Seconds within which its answer has to be taken."""
    compiled: Callable[[str], bool] = lambda game: True
    """Whether a game is compiled by now: before that, bots that look ahead are getting ready."""
    now: Callable[[], float] = time.time
