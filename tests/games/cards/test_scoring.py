"""The Cards: what a call brings, C13, C14, C19 and C23, and what the table is told of it."""

from typing import Any

import pytest

from caramba.games.contract import SPECTATOR
from caramba.match.match import Match
from caramba.match.story import chapters
from cards_kit import called, second_lap, table, told, turn

TENS = "10s 10h 10d 10c Js"


def last_told(match: Match) -> list[tuple[str, int | None, dict[str, Any]]]:
    """All that the table was told of the last step."""
    events = match.events(SPECTATOR, since=len(match.steps) - 1)
    return [(event.kind, event.seat, dict(event.facts)) for _, event in events]


# A call that is right


@pytest.mark.rule("C13")
def test_who_calls_with_the_fewest_scores_nothing_and_the_others_their_points() -> None:
    match = called(3, "1s 2s | 4h | 10s Kh Qd")
    assert match.points == [0, 4, 30]
    assert told(match, "won") == [(0, {})]
    assert told(match, "failed") == []


@pytest.mark.rule("C13")
def test_one_point_less_than_the_next_is_enough() -> None:
    assert called(3, "2s 5s | 8h | 9s").points == [0, 8, 9]
    assert called(3, "2s 5s | 9h | 8s").points == [0, 9, 8]


@pytest.mark.rule("C13")
@pytest.mark.parametrize("players", [2, 3, 4, 5, 6, 7, 8])
def test_all_others_score_however_many_they_are(players: int) -> None:
    hands = [f"{rank}s {rank}h {rank}d {rank}c" for rank in range(1, players + 1)]
    points = [0, 8, 12, 16, 20, 24, 28, 32]
    assert called(players, " | ".join(hands)).points == points[:players]


@pytest.mark.rule("C13")
def test_points_count_and_not_cards() -> None:
    assert called(3, "1s 1h 1d 1c Cs | Kh | 4s 4h 4d 4c").points == [0, 10, 16]
    assert called(2, f"7s | {TENS}").points == [0, 50]


@pytest.mark.rule("C13")
def test_anybody_can_be_the_one_who_calls() -> None:
    match = second_lap(4, "9s Kh | 2s 3s | 6h | 7d", first=0)
    turn(match, "9s", draw="Ks").play("caramba")
    assert match.points == [20, 0, 6, 7]
    match = second_lap(4, "9s Kh | 2s 3s | 6h | 4d", first=2)
    turn(match, "6h", draw="Ks").play("caramba")
    assert match.points == [19, 5, 10, 0]


@pytest.mark.rule("C13")
def test_a_right_call_with_less_than_nothing_brings_nothing() -> None:
    assert called(2, "Cs Ch | 1s").points == [0, 1]
    assert called(2, "Cs Ch | 1s Cd").points == [0, 0]


@pytest.mark.rule("C13")
def test_a_hand_below_0_lowers_the_total() -> None:
    hands = ("1s | Ks Kh", "3s | 1s", "Cs Ch Cd | 1h Cc")
    assert called(2, *hands).points == [3, 20]
    assert called(2, *hands[:2], "Cs Ch Cd | Cc").points == [3, 19]


@pytest.mark.rule("C13")
def test_a_total_can_be_below_0() -> None:
    match = called(2, "Cs Ch Cd | 1s Cc", "Cs | Ch Cd")
    assert match.points == [-1, 0]
    assert table(match).players[0].score == -1


@pytest.mark.rule("C13")
def test_points_add_up_from_deal_to_deal() -> None:
    hands = ("1s | 4h | 10s", "5s | 1s | 9s", "6s | 8s | 1s")
    assert called(3, *hands[:1]).points == [0, 4, 10]
    assert called(3, *hands[:2]).points == [5, 4, 19]
    assert called(3, *hands).points == [11, 12, 19]


# A call that is wrong


@pytest.mark.rule("C14")
def test_if_another_has_as_few_only_the_caller_scores_and_30_more() -> None:
    match = called(3, "2s 3s | 5h | Ks Kh")
    assert match.points == [35, 0, 0]
    assert told(match, "failed") == [(0, {})]
    assert told(match, "won") == []


@pytest.mark.rule("C14")
@pytest.mark.parametrize("hands", ["7s | 6h | Ks", "7s | Ks | 6h", "7s | 1h | 7h", "7s | 7h | 7d"])
def test_if_another_has_fewer_only_the_caller_scores(hands: str) -> None:
    assert called(3, hands).points == [37, 0, 0]


@pytest.mark.rule("C14")
def test_it_does_not_matter_where_the_lower_hand_sits() -> None:
    match = second_lap(4, "3s Kh | 7s | Ks | Kd", first=0)
    turn(match, "Kh", draw="1s").play("caramba")
    assert match.points == [0, 37, 0, 0]
    assert called(4, "Ks | 7s | Kh | 6h", first=1).points == [0, 37, 0, 0]
    assert called(4, "6h | Kd | Kh | 7s", first=3).points == [0, 0, 0, 37]


@pytest.mark.rule("C14")
def test_a_failed_call_costs_the_hand_too_even_if_it_is_below_0() -> None:
    assert called(2, "1s Cs | 1h Ch").points == [30, 0]
    assert called(2, "Cs | Ch Cd").points == [29, 0]


@pytest.mark.rule("C14")
def test_being_the_lowest_earns_nothing() -> None:
    assert called(3, "7s | 1h | Ks", "9s | 5s | Cs").points == [37, 35, 0]


# House rules


@pytest.mark.rule("C19")
@pytest.mark.parametrize(("penalty", "total"), [(0, 5), (1, 6), (29, 34), (50, 55), (1000, 1005)])
def test_another_penalty_comes_on_top_of_the_hand(penalty: int, total: int) -> None:
    assert called(2, "5s | 5h", penalty=penalty).points == [total, 0]


@pytest.mark.rule("C19")
def test_a_right_call_knows_no_penalty() -> None:
    assert called(2, "5s | 6h", penalty=500).points == [0, 6]


@pytest.mark.rule("C19")
def test_the_penalty_is_30_unless_one_chooses() -> None:
    match = Match("cards", players=2)
    assert table(match).penalty == 30
    assert Match("cards", players=2, options={"penalty": 30}).options == match.options == {}


@pytest.mark.rule("C23")
def test_when_a_call_fails_others_score_but_for_the_lowest() -> None:
    hands = "7s | 9h | 4s | Ks Kh"
    assert called(4, hands).points == [37, 0, 0, 0]
    assert called(4, hands, others_score=True).points == [37, 9, 0, 20]


@pytest.mark.rule("C23")
def test_several_can_be_the_lowest() -> None:
    assert called(4, "7s | 4h | 4s | Ks", others_score=True).points == [37, 0, 0, 10]
    assert called(4, "7s | 2h 2s | Kh | 4s", others_score=True).points == [37, 0, 10, 0]


@pytest.mark.rule("C23")
def test_the_caller_is_never_the_lowest_but_always_pays() -> None:
    assert called(3, "4h | 4s | Ks", others_score=True).points == [34, 0, 10]
    assert called(3, "4h | 4s | Ks", others_score=True, penalty=0).points == [4, 0, 10]
    assert called(2, "4h | 3s", others_score=True).points == [34, 0]


@pytest.mark.rule("C23")
def test_as_few_as_the_caller_is_not_enough_if_somebody_has_fewer() -> None:
    assert called(3, "4h | 4s | 3s", others_score=True).points == [34, 4, 0]
    assert called(3, "6h | 5s | 3s", others_score=True).points == [36, 5, 0]


@pytest.mark.rule("C23")
def test_hands_below_0_count_as_always() -> None:
    match = called(4, "Cs | Ch Cd | 2s | 1s Cc", others_score=True)
    assert match.points == [29, 0, 2, 0]
    match = called(4, "1s | 1h Cs Ch | Kh | 1d Cd Cc", others_score=True)
    assert match.points == [31, 0, 10, 0]
    match = called(3, "1s | 1h Cs Ch | 1d Cd", others_score=True)
    assert match.points == [31, 0, 0]
    assert called(3, "1s | Cs Ch | Cd", others_score=True).points == [31, 0, -1]


@pytest.mark.rule("C23")
def test_a_right_call_is_scored_as_always() -> None:
    assert called(4, "1s | 2s | 3s | 2h", others_score=True).points == [0, 2, 3, 2]


# What the table is told


@pytest.mark.rule("C13")
def test_the_table_is_told_a_right_call_in_order() -> None:
    match = second_lap(3, "Ks Kh | 1s Cs Cd | 1h Ch")
    turn(match, "Ks Kh", draw="Kd").play("caramba")
    assert last_told(match) == [
        ("caramba", 1, {"points": -1}),
        ("shown", 0, {"cards": "Kd", "points": 10}),
        ("shown", 1, {"cards": "1s Cs Cd", "points": -1}),
        ("shown", 2, {"cards": "1h Ch", "points": 0}),
        ("won", 1, {}),
        ("scores", 0, {"points": 10, "total": 10}),
        ("new_deal", 1, {"deal": 2}),
    ]


@pytest.mark.rule("C14")
def test_the_table_is_told_a_failed_call_in_order() -> None:
    assert last_told(called(3, "7s | 7h | 2s 2h", first=2)) == [
        ("caramba", 2, {"points": 4}),
        ("shown", 0, {"cards": "7s", "points": 7}),
        ("shown", 1, {"cards": "7h", "points": 7}),
        ("shown", 2, {"cards": "2s 2h", "points": 4}),
        ("won", 2, {}),
        ("scores", 0, {"points": 7, "total": 7}),
        ("scores", 1, {"points": 7, "total": 7}),
        ("new_deal", 0, {"deal": 2}),
    ]
    assert last_told(called(3, "7s | 7h | 7d", "7s | 7h | 7d"))[4:] == [
        ("failed", 1, {}),
        ("scores", 1, {"points": 37, "total": 37}),
        ("new_deal", 2, {"deal": 3}),
    ]


@pytest.mark.rule("C13")
def test_the_table_is_told_totals_that_go_down() -> None:
    match = called(3, "1s | 5s | 9s", "Kh | Cs Ch Cd | Cc")
    assert told(match, "scores")[2:] == [
        (0, {"points": 10, "total": 10}),
        (2, {"points": -1, "total": 8}),
    ]


@pytest.mark.rule("C23")
def test_the_table_is_told_what_the_others_score_on_a_failed_call() -> None:
    match = called(4, "7s | 4h | 7d | 4s", others_score=True)
    assert told(match, "failed") == [(0, {})]
    assert told(match, "scores") == [
        (0, {"points": 37, "total": 37}),
        (2, {"points": 7, "total": 7}),
    ]


@pytest.mark.rule("C23")
@pytest.mark.parametrize("others_score", [False, True])
def test_what_the_table_is_told_adds_up_to_the_totals(others_score: bool) -> None:
    deals = ("7s | 5h | 9s", "5s | 3s | Cs", "8s | 1s 2s | 2h", "Cs Ch | Kh | Cd", "8s | 5s | 6s")
    for many in range(1, len(deals) + 1):
        match = called(3, *deals[:many], others_score=others_score, end_score=1000)
        sums = [0, 0, 0]
        for seat, facts in told(match, "scores"):
            assert seat is not None
            sums[seat] += facts["points"]
            assert facts["total"] == sums[seat]
        assert sums == match.points


@pytest.mark.rule("C13")
def test_a_call_tells_everybody_the_same() -> None:
    match = called(3, "1s 2s | 4h | 10s Kh Qd")
    since = len(match.steps) - 1
    seen = [list(match.events(seat, since)) for seat in (SPECTATOR, 0, 1, 2)]
    assert seen[0] == seen[1] == seen[2] == seen[3]


def test_the_story_tells_that_a_call_failed() -> None:
    told = chapters(called(3, "2s 3s | 5h | Ks Kh"))[0]
    assert [event.kind for _, event in told.decided] == ["caramba", "failed", "scores"]
