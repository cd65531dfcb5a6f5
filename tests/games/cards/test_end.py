"""The Cards: the end of a deal and of the game, C15 to C17, C20 and C21."""

from typing import Any

import numpy as np
import pytest

from caramba.games import generic
from caramba.games.contract import CHANCE, SPECTATOR
from caramba.games.errors import IllegalAction
from caramba.match.match import Match
from cards_kit import any_turn, called, dealt, end, one_lap, second_lap, table, told, turn

FIFTY = "10s 10h 10d 10c Js"
FIFTY_TOO = "Qs Qh Qd Qc Jh"
FORTY_NINE = "10s 10h 10d 10c 9s"


def last_told(match: Match) -> list[tuple[str, int | None, dict[str, Any]]]:
    """All that the table was told of the last step."""
    events = match.events(SPECTATOR, since=len(match.steps) - 1)
    return [(event.kind, event.seat, dict(event.facts)) for _, event in events]


def turns(match: Match, many: int) -> Match:
    """So many turns of no interest."""
    for _ in range(many):
        any_turn(match)
    return match


def greedy_turn(match: Match) -> str:
    """Discard the first card, and take one from the table, for all to see: this one."""
    match.play(next(step for step in match.legal() if step.startswith("drop")))
    taken = match.legal()[-1]
    match.play(taken)
    return taken.removeprefix("take ")


def void_deal(match: Match) -> Match:
    """A whole deal in which nobody calls."""
    number = table(match).deal
    match.deal()
    while table(match).deal == number and match.actor is not None:
        any_turn(match)
    return match


# Exactly 100


@pytest.mark.rule("C15")
def test_exactly_100_becomes_75() -> None:
    match = called(3, f"1s | 2s | {FIFTY}", f"2s | 1s | {FIFTY}")
    assert match.points == [2, 2, 75]
    assert end(match) is None


@pytest.mark.rule("C15")
def test_99_stays_and_101_ends_the_game() -> None:
    match = called(4, f"1s | 2s | 2h | {FIFTY}", f"2s | 1s | 2h | {FORTY_NINE}")
    assert match.points == [2, 2, 4, 99]
    one_lap(match, "3s | 4s | 1s | 2s").play("caramba")
    assert match.points == [5, 6, 4, 101]
    assert end(match) == "points"


@pytest.mark.rule("C15")
def test_a_failed_call_can_lead_to_exactly_100_too() -> None:
    none = "1s Cs | 1h Ch"
    match = called(2, "5s | 5h", "5s | 1s", none, "1s Cs | Cd", none)
    assert match.points == [75, 0]
    assert told(match, "scores")[-1] == (0, {"points": 30, "total": 100})
    assert told(match, "drops") == [(0, {"exactly": 100, "total": 75})]


@pytest.mark.rule("C15")
def test_several_totals_can_fall_at_once() -> None:
    match = called(
        4, f"1s | 2s | {FIFTY} | {FIFTY_TOO}", f"2s | 1s | {FIFTY_TOO} | {FIFTY}", first=0
    )
    assert match.points == [2, 2, 75, 75]
    fall = {"exactly": 100, "total": 75}
    assert told(match, "drops") == [(2, fall), (3, fall)]


@pytest.mark.rule("C15")
def test_a_total_can_fall_again_and_again() -> None:
    match = called(2, "1s | 5h", "5s | 1s", end_score=5, drop_to=3)
    assert match.points == [3, 3]
    one_lap(match, "1s | 2h").play("caramba")
    assert match.points == [3, 3]
    fall = {"exactly": 5, "total": 3}
    assert told(match, "drops") == [(1, fall), (0, fall), (1, fall)]


@pytest.mark.rule("C15")
def test_a_total_falls_before_it_is_seen_whether_the_game_is_over() -> None:
    options = {"end_score": 30, "drop_to": 1}
    match = called(3, "1s | 2s | 3s", "10s Kh Qh | 1s | 10h 9h 9s", **options)
    assert match.points == [1, 2, 31]
    assert match.result
    assert (match.result.end, match.result.winners) == ("points", (0,))


@pytest.mark.rule("C15")
def test_the_table_is_told_of_a_fall_after_what_led_to_it() -> None:
    match = called(3, f"1s | 2s | {FIFTY}", f"2s | 1s | {FIFTY}")
    assert last_told(match)[4:] == [
        ("won", 1, {}),
        ("scores", 0, {"points": 2, "total": 2}),
        ("scores", 2, {"points": 50, "total": 100}),
        ("drops", 2, {"exactly": 100, "total": 75}),
        ("new_deal", 2, {"deal": 3}),
    ]


# Above 100


@pytest.mark.rule("C16")
def test_the_game_is_over_above_100_and_the_lowest_total_wins() -> None:
    match = called(3, f"1s | {FORTY_NINE} | 2s", f"{FIFTY} | 1s | 2s", f"3s | {FIFTY} | 1s")
    assert match.points == [53, 99, 4]
    assert end(match) is None
    one_lap(match, "1s | 2s | 3s").play("caramba")
    assert match.result
    assert match.result.points == (53, 101, 7)
    assert match.result.winners == (2,)
    assert match.result.end == "points"


@pytest.mark.rule("C16")
def test_a_failed_call_can_end_the_game() -> None:
    match = called(2, "7s | 7h", penalty=100)
    assert match.points == [107, 0]
    assert (match.winners, end(match)) == ([1], "points")


@pytest.mark.rule("C16")
def test_the_winner_need_not_have_called() -> None:
    match = called(3, "1s | 8s | 3h", "2h | 1s | 4h 4s 4d 4c", end_score=9, drop_to=0)
    assert match.points == [2, 8, 19]
    assert match.winners == [0]


@pytest.mark.rule("C16")
def test_who_share_the_lowest_total_win_together() -> None:
    match = called(4, "7s | 6s | Kh | 6h", penalty=200)
    assert match.points == [207, 0, 0, 0]
    assert match.winners == [1, 2, 3]
    match = called(4, "7s | 6s | Kh | 6h", penalty=200, others_score=True)
    assert match.points == [207, 0, 10, 0]
    assert match.winners == [1, 3]


@pytest.mark.rule("C16")
def test_a_total_below_0_is_lower_than_none() -> None:
    match = called(3, "Cs Ch Cd | Cc | Ks", end_score=9, drop_to=0)
    assert match.points == [0, -1, 10]
    assert match.winners == [1]


@pytest.mark.rule("C16")
def test_several_totals_may_be_above_100() -> None:
    match = called(3, "1s | Ks | Kh", end_score=9, drop_to=9)
    assert match.points == [0, 10, 10]
    assert (match.winners, end(match)) == ([0], "points")


@pytest.mark.rule("C16")
def test_when_the_game_is_over_all_hands_lie_open_and_nothing_follows() -> None:
    match = called(3, "7s | 2h Ch | Ks Kh", penalty=100)
    players = table(match).players
    assert [player.hand for player in players] == [("7s",), ("2h", "Ch"), ("Ks", "Kh")]
    assert [player.points for player in players] == [7, 1, 20]
    assert table(match).phase == "over"
    assert not any(player.out for player in players)
    assert match.actor is None
    with pytest.raises(IllegalAction, match="the game is over"):
        match.play("caramba")


@pytest.mark.rule("C16")
def test_the_table_is_told_of_the_end_last() -> None:
    match = called(2, "7s | 7h", penalty=100)
    assert last_told(match)[-2:] == [
        ("scores", 0, {"points": 107, "total": 107}),
        ("over", None, {"end": "points", "alone": False}),
    ]
    assert told(match, "out") == told(match, "drops") == []


@pytest.mark.rule("C16")
def test_there_is_no_winner_before_the_end() -> None:
    match = called(3, "1s | Ks | Kh")
    assert match.result is None
    assert match.winners == []
    assert generic.outcome_of(match.state, np.zeros(3, np.int64)) == (0, 0)


@pytest.mark.rule("C04")
def test_the_table_is_told_of_every_deal_once() -> None:
    match = called(3, "1s | 4h | 10s", "1h | 2h | 3s", first=1, max_laps=2, max_deals=3)
    assert told(match, "new_deal") == [(1, {"deal": 1}), (2, {"deal": 2}), (0, {"deal": 3})]
    void_deal(match)
    assert len(told(match, "new_deal")) == 3
    assert len(told(match, "over")) == 1


@pytest.mark.rule("C16")
def test_after_a_deal_all_cards_are_shuffled_and_five_are_dealt_to_each() -> None:
    match = called(3, "1s 2s | Ks | Kh 9s")
    assert match.actor == CHANCE
    assert table(match).pile == 56
    assert len(match.chances()) == 56
    assert table(match).previous == table(match).older == table(match).laid == ()
    assert [player.hand for player in table(match).players] == [(), (), ()]
    match.deal()
    assert [len(player.hand) for player in table(match).players] == [5, 5, 5]
    assert (table(match).deal, table(match).lap, match.actor) == (2, 1, 1)


# Deals without a call, and the last deal


@pytest.mark.rule("C17")
@pytest.mark.parametrize(("players", "laps"), [(2, 2), (2, 3), (3, 2), (5, 4), (8, 2)])
def test_a_deal_is_void_after_so_many_laps(players: int, laps: int) -> None:
    match = dealt(players, "", first=1, max_laps=laps)
    turns(match, players * laps - 1)
    assert (table(match).deal, table(match).lap, match.actor) == (1, laps, 0)
    any_turn(match)
    assert table(match).deal == 2
    assert match.actor == CHANCE
    assert match.points == [0] * players
    assert told(match, "void") == [(None, {"laps": laps})]


@pytest.mark.rule("C17")
def test_a_deal_has_100_laps_unless_one_chooses() -> None:
    match = turns(dealt(2, ""), 199)
    assert (table(match).deal, table(match).lap, table(match).max_laps) == (1, 100, 100)
    assert told(match, "void") == []
    any_turn(match)
    assert table(match).deal == 2
    assert told(match, "void") == [(None, {"laps": 100})]


@pytest.mark.rule("C17")
def test_a_deal_is_void_too_if_the_last_card_is_taken_from_the_table() -> None:
    match = turns(dealt(2, "", max_laps=2), 3)
    card = greedy_turn(match)
    assert card != "pile"
    assert last_told(match) == [
        ("take", 1, {"card": card}),
        ("void", None, {"laps": 2}),
        ("new_deal", 1, {"deal": 2}),
    ]


@pytest.mark.rule("C17")
def test_in_the_last_lap_one_may_still_call() -> None:
    match = second_lap(2, "Ks 9s | 1s", max_laps=2)
    turn(match, "Ks").play("caramba")
    assert told(match, "won") == [(1, {})]
    assert told(match, "void") == []
    assert match.points[0] > 9


@pytest.mark.rule("C17")
def test_nobody_scores_in_a_void_deal_and_totals_stay() -> None:
    match = called(3, "1s | 4h | 10s", max_laps=2)
    void_deal(match)
    assert match.points == [0, 4, 10]
    assert (table(match).deal, table(match).first) == (3, 2)
    assert len(told(match, "shown")) == 3


@pytest.mark.rule("C17")
def test_after_a_void_deal_the_next_player_begins_and_nothing_is_seen() -> None:
    match = dealt(3, "", first=2, max_laps=2)
    turns(match, 2)
    while table(match).deal == 1:
        greedy_turn(match)
    assert table(match).first == 0
    assert table(match).pile == 56
    assert table(match).previous == table(match).older == table(match).laid == ()
    match.deal()
    assert [player.hand for player in table(match).players] == [("??",) * 5] * 3
    assert match.actor == 0
    assert told(match, "shown") == []


@pytest.mark.rule("C17")
def test_after_a_void_deal_with_a_new_pile_nothing_is_seen_either() -> None:
    match = turns(dealt(8, "", max_laps=3), 24)
    assert len(told(match, "shuffled")) == 1
    match.deal()
    assert [player.hand for player in table(match).players] == [("??",) * 5] * 8
    turns(match, 8)
    assert all(set(player.hand) == {"??"} for player in table(match).players)
    turns(match, 9)
    assert told(match, "shuffled") == [(None, {"many": 16}), (None, {"many": 16})]


@pytest.mark.rule("C17")
def test_what_was_known_of_a_new_pile_is_of_no_use_in_the_next_deal() -> None:
    match = turns(dealt(2, "", max_laps=24), 48)
    assert len(told(match, "shuffled")) == 1
    match.deal()
    for seat in (0, 1):
        assert match.view(seat).players[1 - seat].hand == ("??",) * 5


@pytest.mark.rule("C17")
@pytest.mark.parametrize("deals", [1, 2, 3])
def test_the_game_is_over_after_so_many_deals(deals: int) -> None:
    match = called(3, *["1s | 2s | 3s", "3s | 1s | 2s", "2s | 3s | 1s"][:deals], max_deals=deals)
    assert end(match) == "deals"
    assert match.points == [[0, 2, 3], [3, 2, 5], [5, 5, 5]][deals - 1]
    assert match.winners == [[0], [1], [0, 1, 2]][deals - 1]


@pytest.mark.rule("C17")
def test_void_deals_count_too() -> None:
    match = void_deal(dealt(2, "", max_laps=2, max_deals=2))
    assert end(match) is None
    one_lap(match, "5s | 1s").play("caramba")
    assert end(match) == "deals"
    assert match.points == [5, 0]
    assert match.winners == [1]


@pytest.mark.rule("C17")
def test_if_the_last_deal_is_void_all_hands_lie_open() -> None:
    match = void_deal(called(3, "1s | 4h | 4s", max_laps=2, max_deals=2))
    assert (match.points, match.winners, end(match)) == ([0, 4, 4], [0], "deals")
    assert not any("??" in player.hand for player in table(match).players)
    assert all(player.hand for player in table(match).players)
    assert [kind for kind, _, _ in last_told(match)[1:]] == ["void", *["shown"] * 3, "over"]


@pytest.mark.rule("C17")
def test_after_a_void_last_deal_all_hands_are_shown_though_nobody_scores() -> None:
    match = void_deal(dealt(2, "", max_laps=2, max_deals=1))
    players = table(match).players
    hands = [{"cards": " ".join(p.hand), "points": p.points} for p in players]
    assert last_told(match)[1:] == [
        ("void", None, {"laps": 2}),
        ("shown", 0, hands[0]),
        ("shown", 1, hands[1]),
        ("over", None, {"end": "deals", "alone": False}),
    ]


@pytest.mark.rule("C17")
def test_the_first_reason_that_holds_is_given() -> None:
    match = called(2, "7s | 7h", penalty=100, max_deals=1)
    assert end(match) == "points"
    match = called(2, "7s | 7h", penalty=93, max_deals=1)
    assert (match.points, end(match)) == ([75, 0], "deals")


@pytest.mark.rule("C17")
def test_the_table_is_told_that_the_last_deal_is_over() -> None:
    match = called(2, "1s | 2s", max_deals=1)
    assert last_told(match)[-3:] == [
        ("won", 0, {}),
        ("scores", 1, {"points": 2, "total": 2}),
        ("over", None, {"end": "deals", "alone": False}),
    ]


@pytest.mark.rule("C17")
def test_no_game_has_more_than_100_deals_unless_one_chooses() -> None:
    match = Match("cards", players=2, seed=1, options={"max_laps": 2})
    while match.actor is not None:
        void_deal(match)
    assert table(match).deal == table(match).max_deals == 100
    assert (match.winners, end(match)) == ([0, 1], "deals")


# House rules


@pytest.mark.rule("C20")
@pytest.mark.parametrize(("end_score", "over"), [(29, True), (30, False), (31, False)])
def test_another_end_score_ends_the_game_above_it(end_score: int, over: bool) -> None:
    match = called(2, "1s | 10s Kh Qh", end_score=end_score, drop_to=0)
    assert (end(match) == "points") == over
    assert match.points == [0, 0 if end_score == 30 else 30]


@pytest.mark.rule("C20")
def test_a_higher_end_score_lets_totals_of_100_be() -> None:
    match = called(2, "7s | 7h", penalty=93, end_score=200)
    assert match.points == [100, 0]
    match = called(2, "7s | 7h", penalty=193, end_score=200)
    assert match.points == [75, 0]
    match = called(2, "7s | 7h", penalty=194, end_score=200)
    assert (match.points, end(match)) == ([201, 0], "points")
    match = called(2, "7s | 7h", penalty=993, end_score=1000, drop_to=500)
    assert (match.points, end(match)) == ([500, 0], None)


@pytest.mark.rule("C21")
@pytest.mark.parametrize("drop_to", [0, 1, 74, 99])
def test_a_total_of_exactly_100_can_fall_to_another_one(drop_to: int) -> None:
    match = called(2, "7s | 7h", penalty=93, drop_to=drop_to)
    assert (match.points, end(match)) == ([drop_to, 0], None)
    assert told(match, "drops") == [(0, {"exactly": 100, "total": drop_to})]


@pytest.mark.rule("C21")
def test_if_totals_fall_to_the_end_score_nothing_falls() -> None:
    match = called(2, "7s | 7h", penalty=93, drop_to=100)
    assert (match.points, end(match)) == ([100, 0], None)
    assert told(match, "drops") == []
    one_lap(match, "1s | 2s Cs Ch Cd").play("caramba")
    assert (match.points, end(match)) == ([101, 0], "points")
