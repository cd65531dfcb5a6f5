"""Who may do what: tokens, cookies, origins, headers, sizes, and how often."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from socket import SHUT_RDWR, create_connection
from typing import Any

import pytest
from click.testing import CliRunner
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from caramba.cli.serve import serve
from caramba.server.http.security import HEADERS
from caramba.wire import PROTOCOL
from server_kit import Running, serving
from test_server_operations import until

RACE = {"game": "race", "seats": [{"kind": "person"}] * 2, "name": "Ana"}
ELSEWHERE = {"Origin": "https://evil.example"}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with serving(tmp_path_factory.mktemp("security"), origins=("https://friend.example",)) as it:
        yield it


# Tokens


def test_only_hashes_of_tokens_are_kept(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        made = server.make("race", 2)
    content = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    assert made["token"].encode() not in content
    rows = sqlite3.connect(tmp_path / "tables.db")
    tokens = [token for (token,) in rows.execute("SELECT token FROM seats") if token]
    rows.close()
    assert [len(token) for token in tokens] == [64]


def test_the_database_is_for_its_owner_only(tmp_path: Path) -> None:
    with serving(tmp_path):
        assert (tmp_path / "tables.db").stat().st_mode & 0o077 == 0


def test_a_token_is_exchanged_for_a_cookie_that_pages_cannot_read(server: Running) -> None:
    made = server.make("race", 2)
    path = f"/api/tables/{made['table']}"
    answer = server.post(f"{path}/session", {"token": made["token"]})
    cookie = answer.headers["set-cookie"]
    assert made["token"] in cookie
    assert "httponly" in cookie.lower()
    assert "samesite=strict" in cookie.lower()
    assert f"path={path};" in cookie.lower().replace(made["table"].lower(), made["table"])
    assert answer.headers["cache-control"] == "no-store"
    seat = {"Cookie": f"caramba_seat={made['token']}"}
    assert server.ask("DELETE", f"{path}/seats/mine", headers=seat).status_code == 204


def test_a_cookie_is_for_https_only_where_there_is_https(tmp_path: Path) -> None:
    with serving(tmp_path, proxies=("127.0.0.1",)) as server:
        headers = {"X-Forwarded-Proto": "https"}
        answer = server.post("/api/tables", RACE, headers=headers)
        assert "secure" in answer.headers["set-cookie"].lower()
        assert "max-age" in answer.headers["strict-transport-security"]
        assert "secure" not in server.post("/api/tables", RACE).headers["set-cookie"].lower()


@pytest.mark.parametrize("token", ["x", "null", "é", "a" * 64])
def test_a_wrong_token_is_nobody(server: Running, token: str) -> None:
    table, _ = server.full("race", 2)
    answer = server.post(f"/api/tables/{table}/session", {"token": token})
    assert answer.status_code in (400, 403)
    cookie = {"Cookie": f"caramba_seat={token}".encode()}
    for headers in (cookie, {"Authorization": f"Bearer {token}".encode()}):
        path = f"/api/tables/{table}/rematch"
        assert server.post(path, {}, headers=headers).status_code == 403


def test_a_token_is_good_for_its_own_table_only(server: Running) -> None:
    one, two = server.make("race", 2), server.make("race", 2)
    refused = server.player(two["table"], one["token"], language="fr").welcome
    assert refused["code"] == "forbidden", "rather than let in to watch"
    assert "jeton" in refused["reason"]
    path = f"/api/tables/{two['table']}/start"
    assert server.post(path, {}, one["token"]).status_code == 403


# Origins


def test_pages_of_other_places_may_not_speak_for_anybody(server: Running) -> None:
    made = server.make("race", 2)
    for origin in ("https://evil.example", "null", "http://[", "file://", f"x{server.address}"):
        headers = {"Origin": origin}
        answer = server.post("/api/tables", RACE, headers=headers)
        assert (answer.status_code, answer.json()["code"]) == (403, "forbidden"), origin
        path = f"/api/tables/{made['table']}/seats/mine"
        assert server.ask("DELETE", path, made["token"], headers=headers).status_code == 403
        assert spoken_to(server, made, headers)["code"] == "forbidden"


def test_our_own_page_and_friends_may(server: Running) -> None:
    made = server.make("race", 2)
    for origin in (f"http://{server.address}", "https://friend.example"):
        headers = {"Origin": origin}
        assert server.post("/api/tables", RACE, headers=headers).status_code == 201
        assert spoken_to(server, made, headers)["you"] == 0


def spoken_to(server: Running, made: dict[str, Any], headers: dict[str, str]) -> dict[str, Any]:
    """The answer to hello on a socket that is opened by a page with a cookie."""
    headers = {"Cookie": f"caramba_seat={made['token']}", **headers}
    url = f"ws://{headers.pop('Host', server.address)}/api/tables/{made['table']}/socket"
    line = create_connection(server.socket.getsockname())
    with connect(url, sock=line, additional_headers=headers) as socket:
        with suppress(ConnectionClosed):
            socket.send(json.dumps({"type": "hello", "protocol": PROTOCOL}))
        answer: dict[str, Any] = json.loads(socket.recv(20))
        return answer


# Names of the server


def test_where_names_are_given_it_answers_to_no_other(tmp_path: Path) -> None:
    with serving(tmp_path, hosts=("play.example", "::1")) as server:
        made = server.post("/api/tables", RACE, headers={"Host": "play.example"}).json()
        for host in ("play.example", "Play.Example:8000", "play.example.", "[::1]:8000"):
            assert server.get("/api/games", headers={"Host": host}).status_code == 200, host
            assert spoken_to(server, made, {"Host": host})["you"] == 0
        others = ("evil.example", "x.play.example", "play.example@x", "play.example..", "[", "")
        odd = (
            "x@play.example",
            "play.example/x",
            "play.example?x",
            "play.example:x",
            "::1",
            "[::1",
        )
        for host in (server.address, *others, *odd):
            answer = server.get("/api/games", headers={"Host": host})
            assert (answer.status_code, answer.json()["code"]) == (403, "forbidden"), host
            assert server.get("/", headers={"Host": host}).status_code == 403
            assert answer.headers["x-frame-options"] == "DENY"
        assert spoken_to(server, made, {"Host": "evil.example"})["code"] == "forbidden"
        for path in ("/healthz", "/readyz", "/metrics"):
            assert server.get(path).status_code == 200, "by address, for operators"


def test_where_no_names_are_given_it_answers_to_any(server: Running) -> None:
    assert server.get("/api/games", headers={"Host": "any.example"}).status_code == 200


@pytest.mark.parametrize("given", ["https://play.example", "play.example:80", "a/b", ""])
def test_a_name_is_only_a_name(given: str) -> None:
    answer = CliRunner().invoke(serve, ["--allow-host", given])
    assert answer.exit_code == 2
    assert "a name is such as play.example.org" in answer.output


# Answers


@pytest.mark.parametrize(
    "path", ["/api", "/api/openapi.json", "/api/tables", "/nowhere", "/healthz", "/api/tables/x y"]
)
def test_every_answer_has_the_headers_that_protect_a_page(server: Running, path: str) -> None:
    answer = server.get(path)
    for name, value in HEADERS.items():
        assert answer.headers[name] == value
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert "server" not in answer.headers


def test_an_unexpected_error_says_nothing_and_has_the_headers(
    server: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail() -> None:
        raise RuntimeError("secret")

    monkeypatch.setattr(server.host.store, "rows", fail)
    answer = server.get("/api/tables")
    assert answer.status_code == 500
    assert answer.json()["code"] == "unavailable"
    assert "secret" not in answer.text
    assert "Traceback" not in answer.text
    assert answer.headers["x-frame-options"] == "DENY"


def test_a_body_is_short_and_says_how_long_it_is(server: Running) -> None:
    answer = server.ask("POST", "/api/tables", content="x" * 17_000)
    assert (answer.status_code, answer.json()["code"]) == (413, "too_large")
    answer = server.ask("POST", "/api/tables", content=iter([b"{}"]))
    assert (answer.status_code, "Content-Length" in answer.text) == (400, True)


# How often


def test_an_address_may_ask_only_so_often(tmp_path: Path) -> None:
    with serving(tmp_path, requests_a_minute=5) as server:
        answers = [server.get("/api/languages").status_code for _ in range(6)]
        assert answers == [200] * 5 + [429]
        assert server.get("/healthz").status_code == 200
        assert server.player("t").welcome["code"] == "too_fast"
        elsewhere = {"X-Forwarded-For": "203.0.113.9"}
        assert server.get("/api/languages", headers=elsewhere).status_code == 429


def asked_by(server: Running, *addresses: str) -> int:
    """The answer to a request that went through these addresses, as the last one tells it."""
    headers = {"X-Forwarded-For": ", ".join(addresses)}
    return server.get("/api/languages", headers=headers).status_code


def test_only_the_last_address_that_a_proxy_names_is_believed(tmp_path: Path) -> None:
    with serving(tmp_path, requests_a_minute=1, proxies=("127.0.0.1", "10.1.0.0/16")) as server:
        assert asked_by(server, "198.51.100.1", "203.0.113.9") == 200
        assert asked_by(server, "198.51.100.2", "203.0.113.9") == 429
        assert asked_by(server, "198.51.100.2", "203.0.113.9", "10.1.2.3") == 429
        assert asked_by(server, "203.0.113.9", "10.2.2.3") == 200, "this is no proxy of ours"


def test_a_proxy_that_was_not_named_is_not_believed(tmp_path: Path) -> None:
    with serving(tmp_path, requests_a_minute=1, proxies=("10.0.0.1", "127.0.0.2")) as server:
        assert [asked_by(server, f"203.0.113.{i}") for i in range(2)] == [200, 429]


@pytest.mark.parametrize("given", ["proxy.example", "10.0.0.0/33", "*", ""])
def test_a_proxy_is_named_by_its_address(given: str) -> None:
    answer = CliRunner().invoke(serve, ["--proxy", given])
    assert answer.exit_code == 2
    assert "a proxy is an address such as 127.0.0.1" in answer.output


def test_all_addresses_that_somebody_has_at_once_are_one(tmp_path: Path) -> None:
    with serving(tmp_path, requests_a_minute=1, proxies=("127.0.0.1",)) as server:
        assert asked_by(server, "2001:db8:1:2::3") == 200
        assert asked_by(server, "2001:db8:1:2:ffff::4") == 429
        assert asked_by(server, "2001:db8:1:3::3") == 200
        assert asked_by(server, "::ffff:203.0.113.9") == 200
        assert asked_by(server, "203.0.113.9") == 429
        assert asked_by(server, "fe80::1%eth0") == 200
        assert asked_by(server, "unknown") == 200


def test_tables_and_codes_have_limits_of_their_own(tmp_path: Path) -> None:
    with serving(tmp_path, tables_an_hour=1, tries_a_minute=1) as server:
        assert [server.post("/api/tables", RACE).status_code for _ in range(2)] == [201, 429]
        tries = [server.get("/api/codes/BCDFGH").status_code for _ in range(2)]
        assert tries == [404, 429]


def test_a_socket_may_say_only_so_much(tmp_path: Path) -> None:
    with serving(tmp_path, messages_a_second=1, connections=1) as server:
        made = server.make("race", 2)
        player = server.player(made["table"], made["token"])
        for _ in range(6):
            player.say(type="ping")
        assert player.hear("refused")["code"] == "too_fast"
        server.player(made["table"])
        second = server.player(made["table"])
        assert second.welcome["reason"] == "too many connections from your address"


def test_who_floods_and_vanishes_is_counted_out(tmp_path: Path) -> None:
    """However much they have said: nobody is there to be told to calm down."""
    with serving(tmp_path, messages_a_second=5, calm=1.0) as server:
        made = server.make("race", 2)
        plain = server.player(made["table"], made["token"]).socket.socket
        with suppress(OSError):
            plain.sendall(b"\x81\x80\0\0\0\0" * 40_000)
            plain.shutdown(SHUT_RDWR)
        until(lambda: not server.host.awake.tables[made["table"]].connections)


def test_who_vanishes_is_counted_out(server: Running) -> None:
    made = server.make("race", 2)
    for _ in range(3):
        server.player(made["table"], made["token"]).socket.socket.shutdown(SHUT_RDWR)
    last = server.player(made["table"])
    while last.table["seats"][0]["here"]:
        last.next()


def test_http_is_not_spoken_where_sockets_are(server: Running) -> None:
    assert server.get("/api/tables/x/socket").status_code == 404
