"""Real PostgreSQL and Redis for tests: those that are given, or throw-away ones.

CARAMBA_TEST_POSTGRES and CARAMBA_TEST_REDIS are the URLs of servers that are there already; in the
first, databases are made and removed. Otherwise one of each is started from what is installed, on
this machine only, and ends with the tests. Where there is neither, what needs them is skipped, but
not in continuous integration: there it fails.
"""

import atexit
import os
import random
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sql

OWN_PORTS = 10_000, 32_000
"""What systems give to whoever calls lies above."""
PASSWORD = "Ana-and-Luc"
"""Of the throw-away PostgreSQL: nothing may ever show it."""
UNPRIVILEGED = "nobody"
"""PostgreSQL refuses to run as root."""
NEEDED = {
    "PostgreSQL": ("CARAMBA_TEST_POSTGRES", "postgresql"),
    "Redis": ("CARAMBA_TEST_REDIS", "redis-server"),
}
"""By engine: the variable that names one, and Debian's package."""


# What is installed


def postgres_folder() -> Path | None:
    """Where the programs of PostgreSQL are, the newest."""
    debian = Path("/usr/lib/postgresql").glob("*/bin")
    found = sorted(debian, key=lambda folder: float(folder.parent.name), reverse=True)
    found += [Path(path).resolve().parent for path in [shutil.which("initdb")] if path]
    return next((folder for folder in found if (folder / "initdb").exists()), None)


def redis_program() -> str | None:
    """The program of Redis, or the same under its other name."""
    return shutil.which("redis-server") or shutil.which("valkey-server")


def missing() -> list[str]:
    """The engines that there are not."""
    here = {"PostgreSQL": postgres_folder(), "Redis": redis_program()}
    return [name for name in NEEDED if not (os.environ.get(NEEDED[name][0]) or here[name])]


def do_without(name: str) -> Any:
    """Skip what needs an engine; in continuous integration it is missed."""
    variable, package = NEEDED[name]
    why = f"there is no {name}; on Debian: apt-get install {package}, or name one in {variable}"
    if os.environ.get("CI"):
        pytest.fail(why)
    pytest.skip(why)


# Starting


def free_port() -> int:
    """A port that nobody has, nor is given for a call of theirs, so that it can be had again."""
    while True:
        port = random.randrange(*OWN_PORTS)
        with suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port


class Engine:
    """A program with a folder of its own, on a port of this machine."""

    last: int = signal.SIGQUIT
    """The signal that ends it for good."""

    def __init__(self, name: str) -> None:
        self.port = free_port()
        self.folder = Path(tempfile.mkdtemp(prefix=f"caramba-{name}-"))
        self.process: subprocess.Popen[bytes] | None = None
        self._as: dict[str, Any] = {}
        if os.geteuid() == 0:
            shutil.chown(self.folder, UNPRIVILEGED)
            self._as = {"user": UNPRIVILEGED, "group": "nogroup", "extra_groups": []}
        atexit.register(self.remove)

    def command(self) -> list[str]:
        """What starts it."""
        raise NotImplementedError

    def answers(self) -> bool:
        """Whether it can be used by now."""
        raise NotImplementedError

    def run(self, *command: object) -> None:
        """Run a program as the one who may."""
        done = subprocess.run([*map(str, command)], capture_output=True, cwd="/", **self._as)
        assert done.returncode == 0, done.stderr.decode()

    def start(self) -> None:
        """Start it, and wait until it answers."""
        with (self.folder / "log").open("ab") as log:
            streams: dict[str, Any] = {"stdin": subprocess.DEVNULL, "stdout": log, "stderr": log}
            self.process = subprocess.Popen(self.command(), cwd="/", **streams, **self._as)
        end = time.monotonic() + 60
        while not self.answers():
            assert self.process.poll() is None, (self.folder / "log").read_text()
            assert time.monotonic() < end, "it does not answer"
            time.sleep(0.02)

    def processes(self) -> list[int]:
        """It, and what it has started."""
        assert self.process is not None
        own = self.process.pid
        children = Path(f"/proc/{own}/task/{own}/children").read_text()
        return [own, *map(int, children.split())]

    def send(self, number: int) -> None:
        """Send it a signal."""
        assert self.process is not None
        self.process.send_signal(number)

    def stop(self, number: int = signal.SIGINT) -> None:
        """End it: at once, whoever is connected."""
        if self.process and self.process.poll() is None:
            self.send(signal.SIGCONT)
            self.send(number)
            self.process.wait(60)

    def remove(self) -> None:
        """End it, and leave nothing."""
        self.stop(self.last)
        shutil.rmtree(self.folder, ignore_errors=True)


class Postgres(Engine):
    """A PostgreSQL that writes to the disk as it usually does."""

    def __init__(self, programs: Path) -> None:
        super().__init__("postgres")
        self.programs = programs
        self.url = f"postgresql://caramba:{PASSWORD}@127.0.0.1:{self.port}/postgres"
        password = self.folder / "password"
        password.write_text(PASSWORD)
        password.chmod(0o644)
        self.run(
            *(programs / "initdb", "--pgdata", self.folder / "data", "--no-sync"),
            *("--username", "caramba", "--pwfile", password, "--auth", "scram-sha-256"),
            *("--encoding", "UTF8", "--locale", "C.UTF-8"),
        )
        self.start()

    def command(self) -> list[str]:
        """What starts it."""
        settings = {
            "listen_addresses": "127.0.0.1",
            "port": self.port,
            "unix_socket_directories": self.folder,
        }
        given = (f"--{name}={value}" for name, value in settings.items())
        return [str(self.programs / "postgres"), "-D", str(self.folder / "data"), *given]

    def answers(self) -> bool:
        """Whether it can be used by now."""
        where = ("-h", "127.0.0.1", "-p", str(self.port))
        return subprocess.run([str(self.programs / "pg_isready"), "-q", *where]).returncode == 0


class Redis(Engine):
    """A Redis that keeps nothing."""

    last = signal.SIGKILL

    def __init__(self, program: str) -> None:
        super().__init__("redis")
        self.program = program
        self.url = f"redis://127.0.0.1:{self.port}/0"
        self.start()

    def command(self) -> list[str]:
        """What starts it."""
        where = ["--bind", "127.0.0.1", "--port", str(self.port), "--dir", str(self.folder)]
        return [self.program, *where, "--save", "", "--appendonly", "no"]

    def answers(self) -> bool:
        """Whether it can be used by now."""
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=1) as asking:
                asking.sendall(b"PING\r\n")
                return asking.recv(7) == b"+PONG\r\n"
        except OSError:
            return False


# One for all tests


def new_postgres() -> Postgres:
    """A PostgreSQL for one test, which may do to it what it likes."""
    return Postgres(postgres_folder() or do_without("PostgreSQL"))


@cache
def postgres() -> str:
    """The URL of a PostgreSQL in which databases can be made."""
    return os.environ.get("CARAMBA_TEST_POSTGRES") or new_postgres().url


def new_redis() -> Redis:
    """A Redis for one test, likewise."""
    return Redis(redis_program() or do_without("Redis"))


@cache
def redis() -> str:
    """The URL of a Redis."""
    return os.environ.get("CARAMBA_TEST_REDIS") or new_redis().url


NUMBERS = count()


@contextmanager
def executing(url: str) -> Iterator[Callable[[str], Any]]:
    """Executes statements in a PostgreSQL, each at once."""
    address = sql.make_url(url).set(drivername="postgresql+psycopg")
    engine = sql.create_engine(address, isolation_level="AUTOCOMMIT", poolclass=sql.NullPool)
    with engine.connect() as connection:
        yield lambda statement: connection.execute(sql.text(statement))


@contextmanager
def new_database(server: str) -> Iterator[str]:
    """A database of its own in a PostgreSQL: its URL."""
    name = f"caramba_test_{os.getpid()}_{next(NUMBERS)}"
    with executing(server) as execute:
        execute(f"CREATE DATABASE {name}")
    try:
        yield sql.make_url(server).set(database=name).render_as_string(hide_password=False)
    finally:
        with executing(server) as execute:
            execute(f"DROP DATABASE {name} WITH (FORCE)")


# Where tables are kept in tests


@contextmanager
def in_sqlite(folder: Path) -> Iterator[str]:
    """A new database in a file."""
    yield f"sqlite:///{folder / 'tables.db'}"


@contextmanager
def in_postgresql(_: Path) -> Iterator[str]:
    """A new database in a PostgreSQL."""
    with new_database(postgres()) as url:
        yield url


STORES: dict[str, Callable[[Path], Any]] = {"sqlite": in_sqlite, "postgresql": in_postgresql}
"""By name: what makes a database there, and removes it again."""
