"""Chat: those who play and those who watch apart, short, not too often, and not for everybody."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from caramba.wire import MAX_CHAT, PROTOCOL
from server_kit import Player, Running, serving


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with serving(tmp_path_factory.mktemp("chat")) as running:
        yield running


@pytest.fixture
def crowd(server: Running) -> list[Player]:
    """Two who play and two who watch."""
    table, tokens = server.full("auction", 2)
    people = [*server.all_players(table, tokens), server.player(table), server.player(table)]
    for person in people:
        person.ping()
    return people


def said(person: Player) -> list[str]:
    return [message["text"] for message in person.ping() if message["type"] == "said"]


def say(person: Player, text: str) -> None:
    person.say(type="say", text=text)


def test_everybody_hears_those_who_play(crowd: list[Player]) -> None:
    say(crowd[0], "  ¡Hola\n amigos!  ")
    heard = crowd[1].hear("said")
    assert (heard["seat"], heard["name"], heard["text"]) == (0, "Ana", "¡Hola amigos!")
    assert [said(person) for person in crowd[2:]] == [["¡Hola amigos!"]] * 2


def test_only_those_who_watch_hear_those_who_watch(crowd: list[Player]) -> None:
    say(crowd[2], "Ana has Fuera")
    assert crowd[3].hear("said")["seat"] is None
    assert [said(person) for person in crowd[:2]] == [[], []]


def test_who_comes_later_reads_what_was_said(server: Running, crowd: list[Player]) -> None:
    table = crowd[0].table["id"]
    say(crowd[0], "hi")
    say(crowd[2], "psst")
    crowd[0].ping()
    crowd[2].ping()
    for token, heard in ((crowd[1].token, ["hi"]), (None, ["hi", "psst"])):
        welcome = server.player(table, token).welcome
        assert [line["text"] for line in welcome["chat"]] == heard


def test_chat_is_kept(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        table, (token, _) = server.full("auction", 2)
        player = server.player(table, token)
        say(player, "hi")
        player.hear("said")
    with serving(tmp_path) as server:
        assert server.player(table, token).welcome["chat"][0]["text"] == "hi"


def test_who_is_muted_is_not_heard(crowd: list[Player]) -> None:
    crowd[1].ask(type="mute", seat=0)
    crowd[2].ask(type="mute", seat=None)
    assert crowd[0].ping() == [], "nobody else has to know"
    say(crowd[0], "hello?")
    say(crowd[3], "hello!")
    crowd[3].hear("said")
    assert [said(person) for person in crowd[:3]] == [["hello?"], [], ["hello?"]]
    crowd[1].ask(type="mute", seat=0, on=False)
    say(crowd[0], "again")
    assert crowd[1].hear("said")["text"] == "again"


def test_who_is_muted_is_not_read_either_as_long_as_one_is_connected(
    server: Running, crowd: list[Player]
) -> None:
    say(crowd[0], "blah")
    crowd[1].hear("said")
    say(crowd[1], "hm")
    crowd[1].say(type="mute", seat=0)
    crowd[1].say(type="hello", protocol=PROTOCOL)
    assert [line["text"] for line in crowd[1].hear("welcome")["chat"]] == ["hm"]
    again = server.player(crowd[1].table["id"], crowd[1].token)
    assert [line["text"] for line in again.welcome["chat"]] == ["blah", "hm"]


def test_a_line_is_short_and_visible(crowd: list[Player]) -> None:
    say(crowd[0], "x" * MAX_CHAT)
    assert len(crowd[1].hear("said")["text"]) == MAX_CHAT
    for text in ("x" * (MAX_CHAT + 1), "   ", "a\x00b", "a\u202eb", "a\u200bb"):
        answer = crowd[0].ask(type="say", text=text)
        assert answer["code"] == "invalid"


def test_there_is_no_chat_where_it_is_off(server: Running) -> None:
    table, (token, _) = server.full("auction", 2, chat=False)
    answer = server.player(table, token).ask(type="say", text="hi")
    assert answer["code"] == "forbidden"


def test_nobody_talks_too_much_even_on_several_sockets(tmp_path: Path) -> None:
    with serving(tmp_path, chat_a_minute=2) as server:
        table, (token, other) = server.full("auction", 2)
        for _ in range(2):
            player = server.player(table, token)
            say(player, "hi")
            player.hear("said")
        player = server.player(table, token)
        assert player.ask(type="say", text="hi")["code"] == "too_fast"
        luc = server.player(table, other)
        say(luc, "I am another")
        assert luc.hear("said", "refused")["type"] == "said"


def test_a_line_that_is_sent_twice_is_said_once(server: Running, crowd: list[Player]) -> None:
    ana, luc, watching, _ = crowd
    for person, text in ((ana, "hi"), (watching, "psst")):
        for _ in range(2):
            assert person.ask(type="say", key="same", text=text)["type"] == "accepted"
    back = server.player(ana.table["id"], ana.token)
    assert back.ask(type="say", key="same", text="hi")["type"] == "accepted"
    assert luc.ask(type="say", key="same", text="hola")["type"] == "accepted", "a seat's own"
    assert ana.ask(type="say", key="other", text="hi")["type"] == "accepted"
    heard = server.player(ana.table["id"]).welcome["chat"]
    assert [line["text"] for line in heard] == ["hi", "psst", "hola", "hi"]


def test_a_line_of_one_who_watches_is_said_once_after_a_lost_connection(
    server: Running, crowd: list[Player]
) -> None:
    table = crowd[2].table["id"]
    crowd[2].ask(type="say", key="same", text="psst")
    back = server.player(table)
    assert back.ask(type="say", key="same", text="psst")["type"] == "accepted"
    assert back.ask(type="say", key="other", text="psst")["type"] == "accepted"
    heard = server.player(table).welcome["chat"]
    assert [line["text"] for line in heard] == ["psst", "psst"]


def test_the_keys_of_one_who_watches_are_not_those_of_another(crowd: list[Player]) -> None:
    for person, text in zip(crowd[2:], ("psst", "who is there?"), strict=True):
        assert person.ask(type="say", key="1", text=text)["type"] == "accepted"
    assert crowd[2].hear("said")["text"] == "who is there?"


def test_a_line_that_is_sent_twice_does_not_count_twice(tmp_path: Path) -> None:
    with serving(tmp_path, chat_a_minute=1) as server:
        table, (token, _) = server.full("auction", 2)
        player = server.player(table, token)
        for _ in range(3):
            assert player.ask(type="say", key="same", text="hi")["type"] == "accepted"
        refused = player.ask(type="say", key="other", text="hi")
        assert (refused["type"], refused["key"], refused["code"]) == (
            "refused",
            "other",
            "too_fast",
        )


def test_who_mutes_somebody_again_after_coming_back_does_not_hear_them(
    server: Running, crowd: list[Player]
) -> None:
    crowd[1].ask(type="mute", key="same", seat=0)
    back = server.player(crowd[1].table["id"], crowd[1].token)
    assert back.ask(type="mute", key="same", seat=0)["type"] == "accepted"
    say(crowd[0], "hello?")
    crowd[0].hear("said")
    assert said(back) == []
