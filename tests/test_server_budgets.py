"""Who is charged for what: a seat has a budget of its own, all others share that of an address."""

import time
from pathlib import Path
from typing import Any

import pytest

from kit import random_match
from server_kit import Player, Running, bearer, keep, serving, token_of


def use_up(server: Running) -> None:
    """Ask for something until the address may not ask any more."""
    while server.get("/api/languages").status_code == 200:
        pass
    assert server.get("/api/languages").status_code == 429


@pytest.mark.parametrize("as_cookie", [False, True])
def test_a_seat_can_play_when_its_address_has_asked_too_much(
    tmp_path: Path, as_cookie: bool
) -> None:
    with serving(tmp_path, requests_a_minute=20) as server:
        table, tokens = server.full("race", 2)
        use_up(server)
        assert server.player(table).welcome["code"] == "too_fast"
        assert server.player(table, tokens[0]).welcome["you"] == 0
        shown = {"Cookie": f"caramba_seat={tokens[0]}"} if as_cookie else bearer(tokens[0])
        path = f"/api/tables/{table}/replay"
        assert server.get(path, headers=shown).status_code == 200
        assert server.get(path).status_code == 429
        assert server.get("/api/languages", headers=shown).status_code == 429, "not at its table"


def test_a_seat_may_ask_only_so_often_itself(tmp_path: Path) -> None:
    with serving(tmp_path, seat_requests_a_minute=3) as server:
        table, tokens = server.full("race", 2)
        path = f"/api/tables/{table}"
        assert [server.get(path, tokens[0]).status_code for _ in range(4)] == [200] * 3 + [429]
        assert server.player(table, tokens[0]).welcome["code"] == "too_fast"
        assert server.get(path, tokens[1]).status_code == 200
        assert server.get(path).status_code == 200


def test_whoever_watches_takes_no_place_from_a_seat(tmp_path: Path) -> None:
    with serving(tmp_path, connections=2, seat_connections=2) as server:
        table, tokens = server.full("race", 2)
        for _ in range(2):
            assert server.player(table).welcome["type"] == "welcome"
        refused = server.player(table).welcome
        assert refused["reason"] == "too many connections from your address"
        for token in tokens:
            for _ in range(2):
                assert server.player(table, token).welcome["type"] == "welcome"
            another = server.player(table, token)
            assert another.welcome["reason"] == "too many connections at your seat"
            another.quiet(5)
            assert another.socket.close_code == 1013, "there may be room later"


def test_a_token_of_nobody_is_charged_to_its_address(tmp_path: Path) -> None:
    with serving(tmp_path, connections=1) as server:
        table, tokens = server.full("race", 2)
        other, _ = server.full("race", 2)
        server.player(table)
        for token, at in (("x" * 32, table), (tokens[0], other), (tokens[0], "nowhere")):
            assert server.player(at, token).welcome["code"] == "too_fast"


def test_a_seat_whose_table_slept_is_charged_to_its_address_until_that_is_full(
    tmp_path: Path,
) -> None:
    keep(tmp_path, {"t": random_match("race", 3, 1, 8)})
    with serving(tmp_path, connections=1) as server:
        for seat in range(3):
            assert server.player("t", token_of(seat)).welcome["you"] == seat
        assert server.player("t").welcome["type"] == "welcome"
        assert server.player("t").welcome["code"] == "too_fast"


def test_who_leaves_makes_room(tmp_path: Path) -> None:
    with serving(tmp_path, connections=1, seat_connections=1) as server:
        table, tokens = server.full("race", 2)
        for token in (None, tokens[0]):
            for _ in range(3):
                comes_in(server, table, token).close()


def comes_in(server: Running, table: str, token: str | None) -> Player:
    """Somebody who tries until there is room: a server learns a little later who has left."""
    end = time.monotonic() + 20
    while (player := server.player(table, token)).welcome["type"] != "welcome":
        assert time.monotonic() < end
    return player


def test_files_of_the_page_are_not_counted(tmp_path: Path) -> None:
    page = tmp_path / "page"
    page.mkdir()
    (page / "index.html").write_text("Caramba!")
    (page / "icon.svg").write_text("<svg/>")
    with serving(tmp_path, page=page, requests_a_minute=2) as server:
        for path in ("/", "/icon.svg", "/t/abc", "/healthz") * 20:
            assert server.get(path).status_code == 200
        answers = [server.get(f"/api/{name}").status_code for name in ("games", "levels", "games")]
        assert answers == [200, 200, 429]


def test_making_seats_does_not_make_an_address_larger(tmp_path: Path) -> None:
    """Whoever sits at many seats has a budget for each, and one for all of them."""
    with serving(tmp_path, all_requests_a_minute=8) as server:
        made = [server.make("race", 1, 1) for _ in range(3)]
        paths = [(f"/api/tables/{seat['table']}", seat["token"]) for seat in made]
        answers = [server.get(*path).status_code for path in paths * 2]
    assert answers == [200] * 5 + [429]


def test_messages_on_all_sockets_of_an_address_are_counted_together(tmp_path: Path) -> None:
    with serving(tmp_path, all_messages_a_second=1) as server:
        made = server.make("race", 2)
        one, two = (server.player(made["table"], made["token"]) for _ in range(2))
        one.say(type="ping")
        one.hear("pong")
        for _ in range(3):
            two.say(type="ping")
        assert two.hear("refused")["code"] == "too_fast"


@pytest.mark.parametrize("nothing", [{"type": "standing", "ask": {}}, {"type": "return"}])
def test_what_changes_nothing_is_neither_kept_nor_told(
    tmp_path: Path, nothing: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving(tmp_path) as server:
        table, tokens = server.full("race", 2)
        ana, luc = server.all_players(table, tokens)
        luc.ping()

        async def write(*_: Any, **__: Any) -> None:
            raise AssertionError("there is nothing to keep")

        monkeypatch.setattr(server.host.store, "write", write)
        assert ana.ask(**nothing)["type"] == "accepted"
        assert luc.ping() == []
