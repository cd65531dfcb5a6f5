"""The Cards: what may be discarded, C05 to C07, C10, and C25 for all hands of some cards."""

from collections.abc import Callable, Iterator
from functools import cache
from itertools import combinations

import numpy as np
import pytest

from caramba.games import generic
from caramba.games.cards.state import Phase
from caramba.games.compiled import IS_COMPILED
from cards_kit import (
    DECK,
    any_turn,
    dealt,
    drops,
    hand,
    refused,
    second_lap,
    table,
    turn,
)
from kit import play, random_match


def together(cards: str) -> bool:
    """Whether the first player may discard just these cards at once."""
    return cards in drops(dealt(2, cards))


# A single card, or cards of one rank


@pytest.mark.rule("C05")
def test_any_single_card_may_be_discarded() -> None:
    match = dealt(2, "1s 4h 9d Cc Kh")
    assert drops(match) == {"1s", "4h", "9d", "Cc", "Kh"}


@pytest.mark.rule("C05")
def test_nobody_may_discard_nothing_and_go_on() -> None:
    match = dealt(2, "1s 4h 9d Cc Kh")
    assert all(step.startswith("drop ") for step in match.legal())
    assert refused(match, "take pile")[0] == "C08"


@pytest.mark.rule("C05")
@pytest.mark.parametrize("cards", ["8s 8d", "8h 8c", "8s 8h 8d", "1s 1h 1d 1c", "Cs Ch Cd Cc"])
def test_two_three_or_four_of_a_rank_may_be_discarded(cards: str) -> None:
    assert together(cards)


@pytest.mark.rule("C05")
def test_of_several_cards_of_a_rank_some_may_be_kept() -> None:
    match = dealt(2, "8s 8h 8c Ks 1d")
    pairs = {"8s 8h", "8s 8c", "8h 8c"}
    assert drops(match) == {"8s", "8h", "8c", "Ks", "1d", "8s 8h 8c"} | pairs


@pytest.mark.rule("C05")
@pytest.mark.parametrize("cards", ["8s 9s", "8s 9h", "Js Qs", "10s Js", "8s 8h 9s", "8s 8h 9s 9h"])
def test_other_cards_cannot_be_discarded_together(cards: str) -> None:
    assert not together(cards)
    assert refused(dealt(2, cards), f"drop {cards}")[0] in ("C05", "C06", "C07")


@pytest.mark.rule("C05")
def test_cards_are_discarded_face_up_and_leave_the_hand() -> None:
    match = play(dealt(2, "8s 8h 9d Cc Kh"), "drop 8s 8h")
    assert table(match).laid == ("8s", "8h")
    assert hand(match, 0) == "9d Cc Kh"
    assert match.view(1).players[0].hand == ("??",) * 3


@pytest.mark.rule("C05")
def test_only_cards_of_the_own_hand_can_be_discarded() -> None:
    match = dealt(2, "8s 8h 9d Cc Kh | 1s 1h 1d 1c 2s")
    assert refused(match, "drop 1s")[0] == "C05"
    assert refused(match, "drop 8s 8h 8d")[0] == "C05"


@pytest.mark.rule("C05")
def test_cards_may_be_named_in_any_order() -> None:
    match = play(dealt(2, "5s 6c 7s 8s Kh"), "drop 7s 5s 6c")
    assert table(match).laid == ("5s", "6c", "7s")
    assert match.steps[-1] == (0, "drop 5s 6c 7s")


# Runs


@pytest.mark.rule("C06")
@pytest.mark.parametrize(
    "cards",
    ["5s 6s 7s", "5s 6c 7s", "8h 9d 10h", "1d 2d 3h 4h", "2c 3c 4s 5s 6c", "3h 4d 5h"],
)
def test_three_or_more_ranks_in_a_row_of_one_colour_are_a_run(cards: str) -> None:
    assert together(cards)


@pytest.mark.rule("C06")
@pytest.mark.parametrize(
    "cards", ["8h 9s 10h", "8s 9h 10s", "8s 9s 10d", "8c 9h 10h", "5s 6c 7s 8d", "5d 6h 7h 8d 9c"]
)
def test_black_and_red_are_no_run(cards: str) -> None:
    assert not together(cards)
    assert refused(dealt(2, cards), f"drop {cards}")[0] == "C06"


@pytest.mark.rule("C06")
def test_two_cards_in_a_row_are_no_run() -> None:
    assert drops(dealt(2, "5s 6s 9h Cd Kh")) == {"5s", "6s", "9h", "Cd", "Kh"}
    assert refused(dealt(2, "5s 6s"), "drop 5s 6s")[0] == "C05"


@pytest.mark.rule("C06")
def test_a_part_of_a_run_is_a_run_if_it_has_three_cards() -> None:
    match = dealt(2, "5s 6c 7s 8c 9s")
    runs = {cards for cards in drops(match) if " " in cards}
    assert runs == {
        *("5s 6c 7s", "6c 7s 8c", "7s 8c 9s"),
        *("5s 6c 7s 8c", "6c 7s 8c 9s"),
        "5s 6c 7s 8c 9s",
    }


@pytest.mark.rule("C07")
@pytest.mark.parametrize(
    "cards",
    [
        *("9s 10s Jc", "10s Js Cs", "Js Cs Qs", "Cs Qs Kc", "Ch Qd Kh"),
        *("10h Jd Ch Qh Kh", "1s 2s 3s", "9d 10d Jd Cd Qd"),
    ],
)
def test_the_knight_stands_between_the_jack_and_the_queen(cards: str) -> None:
    assert together(cards)


@pytest.mark.rule("C07")
@pytest.mark.parametrize(
    "cards", ["Js Qs Ks", "10s Js Qs", "10s Js Qs Ks", "9s 10s Js Qs", "5s 6s 8s", "5s 7s 8s 9s"]
)
def test_no_rank_can_be_skipped(cards: str) -> None:
    assert not together(cards)
    assert refused(dealt(2, cards), f"drop {cards}")[0] == "C07"


@pytest.mark.rule("C07")
@pytest.mark.parametrize("cards", ["5s 5c 6s 7s", "5s 6s 6c 7s", "5h 6h 7h 7d", "5s 6s 6c 7s 8s"])
def test_each_rank_comes_once(cards: str) -> None:
    assert not together(cards)
    assert refused(dealt(2, cards), f"drop {cards}")[0] == "C07"


@pytest.mark.rule("C07")
@pytest.mark.parametrize("cards", ["1s Qs Ks", "1s 2s Ks", "1s Cs Qs Ks", "1s 2s 3s Ks"])
def test_the_1_is_always_low(cards: str) -> None:
    assert not together(cards)


# The size of a hand


@pytest.mark.rule("C10")
@pytest.mark.parametrize(
    ("cards", "left"), [("5s", 5), ("5s 5h", 4), ("5s 6s 7s", 3), ("5s 5h 5d 5c", 2)]
)
def test_a_hand_loses_a_set_and_gains_one_card(cards: str, left: int) -> None:
    match = turn(dealt(2, cards), cards)
    assert len(hand(match, 0).split()) == left
    assert len(hand(match, 1).split()) == 5


@pytest.mark.rule("C10")
def test_who_discards_five_has_one_card_and_keeps_one() -> None:
    match = turn(dealt(2, "5s 6s 7s 8s 9s"), "5s 6s 7s 8s 9s", draw="Kh")
    assert hand(match, 0) == "Kh"
    any_turn(match)
    assert drops(match) == {"Kh"}
    assert hand(turn(match, "Kh", draw="3h"), 0) == "3h"


@pytest.mark.rule("C10")
def test_a_set_taken_from_leaves_one_card_more_too() -> None:
    match = turn(dealt(2, "5s 5h | 9s 9h 9d"), "5s 5h")
    turn(match, "9s 9h 9d", take="5h")
    assert len(hand(match, 1).split()) == 3


@pytest.mark.rule("C10")
@pytest.mark.parametrize("players", [2, 5, 8])
def test_hands_have_1_to_5_cards_and_never_grow(players: int) -> None:
    match = random_match("cards", players, seed=5, steps=5 * players + 300, call_limit=0)
    sizes = [5] * players
    for step in range(len(match.steps) + 1):
        state = match.at(step).state[0]
        if state.phase != Phase.DISCARD:
            continue
        now = [int(cards).bit_count() for cards in state.hand[:players]]
        sizes = [5] * players if state.lap == 1 else sizes
        assert all(1 <= size <= before for size, before in zip(now, sizes, strict=True))
        sizes = now


# All hands of a small deck


Cards = tuple[str, ...]
PLACE = {card: place for place, card in enumerate(DECK)}


def rank_of(card: str) -> str:
    return card[:-1]


def is_alike(cards: Cards) -> bool:
    """C05: a single card, or two, three or four of the same rank."""
    return len(cards) <= 4 and len({rank_of(card) for card in cards}) == 1


TAROT_ORDER = [*map(str, range(1, 11)), "J", "C", "Q", "K"]
TRADITIONAL_ORDER = [*map(str, range(1, 11)), "J", "Q", "K"]


@cache
def tarot_set(cards: Cards) -> bool:
    """C05 to C07, word by word."""
    return is_alike(cards) or is_in_a_row(cards)


def is_in_a_row(cards: Cards) -> bool:
    """C06: three or more, all black or all red; their ranks, sorted, are a piece of the order."""
    ranks = [rank_of(card) for card in cards]
    pieces = (TAROT_ORDER[i : i + len(cards)] for i in range(14))
    one_colour = any(all(card[-1] in colour for card in cards) for colour in ("sc", "hd"))
    return len(cards) >= 3 and one_colour and ranks in pieces


def traditional_sets() -> Iterator[set[str]]:
    """C25 without jokers: one to four cards of a rank, and three to five in a row of a suit."""
    for rank in TRADITIONAL_ORDER:
        for size in range(1, 5):
            yield from ({rank + suit for suit in suits} for suits in combinations("shdc", size))
    for suit in "shdc":
        for size in range(3, 6):
            for i in range(13 - size + 1):
                yield {rank + suit for rank in TRADITIONAL_ORDER[i : i + size]}


TRADITIONAL_SETS = list(traditional_sets())


@cache
def traditional_set(cards: Cards) -> bool:
    """C25: a set, if its jokers can stand for the cards that are missing from one."""
    plain = {card for card in cards if rank_of(card) != "X"}
    return any(plain <= whole and len(whole) == len(cards) for whole in TRADITIONAL_SETS)


def check_all_hands(deck: str, *, is_set: Callable[[Cards], bool], variant: str) -> int:
    """Compare what may be discarded of every hand with all its subsets; return how many hands."""
    match = dealt(2, "", deck=variant)
    state = match.state.copy()
    mask = np.zeros(1, np.uint64)
    hands = 0
    for cards in hands_of(deck):
        state["hand"][0, 0] = sum(1 << PLACE[card] for card in cards)
        generic.legal_of(state, mask)
        assert int(mask[0]) == expected(cards, is_set), cards
        hands += 1
    return hands


def hands_of(deck: str) -> Iterator[Cards]:
    """All hands of 1 to 5 cards, sorted."""
    cards = sorted(deck.split(), key=PLACE.__getitem__)
    for size in range(1, 6):
        yield from combinations(cards, size)


def expected(cards: Cards, is_set: Callable[[Cards], bool]) -> int:
    """The choices that are sets, as bits; a choice has a bit for each card."""
    found = 0
    for choice in range(1, 1 << len(cards)):
        if is_set(tuple(card for place, card in enumerate(cards) if choice >> place & 1)):
            found |= 1 << choice
    return found


def of(ranks: str, suits: str) -> str:
    return " ".join(rank + suit for rank in ranks.split() for suit in suits)


def test_the_test_knows_what_a_set_is() -> None:
    assert tarot_set(("8h", "9d", "10h"))
    assert not tarot_set(("8h", "9s", "10h"))
    assert not tarot_set(("Js", "Qs", "Ks"))
    assert len(TRADITIONAL_SETS) == 13 * (4 + 6 + 4 + 1) + 4 * (11 + 10 + 9)
    assert traditional_set(("10s", "Js", "Qs"))
    assert traditional_set(("Xb", "Xr"))
    assert traditional_set(("5s", "8s", "Xb", "Xr"))
    assert not traditional_set(("5s", "9s", "Xb", "Xr"))
    assert not traditional_set(("5s", "5h", "5d", "5c", "Xr"))


@pytest.mark.rule("C05")
@pytest.mark.rule("C06")
@pytest.mark.rule("C07")
def test_every_hand_of_high_cards_may_discard_just_its_sets() -> None:
    deck = of("9 10 J C Q K", "shdc" if IS_COMPILED else "shc")
    hands = check_all_hands(deck, is_set=tarot_set, variant="tarot")
    assert hands == (55_454 if IS_COMPILED else 12_615)


@pytest.mark.rule("C05")
@pytest.mark.rule("C06")
@pytest.mark.rule("C07")
def test_every_hand_of_low_cards_may_discard_just_its_sets() -> None:
    deck = of("1 2 3 4 5 6", "sh") + (" 1d 2c 4d 4c 6d Ks Kh" if IS_COMPILED else " 1d 2c 4d Ks")
    hands = check_all_hands(deck, is_set=tarot_set, variant="tarot")
    assert hands == (16_663 if IS_COMPILED else 6_884)


@pytest.mark.rule("C25")
def test_every_hand_of_the_traditional_deck_may_discard_just_its_sets() -> None:
    ranks = "1 2 3 4 6 9 10 J Q K" if IS_COMPILED else "2 3 6 10 J Q K"
    deck = of(ranks, "s") + " 2h 2d 2c 3h 4h Kh Xb Xr"
    hands = check_all_hands(deck, is_set=traditional_set, variant="traditional")
    assert hands == (12_615 if IS_COMPILED else 4_943)


@pytest.mark.rule("C05")
def test_what_may_be_discarded_has_a_name_in_notation() -> None:
    assert drops(dealt(2, "5s 5h 6c 7s Kd")) == {"5s", "5h", "6c", "7s", "Kd", "5s 5h", "5s 6c 7s"}
    assert drops(second_lap(2, "5s 6s 7c | Kd")) == {"5s", "6s", "7c", "5s 6s 7c"}
