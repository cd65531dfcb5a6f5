"""The order of a fair deal: the server's fingerprint, all promises, then all shares."""

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from caramba.match.verify import verify
from server_kit import Player, Running, play_on, serving

CARDS = {"max_deals": 1, "max_laps": 2}
ANA, LUC = "a1" * 16, "b2" * 16


def fingerprint(entropy: str) -> str:
    return hashlib.sha256(bytes.fromhex(entropy)).hexdigest()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with serving(tmp_path_factory.mktemp("deal")) as running:
        yield running


@pytest.fixture
def two(server: Running) -> list[Player]:
    """Ana and Luc, who both want to mix something in."""
    made = server.make("cards", 2, mixes=True, options=CARDS)
    ana = server.player(made["table"], made["token"])
    luc = server.player(made["table"], server.sit(made["table"], mixes=True)["token"])
    return [ana, luc]


def promise(player: Player, entropy: str) -> None:
    player.say(type="promise", commitment=fingerprint(entropy))
    player.ping()


def reveal(player: Player, entropy: str) -> None:
    player.say(type="reveal", entropy=entropy)


def test_what_is_mixed_in_cannot_come_with_the_request_that_makes_the_seed(server: Running) -> None:
    body = {"game": "cards", "seats": [{"kind": "person"}] * 2, "name": "Ana", "entropy": ANA}
    assert server.post("/api/tables", body).status_code == 400


def test_the_game_begins_when_all_have_promised_and_then_revealed(two: list[Player]) -> None:
    ana, luc = two
    ana.ping()
    assert len(ana.table["commitment"]) == 64, "the server commits itself first"
    assert (ana.table["status"], ana.table["awaited"]) == ("dealing", [0, 1])
    promise(ana, ANA)
    assert ana.table["awaited"] == [1]
    promise(luc, LUC)
    assert luc.table["awaited"] == [0, 1]
    assert [seat["promise"] for seat in luc.table["seats"]] == [fingerprint(ANA), fingerprint(LUC)]
    reveal(ana, ANA)
    luc.ping()
    assert luc.table["entropy"] == [None, None], "nobody sees a share before the game begins"
    assert ANA not in "".join(luc.frames)
    reveal(luc, LUC)
    news = ana.hear("news")
    assert (news["table"]["status"], news["table"]["entropy"]) == ("playing", [ANA, LUC])


def test_the_draws_follow_from_the_seed_and_all_shares(
    server: Running, two: list[Player], tmp_path: Path
) -> None:
    ana, luc = two
    promise(ana, ANA)
    promise(luc, LUC)
    reveal(luc, LUC)
    reveal(ana, ANA)
    for player in two:
        player.hear("news")
    play_on(two)
    table = ana.table["id"]
    assert server.table(table).match.fair.entropy == (bytes.fromhex(ANA), bytes.fromhex(LUC))
    file = tmp_path / "game.jsonl"
    file.write_text(server.get(f"/api/tables/{table}/saved").text)
    verdict = verify(file)
    assert (verdict.good, verdict.fair) == (True, True)


def test_nobody_reveals_before_all_have_promised(two: list[Player]) -> None:
    """Else who sits down last, perhaps the dealer, could choose by the light of the others."""
    ana, luc = two
    promise(ana, ANA)
    reveal(ana, ANA)
    assert "before everybody has promised" in ana.hear("refused")["reason"]
    assert ANA not in "".join(luc.frames)


def test_a_share_is_the_one_that_was_promised(two: list[Player]) -> None:
    ana, luc = two
    promise(ana, ANA)
    promise(luc, LUC)
    reveal(ana, LUC)
    assert ana.hear("refused")["reason"] == "this is not what was promised"
    promise(ana, LUC)
    assert "nothing can be changed" in ana.heard[-2]["reason"]
    promise(ana, ANA)  # said again, after a lost connection
    reveal(ana, ANA)
    reveal(luc, LUC)
    assert ana.hear("news", "refused")["type"] == "news"


def test_a_promise_may_be_another_one_until_all_have_promised(two: list[Player]) -> None:
    ana, luc = two
    promise(ana, LUC)
    promise(ana, ANA)
    promise(luc, LUC)
    assert luc.table["seats"][0]["promise"] == fingerprint(ANA)


def test_who_promises_the_same_again_tells_nobody(two: list[Player]) -> None:
    for _ in range(2):
        assert two[0].ask(type="promise", commitment="ab" * 32)["type"] == "accepted"
    assert len([message for message in two[1].ping() if message["type"] == "table"]) == 1


def test_who_does_not_reveal_keeps_the_game_from_beginning_and_no_more(
    server: Running, two: list[Player]
) -> None:
    ana, luc = two
    promise(ana, ANA)
    promise(luc, LUC)
    reveal(ana, ANA)
    ana.ping()
    table = ana.table["id"]
    mine = f"/api/tables/{table}/seats/mine"
    for player in two:
        answer = server.ask("DELETE", mine, player.token)
        assert (answer.status_code, "the deal has begun" in answer.json()["reason"]) == (409, True)
    assert server.post(f"/api/tables/{table}/start", {}, ana.token).status_code == 409
    shown = server.get(f"/api/tables/{table}").json()
    assert (shown["status"], shown["awaited"]) == ("dealing", [1])


def test_who_gets_up_before_that_leaves_everybody_to_promise_anew(
    server: Running, two: list[Player]
) -> None:
    ana, luc = two
    promise(ana, ANA)
    table = ana.table["id"]
    assert server.ask("DELETE", f"/api/tables/{table}/seats/mine", luc.token).status_code == 204
    ana.ping()
    assert (ana.table["status"], ana.table["seats"][0]["promise"]) == ("open", None)
    assert ana.table["code"]
    server.sit(table, "Zoe")
    ana.ping()
    assert (ana.table["status"], ana.table["awaited"]) == ("dealing", [0])
    promise(ana, ANA)
    reveal(ana, ANA)
    assert ana.hear("news")["table"]["entropy"] == [ANA, None]


def test_those_who_mix_nothing_in_are_not_waited_for(server: Running) -> None:
    made = server.make("cards", 2, bots=1, options=CARDS)
    luc = server.sit(made["table"])
    player = server.player(made["table"], luc["token"])
    assert player.welcome["table"]["status"] == "playing"
    player.say(type="promise", commitment=fingerprint(LUC))
    assert player.hear("refused")["code"] == "illegal"


def test_a_deal_survives_a_restart(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        made = server.make("cards", 1, 1, mixes=True, options=CARDS)
        player = server.player(made["table"], made["token"])
        promise(player, ANA)
        assert player.table["awaited"] == [0]
    with serving(tmp_path) as server:
        player = server.player(made["table"], made["token"])
        assert player.welcome["table"]["seats"][0]["promise"] == fingerprint(ANA)
        reveal(player, ANA)
        assert player.hear("news")["table"]["entropy"][0] == ANA


def test_a_rematch_is_dealt_in_the_same_order(server: Running) -> None:
    table, (ana, luc) = server.full("cards", 2, options=CARDS)
    play_on(server.all_players(table, [ana, luc]))
    path = f"/api/tables/{table}/rematch"
    following = server.post(path, {"mixes": True}, ana).json()["table"]
    server.post(path, {}, luc)
    player = server.player(following, ana)
    assert player.welcome["table"]["awaited"] == [1]
    assert player.welcome["table"]["commitment"]


@pytest.mark.parametrize("entropy", ["", "zz" * 16, "00" * 15, "00" * 65, "0" * 33, LUC + "\n"])
def test_a_share_has_16_to_64_bytes_and_nothing_else(two: list[Player], entropy: str) -> None:
    ana, luc = two
    promise(ana, ANA)
    promise(luc, LUC)
    reveal(luc, entropy)
    assert luc.hear("refused")["code"] == "invalid"


def test_a_promise_is_a_fingerprint_and_nothing_else(two: list[Player]) -> None:
    two[0].say(type="promise", commitment=fingerprint(ANA) + "\n")
    assert two[0].hear("refused")["code"] == "invalid"


def test_a_deal_that_was_interrupted_after_the_last_share_is_there_whole(
    server: Running, two: list[Player], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The last share and the first cards are kept together, or not at all."""
    ana, luc = two
    promise(ana, ANA)
    promise(luc, LUC)
    reveal(ana, ANA)
    ana.ping()
    writes: list[int] = []
    honest = server.host.store.write

    async def write(*statements: Any, **more: Any) -> None:
        writes.append(len(statements))
        await honest(*statements, **more)

    monkeypatch.setattr(server.host.store, "write", write)
    reveal(luc, LUC)
    luc.hear("news")
    assert len(writes) == 1
