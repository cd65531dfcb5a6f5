"""The Cards: taking a card and the draw pile, C08 and C09, with C22."""

from typing import Any

import pytest

from caramba.games.contract import CHANCE, SPECTATOR
from caramba.games.errors import IllegalAction, InvalidSetup
from caramba.match.match import Match
from cards_kit import (
    TAROT,
    any_turn,
    bits,
    dealt,
    draws,
    drops,
    empty_pile,
    hand,
    refused,
    table,
    takes,
    told,
    turn,
)
from kit import play


def facing(cards: str, **options: Any) -> Match:
    """Seat 0 has discarded these cards, and seat 1 has discarded and is to take."""
    match = turn(dealt(3, f"{cards} | 1s 1h", **options), cards)
    return play(match, "drop 1s 1h")


def discards(match: Match) -> set[str]:
    """Everything that lies on the table."""
    view = table(match)
    return {*view.laid, *view.previous, *view.older}


# From the pile


@pytest.mark.rule("C08")
def test_every_card_of_the_pile_has_the_same_chance_to_be_drawn() -> None:
    hands = "5s 6s 7s 8s 9s | 1h 1d 1c 2s 2h"
    match = play(dealt(2, hands), "drop 5s", "take pile")
    assert (match.actor, table(match).phase) == (CHANCE, "draw")
    assert set(draws(match).split()) == set(TAROT) - set(hands.split())
    assert set(match.chances().values()) == {1}


@pytest.mark.rule("C08")
def test_the_card_drawn_goes_from_the_pile_to_the_hand() -> None:
    match = turn(dealt(3, "5s 6s 7s 8s 9s"), "5s", draw="Kd")
    assert hand(match, 0) == "6s 7s 8s 9s Kd"
    assert table(match).pile == 40
    assert match.actor == 1
    play(match, "drop " + hand(match, 1).split()[0], "take pile")
    assert "Kd" not in draws(match).split()
    with pytest.raises(IllegalAction, match="cannot be drawn"):
        match.play("draw Kd")


@pytest.mark.rule("C08")
def test_only_who_draws_sees_the_card() -> None:
    match = turn(dealt(3, "5s 6s 7s 8s 9s"), "5s", draw="Kd")
    drawn = {}
    for seat in (0, 1, 2, SPECTATOR):
        drawn[seat] = [e.facts["card"] for _, e in match.events(seat) if e.kind == "draw"]
        assert ("Kd" in match.view(seat).players[0].hand) == (seat == 0)
    assert drawn == {0: ["Kd"], 1: ["??"], 2: ["??"], SPECTATOR: ["??"]}


@pytest.mark.rule("C08")
def test_there_is_a_discard_before_every_card_taken() -> None:
    match = turn(dealt(2, "5s | 9s"), "5s")
    assert refused(match, "take pile")[0] == "C08"
    assert refused(match, "take 5s")[0] == "C08"


# From the table


@pytest.mark.rule("C08")
@pytest.mark.parametrize("cards", ["5s", "5s 5d", "5s 5h 5d 5c", "5s 6s 7c", "5s 6s 7c 8c 9s"])
def test_any_card_of_the_previous_set_can_be_taken(cards: str) -> None:
    match = facing(cards)
    assert takes(match) == {"pile", *cards.split()}
    assert table(match).takeable == tuple(cards.split())


@pytest.mark.rule("C08")
@pytest.mark.parametrize("card", ["5s", "6s", "7c"])
def test_the_card_taken_goes_to_the_hand_and_the_others_stay(card: str) -> None:
    match = facing("5s 6s 7c")
    before = set(hand(match, 1).split())
    play(match, f"take {card}")
    assert set(hand(match, 1).split()) == before | {card}
    assert discards(match) == {"5s", "6s", "7c", "1s", "1h"} - {card}
    assert (match.actor, table(match).phase, table(match).pile) == (2, "discard", 40)


@pytest.mark.rule("C08")
def test_the_own_set_cannot_be_taken_from() -> None:
    match = facing("5s 6s 7c")
    assert refused(match, "take 1s")[0] == "C08"


@pytest.mark.rule("C03")
@pytest.mark.parametrize("card", ["5s", "6s", "Kd"])
def test_when_nothing_lies_on_the_table_yet_one_draws_from_the_pile(card: str) -> None:
    match = play(dealt(2, "5s"), "drop 5s")
    assert takes(match) == {"pile"}
    assert refused(match, f"take {card}")[0] == "C03"


@pytest.mark.rule("C08")
def test_an_older_set_cannot_be_taken_from() -> None:
    match = dealt(3, "5s 6s 7c | 9s 9h | Ks")
    turn(turn(match, "5s 6s 7c"), "9s 9h", take="5s")
    play(match, "drop Ks")
    assert takes(match) == {"pile", "9s", "9h"}
    assert table(match).takeable == ("9s", "9h")
    for card in ("6s", "7c", "5s", "Kh"):
        assert refused(match, f"take {card}")[0] == "C08"


@pytest.mark.rule("C08")
def test_what_the_previous_player_left_of_the_set_before_is_old() -> None:
    match = turn(turn(dealt(2, "5s 5h 5d | 9s 9h"), "5s 5h 5d"), "9s 9h", take="5h")
    view = table(match)
    assert (view.previous, view.older, view.laid) == (("9s", "9h"), ("5s", "5d"), ())


@pytest.mark.rule("C08")
def test_between_two_players_the_own_set_of_the_turn_before_is_old() -> None:
    match = turn(turn(dealt(2, "5s 5h Kd | 9s 9h"), "5s 5h"), "9s 9h")
    play(match, "drop Kd")
    assert takes(match) == {"pile", "9s", "9h"}
    assert refused(match, "take 5s")[0] == "C08"


@pytest.mark.rule("C08")
def test_a_card_can_come_back_by_way_of_the_table() -> None:
    match = turn(turn(dealt(2, "5s Kd | 9s"), "5s"), "9s", take="5s")
    turn(match, "Kd")
    turn(match, "5s", take="Kd")
    match.play(next(step for step in match.legal() if step.startswith("drop")))
    assert takes(match) == {"pile", "5s"}


@pytest.mark.rule("C08")
def test_all_see_the_card_taken_from_the_table_for_as_long_as_it_stays() -> None:
    match = play(facing("5s 6s 7c"), "take 6s")
    assert told(match, "take")[-1] == (1, {"card": "6s"})
    for seat in (0, 2, SPECTATOR):
        assert "6s" in match.view(seat).players[1].hand
    any_turn(any_turn(match))
    turn(match, "6s")
    for seat in (0, 2, SPECTATOR):
        assert set(match.view(seat).players[1].hand) == {"??"}


@pytest.mark.rule("C08")
def test_everything_discarded_is_open() -> None:
    match = turn(turn(dealt(3, "5s 6s 7c | 9s 9h | Ks"), "5s 6s 7c"), "9s 9h")
    play(match, "drop Ks")
    for seat in (0, 1, 2, SPECTATOR):
        view = match.view(seat)
        assert view.older == ("5s", "6s", "7c")
        assert view.previous == ("9s", "9h")
        assert view.laid == ("Ks",)


# When the pile is empty


@pytest.mark.rule("C09")
def test_the_last_card_of_the_pile_is_drawn_without_shuffling() -> None:
    match = empty_pile(dealt(8, ""), left=1)
    play(match, next(step for step in match.legal() if step.startswith("drop")), "take pile")
    assert len(match.chances()) == 1
    match.play(next(iter(match.chances())))
    assert table(match).pile == 0
    assert told(match, "shuffled") == []


@pytest.mark.rule("C09")
def test_an_empty_pile_stays_empty_until_somebody_takes_from_it() -> None:
    match = empty_pile(dealt(8, ""))
    lying = discards(match)
    assert len(lying) == 16
    card = table(match).previous[0]
    play(match, next(step for step in match.legal() if step.startswith("drop")))
    assert takes(match) == {"pile", card}
    play(match, f"take {card}")
    assert table(match).pile == 0
    assert told(match, "shuffled") == []
    assert len(discards(match)) == 16


@pytest.mark.rule("C09")
def test_all_discards_but_the_newest_set_are_shuffled() -> None:
    match = empty_pile(dealt(8, ""))
    lying = discards(match)
    own = hand(match, match.actor or 0).split()[0]
    assert table(match).previous[0] in lying
    play(match, f"drop {own}", "take pile")
    assert set(draws(match).split()) == lying
    assert set(match.chances().values()) == {1}
    assert table(match).pile == 16
    assert discards(match) == {own}
    assert told(match, "shuffled") == [(None, {"many": 16})]


@pytest.mark.rule("C09")
def test_shuffling_is_no_step_of_its_own() -> None:
    match = empty_pile(dealt(8, ""))
    before = len(match.steps)
    any_turn(match)
    steps = [step.split()[0] for _, step in match.steps[before:]]
    assert steps == ["drop", "take", "draw"]


@pytest.mark.rule("C09")
def test_the_newest_set_stays_for_the_next_player() -> None:
    match = turn(empty_pile(dealt(8, "1s 1h 1d")), "1s 1h 1d")
    assert match.actor == 1
    assert (table(match).previous, table(match).older) == (("1s", "1h", "1d"), ())
    match.play(next(step for step in match.legal() if step.startswith("drop")))
    assert takes(match) == {"pile", "1s", "1h", "1d"}


@pytest.mark.rule("C09")
def test_with_the_previous_set_in_the_pile_nothing_else_lies_there() -> None:
    match = empty_pile(dealt(8, ""))
    play(match, next(step for step in match.legal() if step.startswith("drop")), "take pile")
    view = table(match)
    assert (view.previous, view.older, len(view.laid)) == ((), (), 1)


@pytest.mark.rule("C09")
def test_a_card_left_of_the_previous_set_is_shuffled_too() -> None:
    match = empty_pile(dealt(8, "1s 1h 1d"))
    turn(match, "1s 1h 1d", take=table(match).previous[0])
    turn(match, hand(match, 1).split()[0], take="1h")
    assert table(match).pile == 0
    play(match, next(step for step in match.legal() if step.startswith("drop")), "take pile")
    assert {"1s", "1d"} <= set(draws(match).split())
    assert "1h" not in draws(match).split()


@pytest.mark.rule("C09")
def test_the_pile_can_run_out_again_and_again() -> None:
    match = dealt(8, "", max_laps=200)
    for _ in range(5):
        empty_pile(match)
        any_turn(match)
    assert told(match, "shuffled") == [(None, {"many": 16})] * 5
    assert table(match).pile == 15


@pytest.mark.rule("C09")
def test_small_hands_leave_more_cards_to_shuffle() -> None:
    match = turn(dealt(2, "5s 6s 7s 8s 9s | 1h 1d 1c"), "5s 6s 7s 8s 9s")
    turn(match, "1h 1d 1c")
    empty_pile(match)
    held = len((hand(match, 0) + " " + hand(match, 1)).split())
    assert held == 4
    any_turn(match)
    assert told(match, "shuffled") == [(None, {"many": 52})]


@pytest.mark.rule("C09")
def test_a_longer_newest_set_stays_whole() -> None:
    match = empty_pile(dealt(8, "1s 1h 1d 1c"))
    play(match, "drop 1s 1h 1d 1c", "take pile")
    assert table(match).laid == ("1s", "1h", "1d", "1c")
    assert table(match).pile == 16
    assert not bits(draws(match)) & bits("1s 1h 1d 1c")


# House rule: only the ends


@pytest.mark.rule("C22")
@pytest.mark.parametrize(
    ("cards", "ends"),
    [
        ("5s 6s 7c", {"5s", "7c"}),
        ("3h 4d 5h 6h", {"3h", "6h"}),
        ("10s Js Cs Qs Ks", {"10s", "Ks"}),
    ],
)
def test_from_a_run_only_the_ends_can_be_taken(cards: str, ends: set[str]) -> None:
    match = facing(cards, ends_only=True)
    assert takes(match) == {"pile"} | ends
    assert set(table(match).takeable) == ends
    for card in set(cards.split()) - ends:
        assert refused(match, f"take {card}")[0] == "C22"
    for card in ends:
        play(match.copy(), f"take {card}")


@pytest.mark.rule("C22")
@pytest.mark.parametrize("cards", ["5s", "5s 5d", "5s 5h 5d", "5s 5h 5d 5c"])
def test_from_another_set_any_card_can_be_taken_as_usual(cards: str) -> None:
    match = facing(cards, ends_only=True)
    assert takes(match) == {"pile", *cards.split()}


@pytest.mark.rule("C22")
def test_older_sets_make_no_difference_to_the_ends_of_a_run() -> None:
    match = dealt(3, "5s | 7s 8s 9s | 1d 1h 1c", ends_only=True)
    turn(turn(match, "5s"), "7s 8s 9s")
    assert takes(play(match, "drop 1h 1d 1c")) == {"pile", "7s", "9s"}
    play(match, "take pile")
    play(match, next(iter(match.chances())), "drop " + hand(match, 0).split()[0])
    assert takes(match) == {"pile", "1h", "1d", "1c"}


@pytest.mark.rule("C22")
def test_the_right_card_is_taken_from_the_end() -> None:
    match = play(facing("5s 6s 7c", ends_only=True), "take 7c")
    assert "7c" in hand(match, 1).split()
    assert discards(match) == {"5s", "6s", "1s", "1h"}


@pytest.mark.rule("C22")
def test_it_makes_no_difference_to_discards_and_is_off_unless_chosen() -> None:
    cards = "5s 6s 7c 8s 8d"
    assert drops(dealt(2, cards, ends_only=True)) == drops(dealt(2, cards))
    assert table(dealt(2, "", ends_only=True)).ends_only is True
    assert table(dealt(2, "")).ends_only is False


@pytest.mark.rule("C22")
def test_ends_only_is_true_or_false() -> None:
    with pytest.raises(InvalidSetup, match="option ends_only: true or false"):
        Match("cards", players=2, options={"ends_only": 1})
