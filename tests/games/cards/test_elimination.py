"""The Cards: elimination, C24."""

from typing import Any

import pytest

from caramba.games.contract import SPECTATOR
from caramba.match.match import Match
from cards_kit import (
    any_turn,
    called,
    deal,
    end,
    hand,
    one_lap,
    table,
    takes,
    told,
    turn,
)

HUNDRED = {"elimination": True, "penalty": 100}
"""A failed call puts one out."""
TEN = {"elimination": True, "end_score": 9, "drop_to": 0}
"""Ten points put one out."""


def out(match: Match) -> list[int]:
    """Who is out of the game."""
    return [seat for seat, player in enumerate(table(match).players) if player.out]


def seats_in_turn(match: Match, many: int) -> list[int | None]:
    """Whose turn it is, from now on."""
    seats = []
    for _ in range(many):
        seats.append(match.actor)
        any_turn(match)
    return seats


def last_told(match: Match) -> list[tuple[str, int | None, dict[str, Any]]]:
    """All that the table was told of the last step."""
    events = match.events(SPECTATOR, since=len(match.steps) - 1)
    return [(event.kind, event.seat, dict(event.facts)) for _, event in events]


@pytest.mark.rule("C24")
def test_who_is_above_the_end_score_is_out_and_the_game_goes_on() -> None:
    match = called(3, "7s | 7h | Ks", **HUNDRED)
    assert end(match) is None
    assert out(match) == [0]
    assert match.points == [107, 0, 0]
    assert called(3, "7s | 7h | Ks", penalty=100).result


@pytest.mark.rule("C24")
@pytest.mark.parametrize(("end_score", "gone"), [(19, [1, 2]), (20, [1]), (21, [1]), (30, [])])
def test_above_means_above(end_score: int, gone: list[int]) -> None:
    hands = "1s | Ks Kh Kd | Qs Qh | 9s"
    match = called(4, hands, elimination=True, end_score=end_score, drop_to=0)
    assert out(match) == gone


@pytest.mark.rule("C24")
def test_a_total_falls_before_it_is_seen_who_is_out() -> None:
    match = called(4, "7s | 7h | Ks | Kh", elimination=True, penalty=93)
    assert (match.points, out(match), end(match)) == ([75, 0, 0, 0], [], None)


@pytest.mark.rule("C24")
def test_who_is_out_gets_no_more_cards() -> None:
    match = called(3, "1s | Ks | 2s", **TEN)
    match.deal()
    assert [len(player.hand) for player in table(match).players] == [5, 0, 5]
    assert hand(match, 1) == ""
    assert table(match).pile == 46
    assert [seat for seat, _ in told(match, "deal")[15:]] == [2, 0] * 5


@pytest.mark.rule("C24")
def test_who_is_out_has_no_more_turns_and_laps_are_shorter() -> None:
    match = called(4, "1s | 2s | Ks | 3s", **TEN)
    match.deal()
    assert seats_in_turn(match, 2) == [1, 3]
    assert table(match).lap == 1
    assert seats_in_turn(match, 4) == [0, 1, 3, 0]
    assert (table(match).lap, match.actor) == (3, 1)


@pytest.mark.rule("C24")
def test_after_the_first_lap_of_those_still_in_one_may_call() -> None:
    match = called(3, "1s | 2s | Ks", **TEN)
    light = "1s 1h Cs Ch Cd | 1d 1c 2s 2h Cc | "
    for _ in range(2):
        assert "caramba" not in deal(match, light).legal()
        any_turn(match)
    assert match.actor == 1
    match = called(3, "1s | 2s | Ks", **TEN)
    one_lap(match, "5s | 4s | ")
    assert (table(match).lap, match.actor) == (2, 1)
    assert "caramba" in match.legal()


@pytest.mark.rule("C24")
def test_a_deal_is_void_after_so_many_laps_of_those_still_in() -> None:
    match = called(3, "1s | 2s | Ks", max_laps=2, **TEN)
    match.deal()
    assert seats_in_turn(match, 4) == [1, 0, 1, 0]
    assert table(match).deal == 3
    assert told(match, "void") == [(None, {"laps": 2})]
    assert (match.points, out(match)) == ([0, 2, 10], [2])


@pytest.mark.rule("C24")
def test_who_is_out_does_not_begin_a_deal() -> None:
    match = called(4, "1s | Ks | 2s | 3s", max_laps=2, **TEN)
    begun = []
    for _ in range(5):
        match.deal()
        begun.append(table(match).first)
        seats_in_turn(match, 6)
    assert begun == [2, 3, 0, 2, 3]


@pytest.mark.rule("C24")
def test_if_the_beginner_is_out_the_left_neighbour_begins() -> None:
    match = called(3, "7s | 7h | Ks", **HUNDRED)
    match.deal()
    assert (table(match).first, match.actor) == (1, 1)
    match = called(4, "Ks | Kh | 8s | 7s", first=3, **TEN)
    assert (out(match), table(match).first) == ([0, 1], 2)


@pytest.mark.rule("C24")
def test_the_previous_player_is_the_one_who_had_the_turn_before() -> None:
    match = called(3, "1s | Ks | 2s", **TEN)
    deal(match, "9s 8s | | 6s 7s")
    turn(match, "6s")
    turn(match, "9s", take="6s")
    match.play("drop 7s")
    assert takes(match) == {"pile", "9s"}
    assert match.actor == 2


@pytest.mark.rule("C24")
def test_who_is_out_does_not_spoil_a_call() -> None:
    match = called(3, "1s | Ks | 2s", "7s | | 5s", **TEN)
    assert match.points == [7, 10, 2]
    assert told(match, "won") == [(0, {}), (2, {})]


@pytest.mark.rule("C24")
def test_who_is_out_does_not_score() -> None:
    match = called(4, "1s | Ks | 2s | 2h", "3s | | 1s | 4s", **TEN)
    assert match.points == [3, 10, 2, 6]
    assert [seat for seat, _ in told(match, "shown")[4:]] == [0, 2, 3]
    match = called(4, "1s | Ks | 2s | 2h", "8s | | 3s | 1s", others_score=True, penalty=4, **TEN)
    assert match.points == [8, 10, 0, 2]


@pytest.mark.rule("C24")
def test_several_can_be_out_at_once() -> None:
    match = called(4, "1s | Ks | 2s | Kh", **TEN)
    assert (out(match), end(match)) == ([1, 3], None)
    match.deal()
    assert seats_in_turn(match, 3) == [2, 0, 2]


@pytest.mark.rule("C24")
def test_the_last_one_in_wins() -> None:
    match = called(3, "1s | Ks | 9s", **TEN)
    assert (out(match), end(match)) == ([1], None)
    one_lap(match, "Ks Kh | | 1s").play("caramba")
    assert (match.points, out(match)) == ([20, 10, 0], [0, 1])
    assert (match.winners, end(match)) == ([2], "points")


@pytest.mark.rule("C24")
@pytest.mark.parametrize("players", [2, 3, 4, 5, 6, 7, 8])
def test_all_but_one_can_be_out_after_one_deal(players: int) -> None:
    hands = [f"{rank}s {rank}h {rank}d {rank}c" for rank in (1, 3, 4, 5, 6, 7, 8, 9)]
    match = called(players, " | ".join(hands[:players]), **TEN)
    assert out(match) == list(range(1, players))
    assert (match.winners, end(match)) == ([0], "points")
    less = [*hands[: players - 1], "2s 2h 2d 2c"]
    match = called(players, " | ".join(less), **TEN)
    assert out(match) == list(range(1, players - 1))
    assert end(match) is None


@pytest.mark.rule("C24")
def test_a_failed_call_can_put_out_the_caller_and_others() -> None:
    match = called(4, "7s | Ks | 2s | Kh", others_score=True, **TEN)
    assert (match.points, out(match)) == ([37, 10, 0, 10], [0, 1, 3])
    assert (match.winners, end(match)) == ([2], "points")


@pytest.mark.rule("C24")
def test_after_the_last_deal_the_lowest_of_those_still_in_win() -> None:
    match = called(4, "1s | Ks | 2s | 3s", max_deals=1, **TEN)
    assert (match.winners, end(match)) == ([0], "deals")
    match = called(4, "7s | Ks | 2s | 3s", max_deals=1, **HUNDRED)
    assert match.points == [107, 0, 0, 0]
    assert (match.winners, end(match)) == ([1, 2, 3], "deals")


@pytest.mark.rule("C24")
def test_the_last_one_in_is_a_reason_before_the_last_deal() -> None:
    match = called(3, "1s | Ks | Kh", max_deals=1, **TEN)
    assert (match.winners, end(match)) == ([0], "points")


@pytest.mark.rule("C24")
@pytest.mark.parametrize(("hands", "alone"), [("1s | Ks | Kh", True), ("1s | Ks | 2s", False)])
def test_the_table_is_told_whether_only_one_is_left(hands: str, alone: bool) -> None:
    match = called(3, hands, max_deals=1, **TEN)
    reason = {"end": "points" if alone else "deals", "alone": alone}
    assert told(match, "over") == [(None, reason)]


@pytest.mark.rule("C24")
def test_the_table_is_told_who_is_out() -> None:
    match = called(4, "1s | Ks | 9s | Kh 1h", **TEN)
    assert last_told(match)[5:] == [
        ("won", 0, {}),
        ("scores", 1, {"points": 10, "total": 10}),
        ("scores", 2, {"points": 9, "total": 9}),
        ("scores", 3, {"points": 11, "total": 11}),
        ("drops", 2, {"exactly": 9, "total": 0}),
        ("out", 1, {"total": 10}),
        ("out", 3, {"total": 11}),
        ("new_deal", 2, {"deal": 2}),
    ]
    one_lap(match, "Ks | | 1s | ").play("caramba")
    assert last_told(match)[-3:] == [
        ("scores", 0, {"points": 10, "total": 10}),
        ("out", 0, {"total": 10}),
        ("over", None, {"end": "points", "alone": True}),
    ]
    assert [seat for seat, _ in told(match, "out")] == [1, 3, 0]
