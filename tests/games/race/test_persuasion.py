"""The Race: money for one die more, R18."""

from typing import Any

import pytest

from caramba.games.contract import CHANCE
from caramba.games.errors import IllegalAction, InvalidSetup
from caramba.match.match import Match
from kit import play
from race_kit import (
    finish,
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


def offers_due(start: str = "20 15 10 5", turns: int = 0) -> Match:
    """Four players with persuasion; the mover, after so many turns, has declared its dice."""
    return to_offers(stay(race(4, start, persuasion=True), turns=turns))


def asked(match: Match) -> list[int | None]:
    """Who is asked for an offer; nobody makes one."""
    found = []
    while table(match).phase == "offers":
        found.append(match.actor)
        match.play("no")
    return found


@pytest.mark.rule("R18")
@pytest.mark.parametrize(("turns", "order"), [(0, [1, 2, 3]), (1, [2, 3, 0]), (3, [0, 1, 2])])
def test_after_the_dice_are_declared_the_others_are_asked_clockwise(
    turns: int, order: list[int]
) -> None:
    match = offers_due(turns=turns)
    assert asked(match) == order
    assert match.actor == CHANCE


@pytest.mark.rule("R18")
@pytest.mark.parametrize("players", [2, 3])
def test_with_two_sombreros_each_player_is_asked_once(players: int) -> None:
    match = to_offers(race(players, "20 19 18 17 16 15"[: 6 * players - 1], persuasion=True))
    assert asked(match) == list(range(1, players))


@pytest.mark.rule("R18")
def test_an_offer_is_an_amount_that_one_owns_at_least_1() -> None:
    match = offers_due()
    assert match.legal() == ["no", *(f"offer {silver}" for silver in range(1, 31))]
    with pytest.raises(IllegalAction, match=r"only 30 silver.*R18"):
        match.play("offer 31")


@pytest.mark.rule("R18")
def test_an_accepted_offer_is_paid_at_once_and_adds_one_die() -> None:
    match = play(offers_due(turns=1), "offer 7", "no", "no", "accept 2")
    assert money(match) == [30, 37, 23, 30]
    assert table(match).pot == 0
    assert (match.actor, table(match).dice, table(match).dice_left) == (CHANCE, 3, 3)
    play(match, "die 2", "die 3", "die 4")
    assert spaces(match)[1] == 15 + 9


@pytest.mark.rule("R18")
def test_the_mover_accepts_one_offer_and_only_that_is_paid() -> None:
    match = play(offers_due(), "offer 7", "no", "offer 9")
    assert match.actor == 0
    assert table(match).offers == {1: 7, 3: 9}
    assert match.legal() == ["no", "accept 1", "accept 3"]
    play(match, "accept 1")
    assert money(match) == [37, 23, 30, 30]
    assert match.actor == CHANCE


@pytest.mark.rule("R18")
def test_an_offer_of_who_made_none_cannot_be_accepted() -> None:
    match = play(offers_due(), "offer 7", "no", "no")
    for seat in (0, 2, 3):
        with pytest.raises(IllegalAction, match=r"has offered nothing.*R18"):
            match.play(f"accept {seat}")


@pytest.mark.rule("R18")
def test_the_mover_may_decline_all_offers() -> None:
    match = play(offers_due(), "offer 7", "no", "offer 30", "no")
    assert money(match) == [30] * 4
    assert table(match).dice_left == 1


@pytest.mark.rule("R18")
def test_the_mover_is_asked_only_if_there_is_an_offer() -> None:
    match = play(offers_due(), "no", "no", "no")
    assert match.actor == CHANCE
    assert play(offers_due(), "no", "no", "offer 1").actor == 0


@pytest.mark.rule("R18")
def test_offers_are_seen_by_those_asked_later_and_not_raised() -> None:
    match = play(offers_due(), "offer 7")
    assert [match.view(seat).offers for seat in range(4)] == [{1: 7}] * 4
    play(match, "offer 8", "offer 9")
    assert (match.actor, table(match).phase) == (0, "answer")


@pytest.mark.rule("R18")
def test_an_offer_is_for_this_turn_only() -> None:
    match = play(offers_due(), "offer 7", "no", "no", "no", "die 0", "no", "dice 2")
    assert table(match).offers == {}
    assert play(match, "no", "no", "no").actor == CHANCE


@pytest.mark.rule("R18")
def test_one_die_more_than_declared_after_buying_off() -> None:
    match = to_dice(stay(race(4, "20 15 10 5", persuasion=True), turns=3))
    play(match, "dice 2", "offer 5", "no", "no", "accept 0")
    assert money(match) == [25, 30, 30, 32]
    assert table(match).dice_left == 3


@pytest.mark.rule("R18")
def test_more_dice_than_sombreros_may_be_rolled() -> None:
    match = turn(stay(race(4, "20 15 10 1", persuasion=True), turns=3), bribe="0 1")
    assert table(match).dice_left == 5
    assert spaces(play(match, *["die 5"] * 5))[3] == 26


@pytest.mark.rule("R18")
def test_the_die_more_is_for_the_first_roll_of_the_turn_alone() -> None:
    match = turn(race(4, "20 15 10 5", persuasion=True), 0, 0, bribe="3 1")
    turn(match, 4, 1)
    assert table(match).dice_left == 1


@pytest.mark.rule("R18")
def test_who_has_arrived_may_still_offer() -> None:
    match = to_offers(turn(short_race(4, "6 4 3 2", persuasion=True), 5))
    assert asked(match) == [2, 3, 0]


@pytest.mark.rule("R18")
def test_who_has_no_money_is_not_asked() -> None:
    match = turn(race(4, "20 15 10 5", persuasion=True), 0, 0, bribe="2 30")
    assert asked(to_offers(match)) == [3, 0]


@pytest.mark.rule("R18")
@pytest.mark.rule("R21")
def test_who_is_bankrupt_is_not_asked_even_with_money() -> None:
    match = stay(race(4, "20 15 10 5", persuasion=True))
    turn(match, 0, 0, 0, bribe="0 30")
    turns(match, "5501", "0000", "0")
    turn(match, 0, 0, 0, bribe="1 9")
    assert (table(match).bankrupt, money(match)[0]) == ((0,), 9)
    assert asked(to_offers(match)) == [2, 3]


@pytest.mark.rule("R18")
def test_an_offer_is_not_multiplied_by_the_race_number() -> None:
    match = place(finish(short_race(4, "6 5 4 3", persuasion=True)), "6 5 4 3")
    before = money(match)
    turn(match, bribe="1 3")
    assert table(match).race == 2
    assert money(match) == [before[0] + 3, before[1] - 3, *before[2:]]


@pytest.mark.rule("R18")
def test_offers_are_for_their_moment() -> None:
    match = to_dice(race(4, "20 15 10 5", persuasion=True))
    for step in ("offer 3", "accept 1"):
        with pytest.raises(IllegalAction, match=r"not for this moment.*R18"):
            match.play(step)


@pytest.mark.rule("R18")
def test_persuasion_is_on_unless_it_is_switched_off() -> None:
    match = play(Match("race", players=4, options={"first": 0}), "first 0")
    assert table(to_offers(place(match, "20 15 10 5"))).phase == "offers"
    match = to_offers(race(4, "20 15 10 5", persuasion=False))
    assert match.actor == CHANCE


@pytest.mark.rule("R18")
@pytest.mark.parametrize("persuasion", [0, 1, "no", None])
def test_persuasion_is_on_or_off(persuasion: Any) -> None:
    with pytest.raises(InvalidSetup, match="option persuasion: true or false"):
        Match("race", players=4, options={"persuasion": persuasion})
