"""The Race: landing on an ambush or on another sombrero, R14 to R17."""

from random import Random

import pytest

from caramba.games.contract import CHANCE
from caramba.match.match import Match
from kit import play, random_step
from race_kit import (
    ambushes,
    finish,
    lay,
    money,
    place,
    race,
    short_race,
    spaces,
    stay,
    table,
    told,
    turn,
    turns,
)

# On an ambush


@pytest.mark.rule("R14")
@pytest.mark.parametrize(("space", "dice"), [(7, 3), (12, 3), (13, 2), (24, 2), (25, 1), (36, 1)])
def test_an_ambush_makes_roll_3_dice_on_stone_2_on_gravel_1_on_earth(space: int, dice: int) -> None:
    match = turn(lay(race(4, f"{space - 1} 3 2 1"), p1=space), 1)
    assert match.actor == CHANCE
    assert table(match).dice_left == dice
    assert told(match, "ambushed") == [(0, {"space": space, "dice": dice})]


@pytest.mark.rule("R14")
@pytest.mark.parametrize(("track", "dice"), [([9, 0, 0], 3), ([3, 9, 0], 2), ([0, 3, 9], 1)])
def test_zones_are_those_of_the_track_that_is_played(track: list[int], dice: int) -> None:
    match = turn(lay(race(4, "5 3 2 1", track=track), p1=6), 1)
    assert table(match).dice_left == dice


@pytest.mark.rule("R14")
def test_the_sombrero_moves_on_by_the_new_dice_alone() -> None:
    match = turn(lay(race(4, "13 3 2 1"), p1=15), 2, 4, 3)
    assert spaces(match)[0] == 15 + 7
    assert table(match).order[0] == 1


@pytest.mark.rule("R14")
def test_only_where_a_move_ends_not_where_it_leads_over() -> None:
    match = turn(lay(race(4, "13 3 2 1"), p1=15), 3)
    assert spaces(match)[0] == 16
    assert told(match, "ambushed") == []


@pytest.mark.rule("R14")
def test_the_own_ambush_catches_one_too() -> None:
    match = turn(lay(race(4, "13 3 2 1"), p0=15), 2)
    assert (match.actor, table(match).dice_left) == (CHANCE, 2)


@pytest.mark.rule("R14")
def test_on_a_sum_of_0_as_many_dice_are_rolled_again() -> None:
    match = turn(lay(race(4, "6 3 2 1"), p1=8), 2, 0, 0, 0)
    assert (spaces(match)[0], table(match).dice_left) == (8, 3)
    play(match, "die 0", "die 0", "die 0", "die 0", "die 1", "die 0")
    assert spaces(match)[0] == 9
    assert match.actor == 1


@pytest.mark.rule("R14")
def test_the_token_stays_and_catches_the_next_one() -> None:
    match = turn(lay(race(4, "13 12 2 1"), p3=15), 2, 5, 5)
    assert ambushes(match) == [None, None, None, 15]
    turn(match, 3, 0)
    assert table(match).dice_left == 2
    assert [seat for seat, _ in told(match, "ambushed")] == [0, 1]


@pytest.mark.rule("R14")
def test_nobody_pays_for_an_ambush() -> None:
    match = turn(lay(race(4, "13 3 2 1"), p1=15), 2, 0, 0, 0, 1)
    assert money(match) == [30] * 4
    assert table(match).pot == 0


# On another sombrero


@pytest.mark.rule("R15")
def test_who_lands_on_a_sombrero_gets_1_silver_from_its_owner() -> None:
    match = turn(stay(race(4, "20 15 10 5")), 5, 0)
    assert money(match) == [29, 31, 30, 30]
    assert table(match).pot == 0
    assert told(match, "welcome") == [(1, {"space": 20, "giver": 0, "silver": 1})]


@pytest.mark.rule("R15")
@pytest.mark.rule("R20")
@pytest.mark.parametrize("number", [2, 3])
def test_the_gift_is_multiplied_by_the_race_number(number: int) -> None:
    match = short_race(4, "6 5 4 3")
    for _ in range(number - 1):
        place(finish(match), "6 5 4 3")
    before = money(match)
    turn(stay(match), 1, 0)
    assert table(match).race == number
    assert money(match) == [before[0] - number, before[1] + number, *before[2:]]


@pytest.mark.rule("R15")
def test_passing_a_sombrero_brings_nothing() -> None:
    match = turn(stay(race(4, "20 15 10 5")), 5, 1)
    assert spaces(match)[1] == 21
    assert money(match) == [30] * 4


@pytest.mark.rule("R15")
def test_staying_where_one_is_brings_nothing() -> None:
    match = stay(race(4, "4 3 2 1"), turns=8)
    assert told(match, "welcome") == []
    assert money(match) == [30] * 4


@pytest.mark.rule("R16")
def test_then_one_die_is_rolled_and_the_sombrero_moves_on() -> None:
    match = turn(stay(race(4, "20 15 10 5"), turns=2), 5, 5, 0)
    assert (match.actor, table(match).dice_left, spaces(match)[2]) == (CHANCE, 1, 20)
    play(match, "die 3")
    assert spaces(match) == [20, 15, 23, 5]
    assert table(match).order[0] == 3


@pytest.mark.rule("R16")
def test_on_a_0_the_gift_is_paid_again_and_the_die_rolled_again() -> None:
    match = turn(stay(race(4, "20 15 10 5")), 5, 0, 0, 0)
    assert money(match) == [27, 33, 30, 30]
    assert (match.actor, table(match).dice_left) == (CHANCE, 1)
    play(match, "die 1")
    assert money(match) == [27, 33, 30, 30]
    assert spaces(match)[1] == 21


@pytest.mark.rule("R16")
def test_the_own_sombrero_gives_nothing_but_the_die_is_rolled() -> None:
    match = turn(stay(race(2, "20 15 10 5")), 5, 0, 0)
    assert money(match) == [60, 60]
    assert (match.actor, table(match).dice_left) == (CHANCE, 1)
    assert told(match, "welcome") == [(0, {"space": 20, "giver": 0, "silver": 0})] * 2
    assert spaces(play(match, "die 4"))[:2] == [20, 24]


def ruined_leader(left: int) -> Match:
    """Seat 0 leads on 20 with so much silver; seat 2 is to roll from 10."""
    match = stay(race(4, "20 15 10 5", persuasion=True))
    return turn(match, 0, 0, 0, bribe=f"0 {30 - left}")


@pytest.mark.rule("R16")
@pytest.mark.rule("R21")
def test_a_host_without_money_gives_nothing_and_the_die_is_rolled() -> None:
    match = turn(ruined_leader(0), 5, 5, 0, 0)
    assert money(match) == [0, 60, 30, 30]
    assert table(match).bankrupt == (0,)
    assert (match.actor, table(match).dice_left) == (CHANCE, 1)
    assert spaces(play(match, "die 3"))[2] == 23


@pytest.mark.rule("R16")
@pytest.mark.rule("R21")
def test_a_host_may_run_out_of_money_on_a_row_of_zeros() -> None:
    match = turn(ruined_leader(2), 5, 5, 0, 0)
    assert money(match)[:3] == [0, 58, 32]
    assert table(match).bankrupt == ()
    play(match, "die 0")
    assert money(match)[:3] == [0, 58, 32]
    assert table(match).bankrupt == (0,)
    assert told(match, "bankrupt") == [(0, {})]


# Chains


@pytest.mark.rule("R17")
def test_an_ambush_may_lead_to_a_sombrero_and_that_to_an_ambush() -> None:
    match = stay(lay(race(4, "20 15 10 5"), p0=7, p1=22), turns=3)
    turn(match, 2, 0, 0, 0)
    assert table(match).dice_left == 3
    play(match, "die 5", "die 3", "die 0")
    assert (spaces(match)[3], table(match).dice_left) == (15, 1)
    play(match, "die 5")
    assert (spaces(match)[3], table(match).dice_left) == (20, 1)
    play(match, "die 2")
    assert (spaces(match)[3], table(match).dice_left) == (22, 2)
    play(match, "die 0", "die 1")
    assert spaces(match) == [20, 15, 10, 23]
    assert money(match) == [29, 29, 30, 32]


@pytest.mark.rule("R17")
def test_an_ambush_may_lead_to_another_ambush() -> None:
    match = turn(lay(race(4, "22 3 2 1"), p0=23, p1=25), 1, 2, 0)
    assert (spaces(match)[0], table(match).dice_left) == (25, 1)
    assert spaces(play(match, "die 4"))[0] == 29


@pytest.mark.rule("R17")
def test_a_chain_may_lead_into_the_mine() -> None:
    match = turn(stay(lay(short_race(4, "5 3 2 1"), p3=4)), 1, 0, 1, 0, 5)
    assert [kind for kind in ("ambushed", "welcome", "arrive") if told(match, kind)] == [
        "ambushed",
        "welcome",
        "arrive",
    ]
    assert spaces(match) == [5, None, 2, 1]
    assert money(match) == [29, 30, 30, 30]


@pytest.mark.rule("R17")
@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_sombreros_are_on_different_spaces_whenever_a_turn_ends(players: int) -> None:
    match = Match("race", players=players, options={"track": (3, 3, 3), "persuasion": False})
    random, met = Random(players), 0
    while match.actor is not None and table(match).race < 5:
        random_step(match, random)
        placed = [space for space in spaces(match) if space]
        if match.actor == CHANCE:
            met += len(set(placed)) < len(placed)
        else:
            assert len(set(placed)) == len(placed)
            assert not set(placed) & set(ambushes(match))
    assert met


@pytest.mark.rule("R17")
def test_after_a_chain_the_next_of_the_round_is_in_turn() -> None:
    match = turns(race(4, "20 15 10 5"), "0", "501", "55014")
    assert spaces(match) == [20, 21, 25, 5]
    assert (match.actor, table(match).order) == (3, (3,))
