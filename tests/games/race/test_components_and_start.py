"""The Race: components and the start of a race, R01 to R06."""

from random import Random
from typing import Any

import pytest

from caramba.games.contract import CHANCE
from caramba.games.errors import IllegalAction, InvalidAction, InvalidSetup
from caramba.match.match import Match
from kit import play, random_match, random_step
from race_kit import (
    ambushes,
    finish,
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


def seats_to_place(match: Match) -> list[int]:
    """Who puts a sombrero on the track, in order."""
    return [table(match).hats[hat].seat for hat in table(match).order]


# Components


@pytest.mark.rule("R01")
@pytest.mark.parametrize("players", [4, 5, 6])
def test_four_to_six_have_one_sombrero_one_token_and_thirty_silver(players: int) -> None:
    view = table(Match("race", players=players))
    assert view.money == (30,) * players
    assert [hat.seat for hat in view.hats] == list(range(players))
    assert [token.seat for token in view.ambushes] == list(range(players))


@pytest.mark.rule("R01")
@pytest.mark.parametrize("players", [2, 3])
def test_two_or_three_have_two_sombreros_two_tokens_and_sixty_silver(players: int) -> None:
    view = table(Match("race", players=players))
    assert view.money == (60,) * players
    assert [hat.seat for hat in view.hats] == [0, 0, 1, 1, 2, 2][: 2 * players]
    assert [token.seat for token in view.ambushes] == [0, 0, 1, 1, 2, 2][: 2 * players]


@pytest.mark.rule("R01")
@pytest.mark.parametrize("players", [0, 1, 7, True, "4", None])
def test_no_other_number_of_players_can_play(players: Any) -> None:
    with pytest.raises(InvalidSetup, match="2 to 6 players"):
        Match("race", players=players)


@pytest.mark.rule("R01")
def test_sombreros_and_tokens_begin_off_the_track() -> None:
    match = Match("race", players=4)
    assert spaces(match) == ambushes(match) == [None] * 4


@pytest.mark.rule("R02")
def test_a_die_shows_0_to_5_all_alike() -> None:
    match = turn(race(4, "20 15 10 5"))
    assert match.chances() == {f"die {face}": 1 for face in range(6)}
    with pytest.raises(InvalidAction, match="die 5"):
        match.play("die 6")


@pytest.mark.rule("R02")
@pytest.mark.parametrize(
    ("players", "start", "dice"),
    [
        (2, "20 15 10 5", 4),
        (3, "30 25 20 15 10 5", 6),
        (4, "20 15 10 5", 4),
        (5, "25 20 15 10 5", 5),
        (6, "30 25 20 15 10 5", 6),
    ],
)
def test_the_last_sombrero_rolls_as_many_dice_as_there_are(
    players: int, start: str, dice: int
) -> None:
    match = turn(stay(race(players, start), turns=dice - 1))
    assert table(match).dice == table(match).dice_left == dice


@pytest.mark.rule("R03")
def test_the_track_has_twelve_spaces_each_of_stone_gravel_and_earth() -> None:
    match = play(Match("race", players=2, options={"first": 0}), "first 0")
    assert table(match).zones == (12, 24, 36)
    assert match.legal() == [f"place {space}" for space in range(1, 37)]


@pytest.mark.rule("R03")
@pytest.mark.parametrize("track", [[3, 4, 5], [0, 0, 4], (60, 0, 0), [20, 20, 20]])
def test_another_track_can_be_loaded(track: Any) -> None:
    match = play(Match("race", players=4, options={"first": 0, "track": track}), "first 0")
    assert table(match).zones == (track[0], track[0] + track[1], sum(track))
    assert match.legal() == [f"place {space}" for space in range(1, sum(track) + 1)]


@pytest.mark.rule("R03")
@pytest.mark.parametrize("space", [0, 13, -1])
def test_a_track_has_no_spaces_but_its_own(space: int) -> None:
    match = play(Match("race", players=4, options={"first": 0, "track": [4, 4, 4]}), "first 0")
    with pytest.raises(InvalidAction, match="not a step of this game"):
        match.play(f"place {space}")


@pytest.mark.rule("R03")
@pytest.mark.parametrize(("players", "least"), [(2, 4), (3, 6), (4, 4), (5, 5), (6, 6)])
def test_a_track_has_at_least_as_many_spaces_as_sombreros(players: int, least: int) -> None:
    Match("race", players=players, options={"track": [least, 0, 0]})
    with pytest.raises(InvalidSetup, match=f"from {least} to 60"):
        Match("race", players=players, options={"track": [least - 1, 0, 0]})


@pytest.mark.rule("R03")
@pytest.mark.parametrize(
    "track", [[12, 12], [9] * 4, [21, 20, 20], [-1, 9, 9], [True, 9, 9], [9.0, 9, 9], "999", 36]
)
def test_a_track_that_makes_no_sense_is_refused(track: Any) -> None:
    with pytest.raises(InvalidSetup, match="option track"):
        Match("race", players=4, options={"track": track})


@pytest.mark.rule("R03")
@pytest.mark.parametrize("track", [None, [], ["12", "12", "12"]])
def test_a_track_that_is_no_list_of_numbers_is_refused(track: Any) -> None:
    with pytest.raises(InvalidSetup, match="option track"):
        Match("race", players=4, options={"track": track})


def test_an_option_that_the_game_does_not_have_is_refused() -> None:
    with pytest.raises(InvalidSetup, match="it has first, max_races, persuasion, track"):
        Match("race", players=4, options={"last": 1})


@pytest.mark.rule("R04")
@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
@pytest.mark.parametrize("track", [(1, 2, 3), (3, 4, 5)])
def test_all_silver_is_always_with_the_players_or_in_the_pot(
    players: int, track: tuple[int, ...]
) -> None:
    match, random = Match("race", players=players, seed=1, options={"track": track}), Random(1)
    silver = sum(table(match).money)
    pots = set()
    while match.actor is not None:
        random_step(match, random)
        assert sum(table(match).money) + table(match).pot == silver
        assert min(*table(match).money, table(match).pot) >= 0
        pots.add(table(match).pot)
    assert len(pots) > 3
    assert table(match).pot == 0


@pytest.mark.rule("R04")
@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_every_silver_that_moves_is_told(players: int) -> None:
    match = random_match("race", players, players, track=(2, 3, 4))
    silver = [sum(match.points) // players] * players
    for kind in ("dice", "arrive"):
        for seat, facts in told(match, kind):
            silver[seat or 0] -= facts["silver"]
    for kind in ("welcome", "accept"):
        for seat, facts in told(match, kind):
            silver[seat or 0] += facts["silver"]
            silver[facts["giver"]] -= facts["silver"]
    for seat, facts in told(match, "race_won"):
        silver[seat or 0] += facts["silver"]
    assert silver == match.points


# Start of a race


@pytest.mark.rule("R05")
@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_every_seat_has_the_same_chance_to_place_first(players: int) -> None:
    match = Match("race", players=players)
    assert match.actor == CHANCE
    assert match.chances() == {f"first {seat}": 1 for seat in range(players)}


@pytest.mark.rule("R05")
def test_a_chosen_first_player_is_written_as_a_step_with_one_outcome() -> None:
    match = Match("race", players=4, options={"first": 2})
    assert match.chances() == {"first 2": 1}
    with pytest.raises(IllegalAction, match="cannot be drawn now"):
        match.play("first 0")
    match.play("first 2")
    assert match.steps == [(None, "first 2")]
    assert match.actor == 2


@pytest.mark.rule("R05")
@pytest.mark.parametrize("first", [-1, 4, True, "1", 1.0])
def test_a_first_player_who_does_not_sit_here_is_refused(first: Any) -> None:
    with pytest.raises(InvalidSetup, match="option first"):
        Match("race", players=4, options={"first": first})


@pytest.mark.rule("R05")
@pytest.mark.parametrize(
    ("players", "order"), [(4, [2, 3, 0, 1]), (5, [2, 3, 4, 0, 1]), (6, [2, 3, 4, 5, 0, 1])]
)
def test_the_first_race_is_placed_clockwise_from_the_first(players: int, order: list[int]) -> None:
    match = play(Match("race", players=players), "first 2")
    assert seats_to_place(match) == order
    asked = []
    for space in range(1, players + 1):
        asked.append(match.actor)
        match.play(f"place {space}")
    assert asked == order


@pytest.mark.rule("R05")
@pytest.mark.rule("R06")
@pytest.mark.parametrize(("players", "order"), [(2, [1, 0, 1, 0]), (3, [1, 2, 0, 1, 2, 0])])
def test_with_two_sombreros_each_the_first_race_goes_round_twice(
    players: int, order: list[int]
) -> None:
    match = play(Match("race", players=players), "first 1")
    for space, seat in enumerate(order, 1):
        assert match.actor == seat
        match.play(f"place {space}")
    assert table(match).phase != "place"


@pytest.mark.rule("R05")
def test_later_races_are_placed_in_the_order_of_the_last_result() -> None:
    match = turns(short_race(4, "4 6 2 5"), "5", "5", "5")
    assert table(match).race == 2
    assert seats_to_place(match) == [2, 0, 3, 1]
    place(match, "3 4 5 6")
    assert spaces(match) == [3, 4, 5, 6]


@pytest.mark.rule("R05")
def test_the_order_is_that_of_arriving_not_of_moving() -> None:
    match = turns(short_race(4, "3 4 5 6"), "0", "15", "50", "00", "0", "44")
    assert seats_to_place(match) == [3, 0, 1, 2]


@pytest.mark.rule("R05")
@pytest.mark.rule("R06")
def test_with_two_each_later_races_go_by_each_sombreros_own_rank() -> None:
    match = finish(short_race(2, "6 3 5 4"))
    assert table(match).order == (1, 3, 2, 0)
    assert seats_to_place(match) == [0, 1, 1, 0]
    place(match, "1 2 3 4")
    assert spaces(match) == [1, 2, 3, 4]


@pytest.mark.rule("R05")
def test_only_the_last_result_counts() -> None:
    match = place(finish(short_race(4, "6 5 4 3")), "3 4 5 6")
    finish(match)
    assert table(match).race == 3
    assert seats_to_place(match) == [0, 1, 2, 3]


@pytest.mark.rule("R06")
def test_a_sombrero_goes_on_any_free_space_of_the_three_zones() -> None:
    match = play(Match("race", players=4), "first 0", "place 1", "place 36", "place 17")
    free = [f"place {space}" for space in range(1, 37) if space not in (1, 17, 36)]
    assert match.legal() == free
    match.play("place 30")
    assert spaces(match) == [1, 36, 17, 30]


@pytest.mark.rule("R06")
@pytest.mark.parametrize("players", [2, 4])
def test_a_space_takes_one_sombrero_whosever_it_is(players: int) -> None:
    match = play(Match("race", players=players), "first 0", "place 9", "place 8")
    for taken in (8, 9):
        with pytest.raises(IllegalAction, match=r"sombrero on that space already.*R06"):
            match.play(f"place {taken}")


@pytest.mark.rule("R06")
def test_only_the_owner_places_a_sombrero_and_only_before_the_race() -> None:
    match = play(Match("race", players=4), "first 3")
    with pytest.raises(IllegalAction, match="it is the turn of Dolores"):
        match.play("place 3", seat=0)
    with pytest.raises(IllegalAction, match=r"not for this moment.*R06"):
        race(4, "20 15 10 5").play("place 3")


@pytest.mark.rule("R06")
def test_a_full_track_is_raced_on_too() -> None:
    match = race(6, "1 2 3 4 5 6", track=[2, 2, 2])
    assert match.legal() == ["no"]
    assert sorted(str(space) for space in spaces(match)) == list("123456")
