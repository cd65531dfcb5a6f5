"""The Cards: which options there are, and which values they take, C17 to C25."""

from typing import Any

import pytest

from caramba.games import contract
from caramba.games.errors import InvalidSetup
from caramba.match.match import Match
from cards_kit import table

RANGES = {
    "max_laps": (2, 200),
    "max_deals": (1, 1000),
    "call_limit": (0, 50),
    "penalty": (0, 1000),
    "end_score": (1, 1000),
    "drop_to": (0, 1000),
}
FLAGS = ("ends_only", "others_score", "elimination")
ROOM = {"end_score": {"drop_to": 0}, "drop_to": {"end_score": 1000}}
"""What else has to be chosen, so that all values of an option are possible."""


def chosen(name: str, value: Any) -> Any:
    """What the table shows of an option of this value."""
    match = Match("cards", players=4, options={**ROOM.get(name, {}), name: value})
    return getattr(table(match), name)


def test_the_options_and_their_defaults() -> None:
    defaults = {option.name: option.default for option in contract.load("cards").options}
    assert defaults == {
        "first": None,
        "max_laps": 100,
        "max_deals": 100,
        "call_limit": 7,
        "penalty": 30,
        "end_score": 100,
        "drop_to": 75,
        "ends_only": False,
        "others_score": False,
        "elimination": False,
        "deck": "tarot",
    }


def test_without_options_the_table_shows_the_defaults() -> None:
    view = table(Match("cards", players=4))
    for option in contract.load("cards").options:
        assert getattr(view, option.name) == option.default


@pytest.mark.rule("C17")
@pytest.mark.rule("C18")
@pytest.mark.rule("C19")
@pytest.mark.rule("C20")
@pytest.mark.rule("C21")
@pytest.mark.parametrize("name", RANGES)
def test_a_number_is_one_of_its_range(name: str) -> None:
    low, high = RANGES[name]
    for value in (low, low + 1, high - 1, high):
        assert chosen(name, value) == value
    for value in (low - 1, high + 1, -(10**30), 10**30):
        message = f"option {name}: a whole number from {low} to {high}, not {value}"
        with pytest.raises(InvalidSetup, match=f"^{message}$"):
            chosen(name, value)


@pytest.mark.parametrize("name", RANGES)
@pytest.mark.parametrize("value", [True, 5.0, "5", None, [5], "", float("nan")])
def test_a_number_is_nothing_else(name: str, value: Any) -> None:
    with pytest.raises(InvalidSetup, match=f"^option {name}: a whole number from"):
        chosen(name, value)


@pytest.mark.rule("C21")
@pytest.mark.parametrize(("end_score", "drop_to"), [(50, 51), (74, 75), (1, 2), (999, 1000)])
def test_no_total_can_fall_to_a_higher_one(end_score: int, drop_to: int) -> None:
    message = f"^option drop_to: at most end_score, {end_score}, not {drop_to}$"
    with pytest.raises(InvalidSetup, match=message):
        Match("cards", players=4, options={"end_score": end_score, "drop_to": drop_to})


@pytest.mark.rule("C21")
@pytest.mark.parametrize(("end_score", "drop_to"), [(50, 50), (75, 75), (1, 0), (1000, 1000)])
def test_a_total_can_fall_to_as_much_or_less(end_score: int, drop_to: int) -> None:
    match = Match("cards", players=4, options={"end_score": end_score, "drop_to": drop_to})
    assert (table(match).end_score, table(match).drop_to) == (end_score, drop_to)


@pytest.mark.rule("C21")
def test_below_75_both_have_to_be_chosen() -> None:
    Match("cards", players=4, options={"end_score": 75})
    with pytest.raises(InvalidSetup, match=r"^option drop_to: at most end_score, 74, not 75$"):
        Match("cards", players=4, options={"end_score": 74})
    with pytest.raises(InvalidSetup, match=r"^option drop_to: at most end_score, 100, not 101$"):
        Match("cards", players=4, options={"drop_to": 101})


@pytest.mark.rule("C22")
@pytest.mark.rule("C23")
@pytest.mark.rule("C24")
@pytest.mark.parametrize("name", FLAGS)
def test_a_flag_is_true_or_false(name: str) -> None:
    assert chosen(name, True) is True
    assert chosen(name, False) is False
    for value in (1, 0, "true", "", None, [True]):
        with pytest.raises(InvalidSetup, match=f"^option {name}: true or false, not "):
            chosen(name, value)


@pytest.mark.rule("C25")
def test_there_are_two_decks() -> None:
    assert chosen("deck", "tarot") == "tarot"
    assert chosen("deck", "traditional") == "traditional"


@pytest.mark.rule("C25")
@pytest.mark.parametrize("deck", ["", "Tarot", "french", None, 0, True, ["tarot"], {}])
def test_there_is_no_other_deck(deck: Any) -> None:
    with pytest.raises(InvalidSetup, match=r"^option deck: tarot or traditional, not "):
        chosen("deck", deck)


@pytest.mark.rule("C04")
@pytest.mark.parametrize("players", [2, 5, 8])
def test_who_begins_is_a_seat_at_the_table(players: int) -> None:
    for first in (None, *range(players)):
        Match("cards", players=players, options={"first": first})
    for nobody in (-1, players, True, "0", 0.0, [0]):
        with pytest.raises(InvalidSetup, match=r"^option first: a whole number from 0 to"):
            Match("cards", players=players, options={"first": nobody})


def test_an_option_that_the_game_does_not_have_is_refused() -> None:
    known = "call_limit, deck, drop_to, elimination, end_score, ends_only, first, max_deals, "
    with pytest.raises(InvalidSetup, match=f"no option 'last'; it has {known}max_laps, others_sc"):
        Match("cards", players=4, options={"last": 1})


@pytest.mark.rule("C01")
@pytest.mark.parametrize("players", [-1, 0, 1, 9, True, "4", 4.0, None])
def test_no_other_number_of_players_can_play(players: Any) -> None:
    with pytest.raises(InvalidSetup, match="cards is for 2 to 8 players"):
        Match("cards", players=players)


def test_options_are_read_from_a_command_line() -> None:
    parse = {option.name: option.parse for option in contract.load("cards").options}
    assert [parse[name]("12") for name in (*RANGES, "first")] == [12] * 7
    for name in FLAGS:
        assert (parse[name]("true"), parse[name]("FALSE")) == (True, False)
        with pytest.raises(ValueError):  # noqa: PT011
            parse[name]("yes")
    assert parse["deck"]("traditional") == "traditional"


def test_only_what_is_not_as_always_is_kept_with_the_game() -> None:
    options = {"penalty": 30, "drop_to": 75, "elimination": False, "deck": "tarot", "first": None}
    assert Match("cards", players=4, options=options).options == {}
    others = {"penalty": 31, "elimination": True, "deck": "traditional", "first": 0}
    assert Match("cards", players=4, options={**options, **others}).options == others


@pytest.mark.rule("C17")
@pytest.mark.rule("C20")
def test_every_option_reaches_the_game() -> None:
    given = {
        "max_laps": 3,
        "max_deals": 4,
        "call_limit": 5,
        "penalty": 6,
        "end_score": 9,
        "drop_to": 8,
        "ends_only": True,
        "others_score": True,
        "elimination": True,
        "deck": "traditional",
    }
    view = table(Match("cards", players=2, options=given))
    assert {name: getattr(view, name) for name in given} == given
