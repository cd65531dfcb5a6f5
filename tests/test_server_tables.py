"""Tables: made, found, joined, left, begun, filled with bots, and played at once more."""

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest

from caramba.games import names
from caramba.games.contract import load
from facts import facts
from server_kit import Running, play_on, serving

PERSON, BOT = {"kind": "person"}, {"kind": "bot", "level": "random"}


@pytest.fixture(scope="module")
def server(shared_place: str) -> Iterator[Running]:
    with serving(shared_place) as running:
        yield running


def begun(server: Running, table: str) -> bool:
    return bool(server.get(f"/api/tables/{table}").json()["status"] != "open")


# Making


@pytest.mark.parametrize("game", names())
def test_a_table_has_the_options_it_was_made_with(server: Running, game: str) -> None:
    wanted = facts(game).options
    assert wanted.keys() == {option.name for option in load(game).options}
    made = server.make(game, 1, 1, options=wanted)
    assert server.get(f"/api/tables/{made['table']}").json()["options"] == wanted
    match = server.table(made["table"]).match
    assert json.loads(json.dumps(match.options)) == wanted


def test_a_table_is_as_it_was_wanted(server: Running) -> None:
    made = server.make(
        "auction", 2, 1, public=True, watch=False, chat=False, clock={"move": 30, "game": 900}
    )
    shown = server.get(f"/api/tables/{made['table']}", made["token"]).json()
    assert (shown["public"], shown["watch"], shown["chat"]) == (True, False, False)
    assert shown["clock"] == {"move": 30, "game": 900}
    assert [seat["kind"] for seat in shown["seats"]] == ["person", "open", "bot"]
    assert [seat["level"] for seat in shown["seats"]] == [None, None, "easy"]
    assert (made["seat"], shown["owner"], shown["status"]) == (0, 0, "open")


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"game": "chess"}, "chess"),
        ({"game": "../auction"}, "auction"),
        ({"seats": [PERSON]}, "2 to 4 players, not 1"),
        ({"seats": [PERSON] * 5}, "2 to 4 players, not 5"),
        ({"seats": []}, "seats"),
        ({"seats": [PERSON, {"kind": "bot", "level": "godlike"}]}, "level"),
        ({"seats": [PERSON, {"kind": "dog"}]}, "kind"),
        ({"options": {"speed": 1}}, "no option 'speed'"),
        ({"options": {"max_turns": 0}}, "max_turns: a whole number from 1 to 10000, not 0"),
        ({"options": {"max_turns": 10**400}}, "max_turns"),
        ({"options": {"max_turns": True}}, "max_turns"),
        ({"options": {"deck": [[], {}]}}, "deck"),
        ({"options": {"crates": "\ud800"}}, "crates"),
        ({"options": []}, "options"),
        ({"name": None}, "needs a name"),
        ({"name": ""}, "name"),
        ({"name": "   "}, "name"),
        ({"name": "A\x00na"}, "not seen"),
        ({"name": "An\u202ea"}, "not seen"),
        ({"name": "x" * 1000}, "name"),
        ({"name": "\ud800"}, "name"),
        ({"clock": {"move": 0}}, "clock.move"),
        ({"clock": {"move": "fast"}}, "clock.move"),
        ({"clock": {"hours": 1}}, "hours"),
        ({"entropy": "00ff"}, "entropy"),
        ({"colour": "red"}, "colour"),
        ({"\ud800": 1}, "body"),
    ],
)
def test_what_cannot_be_a_table_is_refused_with_the_reason(
    server: Running, change: dict[str, Any], reason: str
) -> None:
    body = {"game": "auction", "seats": [PERSON, BOT], "name": "Ana", **change}
    answer = server.post("/api/tables", body)
    assert answer.status_code == 400, answer.text
    assert answer.json()["code"] == "invalid"
    assert reason in answer.json()["reason"]


@pytest.mark.parametrize("name", ["Ana", "  ANA ", "Аna", "Pancho", "An\u200ba", "…"])
def test_nobody_is_called_like_another_at_the_table(server: Running, name: str) -> None:
    """Neither the same nor alike (the third begins with a Cyrillic letter), and bots count, too."""
    made = server.make("race", 2, 1)
    answer = server.post(f"/api/tables/{made['table']}/seats", {"name": name})
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid")
    assert server.sit(made["table"], "Anna")["seat"] == 1


def test_bots_make_way_for_the_names_of_people(server: Running) -> None:
    made = server.make("race", 1, 1, name="PANCHO")
    shown = server.get(f"/api/tables/{made['table']}").json()
    assert [seat["name"] for seat in shown["seats"]] == ["PANCHO", "Emiliano"]


def test_names_are_tidied_up(server: Running) -> None:
    made = server.make("race", 2, name="  Ana\n Maria ")
    assert server.get(f"/api/tables/{made['table']}").json()["seats"][0]["name"] == "Ana Maria"


@pytest.mark.parametrize("body", ["", "{", "[]", "null", '{"game": NaN}', "1" * 6000, "[" * 6000])
def test_what_is_no_table_at_all_is_refused(server: Running, body: str) -> None:
    headers = {"Content-Type": "application/json"}
    answer = server.ask("POST", "/api/tables", content=body, headers=headers)
    assert answer.status_code == 400
    assert answer.json()["reason"]


def test_a_server_has_only_so_many_tables(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    with serving(tmp_path_factory.mktemp("few"), max_tables=1) as few:
        few.make("race", 2)
        answer = few.post("/api/tables", {"game": "race", "seats": [PERSON] * 2, "name": "Luc"})
        assert (answer.status_code, answer.json()["code"]) == (429, "too_fast")


async def close(server: Running, table: str) -> None:
    """End a game, as if nobody had played for long."""
    server.table(table).status = "over"


def test_only_so_many_bots_look_ahead_for_one_address(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    expert = {"kind": "bot", "level": "expert"}
    body = {"game": "race", "seats": [PERSON, expert, expert], "options": {"first": 0}}
    body["name"] = "Ana"
    with serving(tmp_path_factory.mktemp("searchers"), searchers=3, pause=1e9) as few:
        first = few.post("/api/tables", body)
        assert first.status_code == 201
        answer = few.post("/api/tables", body)
        assert (answer.status_code, answer.json()["code"]) == (429, "too_fast")
        assert "at most 3 bots that look ahead" in answer.json()["reason"]
        few.make("race", 1, 5)
        few.call(close(few, first.json()["table"]))
        assert few.post("/api/tables", body).status_code == 201, "one of the games is over"
        made = few.make("race", 3)
        start = f"/api/tables/{made['table']}/start"
        assert few.post(start, {"level": "expert"}, made["token"]).status_code == 429
        assert few.post(start, {"level": "easy"}, made["token"]).status_code == 204


def test_who_asks_for_many_tables_at_once_gets_no_more_searchers(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    expert = {"kind": "bot", "level": "expert"}
    body = {"game": "race", "seats": [PERSON, expert], "options": {"first": 0}, "name": "Ana"}
    with (
        serving(tmp_path_factory.mktemp("at once"), searchers=3, pause=1e9) as few,
        ThreadPoolExecutor(10) as many,
    ):
        answers = many.map(
            lambda _: httpx.post(f"http://{few.address}/api/tables", json=body), "x" * 10
        )
        assert sorted(answer.status_code for answer in answers) == [201] * 3 + [429] * 7
        assert not few.host.room.searchers_to_come


# Finding and joining


def test_public_tables_are_listed_and_others_are_not(server: Running) -> None:
    public = server.make("race", 3, public=True)["table"]
    hidden = server.make("race", 3)["table"]
    listed = {table["id"]: table for table in server.get("/api/tables").json()}
    assert public in listed
    assert hidden not in listed
    assert listed[public]["seats"][0] == {"kind": "person", "name": "Ana"}


def test_a_table_is_found_by_its_code_until_it_begins(server: Running) -> None:
    made = server.make("race", 2)
    code = server.get(f"/api/tables/{made['table']}").json()["code"]
    assert server.get(f"/api/codes/{code.lower()}").json() == {"table": made["table"]}
    server.sit(made["table"])
    assert server.get(f"/api/tables/{made['table']}").json()["code"] is None
    assert server.get(f"/api/codes/{code}").status_code == 404


def test_there_is_no_table_of_an_unknown_name(server: Running) -> None:
    assert server.get("/api/tables/nowhere").status_code == 404
    assert server.post("/api/tables/nowhere/seats", {"name": "Luc"}).status_code == 404
    assert server.get("/api/tables/..%2f..").status_code in (400, 404)
    assert not server.host.awake.waking


def test_one_chooses_a_seat(server: Running) -> None:
    made = server.make("race", 4)
    assert server.sit(made["table"], seat=2)["seat"] == 2
    assert server.sit(made["table"], "Hugo")["seat"] == 1
    for seat in (0, 2, 9):
        answer = server.post(f"/api/tables/{made['table']}/seats", {"name": "Zoe", "seat": seat})
        assert (answer.status_code, answer.json()["reason"]) == (409, "that seat is taken")


def test_the_game_begins_when_the_last_seat_is_taken(server: Running) -> None:
    made = server.make("cards", 2, 1)
    first = server.player(made["table"], made["token"])
    assert first.welcome["table"]["status"] == "open"
    first.say(type="act", key="k", number=0, action="caramba")
    assert first.hear("refused")["reason"] == "the game has not begun"
    server.sit(made["table"])
    assert first.hear("news")["table"]["status"] == "playing"
    answer = server.post(f"/api/tables/{made['table']}/seats", {"name": "Zoe"})
    assert answer.json()["reason"] == "there is no free seat at this table"


def test_only_who_made_a_table_fills_it_with_bots(server: Running) -> None:
    made = server.make("race", 3)
    luc = server.sit(made["table"])
    start = f"/api/tables/{made['table']}/start"
    assert server.post(start, {}).status_code == 403
    assert server.post(start, {}, luc["token"]).status_code == 403
    assert server.post(start, {"level": "godlike"}, made["token"]).status_code == 400
    assert server.post(start, {"level": "easy"}, made["token"]).status_code == 204
    assert server.post(start, {}, made["token"]).status_code == 409
    shown = server.get(f"/api/tables/{made['table']}").json()
    assert [seat["level"] for seat in shown["seats"]] == [None, None, "easy"]
    assert shown["status"] == "playing"


# Getting up


def test_who_gets_up_before_the_start_watches_and_another_can_sit(server: Running) -> None:
    made = server.make("race", 3)
    luc = server.sit(made["table"])
    player = server.player(made["table"], luc["token"])
    path = f"/api/tables/{made['table']}/seats/mine"
    assert server.ask("DELETE", path, luc["token"]).status_code == 204
    assert player.hear("table")["table"]["seats"][1]["kind"] == "open"
    assert server.ask("DELETE", path, luc["token"]).status_code == 403
    zoe = server.sit(made["table"], "Zoe")
    assert zoe["seat"] == luc["seat"]
    server.sit(made["table"], "Hugo")
    news = player.hear("news")
    assert news["view"]["legal"] == []
    assert player.act("place 1")["reason"] == "you only watch"
    assert server.ask("DELETE", path, zoe["token"]).status_code == 409


def test_who_gets_up_where_nobody_may_watch_is_let_go(server: Running) -> None:
    made = server.make("race", 3, watch=False)
    luc = server.sit(made["table"])
    player = server.player(made["table"], luc["token"])
    server.ask("DELETE", f"/api/tables/{made['table']}/seats/mine", luc["token"])
    player.quiet(5)
    assert player.socket.close_code == 1008


def test_if_who_made_a_table_gets_up_it_is_for_another_to_fill(server: Running) -> None:
    made = server.make("race", 3)
    path = f"/api/tables/{made['table']}"
    luc = server.sit(made["table"])
    server.ask("DELETE", f"{path}/seats/mine", made["token"])
    assert server.get(path).json()["owner"] == luc["seat"]
    server.ask("DELETE", f"{path}/seats/mine", luc["token"])
    assert server.get(path).json()["owner"] is None
    zoe = server.sit(made["table"], "Zoe")
    assert server.post(f"{path}/start", {"level": "random"}, zoe["token"]).status_code == 204


# Once more


@pytest.fixture(scope="module")
def over(server: Running) -> tuple[str, list[str]]:
    """A game of two people and a bot that is over."""
    table, tokens = server.full("cards", 2, bots=1, options={"max_deals": 1, "max_laps": 2})
    play_on(server.all_players(table, tokens))
    return table, tokens


def test_a_rematch_moves_everybody_one_seat_on(
    server: Running, over: tuple[str, list[str]]
) -> None:
    table, (ana, luc) = over
    path = f"/api/tables/{table}/rematch"
    assert server.post(path, {}).status_code == 403
    watching = server.player(table, luc)
    first = server.post(path, {}, ana).json()
    assert watching.hear("table")["table"]["rematch"] == first["table"]
    assert server.post(path, {}, ana).json() == first
    assert (first["seat"], first["token"]) == (1, ana)
    again = f"/api/tables/{first['table']}"
    assert server.post(f"{again}/seats", {"name": "Zoe"}).status_code == 409, "it is kept for Luc"
    player = server.player(first["table"], ana)
    second = server.post(path, {}, luc).json()
    assert (second["table"], second["seat"]) == (first["table"], 2)
    assert player.hear("news")["table"]["status"] == "playing"
    seats = server.get(again).json()["seats"]
    assert [seat["name"] for seat in seats] == ["Pancho", "Ana", "Luc"]
    assert server.player(first["table"], luc).welcome["you"] == 2
    assert server.post(path, {}, luc).json() == second


def test_who_gets_up_from_a_rematch_has_no_seat_there_any_more(server: Running) -> None:
    table, (ana, luc) = server.full("cards", 2, options={"max_deals": 1, "max_laps": 2})
    play_on(server.all_players(table, [ana, luc]))
    path = f"/api/tables/{table}/rematch"
    following = server.post(path, {}, luc).json()["table"]
    assert server.ask("DELETE", f"/api/tables/{following}/seats/mine", luc).status_code == 204
    again = server.post(path, {}, luc)
    assert (again.status_code, again.json()["code"]) == (409, "illegal")
    assert server.sit(following, "Zoe")["seat"] == 0


def test_who_comes_too_late_for_a_rematch_does_not_see_the_hand_of_the_bot(
    server: Running,
) -> None:
    table, (ana, luc) = server.full("cards", 2, options={"max_deals": 1, "max_laps": 2})
    play_on(server.all_players(table, [ana, luc]))
    following = server.post(f"/api/tables/{table}/rematch", {}, luc).json()["table"]
    late = server.player(following, ana)
    assert late.welcome["you"] == 1
    start = f"/api/tables/{following}/start"
    assert server.post(start, {"level": "random"}, ana).status_code == 403
    assert server.post(start, {"level": "random"}, luc).status_code == 204
    news = late.hear("news")
    assert news["view"]["seat"] == -3
    assert late.act("take pile")["code"] == "forbidden"
    assert server.player(following, ana).welcome["code"] == "forbidden"


def test_a_game_that_is_over_has_a_story(server: Running) -> None:
    """Somebody calls, so that there are points, and something has decided the deal."""
    options = {"max_deals": 1, "call_limit": 50}
    table, (ana, luc) = server.full("cards", 2, bots=1, options=options)
    call = "caramba"
    play_on(
        server.all_players(table, [ana, luc]),
        pick=lambda legal: call if call in legal else legal[-1],
    )
    told = server.get(f"/api/tables/{table}/story?lang=fr", ana).json()
    points = server.table(table).match.points
    assert any(points)
    assert told[-1]["points"] == points
    assert [len(chapter["points"]) for chapter in told] == [3] * len(told)
    assert told[-1]["decided"]
    steps = [line["step"] for line in told[-1]["decided"]]
    assert len(set(steps)) == len(steps), "what belongs together is in one line"
    for line in told[-1]["decided"]:
        texts = texts_of_step(server, table, line["step"])
        assert " ".join(text for text in texts if text in line["text"]) == line["text"]
    assert "donne" in told[-1]["began"].lower()


def texts_of_step(server: Running, table: str, step: int) -> list[str]:
    """What a step told, after the end."""
    answer = server.get(f"/api/tables/{table}/replay?step={step + 1}&everything=true&lang=fr")
    return [told["text"] for told in answer.json()["events"] if told["step"] == step]


def test_whoever_looks_back_sees_what_their_seat_saw(server: Running) -> None:
    table, (ana, luc) = server.full("cards", 2)
    seen = [
        server.get(f"/api/tables/{table}/replay?step=10", who).json() for who in (ana, luc, None)
    ]
    assert [news["you"] for news in seen] == [0, 1, None]
    for you, news in enumerate(seen):
        known = ["??" not in player["hand"] for player in news["view"]["players"]]
        assert known == [seat == you for seat in range(2)]


def test_a_game_that_goes_on_has_no_story_yet(server: Running) -> None:
    table, (ana, _) = server.full("race", 2)
    assert server.get(f"/api/tables/{table}/story", ana).status_code == 403


def test_there_is_no_rematch_of_a_game_that_goes_on(server: Running) -> None:
    table, (ana, _) = server.full("race", 2)
    assert server.post(f"/api/tables/{table}/rematch", {}, ana).status_code == 409


# What there is


def test_the_server_says_what_can_be_played(server: Running) -> None:
    games = {game["name"]: game for game in server.get("/api/games?lang=fr").json()}
    assert games.keys() == set(names())
    assert games["race"]["players"] == [2, 3, 4, 5, 6]
    assert any(level["default"] for level in server.get("/api/levels").json())
    assert set(server.get("/api/languages").json()) >= {"en", "fr"}
    assert server.get("/api/games/race/rules?lang=fr").text.startswith("#")
    assert server.get("/api/games/chess/rules").status_code == 404
    assert "GET /api/games" in server.get("/api").text
