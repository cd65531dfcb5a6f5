"""The Race: turns, dice and buying them off, R07 to R10."""

import pytest

from caramba.games.contract import CHANCE
from caramba.games.errors import IllegalAction, InvalidAction
from caramba.match.match import Match
from kit import play
from race_kit import (
    finish,
    lay,
    money,
    place,
    race,
    short_race,
    spaces,
    stay,
    table,
    to_dice,
    to_offers,
    turn,
    turns,
)


def movers(match: Match, turns: int) -> list[int]:
    """The sombreros that have the next turns, in which all stay."""
    found = []
    for _ in range(turns):
        found.append(table(to_dice(match)).order[0])
        stay(match)
    return found


# Turns


@pytest.mark.rule("R07")
@pytest.mark.parametrize(
    ("players", "start", "order"),
    [
        (2, "7 1 9 20", [3, 2, 0, 1]),
        (3, "1 30 2 20 3 10", [1, 3, 5, 4, 2, 0]),
        (4, "5 36 10 6", [1, 2, 3, 0]),
        (5, "5 4 3 2 1", [0, 1, 2, 3, 4]),
        (6, "1 2 3 4 5 6", [5, 4, 3, 2, 1, 0]),
    ],
)
def test_turns_go_by_position_from_the_leader_to_the_last(
    players: int, start: str, order: list[int]
) -> None:
    match = race(players, start)
    assert table(match).order == tuple(order)
    assert movers(match, 2 * len(order)) == 2 * order


@pytest.mark.rule("R07")
def test_who_is_asked_is_the_owner_of_the_sombrero_in_turn() -> None:
    match = to_dice(race(4, "5 20 10 15"))
    assert match.actor == 1
    with pytest.raises(IllegalAction, match="it is the turn of Emiliano"):
        match.play("dice 1", seat=0)


@pytest.mark.rule("R07")
def test_a_sombrero_that_passes_others_does_not_change_the_order_of_the_round() -> None:
    match = turns(race(4, "20 18 16 1"), "0", "50")
    assert spaces(match) == [20, 23, 16, 1]
    assert movers(match, 2) == [2, 3]
    assert table(match).order == (1, 0, 2, 3)


@pytest.mark.rule("R07")
def test_a_last_mover_that_passes_everyone_moves_again_as_leader_with_one_die() -> None:
    match = turns(lay(race(4, "10 9 8 7")), "0", "00", "000", "5550")
    assert spaces(match)[3] == 22
    assert table(match).phase == "round_ambush"
    assert table(to_dice(match)).order == (3, 0, 1, 2)
    assert match.legal() == ["dice 1"]


@pytest.mark.rule("R07")
@pytest.mark.rule("R11")
def test_before_it_moves_again_everybody_is_asked_for_an_ambush() -> None:
    match = turns(lay(race(4, "10 9 8 7")), "0", "00", "000", "5550")
    asked = []
    while table(match).phase == "round_ambush":
        asked.append(match.actor)
        match.play("no")
    assert asked == [3, 0, 1, 2]


@pytest.mark.rule("R07")
def test_those_who_have_arrived_have_no_turn() -> None:
    match = turns(short_race(4, "6 4 3 2"), "5", "0", "00", "000")
    assert spaces(match) == [None, 4, 3, 2]
    assert table(match).order == (1, 2, 3)
    assert movers(match, 4) == [1, 2, 3, 1]


@pytest.mark.rule("R07")
def test_the_round_goes_on_behind_one_that_arrives() -> None:
    match = turns(short_race(4, "6 4 3 2"), "0", "55")
    assert table(match).order == (2, 3)
    assert movers(match, 2) == [2, 3]


@pytest.mark.rule("R07")
def test_it_is_the_same_round_after_several_arrivals() -> None:
    match = turns(short_race(4, "6 5 3 2"), "5", "5")
    assert (match.actor, table(match).phase) == (2, "turn_ambush")
    stay(match)
    assert (match.actor, table(match).phase) == (3, "turn_ambush")


# Dice


@pytest.mark.rule("R08")
@pytest.mark.parametrize("players", [4, 5, 6])
def test_dice_are_as_many_as_the_rank(players: int) -> None:
    match = race(players, " ".join(str(30 - 5 * seat) for seat in range(players)))
    for rank in range(1, players + 1):
        to_dice(match)
        assert match.legal() == [f"dice {dice}" for dice in range(1, rank + 1)]
        stay(match)


@pytest.mark.rule("R08")
def test_own_sombreros_count_for_the_rank_too() -> None:
    match = race(2, "20 19 18 17")
    assert [hat.rank for hat in table(match).hats] == [1, 2, 3, 4]
    assert "dice 4" in to_dice(stay(match, turns=3)).legal()


@pytest.mark.rule("R08")
def test_nobody_rolls_more_dice_than_the_rank() -> None:
    match = to_dice(stay(race(4, "20 15 10 5")))
    with pytest.raises(IllegalAction, match=r"as many dice as its rank.*R10"):
        match.play("dice 3")
    with pytest.raises(InvalidAction):
        match.play("dice 7")


@pytest.mark.rule("R08")
def test_an_arrival_saves_all_behind_it_one_die() -> None:
    match = turn(short_race(4, "6 4 3 2"), 5)
    for most in (1, 2, 3):
        assert to_dice(match).legal()[-1] == f"dice {most}"
        stay(match)


@pytest.mark.rule("R08")
def test_the_rank_is_that_of_the_moment_not_of_the_rounds_order() -> None:
    match = turns(race(4, "20 18 16 12"), "5", "00", "555")
    assert spaces(match) == [25, 18, 31, 12]
    assert [hat.rank for hat in table(match).hats] == [2, 3, 1, 4]
    assert to_dice(match).legal()[-1] == "dice 4"


@pytest.mark.rule("R08")
def test_who_has_been_passed_in_mid_round_rolls_one_die_more() -> None:
    match = turn(stay(race(4, "20 18 16 12")), 5, 0)
    assert to_dice(match).legal()[-1] == "dice 3"
    turn(match, 5, 5, 0)
    assert to_dice(match).legal()[-1] == "dice 4"
    assert to_dice(stay(match)).legal()[-1] == "dice 1"


@pytest.mark.rule("R09")
def test_a_sombrero_advances_by_the_sum_of_its_dice() -> None:
    match = turns(race(4, "25 18 10 1"), "4", "51", "123", "4005")
    assert spaces(match) == [29, 24, 16, 10]


@pytest.mark.rule("R09")
def test_it_does_not_move_before_the_last_die_lies() -> None:
    match = turn(stay(race(4, "30 18 10 1")), 4)
    assert spaces(match)[1] == 18
    assert (table(match).rolled, table(match).dice_left) == (4, 1)
    match.play("die 3")
    assert spaces(match)[1] == 25


@pytest.mark.rule("R09")
def test_a_sum_of_0_leaves_it_where_it_is() -> None:
    match = stay(race(4, "20 15 10 5"), turns=4)
    assert spaces(match) == [20, 15, 10, 5]
    assert money(match) == [30] * 4
    assert [text for _, text in match.steps].count("die 0") == 1 + 2 + 3 + 4


@pytest.mark.rule("R09")
def test_a_turn_with_fewer_dice_rolls_just_those() -> None:
    match = turn(stay(race(4, "25 18 10 1"), turns=3), 4, 4, dice=2)
    assert spaces(match)[3] == 9
    assert match.actor != CHANCE


def test_the_table_tells_what_a_die_can_show() -> None:
    assert table(race(4, "25 18 10 1")).faces == (0, 1, 2, 3, 4, 5)


# Buying dice off


@pytest.mark.rule("R10")
def test_the_first_die_costs_1_the_second_2_more_the_third_3_more() -> None:
    match = to_dice(stay(race(6, "30 25 20 15 10 5"), turns=5))
    assert table(match).prices == {6: 0, 5: 1, 4: 3, 3: 6, 2: 10, 1: 15}


@pytest.mark.rule("R10")
@pytest.mark.parametrize(("dice", "price"), [(4, 0), (3, 1), (2, 3), (1, 6)])
def test_the_price_goes_into_the_pot(dice: int, price: int) -> None:
    match = turn(stay(race(4, "20 15 10 5"), turns=3), dice=dice)
    assert money(match) == [30, 30, 30, 30 - price]
    assert table(match).pot == price
    assert table(match).dice_left == dice


@pytest.mark.rule("R10")
@pytest.mark.rule("R20")
def test_the_price_is_multiplied_by_the_race_number() -> None:
    match = place(finish(short_race(4, "6 5 4 3")), "6 5 4 3")
    to_dice(stay(match, turns=3))
    assert table(match).prices == {4: 0, 3: 2, 2: 6, 1: 12}
    before = money(match)[3]
    turn(match, dice=1)
    assert (money(match)[3], table(match).pot) == (before - 12, 12)


@pytest.mark.rule("R10")
def test_at_least_one_die_is_rolled() -> None:
    match = to_dice(race(4, "20 15 10 5"))
    assert match.legal() == ["dice 1"]
    for step in ("dice 0", "dice -1"):
        with pytest.raises(InvalidAction):
            match.play(step)
    with pytest.raises(IllegalAction, match="R07"):
        match.play("no")


@pytest.mark.rule("R10")
@pytest.mark.parametrize(("left", "fewest"), [(6, 1), (5, 2), (3, 2), (2, 3), (1, 3), (0, 4)])
def test_dice_are_bought_off_only_in_full(left: int, fewest: int) -> None:
    match = turn(race(4, "20 15 10 5", persuasion=True), 0, 0, bribe=f"3 {30 - left}")
    to_dice(turns(match, "00", "000"))
    assert money(match)[3] == left
    assert match.legal() == [f"dice {dice}" for dice in range(fewest, 5)]
    if fewest > 1:
        with pytest.raises(IllegalAction, match=r"cannot pay for so many dice.*R10"):
            match.play(f"dice {fewest - 1}")


@pytest.mark.rule("R10")
def test_buying_off_is_for_the_moment_before_the_roll() -> None:
    with pytest.raises(IllegalAction, match=r"not for this moment.*R10"):
        race(4, "20 15 10 5").play("dice 1")
    with pytest.raises(InvalidAction):
        turn(stay(race(4, "20 15 10 5")), 0).play("dice 1")


@pytest.mark.rule("R10")
@pytest.mark.rule("R14")
def test_the_dice_of_an_ambush_cannot_be_bought_off() -> None:
    match = turn(lay(race(4, "8 6 4 2"), p3=9), 1)
    assert match.actor == CHANCE
    assert table(match).dice_left == 3


@pytest.mark.rule("R10")
@pytest.mark.rule("R16")
def test_the_die_of_an_occupied_space_cannot_be_bought_off() -> None:
    match = turn(stay(race(4, "8 6 4 2")), 1, 1)
    assert match.actor == CHANCE
    assert table(match).dice_left == 1


@pytest.mark.rule("R10")
def test_every_sombrero_of_a_player_has_dice_of_its_own_to_buy_off() -> None:
    match = turn(stay(race(2, "30 20 10 1")), 0, dice=1)
    turn(match, 0, dice=1)
    turn(match, 0, dice=1)
    assert money(match) == [59, 60 - 3 - 6]
    assert table(match).pot == 10


@pytest.mark.rule("R10")
def test_each_question_is_a_step_even_without_a_choice() -> None:
    match = to_offers(race(4, "20 15 10 5"))
    assert match.steps[-1] == (0, "dice 1")
    assert play(match, "die 0").actor == 1
