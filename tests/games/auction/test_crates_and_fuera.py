"""The Auction: new crates and the moment for Fuera, A10 to A15."""

import pytest

from auction_kit import auction, draw_cards, draw_crates, end, next_turn, with_sack
from caramba.games.contract import CHANCE
from caramba.games.errors import IllegalAction
from caramba.match.match import Match
from kit import play


def one_good_each() -> Match:
    """Turn 1: seat 0 takes gold 3, seat 1 ammunition 2, seat 2 dynamite 2; all may stash."""
    won = ("bid g7 g", "bid a7 a", "bid d7 d", "pass", "pass", "pass", "pass")
    return play(auction(), *won)


# New crates


@pytest.mark.rule("A10")
@pytest.mark.parametrize("drawn", ["g2 a2 d4", "g2 a2 g3 d4", "d4 d4 g2 g2 g3 a2"])
def test_crates_are_drawn_one_at_a_time_until_all_three_goods_are_there(drawn: str) -> None:
    match = with_sack(2, "g2 g2 g3 a2 a2 d4 d4")
    for crate in drawn.split():
        assert match.actor == CHANCE
        match.play(f"crate {crate}")
    assert match.view(0).phase == "bids"
    assert sorted(match.view(0).centre) == sorted(drawn.split())
    assert len(match.view(0).sack) == 7 - len(drawn.split())


@pytest.mark.rule("A10")
def test_every_crate_in_the_sack_has_the_same_chance() -> None:
    match = with_sack(2, "g2 g2 g3 a2 d4")
    assert match.chances() == {"crate g2": 2, "crate g3": 1, "crate a2": 1, "crate d4": 1}
    match.play("crate g2")
    assert match.chances() == {"crate g2": 1, "crate g3": 1, "crate a2": 1, "crate d4": 1}


@pytest.mark.rule("A11")
def test_a_crate_in_play_represents_its_good() -> None:
    match = draw_cards(play(one_good_each(), "keep", "stash a2", "stash d2"))
    play(match, "crate d3", "crate d3")
    assert match.actor == CHANCE
    match.play("crate a3")
    assert match.actor != CHANCE
    assert match.view(0).centre == ("a3", "d3", "d3")


@pytest.mark.rule("A11")
def test_a_crate_left_in_the_centre_represents_its_good() -> None:
    match = auction(crates="g3 a2 d2")
    draw_cards(play(match, "bid g7 g", "pass", "pass", "pass", "pass", "stash g3"))
    assert match.view(0).centre == ("a2", "d2")
    play(match, "crate a4")
    assert match.actor == CHANCE
    play(match, "crate g2")
    assert match.view(0).centre == ("g2", "a2", "a4", "d2")
    assert match.view(0).phase == "bids"


@pytest.mark.rule("A11")
def test_a_stashed_crate_does_not_represent_its_good() -> None:
    match = draw_cards(play(one_good_each(), "stash g3", "keep", "keep"))
    assert match.actor == CHANCE
    match.play("crate g3")
    assert match.actor != CHANCE


@pytest.mark.rule("A12")
def test_nothing_is_drawn_when_all_three_goods_are_represented() -> None:
    match = one_good_each()
    sack = match.view(0).sack
    draw_cards(play(match, "keep", "keep", "keep"))
    assert match.view(0).turn == 2
    assert match.view(0).phase == "fuera"
    assert match.view(0).sack == sack
    assert match.view(0).centre == ()


@pytest.mark.rule("A13")
def test_the_game_ends_at_once_when_the_sack_cannot_provide_a_good() -> None:
    match = with_sack(2, "g2 a2 g3")
    play(match, "crate g2", "crate a2", "crate g3")
    assert match.actor is None
    assert end(match) == "sack"
    assert not any(who is not None for who, _ in match.steps)


@pytest.mark.rule("A13")
def test_the_game_goes_on_when_the_last_crate_brings_the_last_good() -> None:
    match = with_sack(2, "g2 a2 d3")
    play(match, "crate g2", "crate a2", "crate d3")
    assert match.view(0).sack == ()
    assert end(match) is None
    assert match.actor == 0


@pytest.mark.rule("A13")
def test_an_empty_sack_ends_the_game_before_the_bids_of_a_later_turn() -> None:
    match = with_sack(2, "g2 a2 d3 a3")
    play(match, "crate g2", "crate a2", "crate d3", "bid g7 g", "pass", "pass", "stash g2")
    play(draw_cards(match), "crate a3")
    assert end(match) == "sack"
    assert set(match.view(0).centre) == {"a2", "a3", "d3"}
    with pytest.raises(IllegalAction, match="the game is over"):
        match.play("bid a7 a")


@pytest.mark.rule("A13")
@pytest.mark.rule("A12")
def test_an_empty_sack_ends_nothing_while_all_goods_are_represented() -> None:
    match = with_sack(2, "g2 a2 d3")
    play(match, "crate g2", "crate a2", "crate d3", "bid g7 g", "pass", "pass", "keep")
    assert draw_cards(match).view(0).turn == 2
    assert end(match) is None


# Just before the bids


@pytest.mark.rule("A14")
def test_fuera_names_a_good_of_which_its_holder_has_crates_in_play() -> None:
    match = auction(2, specials=("fuera", "manos"))
    play(match, "bid g7 g", "pass", "bid d7 d", "pass")
    assert next_turn(match).actor == 0
    assert match.legal() == ["hold", "fuera g", "fuera d"]
    with pytest.raises(IllegalAction, match=r"none of the ammunition.*A14"):
        match.play("fuera a")
    match.play("fuera d")
    lots = match.view(1).bands[0].lots
    assert [good for good in "gad" if lots[good].protected] == ["d"]


@pytest.mark.rule("A14")
def test_fuera_is_its_holders_alone() -> None:
    match = auction(2, specials=("manos", "fuera"))
    next_turn(play(match, "bid g7 g", "pass", "pass"))
    with pytest.raises(IllegalAction, match=r"do not hold Fuera.*A14"):
        match.play("fuera g")


@pytest.mark.rule("A14")
def test_fuera_cannot_be_played_once_the_bids_have_begun_nor_after_them() -> None:
    match = auction(2, specials=("fuera", "manos"))
    next_turn(play(match, "bid g7 g", "pass", "pass"))
    play(match, "hold", "bid a7 a")
    with pytest.raises(IllegalAction, match=r"not for this moment.*A14"):
        match.play("fuera g")
    play(match, "pass", "pass", "keep")
    with pytest.raises(IllegalAction, match=r"not for this moment.*A14"):
        match.play("fuera g")


@pytest.mark.rule("A14")
def test_who_holds_may_play_fuera_in_a_later_turn() -> None:
    match = auction(2, specials=("fuera", "manos"))
    next_turn(play(match, "bid g7 g", "pass", "pass"))
    next_turn(play(match, "hold", "bid a7 a", "pass"))
    assert match.view(0).turn == 3
    assert "fuera g" in match.legal()


@pytest.mark.rule("A15")
def test_players_with_crates_are_asked_in_seat_order_from_the_first_player() -> None:
    match = next_turn(one_good_each())
    asked = []
    while match.view(0).phase == "fuera":
        asked.append(match.actor)
        match.play("hold")
    assert match.view(0).first == 1
    assert asked == [1, 2, 0]
    assert match.actor == 1


@pytest.mark.rule("A15")
@pytest.mark.parametrize("special", ["manos", "vuelta", "seguridad"])
def test_a_player_with_another_special_card_is_asked_and_can_only_hold(special: str) -> None:
    match = auction(3, specials=(special, *{"manos", "vuelta", "fuera"} - {special}))
    next_turn(play(match, "bid g7 g", "pass", "pass", "pass"))
    assert match.actor == 0
    assert match.legal() == ["hold"]


@pytest.mark.rule("A15")
def test_players_are_asked_even_if_fuera_was_set_aside() -> None:
    match = auction(2, specials=("manos", "vuelta"))
    next_turn(play(match, "bid g7 g", "pass", "pass"))
    assert match.view(0).phase == "fuera"


@pytest.mark.rule("A15")
def test_nobody_is_asked_without_crates_in_play() -> None:
    match = auction(2, specials=("fuera", "manos"))
    assert match.view(0).phase == "bids"
    draw_cards(play(match, "bid g7 g", "pass", "pass", "stash g3"))
    assert draw_crates(match, "g2").view(0).phase == "bids"


@pytest.mark.rule("A15")
def test_a_player_whose_special_card_is_played_is_not_asked() -> None:
    match = auction(2, specials=("seguridad", "fuera"))
    play(match, "bid g7 g", "pass", "pass", "seguridad", "done")
    assert next_turn(match).view(0).phase == "bids"
    assert match.view(0).bands[0].lots["g"].crates == ("g3",)


@pytest.mark.rule("A15")
def test_nobody_is_asked_any_more_once_fuera_has_been_played() -> None:
    match = auction(4, specials=("manos", "fuera", "vuelta", "seguridad"))
    won = ("bid g7 g", "bid a7 a", "bid d7 d", "pass", "pass", "pass", "pass")
    next_turn(play(match, *won))
    play(match, "fuera a")
    assert (match.view(0).phase, match.actor) == ("bids", 1)
    next_turn(play(match, "bid g3a4 g"))
    assert (match.view(0).phase, match.view(0).turn) == ("bids", 3)
