"""The Auction: the bids, A16 to A23."""

import pytest

from auction_kit import all_pass, auction, next_turn, told
from caramba.games.contract import SPECTATOR, UNKNOWN
from caramba.games.errors import IllegalAction
from kit import play

DEALT = {"g7", "a7", "d7", "g2a5"}
"""What kit.auction gives to a hand that is not named."""


@pytest.mark.rule("A16")
@pytest.mark.parametrize(
    ("players", "order"), [(2, [1, 0, 1, 0]), (3, [1, 2, 0, 1]), (4, [1, 2, 3, 0, 1])]
)
def test_bids_go_to_the_left_from_the_first_player(players: int, order: list[int]) -> None:
    match = auction(players, first=1)
    asked = []
    for _ in order:
        asked.append(match.actor)
        match.play(match.legal()[0])
    assert asked == order


@pytest.mark.rule("A16")
def test_only_the_player_to_speak_may_bid() -> None:
    match = auction(2)
    with pytest.raises(IllegalAction, match="it is the turn of Pancho"):
        match.play("bid g7 g", seat=1)


@pytest.mark.rule("A16")
def test_a_player_may_lay_any_card_of_the_hand_or_pass() -> None:
    match = play(auction(specials=("seguridad", "fuera", "vuelta", "manos")), "bid g7 g")
    bids = {"bid g7 g", "bid a7 a", "bid d7 d", "bid g2a5 g", "bid g2a5 a"}
    assert set(match.legal()) == {"pass", *bids}


@pytest.mark.rule("A16")
@pytest.mark.parametrize("step", ["bid g7 g", "pass"])
def test_bids_are_for_the_bids_phase(step: str) -> None:
    match = all_pass(play(auction(), "bid g7 g"))
    assert match.view(0).phase == "stash"
    with pytest.raises(IllegalAction, match="A16"):
        match.play(step)


@pytest.mark.rule("A17")
@pytest.mark.parametrize(("good", "value"), [("g", 2), ("a", 5)])
def test_a_card_counts_its_value_for_the_good_it_is_bid_on(good: str, value: int) -> None:
    band = play(auction(), f"bid g2a5 {good}").view(0).bands[0]
    assert {g: band.lots[g].total for g in "gad"} == {"g": 0, "a": 0, "d": 0} | {good: value}
    assert band.lots[good].bids == ("g2a5",)
    assert set(band.hand) == DEALT - {"g2a5"}


@pytest.mark.rule("A17")
def test_a_card_cannot_be_bid_on_a_good_it_does_not_show() -> None:
    for step, good in (("bid g7 a", "ammunition"), ("bid g2a5 d", "dynamite")):
        with pytest.raises(IllegalAction, match=rf"does not show the {good}.*A17"):
            auction().play(step)


@pytest.mark.rule("A17")
def test_a_card_must_be_in_hand_so_a_bid_is_final_for_the_phase() -> None:
    match = auction(2)
    with pytest.raises(IllegalAction, match=r"no g3a4 in hand.*A17"):
        match.play("bid g3a4 g")
    play(match, "bid g2a5 g", "pass")
    with pytest.raises(IllegalAction, match=r"no g2a5 in hand.*A17"):
        match.play("bid g2a5 a")


@pytest.mark.rule("A17")
def test_a_bid_need_not_exceed_anything() -> None:
    match = play(auction(2), "bid g7 g", "bid g2a5 g")
    assert [band.lots["g"].total for band in match.view(0).bands] == [7, 2]


@pytest.mark.rule("A18")
def test_a_player_lays_one_card_at_a_time_on_several_goods_over_the_rounds() -> None:
    match = play(auction(2), "bid g7 g")
    assert match.actor == 1
    play(match, "pass", "bid a7 a", "bid g2a5 a", "bid d7 d")
    lots = match.view(1).bands[0].lots
    assert (lots["g"].bids, set(lots["a"].bids), lots["d"].bids) == (
        ("g7",),
        {"a7", "g2a5"},
        ("d7",),
    )


@pytest.mark.rule("A19")
def test_a_pass_is_final_for_the_phase() -> None:
    match = play(auction(3), "bid g7 g", "pass", "bid a7 a", "bid a7 a", "bid d7 d")
    assert match.actor == 0
    assert [band.passed for band in match.view(0).bands] == [False, True, False]
    with pytest.raises(IllegalAction, match="it is the turn of Pancho"):
        match.play("bid g7 g", seat=1)


@pytest.mark.rule("A19")
def test_who_passed_is_in_again_in_the_next_turn() -> None:
    match = next_turn(play(auction(2, specials=("manos", "fuera")), "bid g7 g"))
    play(match, "hold")
    assert match.actor == 1
    assert [band.passed for band in match.view(0).bands] == [False, False]
    play(match, "bid g7 g")
    assert match.actor == 0


@pytest.mark.rule("A20")
def test_bidding_goes_on_for_one_player_alone() -> None:
    match = play(auction(), "bid g7 g", "pass", "pass", "pass")
    for step in ("bid a7 a", "bid d7 d", "bid g2a5 a"):
        assert match.actor == 0
        match.play(step)
    assert match.view(0).phase == "bids"


@pytest.mark.rule("A20")
def test_bidding_goes_on_until_all_have_passed() -> None:
    match = auction(2)
    for step in ("bid g7 g", "bid a7 a", "bid d7 d", "bid g2a5 a"):
        play(match, step, step)
    assert match.view(0).phase == "bids"
    play(match, "pass")
    assert match.view(0).phase == "bids"
    play(match, "pass")
    assert match.view(0).phase != "bids"


@pytest.mark.rule("A21")
def test_the_first_player_may_not_pass_on_the_first_turn() -> None:
    match = auction(first=2)
    assert "pass" not in match.legal()
    with pytest.raises(IllegalAction, match="A21"):
        match.play("pass")


@pytest.mark.rule("A21")
def test_all_others_may_pass_at_once_and_the_first_player_the_second_time() -> None:
    match = play(auction(3, first=2), "bid g7 g")
    for seat in (0, 1, 2):
        assert match.actor == seat
        assert "pass" in match.legal()
        match.play("pass")


@pytest.mark.rule("A21")
def test_every_turn_the_new_first_player_must_play() -> None:
    match = next_turn(play(auction(2, specials=("manos", "fuera")), "bid g7 g"))
    play(match, "hold")
    assert match.actor == 1
    with pytest.raises(IllegalAction, match="A21"):
        match.play("pass")
    play(match, "bid g7 g")
    assert "pass" in match.legal()


@pytest.mark.rule("A21")
@pytest.mark.rule("A40")
def test_estoy_de_vuelta_counts_as_the_first_players_card() -> None:
    match = auction(2, specials=("manos", "vuelta"))
    next_turn(play(match, "bid g7 g", "bid a7 a"))
    play(match, "hold", "hold", "vuelta a7")
    assert match.actor == 0
    play(match, "pass")
    assert match.actor == 1
    assert "pass" in match.legal()


@pytest.mark.rule("A22")
def test_who_has_neither_card_nor_special_passes_without_a_step() -> None:
    match = auction(2, specials=("seguridad", "manos"), deck=["g7"])
    play(match, "bid g7 g", "pass", "pass", "seguridad", "done", "deal 0 g7")
    play(match, "bid g7 g", "bid g7 g", "pass")
    assert match.steps[-1] == (1, "pass")
    assert match.view(0).phase == "stash"
    assert told(match, "nothing_left") == [0]


@pytest.mark.rule("A22")
def test_who_has_nothing_left_is_out_while_others_bid_on() -> None:
    match = auction(2, specials=("seguridad", "manos"), deck=["g7", "a7", "d7", "g2", "a2"])
    play(match, "bid g7 g", "pass", "bid a7 a", "bid d7 d", "bid g2 g", "pass", "seguridad", "done")
    play(match, "deal 0 a2", "deal 0 g7", "deal 1 a2")
    play(match, "bid g7 g", "bid g7 g", "bid a7 a", "bid a2 a")
    assert told(match, "nothing_left") == []
    match.play("bid d7 d")
    assert match.actor == 1
    assert told(match, "nothing_left") == [0]
    assert match.view(1).bands[0].passed


@pytest.mark.rule("A22")
@pytest.mark.parametrize("special", ["manos", "vuelta", "fuera", "seguridad"])
def test_who_has_no_card_but_a_special_is_asked_whatever_it_is(special: str) -> None:
    other = "fuera" if special != "fuera" else "manos"
    match = play(auction(2, specials=(special, other), deck=["g7"]), "bid g7 g", "pass")
    assert match.actor == 0
    assert match.view(0).bands[0].hand == ()
    assert match.legal() == (["pass", "manos"] if special == "manos" else ["pass"])


@pytest.mark.rule("A23")
def test_all_bid_cards_and_their_goods_are_visible_to_all() -> None:
    match = play(auction(2), "bid g2a5 a", "bid d7 d")
    for seat in (0, 1, SPECTATOR):
        bands = match.view(seat).bands
        assert [bands[0].lots[good].bids for good in "gad"] == [(), ("g2a5",), ()]
        assert [bands[1].lots[good].bids for good in "gad"] == [(), (), ("d7",)]
        bids = [dict(event.facts) for _, event in match.events(seat) if event.kind == "bid"]
        assert bids == [{"card": "g2a5", "good": "a"}, {"card": "d7", "good": "d"}]


@pytest.mark.rule("A23")
def test_a_bid_card_taken_back_is_known_to_all_until_it_is_laid_again() -> None:
    match = play(auction(2), "bid g7 g", "bid g2a5 g", "pass", "pass")
    assert match.view(0).bands[1].hand == ("g2a5", *[UNKNOWN] * 3)
    next_turn(match)
    assert match.view(0).bands[1].hand == ("g2a5", *[UNKNOWN] * 5)
    play(match, "hold", "bid g2a5 g")
    assert match.view(0).bands[1].hand == (UNKNOWN,) * 5
