"""The Auction: the end, A35 to A37 (and how the sack leads there, A13)."""

from typing import Any

import pytest

from auction_kit import all_pass, auction, draw_cards, end, say_no, whole_sack
from caramba.games.contract import SPECTATOR, UNKNOWN
from caramba.games.errors import IllegalAction, InvalidSetup
from caramba.match.match import Match
from kit import play, random_match


def hand_sizes(match: Match) -> list[int]:
    """How many bid cards each player has in hand."""
    return [len(band.hand) for band in match.view(SPECTATOR).bands]


# Points


@pytest.mark.rule("A35")
def test_points_are_the_values_of_stashed_crates_whatever_the_good() -> None:
    match = whole_sack(2, "g4 a3 d2")
    play(match, "bid g7 g", "bid a7 a", "pass", "bid d7 d", "pass", "stash g4", "stash a3")
    assert match.points == [4, 3]
    draw_cards(match)
    assert match.result is not None
    assert match.result.points == (4, 3)
    assert match.winners == [0]


@pytest.mark.rule("A35")
def test_crates_in_the_centre_and_in_play_count_nothing() -> None:
    match = auction(2, crates="g4 g3 a4 d4", max_turns=1)
    play(match, "bid g7 g", "pass", "bid a7 a", "pass", "stash g3")
    draw_cards(match)
    assert match.points == [3, 0]
    assert match.view(0).centre == ("d4",)
    assert match.view(0).bands[0].lots["a"].crates == ("a4",)


@pytest.mark.rule("A35")
def test_at_the_end_the_stashes_are_turned_up() -> None:
    match = whole_sack(2, "g4 a3 d2")
    play(match, "bid g7 g", "pass", "pass", "stash g4")
    assert match.view(1).bands[0].stash == (UNKNOWN,)
    draw_cards(match)
    assert match.actor is None
    assert match.view(1).bands[0].stash == ("g4",)
    assert match.view(1).bands[0].points == 4


@pytest.mark.rule("A35")
def test_points_add_up_over_the_turns() -> None:
    for seed in range(5):
        match = random_match("auction", 3, seed)
        stashed = [
            sum(int(text[-1]) for who, text in match.steps if who == seat and "stash" in text)
            for seat in range(3)
        ]
        assert match.points == stashed


# The winner


@pytest.mark.rule("A36")
def test_most_points_win_whoever_has_more_cards() -> None:
    match = whole_sack(2, "g4 a3 d2")
    play(match, "bid g7 g", "bid a7 a", "bid g2a5 g", "pass", "pass", "stash g4", "stash a3")
    draw_cards(match)
    assert hand_sizes(match) == [4, 5]
    assert match.winners == [0]


@pytest.mark.rule("A36")
def test_a_tie_goes_to_the_most_bid_cards_in_hand() -> None:
    match = whole_sack(2, "g3 a3 d2")
    play(match, "bid g7 g", "bid a7 a", "bid g2a5 g", "pass", "pass", "stash g3", "stash a3")
    draw_cards(match)
    assert match.points == [3, 3]
    assert hand_sizes(match) == [4, 5]
    assert match.winners == [1]


@pytest.mark.rule("A36")
def test_more_cards_do_not_help_who_has_fewer_points() -> None:
    match = whole_sack(3, "g3 a3 d2")
    play(match, "bid g7 g", "bid a7 a", "pass", "bid g2a5 g", "pass", "pass")
    draw_cards(play(match, "stash g3", "stash a3"))
    assert hand_sizes(match) == [4, 5, 6]
    assert match.winners == [1]


@pytest.mark.rule("A36")
def test_still_tied_players_win_together() -> None:
    match = whole_sack(4, "g3 a3 d2")
    play(match, "bid g7 g", "pass", "bid a7 a", "pass", "pass", "pass", "stash g3", "stash a3")
    draw_cards(match)
    assert match.points == [3, 0, 3, 0]
    assert hand_sizes(match) == [5, 6, 5, 6]
    assert match.winners == [0, 2]


@pytest.mark.rule("A36")
def test_there_is_no_winner_while_the_game_goes_on() -> None:
    match = play(auction(2), "bid g7 g", "pass", "pass", "stash g3")
    assert match.points == [3, 0]
    assert end(match) is None
    assert match.winners == []


# The last turn


@pytest.mark.rule("A37")
def test_the_game_ends_after_the_draw_phase_of_the_last_turn() -> None:
    match = auction(2, max_turns=2)
    draw_cards(play(match, "bid g7 g", "bid g7 g", "pass", "pass"))
    assert match.view(0).turn == 2
    say_no(play(match, "bid g7 g", "bid g7 g"))
    assert match.view(0).phase == "draw"
    assert end(match) is None
    draw_cards(match)
    assert match.actor is None
    assert end(match) == "turns"
    assert hand_sizes(match) == [8, 8]


@pytest.mark.rule("A37")
def test_a_game_has_sixty_turns_at_most_unless_told_otherwise() -> None:
    match = auction(2)
    turns = []
    while match.actor is not None:
        turns.append(match.view(0).turn)
        draw_cards(all_pass(play(match, "bid g7 g", "bid g7 g")))
    assert turns == list(range(1, 61))
    assert end(match) == "turns"


@pytest.mark.rule("A37")
@pytest.mark.rule("A13")
def test_the_sack_may_end_the_game_before_the_last_turn() -> None:
    match = play(whole_sack(2, "g3 a3 d2"), "bid g7 g", "pass", "pass", "stash g3")
    *_, (_, event) = draw_cards(match).events(SPECTATOR)
    assert (event.kind, event.facts["end"]) == ("over", "sack")
    assert end(match) == "sack"


@pytest.mark.rule("A37")
@pytest.mark.parametrize("max_turns", [0, -1, 10_001, True, "5", 2.0, None])
def test_a_last_turn_that_makes_no_sense_is_refused(max_turns: Any) -> None:
    with pytest.raises(InvalidSetup, match="option max_turns"):
        Match("auction", players=2, options={"max_turns": max_turns})


@pytest.mark.rule("A37")
def test_nothing_can_be_played_after_the_end() -> None:
    match = auction(2, max_turns=1)
    draw_cards(say_no(play(match, "bid g7 g")))
    assert match.legal() == []
    assert match.chances() == {}
    with pytest.raises(IllegalAction, match="the game is over"):
        match.play("bid a7 a")
