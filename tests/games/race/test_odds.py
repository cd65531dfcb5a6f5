"""The Race: the exact odds of a turn, against playing out every die."""

from fractions import Fraction
from itertools import product

import pytest

from caramba.games.contract import CHANCE
from caramba.games.race.odds import MINE, Odds, odds, sums, turn_odds
from caramba.match.match import Match
from kit import play, random_match
from race_kit import finish, lay, place, race, short_race, spaces, stay, table, to_dice, turn, turns

Found = dict[tuple[int, int], Fraction]
"""(where the turn ends, silver of the mover's owner then) to its probability."""


def played_out(match: Match, hat: int, known: dict[bytes, Found] | None = None) -> Found:
    """What comes of every roll of the dice; a roll that changes nothing is rolled again."""
    known = {} if known is None else known
    key = match.state.tobytes()
    if key not in known:
        found: Found = {}
        dice = table(match).dice_left
        again = Fraction(0)
        for faces in product(range(6), repeat=dice):
            after = play(match.copy(), *(f"die {face}" for face in faces))
            if after.state.tobytes() == key:
                again += Fraction(1, 6**dice)
                continue
            for end, p in result_of(after, hat, known).items():
                found[end] = found.get(end, Fraction(0)) + p / 6**dice
        known[key] = {end: p / (1 - again) for end, p in found.items()}
    return known[key]


def result_of(match: Match, hat: int, known: dict[bytes, Found]) -> Found:
    """What comes of a roll: the end of the turn, or more rolls."""
    if match.actor == CHANCE:
        return played_out(match, hat, known)
    view = table(match)
    return {(view.hats[hat].space or MINE, view.money[view.hats[hat].seat]): Fraction(1)}


def assert_exact(match: Match) -> Odds:
    """The odds of the dice that are about to be rolled are those of playing them out."""
    view = table(match)
    hat = view.order[0]
    odds = turn_odds(view, view.dice_left)
    ends: dict[int, Fraction] = {}
    cost = Fraction(view.money[view.hats[hat].seat])
    for (end, silver), p in played_out(match, hat).items():
        ends[end] = ends.get(end, Fraction(0)) + p
        cost -= silver * p
    assert odds.ends == ends
    assert odds.cost == cost
    return odds


# All odds


@pytest.mark.parametrize("dice", range(6))
def test_the_odds_of_a_sum_are_its_share_of_all_rolls(dice: int) -> None:
    rolls = [sum(faces) for faces in product(range(6), repeat=dice)]
    assert sums(dice) == tuple(
        Fraction(rolls.count(total), len(rolls)) for total in range(5 * dice + 1)
    )


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
@pytest.mark.parametrize("track", [(2, 3, 4), (12, 12, 12)])
def test_probabilities_add_up_to_1_wherever_a_game_stands(
    players: int, track: tuple[int, ...]
) -> None:
    whole = random_match("race", players, players, track=track, max_races=3)
    checked = 0
    for step in range(2 * players, len(whole.steps), 1 + len(whole.steps) // 40):
        view = table(whole.at(step))
        moving = [hat for hat in view.order if view.hats[hat].space]
        for hat in moving[:1]:
            odds = turn_odds(view, view.hats[hat].rank or 1, hat)
            assert sum(odds.ends.values()) == 1
            assert all(p > 0 for p in odds.ends.values())
            checked += 1
    assert checked > 10


@pytest.mark.parametrize("players", [2, 4, 6])
def test_no_turn_ends_on_an_ambush_or_another_sombrero(players: int) -> None:
    for seed in range(10):
        view = table(random_match("race", players, seed, 60, track=(2, 3, 4), persuasion=False))
        if view.order and view.phase != "place":
            others = {hat.space for n, hat in enumerate(view.hats) if n != view.order[0]}
            taken = others | {token.space for token in view.ambushes}
            assert not turn_odds(view, 2).ends.keys() & taken


def test_the_odds_are_those_of_the_sombrero_in_turn_unless_another_is_named() -> None:
    view = table(race(4, "20 15 10 5"))
    assert turn_odds(view, 1) == turn_odds(view, 1, hat=0)
    last = turn_odds(view, 1, hat=3).ends
    assert [last[space] for space in (9, 14, 19, 25)] == [
        Fraction(1, 6),
        Fraction(1, 6 * 5),
        Fraction(1, 6 * 5 * 5),
        Fraction(1, 6 * 5 * 5 * 5),
    ]


# Against every roll


@pytest.mark.rule("R09")
def test_one_die_without_a_chain() -> None:
    odds = assert_exact(turn(race(4, "20 15 10 5")))
    assert odds == Odds({space: Fraction(1, 6) for space in range(20, 26)}, Fraction(0))


@pytest.mark.rule("R09")
@pytest.mark.parametrize("dice", [1, 2])
def test_several_dice_with_all_others_in_the_way_who_soon_have_no_money(dice: int) -> None:
    match = turn(race(4, "14 12 11 9", persuasion=True), 0, 0, bribe="1 28")
    turn(match, 0, 0, 0, bribe="0 57")
    turn(match, 0, 0, 0, 0, bribe="1 57")
    turn(match, dice=dice, bribe="2 86")
    assert (table(match).money[:3], table(match).dice_left) == ((1, 2, 1), dice + 1)
    assert_exact(match)


@pytest.mark.rule("R14")
@pytest.mark.parametrize("space", [7, 12, 13, 24, 25, 34])
def test_an_ambush_on_each_zone(space: int) -> None:
    odds = assert_exact(turn(lay(race(4, f"{space - 1} 3 2 1"), p1=space)))
    assert space not in odds.ends


@pytest.mark.rule("R17")
def test_a_chain_of_ambushes_and_sombreros() -> None:
    match = lay(short_race(2, "5 3 4 1"), p0=2, p1=6)
    assert_exact(turn(stay(match, turns=3), dice=2))


@pytest.mark.rule("R15")
@pytest.mark.rule("R16")
def test_the_gifts_of_an_occupied_space() -> None:
    odds = assert_exact(turn(stay(race(4, "20 19 10 5")), dice=1))
    gifts = sum((Fraction(1, 6**times) for times in range(30)), Fraction(0))
    assert odds.cost == -gifts / 6
    sixth, chain = Fraction(1, 6), Fraction(1, 30)
    assert odds.ends == {
        19: sixth,
        21: sixth + chain,
        22: sixth + chain,
        23: sixth + chain,
        24: sixth + chain,
        25: chain,
    }


@pytest.mark.rule("R16")
def test_the_own_sombrero_gives_nothing() -> None:
    odds = assert_exact(turn(stay(race(2, "20 19 10 5")), dice=1))
    assert odds.cost == 0


@pytest.mark.rule("R20")
def test_gifts_and_fees_of_a_later_race() -> None:
    match = place(finish(short_race(4, "6 5 4 3")), "6 5 4 3")
    odds = assert_exact(turn(match))
    assert odds == Odds({MINE: Fraction(5, 6), 6: Fraction(1, 6)}, Fraction(5, 6) * 2)
    assert_exact(turn(play(match, "die 0"), dice=2))


@pytest.mark.rule("R19")
def test_the_fee_is_that_of_the_next_arrival() -> None:
    match = turns(short_race(4, "6 5 4 3"), "5")
    odds = assert_exact(turn(match))
    assert odds == Odds(
        {MINE: Fraction(2, 3), 5: Fraction(1, 6), 6: Fraction(1, 6)}, Fraction(4, 3)
    )


@pytest.mark.rule("R19")
def test_the_turn_that_ends_the_race() -> None:
    match = turns(short_race(4, "6 5 4 3"), "5", "5")
    odds = turn_odds(table(turn(match)), 1)
    assert odds.ends == {MINE: Fraction(1, 2), **dict.fromkeys((4, 5, 6), Fraction(1, 6))}
    assert odds.cost == Fraction(3, 2)


@pytest.mark.rule("R21")
@pytest.mark.parametrize("left", [0, 1, 2])
def test_a_host_that_runs_out_of_money(left: int) -> None:
    match = stay(race(4, "20 15 18 5", persuasion=True))
    turn(match, 0, 0, 0, bribe=f"0 {30 - left}")
    odds = assert_exact(turn(match, dice=2))
    assert odds.cost < 0


@pytest.mark.rule("R21")
@pytest.mark.parametrize(("left", "paid"), [(0, 0), (1, 1), (2, 2), (3, 2)])
def test_who_cannot_pay_the_fee_pays_what_there_is(left: int, paid: int) -> None:
    match = turn(short_race(4, "6 5 4 3", persuasion=True), 5, 5, bribe=f"1 {30 - left}")
    assert assert_exact(turn(match)).cost == paid * Fraction(2, 3)


@pytest.mark.rule("R21")
def test_a_gift_on_the_way_helps_to_pay_the_fee() -> None:
    match = turn(short_race(4, "6 5 3 4", persuasion=True), 0, 0, bribe="1 30")
    odds = assert_exact(turn(match))
    assert MINE in odds.ends
    assert odds.cost > -1


@pytest.mark.rule("R21")
def test_a_bankrupt_mover_pays_no_fee_but_keeps_its_gifts() -> None:
    match = stay(short_race(4, "5 3 4 1", persuasion=True))
    turn(match, 0, 0, 0, bribe="0 30")
    turns(match, "2001", "0000")
    assert (table(match).bankrupt, spaces(match)) == ((0,), [5, 6, 4, 1])
    odds = assert_exact(turn(stay(match)))
    assert odds.cost < 0


@pytest.mark.rule("R21")
def test_a_bankrupt_host_gives_nothing_in_spite_of_new_money() -> None:
    match = stay(race(4, "20 15 10 5", persuasion=True))
    turn(match, 0, 0, 0, bribe="0 30")
    turn(turns(match, "5504", "0000", "0"), 0, 0, 0, bribe="1 9")
    assert (table(match).bankrupt, table(match).money[0]) == ((0,), 9)
    assert assert_exact(turn(match, dice=1)).cost > -Fraction(1, 6)


def test_there_are_odds_once_a_sombrero_is_in_turn() -> None:
    match = Match("race", players=2, options={"first": 0}, seed=1)
    match.deal()
    assert odds(table(match)) == []
    shown = odds(table(to_dice(race(2, "20 15 10 5"))))
    assert [turn.dice for turn in shown] == [1]
    assert abs(sum(shown[0].ends.values()) - 1) < 1e-12
