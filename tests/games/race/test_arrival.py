"""The Race: arriving in the mine, and the prices of later races, R19 and R20."""

import pytest

from caramba.games.contract import CHANCE
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
    to_offers,
    told,
    turn,
    turns,
)

# Arrival


@pytest.mark.rule("R19")
@pytest.mark.parametrize(("face", "space"), [(1, 36), (2, None), (5, None)])
def test_reaching_or_passing_the_end_of_the_track_is_arriving(face: int, space: int | None) -> None:
    match = turn(race(4, "35 15 10 5"), face)
    assert spaces(match)[0] == space
    assert len(told(match, "arrive")) == (space is None)


@pytest.mark.rule("R19")
def test_each_pays_1_more_into_the_pot_than_the_one_before() -> None:
    match = short_race(6, "6 5 4 3 2 1")
    for arrival in range(1, 5):
        turn(match, 5)
        assert money(match)[arrival - 1] == 30 - arrival
        assert table(match).pot == arrival * (arrival + 1) // 2
        assert table(match).hats[arrival - 1].arrival == arrival
    assert money(match) == [29, 28, 27, 26, 30, 30]


@pytest.mark.rule("R19")
@pytest.mark.parametrize(
    ("players", "start", "after"),
    [
        (2, "6 5 4 3", [60 - 1 - 2, 60 - 3 + 6]),
        (3, "6 5 4 3 2 1", [60 - 1 - 2, 60 - 3 - 4, 60 - 5 + 15]),
        (4, "6 5 4 3", [29, 28, 27, 36]),
        (5, "6 5 4 3 2", [29, 28, 27, 26, 40]),
        (6, "6 5 4 3 2 1", [29, 28, 27, 26, 25, 45]),
    ],
)
def test_the_owner_of_the_last_sombrero_takes_the_whole_pot(
    players: int, start: str, after: list[int]
) -> None:
    match = finish(short_race(players, start))
    assert money(match) == after
    assert table(match).pot == 0
    fees = sum(range(len(start.split())))
    assert told(match, "race_won") == [(players - 1, {"silver": fees})]


@pytest.mark.rule("R19")
def test_the_fees_of_two_sombreros_are_paid_by_one_owner() -> None:
    match = turns(short_race(2, "6 5 4 3"), "5", "5")
    assert money(match) == [60 - 1 - 2, 60]


@pytest.mark.rule("R19")
def test_two_sombreros_of_one_player_may_be_the_last() -> None:
    match = turns(short_race(2, "6 5 4 3"), "5", "5")
    assert table(match).race == 1
    turn(match, 5)
    assert (table(match).race, money(match)) == (2, [57, 63])


@pytest.mark.rule("R19")
def test_money_for_dice_is_in_the_pot_too() -> None:
    match = turn(stay(short_race(4, "6 5 4 3"), turns=3), 0, dice=1)
    assert table(match).pot == 6
    finish(match)
    assert money(match) == [29, 28, 27, 30 - 6 + 12]


@pytest.mark.rule("R19")
@pytest.mark.rule("R21")
def test_unpaid_arrivals_count_for_the_fees_of_others() -> None:
    match = turn(short_race(4, "6 5 4 3", persuasion=True), 0, 0, bribe="1 30")
    turns(match, "55")
    assert (table(match).bankrupt, table(match).pot) == ((1,), 0)
    turn(match, 5, 5)
    assert money(match) == [60, 0, 28, 30]
    assert [facts["silver"] for _, facts in told(match, "arrive")] == [0, 2]


@pytest.mark.rule("R19")
def test_the_race_is_over_at_once_in_mid_round() -> None:
    match = turns(short_race(4, "6 5 4 3"), "5", "5")
    assert (table(match).race, table(match).order) == (1, (2, 3))
    turn(match, 5)
    assert (table(match).race, table(match).phase) == (2, "place")
    assert told(match, "race") == [(None, {"race": 2})]


@pytest.mark.rule("R19")
def test_the_last_of_all_may_win_though_it_is_in_front() -> None:
    match = turns(short_race(4, "6 5 4 3"), "0", "55", "55", "55")
    assert table(match).race == 2
    assert told(match, "race_won") == [(0, {"silver": 6})]


@pytest.mark.rule("R19")
def test_the_race_is_over_at_once_in_mid_chain() -> None:
    match = turns(lay(short_race(4, "3 4 5 6"), p0=2), "5", "5", "0")
    assert spaces(match) == [3, 4, None, None]
    turn(match, 0, 1)
    assert (match.actor, spaces(match)[0], table(match).race) == (CHANCE, 4, 1)
    play(match, "die 3")
    assert table(match).race == 2
    assert match.actor == 1
    assert told(match, "race_won") == [(1, {"silver": 6})]


@pytest.mark.rule("R19")
def test_the_winner_keeps_what_it_received_as_a_host_or_paid() -> None:
    match = turns(short_race(4, "6 5 4 3"), "0", "101", "55", "55")
    assert told(match, "welcome") == [(1, {"space": 6, "giver": 0, "silver": 1})]
    assert money(match) == [30 - 1 + 6, 30 + 1 - 1, 28, 27]


@pytest.mark.rule("R19")
def test_dice_still_to_come_are_not_rolled_in_the_mine() -> None:
    match = turn(lay(race(4, "35 15 10 5"), p1=36), 1, 1)
    assert spaces(match)[0] is None
    assert table(match).order[0] == 1


# Inflation


@pytest.mark.rule("R20")
@pytest.mark.parametrize("number", [1, 2, 3])
def test_arrival_fees_are_multiplied_by_the_race_number(number: int) -> None:
    match = short_race(4, "6 5 4 3")
    for _ in range(number - 1):
        place(finish(match), "3 4 5 6" if table(match).race % 2 else "6 5 4 3")
    before, winner = money(match), table(match).order[-1]
    finish(match)
    fees = [3 * number, 2 * number, number]
    after = [before[seat] - fee for seat, fee in zip(table(match).order[1:], fees, strict=True)]
    assert [money(match)[seat] for seat in table(match).order[1:]] == after
    assert money(match)[winner] == before[winner] + 6 * number


@pytest.mark.rule("R20")
def test_the_race_number_goes_up_by_one_with_each_race() -> None:
    match = short_race(4, "6 5 4 3")
    numbers = []
    for start in ("6 5 4 3", "3 4 5 6", "6 5 4 3"):
        numbers.append(table(match).race)
        place(finish(match), start)
    assert numbers == [1, 2, 3]
    assert [facts["race"] for _, facts in told(match, "race")] == [2, 3, 4]


@pytest.mark.rule("R20")
def test_in_a_new_race_everything_on_the_track_is_new() -> None:
    match = finish(lay(short_race(4, "6 5 4 3"), p0=1))
    assert spaces(match) == [None] * 4
    assert [hat.arrival for hat in table(match).hats] == [None] * 4
    place(match, "1 2 3 4")
    assert table(match).order == (3, 2, 1, 0)
    assert to_offers(match).steps[-1] == (3, "dice 1")


@pytest.mark.rule("R19")
@pytest.mark.rule("R20")
def test_while_sombreros_are_placed_nobody_has_arrived_yet() -> None:
    match = Match("race", players=3, seed=1, options={"first": 0, "persuasion": False})
    match.play("first 0")
    shown = []
    while table(match).phase == "place":
        shown.append(table(match).fee)
        match.play(match.legal()[0])
    assert shown == [1] * 6
    assert table(match).fee == 1
