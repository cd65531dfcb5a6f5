"""Workers in processes of their own: killed, stopped, started anew, and told to end."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

import httpx
import pytest
from redis import Redis
from websockets.exceptions import ConnectionClosed, InvalidHandshake

import engines
from caramba.games.errors import InvalidSetup
from caramba.server.crew.link import check_redis
from server_kit import Player, Running, play_on
from test_server_operations import until

QUICK = ("--pause", "0", "--window", "0.02", "--no-limits")
THREE = ("--host", "::", "--workers", "3", "--redis", "redis://x", "--database", "postgresql://x")
OPTIONS = {"first": 0, "max_deals": 3}

pytestmark = pytest.mark.skipif(
    not Path("/proc").exists(), reason="looks for processes as Linux shows them"
)


@pytest.fixture
def url(tmp_path: Path) -> Iterator[str]:
    """A new database."""
    with engines.in_postgresql(tmp_path) as made:
        yield made


class Started(Running):
    """`caramba serve` in a process."""

    def __init__(self, url: str, *options: str) -> None:
        self.port = engines.free_port()
        self.address = f"127.0.0.1:{self.port}"
        self.http = httpx.Client(base_url=f"http://{self.address}", timeout=10)
        self.players: list[Player] = []
        command = [sys.executable, "-m", "caramba", "serve", "--port", str(self.port), *QUICK]
        command += ["--redis", engines.redis(), *options]
        given = {**os.environ, "CARAMBA_SERVE_DATABASE": url, "NUMBA_DISABLE_JIT": "1"}
        self.process = subprocess.Popen(command, env=given, stderr=subprocess.PIPE, text=True)

    def wait(self) -> None:
        """Wait until it answers, also on a busy machine."""
        end = time.monotonic() + 120
        while not self.is_ready():
            assert time.monotonic() < end
            time.sleep(0.05)

    def is_ready(self) -> bool:
        """Whether it answers."""
        assert self.process.poll() is None, self.process.stderr and self.process.stderr.read()
        try:
            return self.get("/readyz").status_code == 200
        except httpx.HTTPError:
            return False

    @property
    def workers(self) -> list[int]:
        """The processes that it has started to serve."""
        return [pid for pid in children(self.process.pid) if "pool" not in command_of(pid)]

    @property
    def thinkers(self) -> list[int]:
        """That in which bots look ahead."""
        return [pid for pid in children(self.process.pid) if "pool" in command_of(pid)]

    def end(self) -> int:
        """Tell it to end; the exit code."""
        self.process.send_signal(signal.SIGCONT)
        self.process.terminate()
        self.process.communicate(timeout=30)
        for player in self.players:
            player.close()
        self.http.close()
        return self.process.returncode

    def back(self, table: str, token: str, have: int | None = None) -> Player:
        """Somebody who tries until the table is there again, as the page does."""
        end = time.monotonic() + 20
        while time.monotonic() < end:
            try:
                player = self.player(table, token, have=have)
                player.hear("news", timeout=5)
            except (ConnectionClosed, InvalidHandshake, OSError, TimeoutError):
                time.sleep(0.05)
            else:
                return player
        raise AssertionError("the table did not come back")


def children(pid: int) -> list[int]:
    """The processes that one has started."""
    return [*map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split())]


def command_of(pid: int) -> str:
    """What a process runs; nothing, if it has just ended."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_text()
    except OSError:
        return ""


@contextmanager
def started(url: str, many: int = 1, *options: str) -> Iterator[list[Started]]:
    """Some, ready to serve."""
    running = [Started(url, *options) for _ in range(many)]
    try:
        for each in running:
            each.wait()
        yield running
    finally:
        for each in running:
            each.end()


def plays_on(server: Started, table: str, tokens: list[str], have: int) -> list[Player]:
    """Everybody comes back, finds all that was there, and plays on; as often as need be."""
    while True:
        players = [server.back(table, token, have) for token in tokens]
        assert all(player.news["number"] >= have for player in players)
        try:
            play_on(players, steps=4)
        except ConnectionClosed:
            continue
        return players


def signs_of_life(url: str) -> set[str]:
    """The names of workers who are there, or were a moment ago."""
    with engines.executing(url) as execute:
        secret = str(execute("SELECT secret FROM crew").scalar())
    prefix = f"caramba:{sha256(secret.encode()).hexdigest()[:12]}"
    with Redis.from_url(engines.redis()) as redis:
        return {str(name) for name in redis.scan_iter(f"{prefix}:worker:*")}


def test_workers_of_one_server_are_killed_and_started_anew(url: str) -> None:
    """Whoever dies, games go on within seconds, and there are as many workers again."""
    with started(url, 1, "--workers", "2") as (server,):
        until(lambda: len(server.workers) == 2)
        table, tokens = server.full("cards", 2, options=OPTIONS)
        players = [server.back(table, token) for token in tokens]
        play_on(players, steps=4)
        number, known, began = players[0].news["number"], signs_of_life(url), time.monotonic()
        os.kill(server.workers[0], signal.SIGKILL)
        players = plays_on(server, table, tokens, number)
        assert time.monotonic() - began < 10
        until(lambda: bool(signs_of_life(url) - known))
        before, number = {*server.workers}, players[0].news["number"]
        server.process.send_signal(signal.SIGHUP)
        while before & {*server.workers}:
            players = plays_on(server, table, tokens, number)
            number = players[0].news["number"]
        until(lambda: len(server.workers) == 2)
        plays_on(server, table, tokens, number)
        (thinker,) = server.thinkers
        os.kill(thinker, signal.SIGKILL)
        until(lambda: bool({*server.thinkers} - {thinker}))
        left = [*server.workers, *server.thinkers]
        assert server.end() == 0
        assert not [pid for pid in left if Path(f"/proc/{pid}").exists()]


def test_one_that_stood_still_does_not_write_when_it_comes_back(url: str) -> None:
    with started(url, 2) as (one, two):
        table, tokens = one.full("cards", 2, options=OPTIONS)
        here, passed = one.back(table, tokens[0]), two.back(table, tokens[1])
        play_on([here, passed], steps=4)
        number = here.news["number"]
        os.kill(one.process.pid, signal.SIGSTOP)
        mine = {"type": "act", "number": number, "action": "call"}
        asked = here if here.my_turn else passed
        if asked is here:
            mine["action"] = here.news["view"]["legal"][0]["text"]
        here.say(**mine)  # it waits for who stands still
        players = plays_on(two, table, tokens, number)
        os.kill(one.process.pid, signal.SIGCONT)
        here.quiet(3)
        assert here.socket.close_code in (1001, 1012)
        assert not [heard for heard in here.heard if heard["type"] == "accepted"][3:]
        again = one.back(table, tokens[0], number)
        assert again.news["number"] == players[0].news["number"]
        play_on([again, players[1]], steps=4)


def refused(*options: str) -> str:
    """What is said of options that cannot be."""
    command = [sys.executable, "-m", "caramba", "serve", "--port", "0", *options]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout) == (2, "")
    return done.stderr


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--workers", "2"], "--workers needs --redis"),
        (["--redis", "redis://127.0.0.1"], "--redis needs a PostgreSQL"),
        (["--workers", "2", "--redis", "redis://x", "--database", "x.db"], "needs a PostgreSQL"),
        (["--inner", "0.0.0.0:9000"], "--inner is an address of this machine"),
        (["--inner", "9000"], "--inner is an address of this machine"),
        (["--workers", "0"], "0 is not in the range"),
        (["--port", "9000", "--inner", "127.0.0.1:9000"], "--port and --inner must differ"),
        (["--port", "9002", "--inner", "[::1]:9000", *THREE], "--port and --inner must differ"),
        (["--inner", "127.0.0.1:65534", *THREE], "--inner needs a port for each worker"),
    ],
)
def test_options_that_do_not_go_together_are_refused(options: list[str], told: str) -> None:
    assert told in refused(*options)


def test_a_redis_that_is_not_there_is_named_without_a_password(url: str) -> None:
    port = engines.free_port()
    there = f"redis://ana:{engines.PASSWORD}@127.0.0.1:{port}/0"
    told = refused("--database", url, "--redis", there, "--workers", "2")
    assert "cannot use that Redis" in told
    assert str(port) in told
    assert engines.PASSWORD not in told


def test_what_is_no_url_of_a_redis_is_not_repeated() -> None:
    with pytest.raises(InvalidSetup, match="a URL is such as redis://") as error:
        check_redis(f"{engines.PASSWORD}@somewhere")
    assert engines.PASSWORD not in str(error.value)


def test_workers_end_with_who_started_them(url: str) -> None:
    with started(url, 1, "--workers", "2") as (server,):
        until(lambda: len(server.workers) == 2)
        left = [*server.workers, *server.thinkers]
        server.process.kill()
        until(lambda: not [pid for pid in left if Path(f"/proc/{pid}/exe").exists()])


def test_what_was_left_of_one_that_was_killed_is_removed_by_the_next(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And nothing else: neither what others use, nor what only looks like it."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    foreign = tmp_path / "caramba-workers-mine"
    foreign.mkdir()
    (foreign / "letter").touch()
    with started(url, 1, "--workers", "2") as (one,):
        used = {*tmp_path.iterdir()}
        with started(url, 1, "--workers", "2") as (two,):
            two.process.kill()
            two.process.wait()
            left = {*tmp_path.iterdir()} - used
            assert left
            with started(url, 1, "--workers", "2"):
                assert not left & {*tmp_path.iterdir()}
                assert used <= {*tmp_path.iterdir()}
        assert one.get("/metrics").status_code == 200
    assert [*tmp_path.iterdir()] == [foreign]
