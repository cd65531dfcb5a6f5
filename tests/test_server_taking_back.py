"""Taking back: at will where nobody has learned anything, else if everybody agrees."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from caramba.match import saved
from caramba.match.match import Match
from caramba.match.verify import verify
from caramba.server.settings import Settings
from caramba.server.tables import taking_back
from caramba.server.tables.kept import Entry, KeptSeat
from caramba.server.tables.refusal import Refusal
from caramba.server.tables.table import Plan, Table
from server_kit import Player, Running, kept_as, play_on, serving

CARDS = {"first": 0, "max_deals": 1, "max_laps": 5}


@pytest.fixture(scope="module")
def server(shared_place: str) -> Iterator[Running]:
    with serving(shared_place, consent=1000) as running:
        yield running


def moved(server: Running, people: int, bots: int = 0) -> list[Player]:
    """People of whom the first has dropped a card, which everybody saw."""
    table, tokens = server.full("cards", people, bots=bots, options=CARDS)
    players = server.all_players(table, tokens)
    play_on(players, steps=1)
    for player in players:
        player.ping()
    return players


def take_back(player: Player, key: str = "back") -> None:
    player.say(type="take_back", key=key, number=player.news["number"])


def consent(player: Player, yes: bool) -> None:
    while not player.table["undo"]:
        player.next()
    player.say(type="consent", wish=player.table["undo"]["wish"], yes=yes)


def test_what_others_have_seen_is_taken_back_if_all_agree(server: Running) -> None:
    ana, luc, zoe = players = moved(server, 3)
    before, log = ana.news["steps"], ana.news["number"]
    take_back(ana)
    undo = luc.hear("news")["table"]["undo"]
    assert (undo["seat"], undo["steps"], undo["asked"], undo["agreed"]) == (0, 1, [1, 2], [])
    assert ana.ask(type="consent", wish=undo["wish"], yes=True)["code"] == "illegal"
    consent(luc, True)
    while not (zoe.hear("news")["table"]["undo"] or {}).get("agreed"):
        pass
    assert zoe.news["steps"] == before
    consent(zoe, True)
    assert ana.hear("accepted") == {"type": "accepted", "key": "back", "number": log + 1}
    for player in players:
        player.wait_for(log + 1)
        assert (player.news["steps"], player.news["since"]) == (before - 1, before - 1)
        assert player.news["table"]["undo"] is None
    take_back(ana)
    assert ana.hear("accepted")["number"] == log + 1, "a key is used once"
    stale = server.player(ana.table["id"], luc.token, have=log)
    assert stale.hear("news")["since"] == before - 1, "what was taken back is told again"
    play_on(players, steps=1)


def test_who_agrees_twice_with_one_key_has_agreed_once(server: Running) -> None:
    ana, luc = moved(server, 2)
    take_back(ana)
    wish = luc.hear("news")["table"]["undo"]["wish"]
    yes = {"type": "consent", "key": "yes", "wish": wish, "yes": True}
    back = server.player(luc.table["id"], luc.token)
    assert luc.ask(**yes)["type"] == "accepted"
    assert back.ask(**yes)["type"] == "accepted"
    assert back.ask(**{**yes, "key": "another"})["type"] == "refused"


def test_each_seat_is_told_whether_it_has_something_to_take_back(server: Running) -> None:
    ana, luc = moved(server, 2)
    assert [ana.news["can_take_back"], luc.news["can_take_back"]] == [True, False]
    watcher = server.player(ana.table["id"])
    assert not watcher.hear("news")["can_take_back"]


def test_one_who_does_not_agree_is_enough(server: Running) -> None:
    ana, luc, zoe = moved(server, 3)
    number = ana.news["number"]
    other_tab = server.player(ana.table["id"], ana.token, language="fr")
    take_back(ana)
    wish = luc.hear("news")["table"]["undo"]["wish"]
    zoe.hear("news")
    consent(zoe, False)
    answer = {"type": "refused", "code": "illegal", "rule": None, "key": "back", "number": number}
    assert ana.hear("refused") == {**answer, "reason": "Zoe does not agree"}
    assert other_tab.hear("refused") == {**answer, "reason": "Zoe n’est pas d’accord"}
    for player in (ana, luc, zoe):
        player.ping()
        assert player.table["undo"] is None
    luc.say(type="consent", wish=wish, yes=True)
    assert luc.hear("refused")["code"] == "illegal"
    assert server.table(ana.table["id"]).number == number


def test_asking_twice_does_not_forget_who_has_agreed(server: Running) -> None:
    ana, luc, zoe = moved(server, 3)
    take_back(ana)
    luc.hear("news")
    consent(luc, True)
    luc.ping()
    take_back(ana)
    ana.ping()
    zoe.ping()
    assert zoe.table["undo"]["agreed"] == [1]


def test_who_asks_or_agrees_again_tells_nobody(server: Running) -> None:
    """A wish that waits, asked again after a lost line, and a yes that was given already."""
    ana, luc, zoe = players = moved(server, 3)
    take_back(ana)
    consent(luc, True)
    luc.hear("accepted")
    for player in players:
        player.ping()
    for _ in range(5):
        take_back(ana)
    assert ana.ping() == []
    luc.say(type="consent", wish=luc.table["undo"]["wish"], yes=True)
    assert [message["type"] for message in luc.ping()] == ["accepted"]
    assert zoe.ping() == []


def test_bots_agree(server: Running) -> None:
    (ana,) = moved(server, 1, bots=1)
    while not ana.my_turn:
        ana.hear("news")
    take_back(ana)
    assert ana.hear("accepted", "refused")["type"] == "accepted"


def test_bots_wait_while_people_are_asked() -> None:
    table, _ = asking(3)
    assert table.plan() == Plan(1000.5, "bot")
    taking_back.take_back(table, 0, table.number, "back", {0, 1})
    assert table.plan() == Plan(1030.0, "bot")
    assert table.wish is not None
    taking_back.consent(table, 1, table.wish.name, yes=False)
    assert table.plan() == Plan(1000.5, "bot")


def test_a_wish_is_over_when_somebody_acts(server: Running) -> None:
    ana, luc = moved(server, 2)
    take_back(ana)
    luc.hear("news")
    luc.ping()
    acting = next(player for player in (ana, luc) if player.my_turn)
    acting.act(acting.news["view"]["legal"][0]["text"])
    ended = next(m for m in [*ana.heard, *ana.ping()] if m["type"] == "refused")
    assert (ended["code"], ended["key"]) == ("stale", "back")
    assert ana.table["undo"] is None


def test_a_player_takes_back_what_they_did_themselves_and_not_what_the_table_did_for_them() -> None:
    match = Match("race", players=2, seed=1, options={"first": 0})
    match.deal()
    while match.actor != 0 or "no" not in match.legal():
        match.play(match.legal()[0])
        match.deal()
    mine = max(n for n, (who, _) in enumerate(match.steps) if who == 0)
    match.play("no")
    stored = kept_as(match)
    stored.log[len(match.steps) - 1] = Entry(0, "no")
    table = Table(stored, Settings(database=""))
    taking_back.take_back(table, 0, table.number, "back", {0, 1})
    assert table.wish is not None
    assert table.wish.keep == mine


def test_nothing_is_taken_back_after_the_end(server: Running) -> None:
    table, tokens = server.full("cards", 2, options={"max_deals": 1, "max_laps": 2})
    players = server.all_players(table, tokens)
    play_on(players)
    take_back(players[0])
    assert players[0].hear("refused")["reason"] == "the game is over"


def test_what_nobody_has_learned_of_is_taken_back_at_will(
    server: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No step of our games is quite unseen; here, nobody else ever sees anything."""
    ana, _ = moved(server, 2)
    table: Table = server.table(ana.table["id"])
    assert table.match is not None
    honest = table.match.view
    blind = honest(1)

    def view(seat: int) -> Any:
        return honest(seat) if seat == 0 else blind

    monkeypatch.setattr(type(table.match), "view", lambda self, seat: view(seat))
    assert table.is_harmless(0, len(table.match.steps) - 1)
    assert not table.is_harmless(0, 0), "chance has spoken since"


def test_nobody_is_rewound_who_is_not_here(server: Running) -> None:
    ana, luc, zoe = moved(server, 3)
    zoe.close()
    while ana.hear("table")["table"]["seats"][2]["here"]:
        pass
    take_back(ana)
    assert ana.hear("refused")["reason"] == "Zoe would have to agree, and is not here"
    ana.ping()
    luc.ping()
    assert luc.table["undo"] is None


def test_nobody_is_rewound_for_whom_a_bot_plays(server: Running) -> None:
    """Their points are theirs, also while they are away."""
    ana, luc = moved(server, 2)
    luc.say(type="leave")
    while not ana.hear("table", "news")["table"]["seats"][1]["away"]:
        pass
    luc.close()
    while ana.next()["table"]["seats"][1]["here"]:
        pass
    take_back(ana)
    assert ana.hear("refused", "accepted")["type"] == "refused"
    again = server.player(ana.table["id"], luc.token)
    ana.ping()
    take_back(ana)
    while not again.next()["table"]["undo"]:
        pass
    assert again.table["undo"]["asked"] == [1], "who is back is asked, bot or not"
    consent(again, True)
    assert ana.hear("accepted")["key"] == "back"


def test_a_table_can_be_made_without_take_backs(server: Running) -> None:
    made = server.make("cards", 1, 1, options=CARDS, take_backs=False)
    ana = server.player(made["table"], made["token"])
    ana.hear("news")
    assert not ana.table["take_backs"]
    play_on([ana], steps=1)
    take_back(ana)
    assert ana.hear("refused")["reason"] == "nothing is taken back at this table"


def test_what_was_taken_back_is_told_and_stands_in_the_saved_game(
    server: Running, tmp_path: Path
) -> None:
    (ana,) = moved(server, 1, bots=1)
    for key in ("one", "two"):
        while not ana.my_turn:
            ana.hear("news")
        take_back(ana, key)
        answer = ana.hear("accepted")
        ana.wait_for(answer["number"])
        play_on([ana], steps=1)
    play_on([ana])
    assert [seat["taken_back"] for seat in ana.table["seats"]] == [2, 0]
    file = tmp_path / "game.jsonl"
    file.write_text(server.get(f"/api/tables/{ana.table['id']}/saved").text)
    assert [back[0] for back in saved.read(file).header.taken_back] == [0, 0]
    assert "taken back" in verify(file).message


def asking(players: int) -> tuple[Table, list[float]]:
    """A table of people and a bot at the last seat, whose turn it is, and its clock."""
    match = Match("cards", players=players, seed=1, options=CARDS)
    match.deal()
    while match.actor != players - 1:
        match.play(match.legal()[-1])
        match.deal()
    stored = kept_as(match)
    stored.seats[-1] = KeptSeat(kind="bot", name=match.names[-1], level="easy")
    now = [1000.0]
    settings = Settings(database="", now=lambda: now[0], consent=30.0, pause=0.5)
    return Table(stored, settings), now


def test_a_yes_to_one_wish_is_none_to_another() -> None:
    table, _ = asking(4)
    here = {0, 1, 2}
    taking_back.take_back(table, 0, table.number, "ana", here)
    assert table.wish is not None
    shown = table.wish.name
    with pytest.raises(Refusal, match="asked already"):
        taking_back.take_back(table, 2, table.number, "zoe", here)
    taking_back.consent(table, 1, shown, yes=False)
    taking_back.take_back(table, 2, table.number, "zoe", here)
    with pytest.raises(Refusal, match="nobody asks you"):
        taking_back.consent(table, 1, shown, yes=True)


def test_nobody_holds_up_a_bot_by_asking_again_and_again() -> None:
    table, now = asking(4)
    here = {0, 1, 2}
    taking_back.take_back(table, 0, table.number, "once", here)
    assert table.wish is not None
    taking_back.consent(table, 1, table.wish.name, yes=False)
    now[0] += 20
    with pytest.raises(Refusal, match="play on first"):
        taking_back.take_back(table, 0, table.number, "again", here)
    taking_back.take_back(table, 1, table.number, "another", here)
    assert table.plan() == Plan(1030.0, "bot"), "bots wait once for each step"


def test_so_much_is_taken_back_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """A log that only grows is read again when the table wakes up."""
    monkeypatch.setattr(taking_back, "MOST_TAKEN_BACK", 0)
    table, _ = asking(3)
    with pytest.raises(Refusal, match="nothing is taken back"):
        taking_back.take_back(table, 0, table.number, "back", {0, 1})
