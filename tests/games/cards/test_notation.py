"""The Cards: how steps are numbered, written and read."""

from typing import Any

import pytest

from caramba.games.contract import CHANCE
from caramba.games.errors import IllegalAction, InvalidAction
from caramba.match.match import Match
from cards_kit import TAROT, TRADITIONAL, any_turn, deal, dealt, second_lap, table, turn

HAND = "1s 2h 5s 9d Kc"


def words_of(match: Match) -> Any:
    """What the one to act can say."""
    assert match.actor is not None
    return match.game.vocabulary(match.state[0], match.actor)


def texts(match: Match, numbers: range) -> list[str | None]:
    """What numbers stand for."""
    steps = map(words_of(match).write, numbers)
    return [step.text if step else None for step in steps]


def number(match: Match, text: str) -> int | None:
    """The number of a step that is understood."""
    _, number = words_of(match).read(text)
    assert number is None or isinstance(number, int)
    return number


def after_a_run() -> Match:
    """Seat 0 has discarded a run, and seat 1 has discarded, too, and is to take a card."""
    match = dealt(2, f"5c 6s 7c 9s Kh | {HAND}")
    turn(match, "5c 6s 7c").play("drop 1s")
    return match


# What players say


def test_there_are_38_actions_and_66_outcomes() -> None:
    game = Match("cards", players=2).game
    assert (game.actions, game.outcomes, game.widest_chance) == (38, 66, 58)


def test_numbers_count_the_cards_of_the_sorted_hand_as_bits() -> None:
    match = dealt(2, "Kc 5s 9d 1s 2h")
    assert texts(match, range(9)) == [
        "caramba",
        "drop 1s",
        "drop 2h",
        "drop 1s 2h",
        "drop 5s",
        "drop 1s 5s",
        "drop 2h 5s",
        "drop 1s 2h 5s",
        "drop 9d",
    ]
    assert texts(match, range(16, 17)) == ["drop Kc"]
    assert texts(match, range(31, 33)) == ["drop 1s 2h 5s 9d Kc", "take pile"]


def test_numbers_stand_for_nothing_where_there_are_no_cards() -> None:
    match = second_lap(2, "1s 2s | 5s 9s")
    assert texts(match, range(1, 5)) == ["drop 1s", "drop 2s", "drop 1s 2s", None]
    assert texts(match, range(5, 32)) == [None] * 27
    assert texts(dealt(2, HAND), range(33, 38)) == [None] * 5


def test_cards_on_the_table_are_numbered_from_the_lowest() -> None:
    match = after_a_run()
    assert texts(match, range(32, 38)) == [
        "take pile",
        "take 5c",
        "take 6s",
        "take 7c",
        None,
        None,
    ]


def test_what_is_left_on_the_table_is_numbered_anew() -> None:
    match = dealt(2, "5s 5h 5c 9s Kh | 1s")
    turn(match, "5s 5h 5c").play("drop 1s")
    assert number(match, "take 5c") == 35
    match.play("take 5h")
    match.play("drop 9s")
    assert texts(match, range(33, 35)) == ["take 1s", None]


def test_every_number_is_read_as_it_is_written() -> None:
    for match in (dealt(2, HAND), after_a_run(), second_lap(2, "1s 2s | 5s 9s")):
        for n in range(match.game.actions):
            step = words_of(match).write(n)
            if step:
                assert words_of(match).read(step.text.lower()) == (step, n)


@pytest.mark.rule("C05")
@pytest.mark.parametrize(
    "text", ["drop 5s 6c 7s", "drop 7s 5s 6c", "DROP 6C 7S 5S", "  Drop   7s 6c\t5s "]
)
def test_cards_are_read_in_any_order_and_case(text: str) -> None:
    match = dealt(2, "5s 6c 7s 9s Kh")
    match.play(text)
    assert match.steps[-1] == (0, "drop 5s 6c 7s")
    assert table(match).laid == ("5s", "6c", "7s")


def test_cards_are_written_by_rank_then_by_suit() -> None:
    match = dealt(2, "9c 9d 9h 9s 10h")
    match.play("drop 9c 9d 9h 9s")
    assert match.steps[-1] == (0, "drop 9s 9h 9d 9c")
    match = dealt(2, "10h Jd Ch Qd Kh")
    match.play("drop kh qd ch jd 10h")
    assert match.steps[-1] == (0, "drop 10h Jd Ch Qd Kh")


@pytest.mark.rule("C25")
def test_jokers_are_written_last_the_black_one_first() -> None:
    match = dealt(2, "Xr Kh Xb 5s 6s", deck="traditional")
    match.play("drop XR kh XB")
    assert match.steps[-1] == (0, "drop Kh Xb Xr")


@pytest.mark.rule("C08")
@pytest.mark.parametrize(("text", "step"), [("TAKE Pile", "take pile"), ("take 6S", "take 6s")])
def test_taking_is_read_in_any_case(text: str, step: str) -> None:
    match = after_a_run()
    match.play(text)
    assert match.steps[-1] == (1, step)


@pytest.mark.rule("C11")
def test_caramba_is_read_in_any_case() -> None:
    match = second_lap(2, "1s 2s | 5s 9s")
    match.play("CARAMBA")
    assert match.steps[-1] == (0, "caramba")


def test_steps_have_named_parts() -> None:
    match = after_a_run()
    forms = [dict(action.form) for action in match.legal_actions()]
    assert forms[:2] == [{"do": "take", "card": "pile"}, {"do": "take", "card": "5c"}]
    match = second_lap(2, "1s 1h | 5s 9s")
    forms = [dict(action.form) for action in match.legal_actions()]
    assert forms == [
        {"do": "caramba"},
        {"do": "drop", "cards": "1s"},
        {"do": "drop", "cards": "1h"},
        {"do": "drop", "cards": "1s 1h"},
    ]


# What is understood, and refused


@pytest.mark.rule("C05")
@pytest.mark.parametrize(
    ("text", "missing"), [("drop 2s", "2♠"), ("drop 1s 1c", "1♣"), ("drop kh qh", "Queen♥ King♥")]
)
def test_a_card_that_is_not_in_the_hand_is_understood_but_refused(text: str, missing: str) -> None:
    match = dealt(2, HAND)
    assert number(match, text) is None
    with pytest.raises(IllegalAction, match=f"you do not have {missing}.*C05"):
        match.play(text)
    assert match.actor == 0


@pytest.mark.rule("C08")
def test_a_card_that_is_not_in_the_previous_set_is_understood_but_refused() -> None:
    match = after_a_run()
    for card, name in (("1s", "1♠"), ("8s", "8♠"), ("ch", "Knight♥"), ("2h", "2♥")):
        assert number(match, f"take {card}") is None
        with pytest.raises(IllegalAction, match=f"{name} is not in the set .*C08"):
            match.play(f"take {card}")
    with pytest.raises(IllegalAction, match=r"take 5s: .*C08"):
        dealt(2, HAND).play("take 5s")


@pytest.mark.rule("C05")
@pytest.mark.rule("C08")
def test_a_step_at_the_wrong_moment_is_understood_but_refused() -> None:
    with pytest.raises(IllegalAction, match=r"take pile: first you discard.*C08"):
        dealt(2, HAND).play("take pile")
    with pytest.raises(IllegalAction, match=r"drop 9d: you have discarded.*C05"):
        after_a_run().play("drop 9d")
    with pytest.raises(IllegalAction, match=r"caramba: you have discarded.*C11"):
        after_a_run().play("caramba")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "drop",
        "take",
        "drop pile",
        "drop 11s",
        "drop 0s",
        "drop 1",
        "drop s",
        "drop 1s 1x",
        "drop 1s 1s",
        "drop 1s,2h",
        "drop 1S2H",
        "drop xb",
        "drop ??",
        "take 5c 6s",
        "take 5c 5c",
        "take pile 5c",
        "take pile pile",
        "take Xr",
        "caramba 1s",
        "caramba!",
        "call",
        "1s",
        "draw 1s",
        "deal 0 1s",
        "first 0",
        "drop " + "1s " * 100,
    ],
)
def test_what_is_no_step_is_not_understood(text: str) -> None:
    for match in (dealt(2, HAND), after_a_run()):
        before = match.steps
        with pytest.raises(InvalidAction, match=r"is not a step .*caramba, drop CARDS, take pile"):
            match.play(text)
        assert match.steps == before


@pytest.mark.rule("C25")
def test_every_card_of_the_deck_is_understood_and_no_other() -> None:
    tarot, traditional = dealt(2, HAND), dealt(2, HAND, deck="traditional")
    for card in {*TAROT, *TRADITIONAL}:
        for match, deck in ((tarot, TAROT), (traditional, TRADITIONAL)):
            for do in ("drop", "take"):
                found = words_of(match).read(f"{do} {card.lower()}")
                assert (found is not None) == (card in deck)
                assert not found or found[0].text == f"{do} {card}"


# What chance says


@pytest.mark.rule("C04")
@pytest.mark.parametrize("players", [2, 5, 8])
def test_outcomes_begin_with_the_seats(players: int) -> None:
    match = Match("cards", players=players)
    seats = [f"first {seat}" for seat in range(players)]
    assert list(match.chances()) == seats
    assert texts(match, range(8)) == [*seats, *[None] * (8 - players)]
    assert [number(match, seat) for seat in seats] == list(range(players))
    for text in (f"first {players}", "first -1", "first", "first 00", "first 0 1", "first x"):
        assert words_of(match).read(text) is None


@pytest.mark.rule("C03")
@pytest.mark.parametrize(("deck", "cards"), [("tarot", TAROT), ("traditional", TRADITIONAL)])
def test_then_come_the_cards_dealt_to_a_seat(deck: str, cards: list[str]) -> None:
    match = Match("cards", players=3, options={"first": 1, "deck": deck})
    match.play("first 1")
    assert list(match.chances()) == [f"deal 1 {card}" for card in cards]
    in_order = [*TAROT, "Xb", "Xr"]
    numbered = [f"deal 1 {card}" if card in cards else None for card in in_order]
    assert texts(match, range(8, 66)) == numbered
    assert number(match, "deal 1 1s") == 8
    match.play("DEAL 1 5S")
    assert match.steps[-1] == (None, "deal 1 5s")
    assert number(match, "deal 2 kc") == 8 + 55


@pytest.mark.rule("C08")
def test_a_card_from_the_pile_has_the_same_number_as_one_that_is_dealt() -> None:
    match = dealt(2, HAND)
    match.play("drop Kc")
    match.play("take pile")
    assert set(match.chances()) <= {f"draw {card}" for card in TAROT}
    assert texts(match, range(8, 66)) == [*(f"draw {card}" for card in TAROT), None, None]
    assert number(match, "draw 1h") == 9
    match.play("Draw QS")
    assert match.steps[-1] == (None, "draw Qs")


def test_outcomes_have_named_parts() -> None:
    match = Match("cards", players=3)
    assert words_of(match).write(2).form == {"do": "first", "seat": 2}
    match.play("first 2")
    assert words_of(match).write(8).form == {"do": "deal", "seat": 2, "card": "1s"}
    assert words_of(match).read("deal 2 1s")[0].form == {"do": "deal", "seat": 2, "card": "1s"}
    deal(match, HAND)
    match.play(match.legal()[0])
    match.play("take pile")
    assert words_of(match).write(8).form == {"do": "draw", "card": "1s"}
    assert words_of(match).read("draw 1s")[0].form == {"do": "draw", "card": "1s"}


def test_an_outcome_that_is_not_due_is_understood_but_refused() -> None:
    match = Match("cards", players=3, options={"first": 1})
    for text in ("first 0", "deal 1 1s", "draw 1s"):
        with pytest.raises(IllegalAction, match=f"{text} cannot be drawn now; there are: first 1"):
            match.play(text)
    match.play("first 1")
    match.play("deal 1 1s")
    for text in ("deal 2 1s", "deal 1 2s", "deal 0 2s", "draw 2s", "first 1"):
        with pytest.raises(IllegalAction, match=f"{text} cannot be drawn now"):
            match.play(text)
    assert number(match, "deal 1 2s") is None
    assert number(match, "draw 2s") is None
    match.play("deal 2 2s")
    match = dealt(2, HAND)
    match.play("drop Kc")
    match.play("take pile")
    for text in ("draw 2h", "draw Kc", "deal 0 Qs", "deal 1 Qs"):
        with pytest.raises(IllegalAction, match=f"{text} cannot be drawn now"):
            match.play(text)
    assert number(match, "deal 0 qs") is None


@pytest.mark.parametrize(
    "text", ["deal 1", "deal 3 1s", "deal 1 11s", "deal 1 1s 2s", "draw", "draw pile", "drop 1s"]
)
def test_what_is_no_outcome_is_not_understood(text: str) -> None:
    match = Match("cards", players=3, options={"first": 1})
    match.play("first 1")
    with pytest.raises(InvalidAction, match=r"is not a step .*; there are: deal 1 1s, deal 1 1h"):
        match.play(text)


@pytest.mark.rule("C25")
def test_cards_of_the_other_deck_are_no_outcomes() -> None:
    for deck, cards in (("tarot", ("Xb", "Xr")), ("traditional", ("Cs", "Ch", "Cd", "Cc"))):
        match = Match("cards", players=3, options={"first": 1, "deck": deck})
        match.play("first 1")
        for card in cards:
            with pytest.raises(InvalidAction):
                match.play(f"deal 1 {card}")


def test_a_game_is_written_in_one_word_for_each_step() -> None:
    match = any_turn(dealt(2, HAND))
    kinds = [(who is None, text.split()[0]) for who, text in match.steps]
    assert kinds == [
        (True, "first"),
        *[(True, "deal")] * 10,
        (False, "drop"),
        (False, "take"),
        (True, "draw"),
    ]
    assert match.actor == 1 != CHANCE
