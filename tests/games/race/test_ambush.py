"""The Race: laying ambushes and taking them back, R11 to R13."""

import pytest

from caramba.games.errors import IllegalAction
from caramba.match.match import Match
from kit import play
from race_kit import (
    ambushes,
    finish,
    lay,
    race,
    short_race,
    spaces,
    stay,
    table,
    told,
    turn,
    turns,
)


def asked_at_start(match: Match) -> list[int | None]:
    """Who is asked at the start of a round; nobody lays anything."""
    found = []
    while table(match).phase == "round_ambush":
        found.append(match.actor)
        match.play("no")
    return found


def asked_before_turns(match: Match, turns: int) -> list[int | None]:
    """Who is asked before the next turns, in which nothing else happens."""
    found = []
    for _ in range(turns):
        if table(match).phase == "turn_ambush":
            found.append(match.actor)
        stay(match)
    return found


# When


@pytest.mark.rule("R11")
@pytest.mark.parametrize(
    ("players", "start", "order"),
    [
        (2, "10 11 20 25", [1, 0]),
        (3, "10 30 20 25 5 4", [0, 1, 2]),
        (4, "20 5 15 10", [0, 2, 3, 1]),
        (5, "1 2 3 4 5", [4, 3, 2, 1, 0]),
        (6, "6 1 5 2 4 3", [0, 2, 4, 5, 3, 1]),
    ],
)
def test_a_round_begins_with_asking_all_once_by_their_foremost_sombrero(
    players: int, start: str, order: list[int]
) -> None:
    match = race(players, start)
    assert asked_at_start(match) == order
    assert table(match).phase == "dice"


@pytest.mark.rule("R11")
def test_every_round_begins_so() -> None:
    match = race(4, "20 15 10 5")
    for _ in range(3):
        assert asked_at_start(match) == [0, 1, 2, 3]
        stay(match, turns=4)


@pytest.mark.rule("R11")
def test_who_holds_no_token_is_not_asked_at_the_start_of_a_round() -> None:
    match = stay(lay(race(4, "20 15 10 5"), p1=30, p3=1), turns=4)
    assert asked_at_start(match) == [0, 2]


@pytest.mark.rule("R11")
def test_who_holds_a_token_is_asked_before_each_own_turn_but_the_first_mover() -> None:
    match = lay(race(4, "20 15 10 5"))
    assert asked_before_turns(match, 4) == [1, 2, 3]


@pytest.mark.rule("R11")
def test_who_has_laid_the_only_token_is_asked_no_more() -> None:
    match = lay(race(4, "20 15 10 5"), p2=30)
    assert asked_before_turns(match, 4) == [1, 3]


@pytest.mark.rule("R11")
def test_an_ask_is_for_one_token() -> None:
    match = play(race(2, "20 15 10 5"), "ambush 30")
    assert match.actor == 1
    play(match, "ambush 31")
    assert ambushes(match) == [30, None, 31, None]
    assert asked_before_turns(match, 4) == [0, 1, 1]


@pytest.mark.rule("R11")
def test_with_two_tokens_the_second_may_be_laid_before_an_own_turn() -> None:
    match = stay(play(race(2, "20 10 15 5"), "ambush 30", "no"))
    play(match, "ambush 31")
    assert ambushes(match) == [30, None, 31, None]
    assert table(match).phase == "dice"
    stay(match)
    play(match, "ambush 32")
    assert ambushes(match) == [30, 32, 31, None]


@pytest.mark.rule("R11")
def test_with_two_tokens_the_first_mover_is_asked_only_at_the_start_of_the_round() -> None:
    match = play(race(2, "20 10 15 5"), "ambush 30", "no")
    assert (match.actor, table(match).phase) == (0, "dice")


@pytest.mark.rule("R11")
def test_the_first_mover_is_asked_again_to_take_a_token_back() -> None:
    match = lay(race(4, "20 15 10 5"), p0=1)
    assert (match.actor, table(match).phase) == (0, "turn_ambush")
    play(match, "ambush 25")
    assert table(match).phase == "dice"
    assert ambushes(match) == [25, None, None, None]


@pytest.mark.rule("R11")
def test_who_has_arrived_is_not_asked() -> None:
    match = turns(short_race(4, "6 4 3 2"), "5", "0", "00", "000")
    assert asked_at_start(match) == [1, 2, 3]


@pytest.mark.rule("R11")
def test_with_one_sombrero_of_two_in_the_mine_one_is_asked_for_the_other() -> None:
    match = turns(short_race(2, "6 2 4 3"), "5", "0", "00", "000")
    assert asked_at_start(match) == [1, 0]


@pytest.mark.rule("R11")
def test_with_both_sombreros_in_the_mine_one_is_not_asked() -> None:
    match = turns(short_race(2, "6 5 3 2"), "5", "5", "0", "00")
    assert spaces(match) == [None, None, 3, 2]
    assert asked_at_start(match) == [1]


# Where


@pytest.mark.rule("R11")
def test_an_ambush_goes_on_any_empty_space() -> None:
    match = play(race(4, "20 15 10 5"), "ambush 21")
    empty = [space for space in range(1, 37) if space not in (5, 10, 15, 20, 21)]
    assert match.legal() == ["no", *(f"ambush {space}" for space in empty)]


@pytest.mark.rule("R11")
@pytest.mark.parametrize("space", [5, 20, 21])
def test_a_space_with_a_sombrero_or_an_ambush_is_not_empty(space: int) -> None:
    match = play(race(4, "20 15 10 5"), "ambush 21")
    with pytest.raises(IllegalAction, match=r"without sombrero or ambush.*R11"):
        match.play(f"ambush {space}")


@pytest.mark.rule("R11")
def test_an_own_ambush_or_sombrero_is_in_the_way_too() -> None:
    match = stay(play(race(2, "20 10 15 5"), "ambush 30", "no"), turns=2)
    assert (match.actor, table(match).phase) == (0, "turn_ambush")
    for space in (30, 20, 10):
        with pytest.raises(IllegalAction, match="R11"):
            match.play(f"ambush {space}")


@pytest.mark.rule("R11")
def test_where_no_space_is_empty_one_can_only_say_no() -> None:
    match = play(short_race(4, "6 5 4 3"), "ambush 1", "ambush 2")
    assert match.legal() == ["no"]
    assert asked_at_start(match) == [2, 3]


@pytest.mark.rule("R11")
def test_an_ambush_is_for_the_moments_of_r11() -> None:
    match = lay(race(4, "20 15 10 5"))
    assert table(match).phase == "dice"
    with pytest.raises(IllegalAction, match=r"not for this moment.*R11"):
        match.play("ambush 30")


@pytest.mark.rule("R11")
def test_an_ambush_laid_just_before_the_own_turn_is_there_at_once() -> None:
    match = stay(lay(race(4, "20 15 10 5")), turns=3)
    turn(play(match, "ambush 7"), 2, 0, 0, 0)
    assert told(match, "ambushed") == [(3, {"space": 7, "dice": 3})]


# How long


@pytest.mark.rule("R12")
def test_an_ambush_stays_until_all_have_passed_it() -> None:
    match = lay(race(4, "20 15 10 5"), p0=6)
    turns(match, "0", "00", "000")
    assert not table(match).ambushes[0].passed
    turn(match, 2, 0, 0, 0)
    assert spaces(match) == [20, 15, 10, 7]
    assert table(match).ambushes[0].passed
    assert ambushes(match)[0] == 6


@pytest.mark.rule("R12")
def test_the_own_sombrero_must_have_passed_it_too() -> None:
    match = lay(race(4, "20 15 10 5"), p3=6)
    assert not table(match).ambushes[3].passed


@pytest.mark.rule("R12")
def test_an_ambush_in_front_of_the_leader_has_not_been_passed() -> None:
    match = lay(race(4, "20 15 10 5"), p0=30)
    assert not table(match).ambushes[0].passed
    assert table(match).phase == "dice"


@pytest.mark.rule("R12")
def test_one_laid_behind_everybody_counts_as_passed_at_once() -> None:
    match = play(race(4, "20 15 10 5"), "ambush 4")
    assert table(match).ambushes[0].passed


@pytest.mark.rule("R12")
def test_a_token_in_hand_has_not_been_passed() -> None:
    assert not any(token.passed for token in table(race(4, "20 15 10 5")).ambushes)


@pytest.mark.rule("R12")
def test_sombreros_in_the_mine_count_as_neither_behind_nor_in_front() -> None:
    match = lay(short_race(4, "6 4 3 1"), p1=2)
    turns(match, "5", "0", "00")
    assert not table(match).ambushes[1].passed
    turns(match, "500")
    assert spaces(match) == [None, 4, 3, 6]
    assert table(match).ambushes[1].passed


@pytest.mark.rule("R12")
def test_all_tokens_return_when_a_race_ends() -> None:
    match = lay(short_race(4, "6 5 4 3"), p0=1, p3=2)
    assert ambushes(match) == [1, None, None, 2]
    finish(match)
    assert table(match).race == 2
    assert ambushes(match) == [None] * 4


# Taking back


@pytest.mark.rule("R13")
def test_a_passed_token_is_taken_back_and_laid_anew_in_one_step() -> None:
    match = stay(lay(race(4, "20 15 10 5"), p1=4))
    assert (match.actor, table(match).phase) == (1, "turn_ambush")
    play(match, "ambush 22")
    assert ambushes(match) == [None, 22, None, None]
    assert table(match).phase == "dice"


@pytest.mark.rule("R13")
def test_it_need_not_be_taken_back() -> None:
    match = stay(lay(race(4, "20 15 10 5"), p1=4))
    play(match, "no")
    assert ambushes(match) == [None, 4, None, None]
    stay(match, turns=3)
    assert asked_at_start(match) == [0, 2, 3]
    assert asked_before_turns(match, 4) == [1, 2, 3]


@pytest.mark.rule("R13")
def test_only_just_before_an_own_turn_not_at_the_start_of_a_round() -> None:
    match = stay(lay(race(4, "20 15 10 5"), p3=4, p2=3), turns=4)
    assert asked_at_start(match) == [0, 1]
    assert asked_before_turns(match, 4) == [1, 2, 3]


@pytest.mark.rule("R13")
def test_a_token_that_has_not_been_passed_cannot_be_taken_back() -> None:
    match = lay(race(4, "20 15 10 5"), p1=6)
    assert asked_before_turns(match, 4) == [2, 3]


@pytest.mark.rule("R13")
def test_its_own_space_and_full_ones_are_not_offered() -> None:
    match = lay(race(4, "20 15 10 5"), p0=4, p1=30)
    empty = [space for space in range(1, 37) if space not in (4, 5, 10, 15, 20, 30)]
    assert match.legal() == ["no", *(f"ambush {space}" for space in empty)]
    with pytest.raises(IllegalAction, match="R11"):
        match.play("ambush 4")


@pytest.mark.rule("R13")
def test_a_token_in_hand_is_used_before_a_passed_one() -> None:
    match = play(race(2, "20 10 15 5"), "ambush 1", "no")
    assert (match.actor, table(match).phase) == (0, "turn_ambush")
    play(match, "ambush 30")
    assert ambushes(match) == [1, 30, None, None]


@pytest.mark.rule("R13")
@pytest.mark.parametrize(("first", "second", "after"), [(1, 2, [30, 2]), (2, 1, [2, 30])])
def test_of_two_passed_tokens_the_one_farthest_from_the_mine_is_taken(
    first: int, second: int, after: list[int]
) -> None:
    match = lay(race(2, "20 10 15 5"), p0=first)
    play(match, f"ambush {second}")
    stay(match, turns=2)
    play(match, "ambush 30")
    assert ambushes(match)[:2] == after


@pytest.mark.rule("R13")
def test_of_two_tokens_only_the_passed_one_is_taken() -> None:
    match = stay(lay(race(2, "20 10 15 5"), p0=30), turns=2)
    stay(play(match, "ambush 1"), turns=2)
    play(match, "no", "ambush 31")
    assert ambushes(match)[:2] == [30, 31]
