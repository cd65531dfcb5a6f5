"""The Auction: stash and draw, A29, A30 and A32 to A34."""

from typing import Any

import pytest

from auction_kit import all_pass, auction, draw_cards, draw_crates, next_turn, say_no
from caramba.games.contract import CHANCE, SPECTATOR, UNKNOWN
from caramba.games.errors import IllegalAction
from caramba.match.match import Match
from kit import play

FIVE = ["g7", "a7", "d7", "g2a5", "a3d4"]
SIX = [*FIVE, "g3d4"]


def gold_won(players: int = 2, **options: Any) -> Match:
    """Seat 0 has just won gold 3 with g7 and is asked for the stash."""
    return all_pass(play(auction(players, specials=("manos", "fuera"), **options), "bid g7 g"))


def rebuilt(match: Match) -> list[int | None]:
    """Whose piles have been rebuilt so far."""
    return [event.seat for _, event in match.events(SPECTATOR) if event.kind == "rebuilt"]


# Stash


@pytest.mark.rule("A29")
def test_a_player_may_stash_one_crate_of_any_good_or_keep_all() -> None:
    match = auction(2, crates="g3 g4 a2 d2")
    play(match, "bid g7 g", "pass", "bid d7 d", "pass")
    assert set(match.legal()) == {"keep", "stash g3", "stash g4", "stash d2"}
    match.play("stash g3")
    assert match.actor == CHANCE
    band = match.view(0).bands[0]
    assert band.stash == ("g3",)
    assert (band.lots["g"].crates, band.lots["d"].crates) == (("g4",), ("d2",))


@pytest.mark.rule("A29")
def test_stashing_is_not_mandatory() -> None:
    match = play(gold_won(), "keep")
    assert match.view(0).bands[0].stash == ()
    assert match.view(0).bands[0].lots["g"].crates == ("g3",)
    assert match.view(0).phase == "draw"


@pytest.mark.rule("A29")
def test_a_crate_won_earlier_may_be_stashed_too() -> None:
    match = next_turn(gold_won())
    all_pass(play(match, "hold", "bid a7 a"))
    assert match.actor == 1
    match.play("keep")
    assert match.actor == 0
    assert "stash g3" in match.legal()


@pytest.mark.rule("A29")
def test_a_stashed_crate_is_safe_for_good() -> None:
    match = draw_cards(play(gold_won(), "stash g3"))
    draw_crates(match, "g2")
    next_turn(play(match, "bid g7 g"))
    assert match.view(0).bands[0].stash == ("g3",)
    assert match.view(0).bands[1].lots["g"].crates == ("g2",)


@pytest.mark.rule("A29")
@pytest.mark.parametrize("crate", ["a2", "g2"])
def test_only_an_own_crate_in_play_can_be_stashed(crate: str) -> None:
    with pytest.raises(IllegalAction, match=rf"no crate {crate} in play.*A29"):
        gold_won().play(f"stash {crate}")


@pytest.mark.rule("A29")
@pytest.mark.parametrize("step", ["stash g3", "keep"])
def test_crates_are_stashed_in_the_stash_phase_only(step: str) -> None:
    with pytest.raises(IllegalAction, match=r"not for this moment.*A29"):
        auction().play(step)


@pytest.mark.rule("A30")
def test_players_with_crates_decide_in_seat_order_from_the_first_player() -> None:
    match = auction(4, first=2)
    play(match, "bid g7 g", "pass", "bid a7 a", "bid d7 d", "pass", "pass", "pass")
    asked = []
    while match.actor != CHANCE:
        asked.append(match.actor)
        match.play("keep")
    assert asked == [2, 0, 1]


@pytest.mark.rule("A30")
def test_the_table_shows_others_only_the_number_of_stashed_crates() -> None:
    match = play(gold_won(), "stash g3")
    assert match.view(0).bands[0].stash == ("g3",)
    assert match.view(0).bands[0].points == 3
    for seat in (1, SPECTATOR):
        assert match.view(seat).bands[0].stash == (UNKNOWN,)
        assert match.view(seat).bands[0].points is None


@pytest.mark.rule("A30")
def test_the_log_tells_everybody_which_crate_was_turned_over() -> None:
    match = play(gold_won(), "stash g3")
    for seat in (0, 1, SPECTATOR):
        *_, (_, event) = match.events(seat)
        assert (event.kind, event.seat, event.facts["crate"]) == ("stash", 0, "g3")


# Draw


@pytest.mark.rule("A32")
@pytest.mark.parametrize(
    ("players", "seats"),
    [(2, [1, 1, 0, 0]), (3, [1, 1, 2, 2, 0, 0]), (4, [1, 1, 2, 2, 3, 3, 0, 0])],
)
def test_each_draws_two_in_seat_order_from_the_first(players: int, seats: list[int]) -> None:
    match = say_no(play(auction(players, first=1), "bid g7 g"))
    before = len(match.steps)
    draw_cards(match)
    assert [int(text.split()[1]) for _, text in match.steps[before:]] == seats
    sizes = [(len(band.hand), band.pile) for band in match.view(0).bands]
    assert sizes == [(5 if seat == 1 else 6, 9) for seat in range(players)]


@pytest.mark.rule("A32")
def test_cards_are_drawn_from_the_own_pile_not_from_hand_or_discards() -> None:
    match = play(gold_won(deck=SIX), "keep")
    assert match.chances() == {"deal 0 a3d4": 1, "deal 0 g3d4": 1}


@pytest.mark.rule("A32")
def test_a_pile_exhausted_midway_is_rebuilt_from_the_own_discards() -> None:
    match = auction(2, specials=("manos", "fuera"), deck=FIVE)
    play(match, "bid g7 g", "bid a7 a", "pass", "pass", "keep", "keep", "deal 0 a3d4")
    assert rebuilt(match) == [0]
    assert match.chances() == {"deal 0 g7": 1}
    match.play("deal 0 g7")
    assert set(match.view(0).bands[0].hand) == set(FIVE)
    assert [band.discards for band in match.view(0).bands] == [(), ("a7",)]


@pytest.mark.rule("A32")
def test_with_pile_and_discards_empty_fewer_cards_are_drawn() -> None:
    match = draw_cards(play(gold_won(deck=FIVE), "keep"))
    assert [text for _, text in match.steps][-3:] == ["deal 0 a3d4", "deal 0 g7", "deal 1 a3d4"]
    assert len(match.view(1).bands[1].hand) == 5
    assert rebuilt(match) == [0]


@pytest.mark.rule("A32")
def test_a_pile_emptied_by_the_last_card_due_is_rebuilt_at_once() -> None:
    match = play(gold_won(deck=SIX), "keep", "deal 0 a3d4")
    assert rebuilt(match) == []
    match.play("deal 0 g3d4")
    assert rebuilt(match) == [0]
    assert match.view(1).bands[0].discards == ()
    assert match.view(1).bands[0].pile == 1
    assert match.chances() == {"deal 1 a3d4": 1, "deal 1 g3d4": 1}


@pytest.mark.rule("A32")
def test_a_pile_found_empty_is_rebuilt_when_its_owner_next_draws() -> None:
    match = gold_won(deck=FIVE[:4])
    assert match.view(0).bands[0].pile == 0
    match.play("keep")
    assert rebuilt(match) == [0]
    assert match.chances() == {"deal 0 g7": 1}
    match.play("deal 0 g7")
    assert match.view(0).turn == 2


@pytest.mark.rule("A32")
def test_everybody_knows_a_hand_when_its_pile_runs_out() -> None:
    match = play(gold_won(deck=SIX), "keep", "deal 0 a3d4")
    assert set(match.view(1).bands[0].hand) == {UNKNOWN}
    match.play("deal 0 g3d4")
    assert set(match.view(1).bands[0].hand) == set(SIX) - {"g7"}


@pytest.mark.rule("A32")
@pytest.mark.parametrize("cards", [1, 4])
def test_everybody_knows_a_hand_that_took_the_whole_deck_at_setup(cards: int) -> None:
    match = auction(2, deck=FIVE[:cards])
    for seat in (0, 1, SPECTATOR):
        assert [band.hand for band in match.view(seat).bands] == [tuple(FIVE[:cards])] * 2


@pytest.mark.rule("A32")
def test_a_card_drawn_after_a_rebuild_is_unknown_until_the_new_pile_runs_out() -> None:
    match = auction(2, specials=("manos", "fuera"), deck=FIVE)
    play(match, "bid g7 g", "pass", "bid a7 a", "pass", "keep", "deal 0 a3d4")
    assert match.chances() == {"deal 0 g7": 1, "deal 0 a7": 1}
    match.play("deal 0 g7")
    assert match.view(1).bands[0].hand == ("d7", "g2a5", "a3d4", UNKNOWN)


@pytest.mark.rule("A33")
def test_there_is_no_hand_limit() -> None:
    match = auction(2)
    for size in (6, 8, 10, 12, 14, 15):
        next_turn(play(match, "bid g7 g", "bid g7 g"))
        assert [len(match.view(seat).bands[seat].hand) for seat in (0, 1)] == [size, size]


@pytest.mark.rule("A34")
@pytest.mark.parametrize(("players", "firsts"), [(2, [0, 1, 0]), (3, [2, 0, 1]), (4, [3, 0, 1])])
def test_the_player_to_the_left_becomes_first_player(players: int, firsts: list[int]) -> None:
    match = auction(players, first=players - 1 if players > 2 else 0)
    for turn, first in enumerate(firsts, start=1):
        assert (match.view(0).turn, match.view(0).first, match.actor) == (turn, first, first)
        next_turn(play(match, *["bid g7 g"] * players))
    told = [(e.facts["turn"], e.seat) for _, e in match.events(SPECTATOR) if e.kind == "turn"]
    assert told[:3] == list(enumerate(firsts, start=1))
