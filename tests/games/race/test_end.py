"""The Race: running out of money, and the end, R21 to R25."""

from typing import Any

import pytest

from caramba.games.errors import IllegalAction, InvalidSetup
from caramba.match.match import Match
from race_kit import (
    end,
    finish,
    money,
    place,
    race,
    short_race,
    spaces,
    stay,
    table,
    to_dice,
    told,
    turn,
    turns,
)


def ruined() -> Match:
    """Seat 0 is bankrupt on 20; seat 2 on 21, seat 1 on 15 and seat 3 on 5 begin a round."""
    match = stay(race(4, "20 15 10 5", persuasion=True))
    turn(match, 0, 0, 0, bribe="0 30")
    return turns(match, "5501", "0000")


def ruined_with_money() -> Match:
    """The same, and seat 0 has got 9 silver from seat 1, which is in turn."""
    return turn(turns(ruined(), "0"), 0, 0, 0, bribe="1 9")


def second_with(silver: int, **options: Any) -> Match:
    """Seat 0 has arrived first; seat 1, who has so much silver, is next, with a fee of 2."""
    match = short_race(4, "6 5 4 3", persuasion=True, **options)
    return turn(match, 5, 5, bribe=f"1 {30 - silver}")


def ruined_leader(**options: Any) -> Match:
    """Seat 3 leads on 6 and is bankrupt; seat 2 has arrived; seats 1 and 0 are to move."""
    match = stay(short_race(4, "3 4 5 6", persuasion=True, **options))
    return turn(match, 1, 0, 0, 5, bribe="3 30")


# Running out of money


@pytest.mark.rule("R21")
def test_who_cannot_pay_in_full_pays_all_and_is_bankrupt() -> None:
    match = turn(second_with(1), 5)
    assert money(match)[1] == 0
    assert table(match).pot == 1 + 1
    assert table(match).bankrupt == (1,)
    assert told(match, "bankrupt") == [(1, {})]


@pytest.mark.rule("R21")
def test_paying_exactly_the_last_coin_is_not_yet_bankruptcy() -> None:
    match = turn(second_with(2), 5)
    assert money(match)[1] == 0
    assert table(match).pot == 1 + 2
    assert table(match).bankrupt == ()


@pytest.mark.rule("R21")
def test_having_nothing_is_not_yet_bankruptcy_but_the_next_debt_is() -> None:
    match = second_with(0)
    assert table(match).bankrupt == ()
    assert table(turn(match, 5)).bankrupt == (1,)


@pytest.mark.rule("R21")
@pytest.mark.rule("R15")
def test_a_gift_that_cannot_be_paid_in_full_takes_all_there_is() -> None:
    match = place(finish(short_race(4, "6 5 4 3", persuasion=True)), "6 5 4 3")
    turn(stay(match), 0, 0, 0, bribe="0 28")
    before = money(match)
    assert (table(match).race, before[0]) == (2, 1)
    turn(match, 2, 0, 0)
    assert money(match) == [0, before[1], before[2] + 1, before[3]]
    assert table(match).bankrupt == (0,)


@pytest.mark.rule("R21")
def test_a_bankrupt_player_plays_on() -> None:
    match = turns(ruined(), "0")
    assert (match.actor, table(match).phase) == (0, "turn_ambush")
    turn(match, 2, 0)
    assert spaces(match)[0] == 22


@pytest.mark.rule("R21")
def test_a_bankrupt_player_still_receives_gifts() -> None:
    match = turn(turns(ruined(), "0"), 1, 0, 1)
    assert money(match) == [1, 60, 29, 30]


@pytest.mark.rule("R21")
def test_a_bankrupt_player_still_receives_bribes() -> None:
    assert money(ruined_with_money()) == [9, 51, 30, 30]


@pytest.mark.rule("R21")
def test_a_bankrupt_player_gives_no_gifts_in_spite_of_new_money() -> None:
    match = turn(ruined_with_money(), 5, 0, 0, 0)
    assert money(match) == [9, 51, 30, 30]
    assert told(match, "welcome")[-1] == (1, {"space": 20, "giver": 0, "silver": 0})


@pytest.mark.rule("R21")
def test_a_bankrupt_player_pays_no_fee_in_spite_of_new_money() -> None:
    match = turns(ruined_with_money(), "000", "0000", "0")
    stay(match)
    turns(match, "000", "0000", "5")
    turn(match, 5, 5, 5, bribe="3 1")
    assert spaces(match)[0] == 35
    turns(match, "000", "0000")
    turn(match, 5)
    assert spaces(match)[0] is None
    assert (money(match)[0], table(match).pot) == (10, 0)
    assert told(match, "arrive") == [(0, {"start": 35, "arrival": 1, "silver": 0})]


@pytest.mark.rule("R21")
@pytest.mark.rule("R10")
def test_a_bankrupt_player_cannot_buy_dice_off() -> None:
    match = to_dice(turns(ruined_with_money(), "000", "0000", "0"))
    assert (match.actor, money(match)[0]) == (0, 9)
    assert match.legal() == ["dice 2"]
    assert table(match).prices == {2: 0}
    with pytest.raises(IllegalAction, match="R10"):
        match.play("dice 1")


@pytest.mark.rule("R21")
def test_who_is_bankrupt_is_told_once() -> None:
    match = turns(ruined_with_money(), "5000001")
    assert told(match, "bankrupt") == [(0, {})]


@pytest.mark.rule("R21")
@pytest.mark.rule("R22")
def test_bankruptcy_lasts_for_the_race_only() -> None:
    match = turns(ruined_leader(), "55", "55")
    assert table(match).race == 2
    assert table(match).bankrupt == ()
    place(match, "3 4 5 6")
    turn(stay(match), 1, 0, 5)
    assert money(match)[3] == 6 - 2


# The end


@pytest.mark.rule("R22")
def test_a_bankrupt_player_who_does_not_win_leaves_and_the_game_is_over() -> None:
    match = finish(turn(second_with(1), 5))
    assert end(match) == "bankrupt"
    assert match.actor is None
    assert table(match).gone == (1,)
    assert table(match).race == 1
    assert told(match, "over") == [(None, {"end": "bankrupt"})]


@pytest.mark.rule("R22")
def test_a_bankrupt_player_who_wins_the_race_plays_on() -> None:
    match = turns(ruined_leader(), "55", "55")
    assert told(match, "race_won") == [(3, {"silver": 6})]
    assert end(match) is None
    assert table(match).gone == ()
    assert (table(match).race, match.actor, money(match)[3]) == (2, 3, 6)


@pytest.mark.rule("R22")
def test_the_game_goes_on_until_the_race_is_over() -> None:
    match = turn(second_with(1), 5)
    assert end(match) is None
    assert table(match).gone == ()
    assert match.actor == 2


@pytest.mark.rule("R23")
def test_the_game_is_over_when_a_player_has_no_silver_to_start_a_race() -> None:
    match = finish(turn(second_with(2), 5))
    assert end(match) == "broke"
    assert table(match).gone == ()
    assert money(match)[1] == 0
    assert told(match, "over") == [(None, {"end": "broke"})]


@pytest.mark.rule("R23")
def test_one_silver_is_enough_to_start_a_race() -> None:
    match = finish(turn(second_with(3), 5))
    assert money(match)[1] == 1
    assert (end(match), table(match).race) == (None, 2)


@pytest.mark.rule("R23")
def test_the_pot_may_save_the_winner_of_a_race_from_having_nothing() -> None:
    match = turn(short_race(4, "6 5 4 3", persuasion=True), 5, 5, bribe="3 30")
    assert money(match)[3] == 0
    finish(match)
    assert money(match)[3] == 6
    assert (end(match), table(match).race) == (None, 2)


# The winner


@pytest.mark.rule("R24")
def test_points_are_silver() -> None:
    match = turns(short_race(4, "6 5 4 3"), "5", "5")
    assert match.points == money(match) == [29, 28, 30, 30]
    assert match.winners == []


@pytest.mark.rule("R24")
def test_the_richest_player_wins() -> None:
    match = finish(short_race(4, "6 5 4 3", max_races=1))
    assert match.result
    assert match.result.points == (29, 28, 27, 36)
    assert match.winners == [3]


@pytest.mark.rule("R24")
def test_that_need_not_be_the_winner_of_the_last_race() -> None:
    match = turn(short_race(4, "6 5 4 3", persuasion=True, max_races=1), 5, 5, bribe="3 10")
    finish(match)
    assert match.points == [39, 28, 27, 26]
    assert match.winners == [0]


@pytest.mark.rule("R24")
def test_equally_rich_players_win_together() -> None:
    match = turns(short_race(4, "6 5 4 3", persuasion=True, max_races=1), "5")
    finish(turn(match, 5, 5, bribe="3 4"))
    assert match.points == [29, 32, 27, 32]
    assert match.winners == [1, 3]


@pytest.mark.rule("R24")
def test_who_has_left_does_not_win_though_the_richest() -> None:
    match = turns(ruined_leader(), "55", "00")
    turn(match, 5, 5, bribe="2 58")
    assert end(match) == "bankrupt"
    assert match.points == [33, 28, 1, 58]
    assert table(match).gone == (3,)
    assert match.winners == [0]


@pytest.mark.rule("R24")
def test_a_bankrupt_winner_of_the_race_may_win_the_game() -> None:
    match = turns(ruined_leader(max_races=1), "55", "00")
    turns(turn(match, 0, 0, bribe="2 58"), "55")
    assert end(match) == "races"
    assert match.points == [27, 28, 1, 58 + 6]
    assert match.winners == [3]


# The last race


@pytest.mark.rule("R25")
@pytest.mark.parametrize("races", [1, 2, 3])
def test_the_game_is_over_after_the_last_race_allowed(races: int) -> None:
    match = short_race(4, "6 5 4 3", max_races=races)
    for number in range(1, races):
        finish(match)
        assert (end(match), table(match).race) == (None, number + 1)
        place(match, "3 4 5 6" if number % 2 else "6 5 4 3")
    finish(match)
    assert end(match) == "races"
    assert table(match).race == races
    assert told(match, "over") == [(None, {"end": "races"})]


@pytest.mark.rule("R25")
def test_there_is_no_limit_unless_told() -> None:
    match = short_race(4, "6 5 4 3")
    assert table(match).max_races is None
    for number in range(1, 5):
        place(finish(match), "3 4 5 6" if number % 2 else "6 5 4 3")
    assert (end(match), table(match).race) == (None, 5)


@pytest.mark.rule("R25")
@pytest.mark.parametrize(("silver", "reason"), [(1, "bankrupt"), (2, "broke"), (3, "races")])
def test_the_first_reason_that_holds_is_given(silver: int, reason: str) -> None:
    assert end(finish(turn(second_with(silver, max_races=1), 5))) == reason


@pytest.mark.rule("R25")
@pytest.mark.parametrize("max_races", [0, -1, 1001, True, "5", 2.0])
def test_a_number_of_races_that_makes_no_sense_is_refused(max_races: Any) -> None:
    with pytest.raises(InvalidSetup, match="option max_races"):
        Match("race", players=4, options={"max_races": max_races})


@pytest.mark.rule("R25")
def test_a_number_of_races_is_anything_from_1_to_1000_or_none() -> None:
    for max_races in (1, 1000, None):
        match = Match("race", players=4, options={"max_races": max_races})
        assert table(match).max_races == max_races


@pytest.mark.rule("R25")
def test_nothing_can_be_played_after_the_end() -> None:
    match = finish(short_race(4, "6 5 4 3", max_races=1))
    assert match.legal() == []
    assert match.chances() == {}
    with pytest.raises(IllegalAction, match="the game is over"):
        match.play("dice 1")
