"""Connections below HTTP: how long a request may take to come, and how many may be open."""

import json
import resource
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx
import pytest
from structlog import DropEvent

from caramba.server import telemetry
from caramba.server.http import connections
from caramba.wire import PROTOCOL
from server_kit import Running, serving

HEADERS = b"GET /healthz HTTP/1.1\r\nHost: x\r\n"
POST = b"POST /api/tables HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
BODY = POST + b"Content-Length: 9000\r\n\r\n{"
UPGRADE = (
    b"GET /api/tables/t/socket HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
)
HURRY: dict[str, Any] = {"headers": 0.3, "body": 0.3, "answer": 0.3}
PATIENCE = 20.0


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with serving(tmp_path_factory.mktemp("connections"), **HURRY) as running:
        yield running


def call(address: str, said: bytes = b"", source: str = "127.0.0.1") -> socket.socket:
    """A connection on which something was said."""
    host, port = address.split(":")
    line = socket.create_connection((host, int(port)), PATIENCE, (source, 0))
    with suppress(OSError):
        line.sendall(said)
    return line


def rest(line: socket.socket) -> bytes:
    """All that still comes until the other side closes."""
    heard = b""
    with suppress(ConnectionError):
        while more := line.recv(65536):
            heard += more
    return heard


def trickle(line: socket.socket, dot: bytes) -> bytes:
    """Say a little again and again; all that comes until the other side closes."""
    end = time.monotonic() + PATIENCE
    line.settimeout(0.02)
    heard = b""
    while time.monotonic() < end:
        try:
            line.sendall(dot)
            if not (more := line.recv(65536)):
                return heard
            heard += more
        except TimeoutError:
            continue
        except ConnectionError:
            return heard
    raise AssertionError("still open")


# Requests that do not end


@pytest.mark.parametrize("half", [HEADERS, BODY], ids=["headers", "body"])
@pytest.mark.parametrize("dot", [b"", b"x"], ids=["stalls", "trickles"])
def test_a_request_that_does_not_end_is_answered_and_closed(
    server: Running, half: bytes, dot: bytes
) -> None:
    with call(server.address, half) as line:
        heard = trickle(line, dot) if dot else rest(line)
    assert heard.startswith(b"HTTP/1.1 408 Request Timeout\r\n")
    assert json.loads(heard.partition(b"\r\n\r\n")[2])["code"] == "invalid"
    assert b"x-frame-options: DENY\r\n" in heard


@pytest.mark.parametrize(
    "odd",
    [
        b"".join(b"X-%d: x\r\n" % n for n in range(200)),
        b"Cookie: %s\r\n" % (b"x" * 9000),
        b"X: \x01\r\n",
    ],
    ids=["many", "long", "no text"],
)
def test_a_handshake_that_cannot_be_read_is_refused_at_once(tmp_path: Path, odd: bytes) -> None:
    with serving(tmp_path, headers=PATIENCE) as server:
        began = time.monotonic()
        with call(server.address, UPGRADE + odd + b"\r\n") as line:
            heard = rest(line)
        assert time.monotonic() - began < PATIENCE / 2
    assert heard.startswith(b"HTTP/1.1 400 Bad Request\r\n")
    assert json.loads(heard.partition(b"\r\n\r\n")[2])["code"] == "invalid"
    assert b"x-frame-options: DENY\r\n" in heard


def test_the_next_request_has_to_end_as_well(server: Running) -> None:
    with call(server.address, HEADERS + b"\r\n" + HEADERS) as line:
        heard = rest(line)
    assert heard.startswith(b"HTTP/1.1 200 OK\r\n")
    assert heard.count(b"HTTP/1.1 408") == 1


def test_who_hangs_up_in_the_middle_of_a_body_is_no_failure_of_ours(
    server: Running, capsys: pytest.CaptureFixture[str]
) -> None:
    line = call(server.address, BODY)
    time.sleep(0.05)
    line.close()
    until_nobody_is_connected(server)
    assert "failed" not in capsys.readouterr().out


def test_a_body_that_nobody_wanted_has_to_end_as_well(server: Running) -> None:
    with call(server.address, BODY.replace(b"9000", b"90000000")) as line:
        heard = trickle(line, b"x")
    assert heard.startswith(b"HTTP/1.1 413")
    assert heard.count(b"HTTP/1.1") == 1


def test_a_connection_on_which_nothing_is_said_is_closed(server: Running) -> None:
    with call(server.address) as line:
        assert rest(line) == b""


def test_an_upgrade_that_does_not_complete_is_closed(server: Running) -> None:
    with call(server.address, UPGRADE + b"Content-Length: 5\r\n\r\n") as line:
        rest(line)


def test_an_answer_that_is_not_read_is_not_waited_for(server: Running) -> None:
    words = b"GET /api/words/fr HTTP/1.1\r\nHost: x\r\n\r\n"
    with deaf(server, words) as line:
        fill(server, line, words)
        until_nobody_is_connected(server)


@pytest.mark.parametrize("last", [b"", bytes([0x88, 0x80, 0, 0, 0, 0])], ids=["no pong", "close"])
def test_a_socket_that_is_not_read_is_not_closed_politely_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, last: bytes
) -> None:
    monkeypatch.setattr(connections, "GRACE", 0.1)
    hello = json.dumps({"type": "hello", "protocol": PROTOCOL}).encode()
    frame = bytes([0x81, 0x80 + len(hello), 0, 0, 0, 0]) + hello
    with serving(tmp_path) as server:
        server.server.config.ws_ping_interval = server.server.config.ws_ping_timeout = 3
        table, _ = server.full("cards", 8)
        upgrade = UPGRADE.replace(b"/t/", f"/{table}/".encode()) + b"\r\n"
        with deaf(server, upgrade) as line:
            fill(server, line, frame)
            line.sendall(last)
            until_nobody_is_connected(server)


@contextmanager
def deaf(server: Running, said: bytes) -> Iterator[socket.socket]:
    """Somebody who hears the beginning of an answer, and then never listens again."""
    with socket.socket() as line:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        line.settimeout(PATIENCE)
        line.connect(server.socket.getsockname())
        line.sendall(said)
        line.recv(1000)
        yield line


def fill(server: Running, line: socket.socket, said: bytes) -> None:
    """Say something until the answers do not get through any more."""
    with suppress(ConnectionError):
        while not any(c.transport.get_write_buffer_size() for c in connected(server)):
            line.sendall(said)
            time.sleep(0.002)  # nobody is let go for asking too much


def connected(server: Running) -> list[Any]:
    return list(server.server.server_state.connections)


def test_half_a_request_does_not_hold_up_the_end(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Whoever stops a server need not wait for what will never come."""
    with serving(tmp_path) as patient:
        lines = [call(patient.address, half) for half in (HEADERS, BODY) for _ in range(3)]
        assert patient.get("/healthz").status_code == 200
    for line in lines:
        with line:
            assert rest(line) == b""
    assert "graceful" not in caplog.text


def test_who_is_quick_is_served_and_may_go_on_for_long(server: Running) -> None:
    made = server.make("race", 2)
    player = server.player(made["table"], made["token"])
    time.sleep(3 * max(HURRY.values()))
    assert player.ping() == []
    player.close()


def until_nobody_is_connected(server: Running) -> None:
    end = time.monotonic() + PATIENCE
    server.http.close()
    server.http = httpx.Client(base_url=f"http://{server.address}", timeout=30)
    while connected(server):
        assert time.monotonic() < end
        time.sleep(0.01)


# How many


@contextmanager
def calls(address: str, many: int, said: bytes = b"") -> Iterator[list[socket.socket]]:
    """Many connections at once."""
    with ExitStack() as stack:
        yield [stack.enter_context(call(address, said)) for _ in range(many)]


def is_open(line: socket.socket) -> bool:
    """Whether a request is still answered on it."""
    with suppress(ConnectionError):
        line.sendall(HEADERS + b"\r\n")
        return line.recv(65536).startswith(b"HTTP/1.1 200")
    return False


def test_an_address_has_only_so_many_open(tmp_path: Path) -> None:
    with serving(tmp_path, per_address=5) as server:
        with calls(server.address, 8) as lines:
            assert [is_open(line) for line in lines] == [True] * 5 + [False] * 3
            with call(server.address, source="127.0.0.2") as elsewhere:
                assert is_open(elsewhere)
        until_nobody_is_connected(server)
        made = server.make("race", 2)
        server.player(made["table"], made["token"]).close()
        with calls(server.address, 4) as lines:  # and one that the client keeps
            assert all(is_open(line) for line in lines), "sockets are counted out, too"


def test_connections_of_a_proxy_are_not_those_of_one_address(tmp_path: Path) -> None:
    with (
        serving(tmp_path, per_address=1, proxies=("127.0.0.0/8",)) as server,
        calls(server.address, 4) as lines,
    ):
        assert all(is_open(line) for line in lines)


SERVE = """
import resource
resource.setrlimit(resource.RLIMIT_NOFILE, (128, 256))
from caramba.cli import run
run()
"""


@contextmanager
def poor_server(folder: Path, *options: str) -> Iterator[str]:
    """A server that can have 256 descriptors; it says that they are too many, not each time."""
    command = [sys.executable, "-c", SERVE, "serve", "--port", "0", *options]
    command += ["--database", f"sqlite:///{folder / 'tables.db'}"]
    log = folder / "log"
    with log.open("w") as err, subprocess.Popen(command, stderr=err) as process:
        try:
            yield address_in(log, process)
        finally:
            process.terminate()
            process.wait(30)
    assert 1 <= log.read_text().count("too many connections") <= 10
    assert log.stat().st_size < 4000, log.read_text()[:4000]


def address_in(log: Path, process: "subprocess.Popen[bytes]") -> str:
    while "is at http://" not in (text := log.read_text()):
        assert process.poll() is None, text
        time.sleep(0.05)
    return text.partition("is at http://")[2].partition("/")[0]


@pytest.mark.parametrize("half", [HEADERS, BODY], ids=["headers", "body"])
def test_hundreds_of_half_requests_do_not_keep_others_out(tmp_path: Path, half: bytes) -> None:
    with (
        poor_server(tmp_path, "--per-address", "40") as address,
        calls(address, 400, half),
        from_elsewhere(address) as client,
    ):
        for _ in range(5):
            assert client.get("/healthz").text == "ok\n"
            body = {"game": "race", "seats": [{"kind": "person"}] * 2, "name": "Ana"}
            assert client.post("/api/tables", json=body).status_code == 201


def test_descriptors_do_not_run_out(tmp_path: Path) -> None:
    """Even if addresses are not limited: what is too much is closed at once, and the rest soon."""
    with poor_server(tmp_path, "--no-limits") as address:
        with calls(address, 400, HEADERS) as lines, from_elsewhere(address) as client:
            assert b"" in [rest(line) for line in lines[-10:]]
            end = time.monotonic() + 60
            while not answers(client):
                assert time.monotonic() < end
                time.sleep(0.2)
        with from_elsewhere(address) as client:
            assert client.get("/readyz").text == "ok\n"


def from_elsewhere(address: str) -> httpx.Client:
    """A client with another address, and without connections that are kept."""
    transport = httpx.HTTPTransport(local_address="127.0.0.2")
    headers = {"Connection": "close"}
    return httpx.Client(base_url=f"http://{address}", transport=transport, headers=headers)


def answers(client: httpx.Client) -> bool:
    with suppress(httpx.TransportError):
        return client.get("/healthz").status_code == 200
    return False


@pytest.fixture(scope="module", autouse=True)
def enough_descriptors() -> Iterator[None]:
    """For the many connections of this file."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


# What is written about it


def test_how_often_it_was_repeated_is_told_with_the_next() -> None:
    clock = [100.0]
    seldom = telemetry.Seldom(lambda: clock[0])
    line = {"event": "socket.accept() out of system resource\nsocket: 1", "level": "error"}
    again = {**line, "event": line["event"].replace("1", "2")}
    assert seldom(None, "error", dict(line)) == line
    for _ in range(3):
        with pytest.raises(DropEvent):
            seldom(None, "error", dict(again))
    clock[0] += telemetry.SELDOM
    assert seldom(None, "error", dict(again)) == {**again, "repeated": 3}
    assert seldom(None, "info", {"event": "ready", "level": "info"})
    assert seldom(None, "info", {"event": "ready", "level": "info"})
