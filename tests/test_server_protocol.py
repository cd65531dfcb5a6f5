"""The socket: whatever is said gets a typed answer, and what is said twice is done once."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from caramba.wire import MAX_FRAME, PROTOCOL
from server_kit import Player, Running, serving

AUCTION = {"first": 0, "max_turns": 2}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with serving(tmp_path_factory.mktemp("protocol"), hello=0.5) as running:
        yield running


@pytest.fixture
def two(server: Running) -> list[Player]:
    """Two players of an auction; the first is asked."""
    table, tokens = server.full("auction", 2, options=AUCTION)
    players = server.all_players(table, tokens)
    assert players[0].my_turn
    return players


def step(player: Player) -> str:
    return str(player.news["view"]["legal"][0]["text"])


@pytest.mark.parametrize(
    ("frame", "reason"),
    [
        ("", "not a message"),
        ("hello", "not a message"),
        ("null", "not a message"),
        ("[1, 2", "not a message"),
        ("{}", "not a message"),
        ('{"type": "dance"}', "dance"),
        ('{"type": "ping", "loud": true}', "loud"),
        ('{"type": "act", "key": "k", "action": "pass"}', "number"),
        ('{"type": "act", "key": "k", "number": -1, "action": "pass"}', "number"),
        ('{"type": "act", "key": "k", "number": 1e999, "action": "pass"}', "number"),
        (f'{{"type": "act", "key": "k", "number": {"9" * 5000}, "action": "pass"}}', "number"),
        ('{"type": "act", "key": "", "number": 1, "action": "pass"}', "key"),
        ('{"type": "say", "key": "k", "text": ""}', "text"),
        ('{"type": "say", "key": "k", "text": "\\ud800"}', "not a message"),
        ('{"type": "standing", "key": "k", "ask": {"fuera": 1}}', "bool"),
        ("[" * 8000, "not a message"),
        (b'{"type": "ping"}', "text, not bytes"),
        (b"\xff\xfe\x00", "text, not bytes"),
    ],
)
def test_what_is_no_message_is_refused(
    server: Running, two: list[Player], frame: str | bytes, reason: str
) -> None:
    answer = two[0].send(frame)
    assert answer["code"] == "invalid"
    assert reason in answer["reason"]
    assert two[0].ping() == [], "the conversation goes on"


def test_a_message_that_is_too_large_is_refused(two: list[Player]) -> None:
    assert two[0].send("x" * (MAX_FRAME + 1))["code"] == "too_large"
    assert two[0].send("é" * (MAX_FRAME // 2 + 1))["code"] == "too_large", "bytes are counted"
    assert two[0].send("x" * MAX_FRAME)["code"] == "invalid"


def test_a_frame_that_is_far_too_large_ends_the_conversation(two: list[Player]) -> None:
    with pytest.raises(ConnectionClosed) as closed:
        two[0].send("x" * 70_000)
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 1009


def test_nothing_is_done_before_hello(server: Running) -> None:
    table, (token, _) = server.full("auction", 2, options=AUCTION)
    stranger = server.player(table, token, protocol=99)
    assert stranger.welcome["code"] == "protocol"
    for message in ({"type": "say", "text": "hi"}, {"type": "leave"}, {"type": "return"}):
        assert stranger.ask(**message)["code"] == "protocol"
    assert stranger.ping() == []
    stranger.say(type="hello", protocol=PROTOCOL)
    assert stranger.hear("welcome")["you"] == 0


def test_who_does_not_say_hello_is_let_go(server: Running) -> None:
    table, _ = server.full("auction", 2, options=AUCTION)
    address = f"ws://{server.address}/api/tables/{table}/socket"
    with connect(address) as silent, pytest.raises(ConnectionClosed) as closed:
        silent.recv(timeout=10)
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 1013, "they may come back"


def test_hello_again_gives_everything_again(two: list[Player]) -> None:
    two[1].ping()
    two[0].say(type="hello", protocol=PROTOCOL, language="fr")
    assert two[0].hear("welcome")["you"] == 0
    assert two[0].hear("news")["since"] == 0
    two[0].ping()
    assert two[1].ping() == [], "nobody else has to know"
    assert two[0].act(step(two[0]))["type"] == "accepted"
    assert len([m for m in two[0].ping() if m["type"] == "news"]) == 1


def test_there_is_no_conversation_at_a_table_that_is_not_there(server: Running) -> None:
    for name in ("nowhere", "x" * 500, "%00", "%ff"):
        assert server.player(name).welcome["code"] == "forbidden"
    with pytest.raises(InvalidStatus, match="403"):
        server.player("a%2Fb")


def test_an_answer_to_an_earlier_table_is_stale(two: list[Player]) -> None:
    action = step(two[0])
    number = two[0].news["number"]
    for wrong in (0, number - 1, number + 1, 10_000_000):
        answer = two[0].act(action, number=wrong)
        assert (answer["code"], answer["number"]) == ("stale", number)
    assert two[0].act(action)["type"] == "accepted"
    assert two[0].act(action, number=number)["code"] == "stale"


def test_nobody_acts_out_of_turn(two: list[Player]) -> None:
    answer = two[1].act(step(two[0]))
    assert (answer["code"], answer["rule"]) == ("illegal", None)
    assert "turn" in answer["reason"]


def test_what_a_rule_forbids_is_refused_with_its_number(two: list[Player]) -> None:
    answer = two[0].act("stash g3")
    assert answer["code"] == "illegal"
    assert answer["rule"].startswith("A")
    assert answer["key"]


def test_reasons_are_given_in_the_language_of_who_asks(server: Running) -> None:
    table, tokens = server.full("auction", 2, options=AUCTION)
    english = server.player(table, tokens[0])
    french = server.player(table, tokens[0], language="fr")
    english.hear("news")
    french.hear("news")
    assert french.act("stash g3")["reason"] != english.act("stash g3")["reason"]


def test_what_is_no_step_is_refused(two: list[Player]) -> None:
    for action in ("", "dance", "bid", "x" * 200, "back 0", "first 1", "\x00"):
        answer = two[0].act(action)
        assert answer["code"] in ("invalid", "illegal"), action
    assert two[0].news["number"] == two[0].act("dance")["number"]


def test_who_watches_may_do_nothing(server: Running, two: list[Player]) -> None:
    watcher = server.player(two[0].table["id"])
    number = watcher.hear("news")["number"]
    messages: list[dict[str, Any]] = [
        {"type": "act", "number": number, "action": "pass"},
        {"type": "take_back", "number": number},
        {"type": "consent", "wish": number, "yes": True},
        {"type": "standing", "ask": {}},
        {"type": "vote", "seat": 0},
        {"type": "leave"},
        {"type": "return"},
    ]
    for message in messages:
        answer = watcher.ask(**message)
        assert (answer["code"], answer["reason"]) == ("forbidden", "you only watch")


def test_nobody_watches_where_that_is_not_wanted(server: Running) -> None:
    table, tokens = server.full("auction", 2, options=AUCTION, watch=False)
    assert server.player(table).welcome["code"] == "forbidden"
    assert server.player(table, "stolen").welcome["code"] == "forbidden"
    assert server.player(table, tokens[1]).welcome["you"] == 1
    for path in ("", "/replay"):
        assert server.get(f"/api/tables/{table}{path}").status_code == 403


def test_a_step_that_is_sent_twice_is_taken_once(server: Running, two: list[Player]) -> None:
    action, number = step(two[0]), two[0].news["number"]
    first = two[0].act(action, key="same", number=number)
    again = two[0].act(action, key="same", number=number)
    other_tab = server.player(two[0].table["id"], None)
    assert first == again
    assert first["type"] == "accepted"
    assert other_tab.hear("news")["number"] == number + 1
    assert two[1].hear("news")["number"] == number + 1
    assert two[1].act(step(two[1]), key="same")["type"] == "accepted", "keys are a seat's own"


def test_a_step_that_is_sent_twice_is_taken_once_even_if_the_server_was_restarted(
    tmp_path: Path,
) -> None:
    with serving(tmp_path) as server:
        table, tokens = server.full("auction", 2, options=AUCTION)
        player = server.all_players(table, tokens)[0]
        action, number = step(player), player.news["number"]
        first = player.act(action, key="same")
    with serving(tmp_path) as server:
        player = server.all_players(table, tokens)[0]
        again = player.act(action, key="same", number=number)
        assert again == first
        assert player.news["number"] == number + 1


def test_standing_answers_are_known_questions(two: list[Player]) -> None:
    answer = two[0].ask(type="standing", ask={"dance": True})
    assert (answer["code"], "dance" in answer["reason"]) == ("invalid", True)


def test_there_is_nothing_to_vote_or_consent_about(two: list[Player]) -> None:
    number = two[0].news["number"]
    messages: list[dict[str, Any]] = [
        {"type": "consent", "wish": number, "yes": True},
        {"type": "vote", "seat": 0},
        {"type": "vote", "seat": 1},
        {"type": "vote", "seat": 9},
        {"type": "take_back", "number": number},
    ]
    for message in messages:
        assert two[0].ask(**message)["code"] == "illegal"


WISHES: list[dict[str, Any]] = [
    {"type": "promise", "commitment": "00" * 32},
    {"type": "reveal", "entropy": "00" * 16},
    {"type": "act", "number": 0, "action": "dance"},
    {"type": "take_back", "number": 0},
    {"type": "consent", "wish": 1, "yes": True},
    {"type": "standing", "ask": {"fuera": True}},
    {"type": "standing", "ask": {"fuera": False}},
    {"type": "say", "text": "hola"},
    {"type": "say", "text": " "},
    {"type": "mute", "seat": 1},
    {"type": "vote", "seat": 0},
    {"type": "leave"},
    {"type": "return"},
    {"type": "return"},
]
"""All that somebody may want, some of it in vain."""


@pytest.mark.parametrize("wish", WISHES)
def test_whatever_wants_something_has_a_key(two: list[Player], wish: dict[str, Any]) -> None:
    answer = two[0].send(json.dumps(wish))
    assert (answer["code"], "key" in answer["reason"]) == ("invalid", True)


def test_whatever_wants_something_is_answered_once_by_its_key(two: list[Player]) -> None:
    for number, wish in enumerate(WISHES):
        two[0].say(**wish, key=f"k{number}")
    answers = [m["key"] for m in two[0].ping() if m["type"] in ("accepted", "refused")]
    assert answers == [f"k{number}" for number in range(len(WISHES))]
    assert not [m for m in two[1].ping() if m["type"] in ("accepted", "refused")]


def test_what_is_no_message_is_refused_with_its_key_if_it_has_one(two: list[Player]) -> None:
    for frame in ('{"type": "dance", "key": "k"}', '{"type": "say", "key": "k", "text": ""}'):
        answer = two[0].send(frame)
        assert (answer["code"], answer["key"]) == ("invalid", "k")
    large = json.dumps({"type": "say", "key": "k", "text": "x" * MAX_FRAME})
    assert (answer := two[0].send(large))["code"] == "too_large"
    assert answer["key"] == "k"
    assert two[0].send('{"type": "dance", "key": 7}')["key"] is None


def test_what_comes_too_fast_is_refused_with_its_key(tmp_path: Path) -> None:
    with serving(tmp_path, messages_a_second=1) as server:
        table, (token, _) = server.full("auction", 2, options=AUCTION)
        player = server.player(table, token)
        for number in range(6):
            player.say(type="say", text="hi", key=f"k{number}")
        assert (answer := player.hear("refused"))["code"] == "too_fast"
        assert answer["key"].startswith("k")


def test_who_leaves_twice_with_one_key_has_left_once(two: list[Player]) -> None:
    assert two[0].ask(type="leave", key="go")["type"] == "accepted"
    assert two[0].ask(type="return")["type"] == "accepted"
    assert two[0].ask(type="leave", key="go")["type"] == "accepted"
    assert not two[0].table["seats"][0]["away"]
