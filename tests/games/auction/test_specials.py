"""The Auction: the special cards, A38 to A43."""

from random import Random
from typing import Any

import pytest

from auction_kit import SPECIALS, all_pass, auction, in_play, next_turn
from caramba.games.contract import CHANCE, SPECTATOR, UNKNOWN
from caramba.games.errors import IllegalAction
from caramba.match.match import Match
from kit import play, random_step


def with_special(special: str, players: int = 2, **given: Any) -> Match:
    """At the first bid; seat 0 has this special card."""
    others = tuple(other for other in SPECIALS if other != special)
    return auction(players, specials=(special, *others), **given)


def second_turn(special: str, players: int = 2, **given: Any) -> Match:
    """Seat 0, with this special card, has gold 3 in play and g7 discarded; all may Fuera."""
    return next_turn(play(with_special(special, players, **given), "bid g7 g"))


def played(special: str) -> Match:
    """Seat 0 has just played this special card."""
    match = second_turn(special)
    if special == "fuera":
        return play(match, "fuera g")
    play(match, "hold", "bid g2a5 g")
    if special == "vuelta":
        return play(match, "vuelta g7")
    if special == "manos":
        return play(match, "bid d7 d", "pass", "manos")
    return play(match, "bid g4a3 g", "pass", "pass", "seguridad")


@pytest.mark.rule("A38")
@pytest.mark.parametrize("special", SPECIALS)
def test_a_special_card_leaves_the_game_when_it_is_played(special: str) -> None:
    match = played(special)
    for seat in (0, 1, SPECTATOR):
        assert match.view(seat).gone == (special,)
        assert match.view(seat).bands[0].special is None
        assert any(event.kind == special for _, event in match.events(seat))
    assert match.view(1).bands[1].special is not None


@pytest.mark.rule("A38")
@pytest.mark.parametrize("special", SPECIALS)
def test_a_special_card_cannot_be_played_twice(special: str) -> None:
    match, random = played(special), Random(1)
    while match.actor is not None and len(match.steps) < 150:
        if match.actor == 0:
            assert not any(step.startswith(special) for step in match.legal())
        random_step(match, random)


# Manos arriba


@pytest.mark.rule("A39")
def test_manos_arriba_ends_the_bids_at_once_and_the_loot_follows() -> None:
    match = play(with_special("manos", 3), "bid g7 g", "bid a7 a", "bid g2a5 g", "manos")
    assert match.view(0).phase == "stash"
    assert in_play(match) == [("g3",), ("a2",), ()]
    assert match.view(0).bands[0].discards == ("g7",)


@pytest.mark.rule("A39")
def test_manos_arriba_is_not_for_anyones_first_turn_of_the_bids() -> None:
    match = auction(3, specials=("fuera", "vuelta", "manos"))
    play(match, "bid g7 g", "bid a7 a")
    assert "manos" not in match.legal()
    with pytest.raises(IllegalAction, match=r"first round.*A39"):
        match.play("manos")
    play(match, "bid d7 d", "pass", "pass")
    assert "manos" in match.legal()


@pytest.mark.rule("A39")
def test_the_first_player_may_play_manos_arriba_from_the_second_round_on() -> None:
    match = with_special("manos")
    with pytest.raises(IllegalAction, match="A39"):
        match.play("manos")
    play(match, "bid g7 g", "bid a7 a")
    assert "manos" in match.legal()
    play(match, "bid d7 d", "bid d7 d")
    assert "manos" in match.legal()


@pytest.mark.rule("A39")
def test_every_turns_bids_have_a_first_round_without_manos_arriba() -> None:
    match = play(second_turn("manos"), "hold", "bid a7 a")
    with pytest.raises(IllegalAction, match=r"first round.*A39"):
        match.play("manos")
    play(match, "bid d7 d", "pass", "manos")
    assert match.view(0).phase == "stash"


@pytest.mark.rule("A39")
def test_manos_arriba_is_its_holders_and_for_the_bids_only() -> None:
    match = play(with_special("manos"), "bid g7 g", "bid a7 a", "bid d7 d")
    with pytest.raises(IllegalAction, match=r"do not hold Manos arriba.*A39"):
        match.play("manos")
    all_pass(match)
    with pytest.raises(IllegalAction, match=r"not for this moment.*A39"):
        match.play("manos")


# Estoy de vuelta


@pytest.mark.rule("A40")
def test_estoy_de_vuelta_takes_one_discard_into_hand_and_stays_in_the_bidding() -> None:
    match = play(second_turn("vuelta"), "hold", "bid d7 d", "vuelta g7")
    assert match.actor == 1
    assert "g7" in match.view(0).bands[0].hand
    assert match.view(0).bands[0].discards == ()
    play(match, "pass")
    assert match.actor == 0
    assert "bid g7 g" in match.legal()


@pytest.mark.rule("A40")
def test_estoy_de_vuelta_takes_any_one_of_the_own_discards() -> None:
    match = play(with_special("vuelta"), "bid g7 g", "bid a7 a", "bid d7 d", "pass", "pass")
    play(next_turn(match), *["hold"] * 2, "bid g7 g")
    assert {step for step in match.legal() if "vuelta" in step} == {"vuelta g7", "vuelta d7"}
    with pytest.raises(IllegalAction, match=r"no a7 in your discards.*A40"):
        match.play("vuelta a7")
    match.play("vuelta d7")
    assert match.view(0).bands[0].discards == ("g7",)


@pytest.mark.rule("A40")
def test_everybody_sees_which_card_comes_back() -> None:
    match = play(second_turn("vuelta"), "hold", "bid d7 d", "vuelta g7")
    hand = match.view(1).bands[0].hand
    assert hand == ("g7", *[UNKNOWN] * 5)


@pytest.mark.rule("A40")
def test_estoy_de_vuelta_needs_a_discard() -> None:
    match = with_special("vuelta")
    assert not any("vuelta" in step for step in match.legal())
    with pytest.raises(IllegalAction, match=r"no g7 in your discards.*A40"):
        match.play("vuelta g7")


@pytest.mark.rule("A40")
def test_estoy_de_vuelta_is_its_holders_and_for_the_bids_only() -> None:
    match = second_turn("manos")
    with pytest.raises(IllegalAction, match=r"not for this moment.*A40"):
        match.play("vuelta g7")
    play(match, "hold", "bid d7 d")
    with pytest.raises(IllegalAction, match=r"do not hold Estoy de vuelta.*A40"):
        match.play("vuelta g7")


@pytest.mark.rule("A41")
def test_a_special_card_in_hand_does_not_bring_back_who_has_passed() -> None:
    match = play(with_special("manos"), "bid g7 g", "bid a7 a", "pass", "bid d7 d")
    assert match.actor == 1


@pytest.mark.rule("A41")
@pytest.mark.parametrize("step", ["manos", "vuelta g7", "bid d7 d"])
def test_who_has_passed_plays_nothing_more_this_phase(step: str) -> None:
    match = second_turn(step.split()[0] if step != "bid d7 d" else "seguridad")
    play(match, "hold", "bid g2a5 g", "pass")
    while match.view(0).phase == "bids":
        assert match.actor == 1
        with pytest.raises(IllegalAction, match="it is the turn of Emiliano"):
            match.play(step, seat=0)
        match.play(match.legal()[-1])


# Fuera


@pytest.mark.rule("A42")
def test_protected_crates_stay_when_a_rival_wins_and_the_centre_does_not() -> None:
    match = with_special("fuera", crates="g3 a2 d2")
    play(match, "bid g7 g", "bid a7 a", "pass", "pass", "keep", "stash a2")
    all_pass(play(next_turn(match, "g4 a3"), "fuera g", "bid g7 g"))
    assert in_play(match) == [("g3",), ("g4",)]
    won = [event.facts["crates"] for _, event in match.events(1) if event.kind == "won"]
    assert won[-1] == ["g4"]


@pytest.mark.rule("A42")
@pytest.mark.rule("A28")
def test_protected_crates_stay_in_a_tie() -> None:
    match = second_turn("fuera", hands={1: "g3a4 g7"})
    play(match, "fuera g", "bid g7 g", "bid g4a3 g")
    all_pass(match)
    assert in_play(match) == [("g3",), ()]
    assert match.view(0).centre == ("a2", "d2")
    assert match.view(0).bands[1].discards == ()
    facts = [event.facts for _, event in match.events(1) if event.kind == "tie"][-1]
    assert (facts["seats"], facts["crates"]) == ([0, 1], [])


@pytest.mark.rule("A42")
def test_an_owner_who_wins_keeps_the_protected_crates_and_takes_the_others() -> None:
    match = with_special("fuera", crates="g3 a2 d2")
    play(match, "bid g7 g", "bid a7 a", "pass", "pass", "keep", "stash a2")
    play(next_turn(match, "g4 a3"), "fuera g", "bid g2a5 g", "bid g4a3 g")
    assert in_play(all_pass(match)) == [("g3", "g4"), ()]


@pytest.mark.rule("A42")
def test_protected_crates_still_give_their_bonus() -> None:
    match = play(second_turn("fuera"), "fuera g", "bid g7 g")
    lot = match.view(1).bands[0].lots["g"]
    assert (lot.protected, lot.bonus, lot.total) == (True, 3, 3)


@pytest.mark.rule("A42")
@pytest.mark.parametrize(
    ("answer", "ammunition"), [("pass", [("g3",), ("a2",)]), ("bid g2a5 a", [("g3",), ()])]
)
def test_only_the_named_good_is_protected(answer: str, ammunition: list[Any]) -> None:
    match = play(with_special("fuera"), "bid g7 g", "pass", "bid a7 a", "pass")
    play(next_turn(match), "fuera g", "bid a7 a", answer)
    all_pass(match)
    assert in_play(match) == ammunition


@pytest.mark.rule("A42")
def test_a_rivals_crates_are_not_protected() -> None:
    match = next_turn(play(with_special("fuera"), "bid g7 g", "bid a7 a"))
    play(match, "hold", "fuera g")
    lots = [(seat, good) for seat in (0, 1) for good in "gad"]
    shielded = [lot for lot in lots if match.view(1).bands[lot[0]].lots[lot[1]].protected]
    assert shielded == [(0, "g")]
    all_pass(play(match, "bid d7 d", "bid g2a5 a"))
    assert in_play(match) == [("g3", "a2"), ("d2",)]


@pytest.mark.rule("A42")
def test_the_protection_ends_with_the_loot_phase() -> None:
    match = play(second_turn("fuera"), "fuera g", "bid a7 a")
    all_pass(match)
    assert not match.view(0).bands[0].lots["g"].protected
    next_turn(match)
    all_pass(play(match, "bid d7 d", "bid g7 g"))
    assert in_play(match)[1] == ("g3", "a2")


# En seguridad


def three_crates(*, special: str = "seguridad", crates: str = "g4 g2 a3 d2") -> Match:
    """Seat 0 has won everything and is asked for the stash."""
    match = with_special(special, crates=crates)
    return play(match, "bid g7 g", "pass", "bid a7 a", "bid d7 d", "pass")


@pytest.mark.rule("A43")
def test_en_seguridad_stashes_mixed_crates_of_six_in_all() -> None:
    match = play(three_crates(), "seguridad", "stash g4")
    assert match.view(0).safe_left == 2
    assert match.legal() == ["done", "stash g2", "stash d2"]
    with pytest.raises(IllegalAction, match=r"only 2 more in value.*A43"):
        match.play("stash a3")
    play(match, "stash d2")
    assert match.points == [6, 0]
    assert match.legal() == ["done"]


@pytest.mark.rule("A43")
def test_en_seguridad_stashes_any_number_of_crates() -> None:
    match = play(three_crates(crates="g2 g2 a2 d2"), "seguridad", *["stash g2"] * 2, "stash a2")
    assert match.legal() == ["done"]
    assert match.points == [6, 0]
    assert in_play(match)[0] == ("d2",)


@pytest.mark.rule("A43")
def test_done_is_always_a_step_even_with_nothing_left_to_stash() -> None:
    match = all_pass(play(with_special("seguridad"), "bid g7 g"))
    play(match, "seguridad", "stash g3")
    assert match.actor == 0
    assert match.legal() == ["done"]
    match.play("done")
    assert match.actor == CHANCE


@pytest.mark.rule("A43")
def test_en_seguridad_may_be_closed_at_any_time() -> None:
    match = play(three_crates(), "seguridad", "done")
    assert match.points == [0, 0]
    assert match.view(0).phase == "draw"


@pytest.mark.rule("A43")
def test_en_seguridad_takes_the_place_of_the_single_crate() -> None:
    assert play(three_crates(), "stash g4").actor == CHANCE
    match = play(three_crates(), "seguridad", "stash g2")
    with pytest.raises(IllegalAction, match="A29"):
        match.play("keep")
    assert play(match, "done").actor == CHANCE


@pytest.mark.rule("A43")
def test_others_are_asked_after_en_seguridad() -> None:
    match = play(with_special("seguridad"), "bid g7 g", "bid a7 a", "pass", "pass")
    play(match, "seguridad", "stash g3", "done")
    assert match.actor == 1
    assert match.legal() == ["keep", "stash a2"]


@pytest.mark.rule("A43")
def test_en_seguridad_is_its_holders_and_for_the_stash_only() -> None:
    with pytest.raises(IllegalAction, match=r"not for this moment.*A43"):
        with_special("seguridad").play("seguridad")
    match = three_crates(special="manos")
    for step in ("seguridad", "done"):
        with pytest.raises(IllegalAction, match="A43"):
            match.play(step)


@pytest.mark.rule("A43")
@pytest.mark.rule("A29")
def test_only_players_with_crates_in_play_are_asked_for_the_stash() -> None:
    match = auction(2, specials=("manos", "seguridad"))
    all_pass(play(match, "bid g7 g"))
    assert match.actor == 0
    assert play(match, "keep").actor == CHANCE
