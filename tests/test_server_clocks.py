"""Who drops comes back; who does not come back in time is played for by a bot, and may return."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from caramba.match.match import Match
from caramba.server.settings import Settings
from caramba.server.tables import absence
from caramba.server.tables.refusal import Refusal
from caramba.server.tables.table import LEAST, Plan, Table
from server_kit import Player, Running, kept_as, play_on, serving

CARDS = {"first": 0, "max_deals": 1, "max_laps": 3}


@pytest.fixture(scope="module")
def server(shared_place: str) -> Iterator[Running]:
    with serving(shared_place) as running:
        yield running


@pytest.fixture
def two(server: Running) -> list[Player]:
    table, tokens = server.full("cards", 2, options=CARDS)
    players = server.all_players(table, tokens)
    for player in players:
        player.ping()
    return players


def until(true: Callable[[], bool]) -> None:
    """Wait for something that no message tells of."""
    end = time.monotonic() + 20
    while not true():
        assert time.monotonic() < end
        time.sleep(0.01)


# Dropping and coming back


def test_who_comes_back_gets_what_they_missed(server: Running, two: list[Player]) -> None:
    table, have = two[1].table["id"], two[1].news["number"]
    two[1].close()
    token = two[1].token
    play_on(two[:1], steps=1)
    back = server.player(table, token, have=have)
    news = back.hear("news")
    assert news["since"] == have
    assert news["events"][0]["step"] == have
    everything = server.player(table, token).hear("news")
    assert everything["since"] == 0
    assert everything["events"][-len(news["events"]) :] == news["events"]
    assert everything["view"] == news["view"]
    nothing = server.player(table, token, have=news["number"]).hear("news")
    assert (nothing["events"], nothing["view"]) == ([], news["view"])
    assert server.player(table, token, have=10**6).hear("news")["since"] == 0


def test_several_tabs_of_a_seat_hear_the_same(server: Running, two: list[Player]) -> None:
    tab = server.player(two[0].table["id"], two[0].token)
    tab.hear("news")
    two[0].ping()
    answer = tab.act(tab.news["view"]["legal"][0]["text"])
    assert answer["type"] == "accepted"
    assert two[0].hear("accepted") == answer
    assert two[0].hear("news") == tab.hear("news")


def test_everybody_sees_who_is_here(server: Running, two: list[Player]) -> None:
    tab = server.player(two[1].table["id"], two[1].token)
    two[1].close()
    assert two[0].hear("table")["table"]["seats"][1]["here"], "there is another tab"
    tab.close()
    while two[0].hear("table")["table"]["seats"][1]["here"]:
        pass
    watcher = server.player(two[0].table["id"])
    assert two[0].hear("table")["table"]["watching"] == 1
    watcher.close()
    assert two[0].hear("table")["table"]["watching"] == 0


# Bots that play for people


def test_who_leaves_is_played_for_and_may_return(server: Running, two: list[Player]) -> None:
    two[0].say(type="leave")
    assert two[1].hear("table")["table"]["seats"][0]["away"]
    assert two[0].act("take pile")["reason"].startswith("a bot plays for you")
    assert two[1].hear("news")["events"][0]["seat"] == 0
    two[0].say(type="return")
    while two[1].next()["table"]["seats"][0]["away"]:
        pass
    play_on(two)


def test_who_is_not_here_is_replaced_if_all_others_want_it(server: Running) -> None:
    table, tokens = server.full("cards", 3, options=CARDS)
    ana, luc, zoe = server.all_players(table, tokens)
    assert zoe.ask(type="vote", seat=0)["code"] == "illegal", "she is here"
    ana.close()
    while zoe.hear("table")["table"]["seats"][0]["here"]:
        pass
    luc.say(type="vote", seat=0)
    assert zoe.hear("table")["table"]["seats"][0]["votes"] == [1]
    luc.say(type="vote", seat=0, yes=False)
    assert zoe.hear("table")["table"]["seats"][0]["votes"] == []
    luc.say(type="vote", seat=0)
    zoe.say(type="vote", seat=0)
    while not zoe.next()["table"]["seats"][0]["away"]:
        pass
    assert zoe.table["seats"][0]["level"] == "medium"
    zoe.hear("news")
    back = server.player(table, tokens[0])
    back.say(type="return")
    while back.next()["table"]["seats"][0]["away"]:
        pass


def test_who_votes_the_same_again_tells_nobody(server: Running) -> None:
    table, tokens = server.full("cards", 3, options=CARDS)
    ana, luc, zoe = server.all_players(table, tokens)
    ana.close()
    while zoe.hear("table")["table"]["seats"][0]["here"]:
        pass
    for yes in (False, True, True):
        assert luc.ask(type="vote", seat=0, yes=yes)["type"] == "accepted"
    assert len([message for message in zoe.ping() if message["type"] == "table"]) == 1


def test_who_was_here_a_moment_ago_is_not_replaced(tmp_path: Path) -> None:
    """A page that is loaded anew, or a tunnel: nobody is voted away in the meantime."""
    with serving(tmp_path, gone=60.0) as server:
        table, tokens = server.full("cards", 2, options=CARDS)
        ana, luc = server.all_players(table, tokens)
        luc.close()
        while ana.hear("table")["table"]["seats"][1]["here"]:
            pass
        assert 50 < ana.table["seats"][1]["vote_in"] <= 60
        answer = ana.ask(type="vote", seat=1)
        assert answer["code"] == "illegal"
        assert answer["reason"].startswith("Luc may be back in a moment")
        assert not server.table(table).places[1].away


def test_when_the_clock_runs_out_a_bot_plays_on(server: Running) -> None:
    table, tokens = server.full("cards", 2, options=CARDS, clock={"move": 1})
    ana, luc = server.all_players(table, tokens)
    assert 0 < ana.news["table"]["deadline"] <= 1
    assert not ana.news["table"]["closes"], "whoever is silent here is played for"
    while not luc.next()["table"]["seats"][0]["away"]:
        pass
    assert luc.hear("news")["events"][0]["seat"] == 0


def test_a_clock_runs_while_everybody_sleeps(place: str) -> None:
    with serving(place, idle=0.05, sweep=0.05) as server:
        table, tokens = server.full("cards", 2, options=CARDS, clock={"move": 1})
        until(lambda: not server.host.awake.tables)
        assert server.table_row(table)["due"] is not None
        until(lambda: len(server.log(table)) > 13)
        assert server.player(table, tokens[0]).welcome["table"]["seats"][0]["away"]


# What the clock counts, with a clock that stands still unless it is told


class Hand:
    """Of a clock."""

    def __init__(self) -> None:
        self.at = 1000.0

    def __call__(self) -> float:
        return self.at


@pytest.fixture
def hand() -> Hand:
    return Hand()


def made(hand: Hand, due: float | None = None, **clock: float) -> Table:
    """A table of cards at which the first seat is asked."""
    match = Match("cards", players=2, seed=1, options=CARDS)
    match.deal()
    stored = kept_as(match, due=due, clock=clock)
    table = Table(stored, Settings(database="", now=hand))
    assert table.actor == 0
    return table


def test_sleeping_does_not_stop_a_clock(hand: Hand) -> None:
    assert made(hand, move=100).plan() == Plan(1100, "clock")
    assert made(hand, due=1030, move=100).plan() == Plan(1030, "clock")
    assert made(hand, due=None, move=100).deadline == 1100


def test_a_decision_takes_its_time_from_the_clock_of_the_game(hand: Hand) -> None:
    table = made(hand, game=100)
    hand.at += 30
    table.charge(0, hand())
    assert [place.seconds for place in table.places] == [70, 100]
    assert table.deadline == 1030 + 70


def test_who_has_run_out_of_time_has_a_little_for_each_decision(hand: Hand) -> None:
    table = made(hand, game=100)
    hand.at += 200
    absence.leave(table, 0)
    assert table.places[0].seconds == 0
    assert table.deadline is None
    absence.come_back(table, 0)
    assert table.deadline == hand() + LEAST


def test_leaving_and_coming_back_gives_no_new_time_over_and_over(hand: Hand) -> None:
    table = made(hand, move=100)
    hand.at += 60
    absence.come_back(table, 0)
    assert table.deadline == 1100, "who was not away is not asked anew"
    absence.leave(table, 1)
    absence.come_back(table, 1)
    assert table.deadline == 1100, "nor because of somebody else"
    absence.leave(table, 0)
    absence.come_back(table, 0)
    assert table.deadline == 1160
    absence.leave(table, 0)
    with pytest.raises(Refusal, match="come back after it"):
        absence.come_back(table, 0)


def test_time_away_counts_from_the_last_sight(hand: Hand) -> None:
    table = made(hand)
    left = {1: hand()}
    with pytest.raises(Refusal, match="vote in 60 seconds"):
        absence.vote(table, 0, 1, True, left)
    hand.at += 60
    assert absence.vote(table, 0, 1, True, left)
