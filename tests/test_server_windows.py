"""Questions that mostly get "no": the table answers for who does not want to be asked, and a
secret question closes at a time that tells nothing.
"""

import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from caramba.games.contract import CHANCE, SPECTATOR
from caramba.match.match import Match
from caramba.server.settings import Settings
from caramba.server.tables.table import Plan, Table
from facts import SECRETIVE
from kit import random_step, short_match
from server_kit import Player, Running, keep, kept_as, play_on, serving, token_of
from twins import twins

RACE = {"first": 0, "max_races": 1}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with serving(tmp_path_factory.mktemp("windows")) as running:
        yield running


def racing(server: Running, **ask: bool) -> list[Player]:
    """Three people in a race who want to be asked these questions."""
    table, tokens = server.full("race", 3, options=RACE)
    players = server.all_players(table, tokens)
    for player in players:
        player.say(type="standing", ask=ask)
    while not all(player.table["seats"] and windows(player) == ask for player in players):
        for player in players:
            player.ping()
    return players


def windows(player: Player) -> dict[str, bool]:
    changed = [frame for frame in player.heard if frame.get("windows")]
    return {window["name"]: window["ask"] for window in changed[-1]["windows"]}


ALL = ("round_ambush", "turn_ambush", "offers")


def test_the_table_answers_for_who_does_not_want_to_be_asked(server: Running) -> None:
    players = racing(server, **dict.fromkeys(ALL, False))
    play_on(
        players,
        steps=12,
        pick=lambda legal: None if "no" in legal or len(legal) == 1 else legal[0],
    )
    assert "no" in [text for _, text in server.table(players[0].table["id"]).match.steps]


def test_what_nobody_is_asked_is_answered_in_the_same_breath() -> None:
    """Nobody waits for a `no` that was given beforehand."""
    table = at(short_match("race", 3, 5), ask=dict.fromkeys(ALL, False))
    random, answers = Random(5), 0
    entries = table.after([])
    while table.match and table.match.actor is not None:
        answers += sum(entry.text == "no" for entry in entries)
        plan = table.plan()
        assert plan is not None
        assert plan.do == "clock"
        assert table.actor is not None
        step = random.choice(table.match.legal())
        entries = table.act(table.actor, step, table.number, f"key {table.number}", "en")
    assert answers > 10


def test_who_lets_two_questions_in_a_row_close_is_not_asked_again(tmp_path: Path) -> None:
    with serving(tmp_path, window=0.4) as server:
        table, tokens = server.full("race", 2, options=RACE)
        players = server.all_players(table, tokens)
        asked = until_offers(players)
        assert 0.6 < asked.table["deadline"] <= 2.0, "the first time there is more to read"
        asked = until_closed(server, asked)
        assert windows(asked)["offers"], "once may happen to anybody"
        while windows(asked)["offers"]:
            silent = until_offers(players)
            until_closed(server, silent) if silent is asked else silent.act("no")
        assert windows(asked) == {"round_ambush": True, "turn_ambush": True, "offers": False}


def until_closed(server: Running, asked: Player) -> Player:
    """Wait until the question has closed by itself, which is a no."""
    number, seat = asked.news["number"], asked.news["view"]["seat"]
    while asked.news["number"] == number:
        asked.ping()
    assert server.table(asked.table["id"]).match.steps[number] == (seat, "no")
    return asked


def test_an_answer_between_two_silences_makes_up_for_the_first() -> None:
    match = short_match("race", 2, 5)
    while match.actor == CHANCE or match.phase != "offers" or len(match.legal()) == 1:
        random_step(match, Random(match.length))
    table = at(match)
    seat = table.actor
    assert seat is not None
    table.let_close(seat)
    table.act(seat, "no", table.number, "key", "en")
    assert table.places[seat].silences == 0


def test_nothing_closes_where_nobody_waits() -> None:
    """Bots do not mind how long one thinks."""
    match = short_match("race", 2, 5)
    while match.actor == CHANCE or match.phase != "offers":
        random_step(match, Random(match.length))
    table = at(match)
    table.places[1 - (match.actor or 0)].kind = "bot"
    assert table.closes_at is None
    assert table.plan() == Plan(60, "clock")


def test_who_says_that_they_want_to_be_asked_is_waited_for() -> None:
    match = asked_for_offers()
    table = at(match)
    assert table.plan() == Plan(6.0, "close", "no")
    assert table.closes_at == 6.0
    table.places[match.actor or 0].ask = {"offers": True}
    assert table.plan() == Plan(60, "clock")
    assert table.closes_at is None


def asked_for_offers() -> Match:
    """A race in which somebody is asked whether they offer something."""
    match = short_match("race", 3, 5)
    while match.actor == CHANCE or match.phase != "offers" or len(match.legal()) == 1:
        random_step(match, Random(match.length))
    return match


def until_offers(players: list[Player]) -> Player:
    """Play until somebody is asked whether they offer something; who that is."""
    while True:
        play_on(players, steps=1, pick=lambda legal: "no" if "no" in legal else legal[0])
        for player in players:
            player.ping()
            if player.my_turn and player.news["view"]["phase"] == "offers":
                return player


def test_who_wants_to_be_asked_is_asked(server: Running) -> None:
    players = racing(server, **dict.fromkeys(ALL, True))
    play_on(players, steps=12, pick=lambda legal: legal[0])
    asked = [player for player in players if player.my_turn]
    assert len(asked) == 1
    while not any(action["text"] == "no" for action in asked[0].news["view"]["legal"]):
        play_on(players, steps=1, pick=lambda legal: legal[0])
        asked = [player for player in players if player.my_turn]
    assert all(player.ping() == [] for player in players), "nobody answers for them"
    assert asked[0].act("no")["type"] == "accepted"


def test_standing_answers_are_kept(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        table, tokens = server.full("race", 2, options=RACE)
        player = server.all_players(table, tokens)[0]
        player.ping()
        player.say(type="standing", ask={"offers": False})
        assert not windows_of(player.hear("table"))["offers"]
    with serving(tmp_path) as server:
        assert not windows_of(server.player(table, tokens[0]).welcome)["offers"]
        assert windows_of(server.player(table, tokens[1]).welcome)["offers"]


def test_nobody_else_hears_which_questions_a_seat_wants(server: Running) -> None:
    table, tokens = server.full("auction", 3)
    ana, luc, _ = server.all_players(table, tokens)
    tab, watcher = server.player(table, tokens[0]), server.player(table)
    for player in (ana, luc, tab, watcher):
        player.ping()
    assert ana.ask(type="standing", ask={"fuera": False})["type"] == "accepted"
    tab.ping()
    assert [windows(ana), windows(tab)] == [{"fuera": False}] * 2
    assert [luc.ping(), watcher.ping()] == [[], []]


def test_all_hear_that_an_open_question_does_not_close_after_all(tmp_path: Path) -> None:
    match = asked_for_offers()
    seat = match.actor or 0
    keep(tmp_path, {"t": match})
    with serving(tmp_path, window=1000) as server:
        asked, other = (server.player("t", token_of(s)) for s in (seat, (seat + 1) % 3))
        told = other.hear("news")["table"]
        assert told["deadline"]
        assert told["closes"], "it is no clock"
        asked.ask(type="standing", ask={"offers": True})
        other.ping()
        assert other.table["deadline"] is None
        assert not other.table["closes"]


def windows_of(message: dict[str, Any]) -> dict[str, bool]:
    return {window["name"]: window["ask"] for window in message["windows"]}


# The secret question


def asked_for_fuera(holds: bool = True) -> Match:
    """An auction in which somebody is asked, who holds Fuera or does not."""
    for seed in range(1000):
        match = short_match("auction", 3, seed, max_turns=10)
        while match.actor is not None and len(match.steps) < 150:
            if match.actor == CHANCE:
                match.deal()
            elif match.view(match.actor).phase == "fuera":
                if (len(match.legal()) > 1) == holds:
                    return match
                match.play("hold")
            else:
                legal = match.legal()
                match.play(legal[(seed * 7 + len(match.steps)) % len(legal)])
    raise AssertionError("nobody was asked")


@pytest.fixture(scope="module")
def questions() -> dict[bool, Match]:
    return {holds: asked_for_fuera(holds) for holds in (False, True)}


def at(match: Match, **place: Any) -> Table:
    """A table where a match stands, everybody a person unless told otherwise."""
    stored = kept_as(match, place=place, clock={"move": 60})
    return Table(stored, Settings(database="", back=0.0, now=lambda: 0.0))


@pytest.mark.parametrize("place", [{}, {"ask": {"fuera": False}}, {"away": True}, {"kind": "bot"}])
def test_the_question_closes_at_a_time_that_does_not_depend_on_cards(
    questions: dict[bool, Match], place: dict[str, Any]
) -> None:
    plans = [at(match, **place).plan() for match in questions.values()]
    assert plans[0] is not None
    assert plans[0] == plans[1]


def test_nor_does_it_depend_on_whether_a_player_wants_to_be_asked(
    questions: dict[bool, Match],
) -> None:
    """Who holds Fuera wants to be asked, so that would tell."""
    plans = [at(questions[True], ask={"fuera": ask}).plan() for ask in (False, True)]
    assert plans[0] == plans[1]


def test_who_plays_against_bots_alone_need_not_wait(questions: dict[bool, Match]) -> None:
    match = questions[False]
    seat = match.actor
    assert seat is not None
    table = at(match, kind="bot")
    table.places[seat].kind = "person"
    assert not table.is_early(seat, "hold", table.number)
    assert table.plan() == Plan(60, "clock")
    table.places[seat].ask = {"fuera": False}
    assert table.plan() == Plan(0.0, "answer", "hold")


@pytest.mark.parametrize("game", SECRETIVE)
def test_the_time_of_what_happens_by_itself_tells_nothing(game: str) -> None:
    """At every step of two games that a viewer cannot tell apart, while others are asked."""
    checked = 0
    for viewer in range(2):
        one, two = twins(game, 3, viewer, 32, seed=7)
        for step in range(len(one.steps), 15, -2):
            if one.at(step).actor not in (viewer, CHANCE):
                first, second = at(one.at(step)).plan(), at(two.at(step)).plan()
                assert first is not None
                assert second is not None
                assert first[:2] == second[:2]
                checked += 1
    assert checked > 3


@pytest.mark.parametrize("holds", [False, True])
def test_an_early_answer_is_given_at_the_end_of_the_window(
    questions: dict[bool, Match], holds: bool, tmp_path: Path
) -> None:
    keep(tmp_path, {"t": questions[holds]})
    with serving(tmp_path, window=0.5) as server:
        begin = time.monotonic()
        seat = questions[holds].actor
        assert seat is not None
        player = server.player("t", token_of(seat))
        other = server.player("t", token_of((seat + 1) % 3))
        player.hear("news")
        other.hear("news")
        player.ping()
        player.say(type="act", key="early", number=player.news["number"], action="Hold ")
        player.say(type="act", key="early", number=player.news["number"], action="hold")
        assert player.ping() == []
        assert other.ping() == []
        assert player.hear("accepted", "refused")["type"] == "accepted"
        assert time.monotonic() - begin > 0.4
        assert other.hear("news")["events"][0]["seat"] == seat


def test_who_holds_fuera_may_play_it_at_once_even_after_an_early_answer(
    questions: dict[bool, Match], tmp_path: Path
) -> None:
    keep(tmp_path, {"t": questions[True]})
    with serving(tmp_path, window=1000) as server:
        player = server.player("t", token_of(questions[True].actor or 0))
        number = player.hear("news")["number"]
        action = next(text for text in questions[True].legal() if text != "hold")
        player.say(type="act", key="early", number=number, action="hold")
        assert player.act(action)["type"] == "accepted"
        refused = player.hear("refused")
        assert (refused["key"], refused["code"]) == ("early", "stale")


def test_an_early_answer_that_another_replaces_is_told_so(
    questions: dict[bool, Match], tmp_path: Path
) -> None:
    keep(tmp_path, {"t": questions[True]})
    with serving(tmp_path, window=0.5) as server:
        player = server.player("t", token_of(questions[True].actor or 0))
        number = player.hear("news")["number"]
        player.say(type="act", key="first", number=number, action="hold")
        player.say(type="act", key="second", number=number, action="hold")
        refused = player.hear("accepted", "refused")
        assert (refused["type"], refused["key"], refused["code"]) == ("refused", "first", "stale")
        accepted = player.hear("accepted", "refused")
        assert (accepted["type"], accepted["key"]) == ("accepted", "second")


# While nobody could answer


class Hand:
    """Of a clock."""

    at = 1000.0

    def __call__(self) -> float:
        return self.at


@pytest.mark.parametrize(("ask", "seconds"), [(asked_for_offers, 6.0), (asked_for_fuera, 4.0)])
def test_after_a_restart_a_question_waits_for_who_is_asked_and_has_its_time_anew(
    ask: Any, seconds: float
) -> None:
    match, hand = ask(), Hand()
    stored = kept_as(match, due=970.0, clock={"game": 600.0})
    table = Table(stored, Settings(database="", back=30.0, now=hand))
    seat = table.actor
    assert seat is not None
    assert [end_of(table), table.asked_at] == [1030.0, 970.0 - seconds], "clocks go on"
    hand.at = 1020.0
    table.comes((seat + 1) % 3)
    assert end_of(table) == 1030.0
    table.comes(seat)
    assert end_of(table) == 1020.0 + seconds
    assert table.asked_at == 970.0 - seconds


def end_of(table: Table) -> float:
    """When the question that is open closes."""
    plan = table.plan()
    assert plan is not None
    return plan.at


def test_who_loses_the_line_while_asked_has_the_time_anew_once() -> None:
    hand = Hand()
    table = Table(kept_as(asked_for_offers()), Settings(database="", back=0.0, now=hand))
    assert table.actor is not None
    for now, end in ((1000.0, 1006.0), (1003.0, 1006.0)):
        hand.at = now
        table.comes(table.actor)
        assert table.plan() == Plan(end, "close", "no")


def test_who_is_back_after_a_restart_still_is_asked(
    questions: dict[bool, Match], tmp_path: Path
) -> None:
    """A server that was down for long: its pages come back a moment later."""
    match = questions[True]
    keep(tmp_path, {"t": match}, due=time.time() - 20)
    with serving(tmp_path, window=0.3, back=30.0, sweep=0.02) as server:
        time.sleep(0.6)
        player = server.player("t", token_of(match.actor or 0))
        player.hear("news")
        action = next(text for text in match.legal() if text != "hold")
        assert player.act(action)["type"] == "accepted"


def test_who_never_comes_back_is_answered_for_but_asked_again(tmp_path: Path) -> None:
    """The others need not wait for ever; the seat was never shown the question."""
    match = asked_for_offers()
    seat = match.actor or 0
    keep(tmp_path, {"t": match}, due=time.time() - 20)
    with serving(tmp_path, window=0.1, back=0.3, idle=0.05, sweep=0.02) as server:
        other = server.player("t", token_of((seat + 1) % 3))
        while other.hear("news")["number"] == match.length:
            pass
        assert server.log("t")[match.length]["text"] == "no"
        assert server.table("t").places[seat].ask == {}


@pytest.mark.parametrize("waits", [False, True])
def test_the_time_for_which_the_server_stood_still_is_nobodys(waits: bool, tmp_path: Path) -> None:
    """What was answered meanwhile counts, and who has not answered has the time anew."""
    match = asked_for_offers()
    offer = next(text for text in match.legal() if text != "no")
    keep(tmp_path, {"t": match})
    with serving(tmp_path, window=1.0) as server:
        player = server.player("t", token_of(match.actor or 0))
        player.hear("news")
        stand_still(server, 4.5)
        if waits:
            assert 1.2 < player.hear("table")["table"]["deadline"] <= 1.5
        assert player.act(offer)["type"] == "accepted"


def stand_still(server: Running, seconds: float) -> None:
    """From now on nothing happens in the server for a while, as if its process was stopped."""
    server.loop.call_soon_threadsafe(time.sleep, seconds)


def forced(game: str, seed: int, phase: str | None = None) -> Match:
    """A match in which somebody has no choice."""
    random = Random(seed)
    match = short_match(game, 3, seed)
    while match.actor in (CHANCE, None) or len(match.legal()) > 1 or not in_phase(match, phase):
        random_step(match, random)
        if match.actor is None:
            match = short_match(game, 3, random.randrange(10**6))
    return match


def in_phase(match: Match, phase: str | None) -> bool:
    return phase is None or match.view(SPECTATOR).phase == phase


def test_a_forced_step_is_taken_at_once_only_where_nothing_is_hidden() -> None:
    """Who has no cards and no special card can only pass, but nobody else knows of the special."""
    auction, race = at(forced("auction", 1, "bids")), at(forced("race", 1))
    assert auction.match is not None
    assert auction.match.legal() == ["pass"]
    assert auction.plan() == Plan(60, "clock")
    plan = race.plan()
    assert plan is not None
    assert plan.do == "answer"
