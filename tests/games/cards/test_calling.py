"""The Cards: who may call Caramba, C11, C12 and C18."""

import pytest

from caramba.games.contract import SPECTATOR
from caramba.games.errors import InvalidSetup
from caramba.match.match import Match
from cards_kit import (
    any_turn,
    deal,
    dealt,
    drops,
    hand,
    one_lap,
    refused,
    second_lap,
    table,
    told,
    turn,
)
from kit import play

LIGHT = "1s Cs Ch Cd Cc"


def may_call(match: Match) -> bool:
    return "caramba" in match.legal()


# With few points


@pytest.mark.rule("C11")
@pytest.mark.parametrize(
    "cards", ["7s", "3s 4s", "1s 6h", "Cs 8h", "5c 1h 1d", "Cs", "Cs Ch Cd Cc 1s", "6s", "1s Cs"]
)
def test_one_may_call_with_7_points_or_less(cards: str) -> None:
    match = second_lap(2, f"{cards} | Kd Kh")
    assert may_call(match)
    match.play("caramba")


@pytest.mark.rule("C11")
@pytest.mark.parametrize("cards", ["8s", "3s 5s", "Kd", "Cs 9h", "1s 1h 1d 5c", "Js Cs Ch"])
def test_nobody_may_call_with_8_points_or_more(cards: str) -> None:
    match = second_lap(2, f"{cards} | Kc Kh")
    assert not may_call(match)
    assert refused(match, "caramba")[0] == "C11"


@pytest.mark.rule("C11")
def test_it_is_the_own_hand_that_counts() -> None:
    match = second_lap(3, "1s | Kd Kh | 2s", first=1)
    assert (match.actor, may_call(match)) == (1, False)
    any_turn(match)
    assert (match.actor, may_call(match)) == (2, True)
    any_turn(match)
    assert (match.actor, may_call(match)) == (0, True)


@pytest.mark.rule("C11")
def test_nobody_must_call() -> None:
    match = second_lap(2, "1s 2s | Kd Kh")
    assert match.legal() == ["caramba", "drop 1s", "drop 2s"]
    turn(match, "2s", draw="3s")
    turn(match, "Kh")
    assert may_call(match)


@pytest.mark.rule("C11")
def test_one_calls_instead_of_discarding_not_after_it() -> None:
    match = play(second_lap(2, "1s 9s | Kd Kh"), "drop 9s")
    assert hand(match, 0) == "1s"
    assert not may_call(match)
    assert refused(match, "caramba")[0] == "C11"


@pytest.mark.rule("C11")
def test_points_count_as_they_are_when_the_turn_begins() -> None:
    match = second_lap(2, "1s 9s | Kd Kh")
    assert not may_call(match)
    turn(match, "9s", draw="2s")
    any_turn(match)
    assert may_call(match)


@pytest.mark.rule("C11")
def test_it_is_a_call_of_the_player_in_turn_only() -> None:
    match = second_lap(2, "Kd Kh | 1s 2s")
    assert match.actor == 0
    assert not may_call(match)
    assert refused(match, "caramba")[0] == "C11"


@pytest.mark.rule("C11")
def test_the_call_ends_the_deal_at_once_and_all_hands_are_shown() -> None:
    match = second_lap(3, "1s 2s | Kd Kh | 9s 9h", first=0)
    before = len(match.steps)
    match.play("caramba")
    assert (table(match).deal, table(match).phase) == (2, "deal")
    assert told(match, "caramba") == [(0, {"points": 3})]
    assert told(match, "shown") == [
        (0, {"cards": "1s 2s", "points": 3}),
        (1, {"cards": "Kh Kd", "points": 20}),
        (2, {"cards": "9s 9h", "points": 18}),
    ]
    for seat in (0, 1, 2, SPECTATOR):
        kinds = [event.kind for _, event in match.events(seat, before)]
        assert kinds[:4] == ["caramba", "shown", "shown", "shown"]


# Not in the first lap


@pytest.mark.rule("C12")
@pytest.mark.parametrize("first", [0, 1, 2])
def test_nobody_may_call_in_the_first_lap(first: int) -> None:
    match = dealt(3, f"{LIGHT} | 1h 1d 1c 2s 2h | 2d 2c 3s 3h 3d", first=first, call_limit=50)
    for _ in range(3):
        assert table(match).lap == 1
        assert not may_call(match)
        assert refused(match, "caramba")[0] == "C12"
        any_turn(match)
    assert table(match).lap == 2
    for _ in range(3):
        assert may_call(match)
        any_turn(match)
    assert may_call(match)


@pytest.mark.rule("C12")
def test_every_deal_has_a_first_lap_without_calls() -> None:
    match = play(second_lap(2, "1s 2s | Kd Kh"), "caramba")
    again = deal(match.copy(), f"Kd | {LIGHT}")
    assert (again.actor, may_call(again)) == (1, False)
    one_lap(match, "Kd Kh | 1s 2s")
    assert (match.actor, may_call(match)) == (1, True)


# House rule: another limit


@pytest.mark.rule("C18")
@pytest.mark.parametrize(
    ("limit", "cards"),
    [
        (0, "1s Cs"),
        (0, "Cs"),
        (3, "Cs Ch Cd Cc"),
        (1, "1s"),
        (6, "6s"),
        (8, "8s"),
        (20, "Kd Qd"),
        (50, "Kd"),
    ],
)
def test_the_limit_of_points_can_be_another(limit: int, cards: str) -> None:
    match = second_lap(2, f"{cards} | Kc Kh Ks", call_limit=limit)
    assert may_call(match)
    assert table(match).call_limit == limit


@pytest.mark.rule("C18")
@pytest.mark.parametrize(
    ("limit", "cards"), [(0, "1s"), (1, "2s"), (6, "7s"), (8, "9s"), (20, "Kd Qd 1h")]
)
def test_with_more_than_that_nobody_may_call(limit: int, cards: str) -> None:
    match = second_lap(2, f"{cards} | Kc Kh Ks", call_limit=limit)
    rule, reason = refused(match, "caramba")
    assert rule == "C11"
    assert f"with {limit} at most" in reason


@pytest.mark.rule("C18")
def test_unless_chosen_the_limit_is_7() -> None:
    assert table(Match("cards", players=2)).call_limit == 7


@pytest.mark.rule("C18")
@pytest.mark.parametrize("limit", [-1, 51, True, "7"])
def test_the_limit_is_from_0_to_50(limit: object) -> None:
    with pytest.raises(InvalidSetup, match="option call_limit: a whole number from 0 to 50"):
        Match("cards", players=2, options={"call_limit": limit})


@pytest.mark.rule("C18")
def test_with_a_limit_of_50_any_hand_will_do_but_for_the_first_lap() -> None:
    match = dealt(2, "10s 10h Js Jh Qs", call_limit=50)
    assert refused(match, "caramba")[0] == "C12"
    any_turn(any_turn(match))
    assert may_call(match)
    assert len(drops(match)) >= 5
