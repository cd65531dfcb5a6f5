"""The Cards: the traditional deck with its jokers, C25."""

from itertools import combinations

import pytest

from caramba.games.cards.rules import takeable
from caramba.games.errors import InvalidAction, InvalidSetup
from caramba.match.match import Match
from cards_kit import (
    TRADITIONAL,
    bits,
    dealt,
    draws,
    drops,
    empty_pile,
    hand,
    names,
    refused,
    second_lap,
    table,
    takes,
    told,
    turn,
)
from kit import play


def together(cards: str) -> bool:
    """Whether the first player may discard just these cards at once."""
    return cards in drops(dealt(2, cards, deck="traditional"))


def facing(cards: str, ends_only: bool = True) -> Match:
    """Seat 0 has discarded these cards, and seat 1 has discarded and is to take."""
    match = dealt(3, f"{cards} | 1h", deck="traditional", ends_only=ends_only)
    return play(turn(match, cards), "drop 1h")


# The deck


@pytest.mark.rule("C25")
def test_there_are_52_cards_without_knights_and_two_jokers() -> None:
    match = Match("cards", players=2, options={"deck": "traditional", "first": 0})
    play(match, "first 0")
    assert draws(match).split() == TRADITIONAL
    assert len(TRADITIONAL) == 54
    assert set(match.chances().values()) == {1}
    assert not [card for card in TRADITIONAL if card.startswith("C")]
    assert draws(match).split()[-2:] == ["Xb", "Xr"]


@pytest.mark.rule("C25")
@pytest.mark.parametrize("players", [2, 8])
def test_the_other_cards_are_the_pile(players: int) -> None:
    match = dealt(players, "", deck="traditional")
    assert table(match).pile == 54 - 5 * players
    assert table(match).deck == "traditional"


@pytest.mark.rule("C02")
@pytest.mark.rule("C25")
def test_the_table_tells_what_cards_without_a_number_count() -> None:
    assert table(dealt(2, "")).worth == {"J": 10, "C": -1, "Q": 10, "K": 10}
    traditional = dealt(2, "", deck="traditional")
    assert table(traditional).worth == {"J": 10, "Q": 10, "K": 10, "X": 0}


@pytest.mark.rule("C25")
def test_nobody_can_speak_of_knights() -> None:
    match = dealt(2, "", deck="traditional")
    with pytest.raises(InvalidAction, match="is not a step"):
        match.play("drop Cs")
    with pytest.raises(InvalidAction, match="is not a step"):
        dealt(2, "").play("drop Xb")


@pytest.mark.rule("C25")
def test_all_54_cards_are_shuffled_for_the_next_deal() -> None:
    match = play(second_lap(2, "1s Xb | Kd Kh", deck="traditional"), "caramba")
    assert draws(match).split() == TRADITIONAL


@pytest.mark.rule("C25")
def test_jokers_are_shuffled_back_like_other_cards() -> None:
    match = turn(dealt(8, "Xb Xr", deck="traditional"), "Xb Xr", draw="Ks")
    empty_pile(match)
    play(match, next(step for step in match.legal() if step.startswith("drop")), "take pile")
    assert told(match, "shuffled") == [(None, {"many": 15})]
    assert {"Xb", "Xr"} <= set(draws(match).split())


@pytest.mark.rule("C25")
@pytest.mark.parametrize("cards", ["Xb", "Xr", "Xb Xr"])
def test_jokers_are_worth_0(cards: str) -> None:
    match = second_lap(2, f"{cards} | 7s {'Xr' if cards == 'Xb' else '2h'}", deck="traditional")
    assert match.view(0).players[0].points == 0
    assert match.view(1).players[1].points == (7 if cards == "Xb" else 9)
    assert "caramba" in match.legal()


@pytest.mark.rule("C25")
@pytest.mark.parametrize(
    ("rank", "points"), [("1", 1), ("10", 10), ("J", 10), ("Q", 10), ("K", 10)]
)
def test_the_other_cards_are_worth_what_they_always_are(rank: str, points: int) -> None:
    match = second_lap(2, f"{rank}s | {rank}h Xr", deck="traditional")
    assert [match.view(seat).players[seat].points for seat in (0, 1)] == [points] * 2


@pytest.mark.rule("C25")
def test_the_deck_is_tarot_or_traditional() -> None:
    assert table(Match("cards", players=2)).deck == "tarot"
    assert table(Match("cards", players=2, options={"deck": "tarot"})).deck == "tarot"
    for deck in ("poker", True, None):
        with pytest.raises(InvalidSetup, match="option deck: tarot or traditional"):
            Match("cards", players=2, options={"deck": deck})


# Runs


@pytest.mark.rule("C25")
@pytest.mark.parametrize(
    "cards", ["5s 6s 7s", "8h 9h 10h", "10s Js Qs", "Jd Qd Kd", "9c 10c Jc Qc Kc", "1s 2s 3s"]
)
def test_a_run_is_in_one_suit_and_the_queen_follows_the_jack(cards: str) -> None:
    assert together(cards)


@pytest.mark.rule("C25")
@pytest.mark.parametrize("cards", ["5s 6c 7s", "8h 9d 10h", "Js Qs Kc", "5s 6h 7s", "8h 10d Xb"])
def test_the_same_colour_is_not_enough(cards: str) -> None:
    assert not together(cards)
    assert refused(dealt(2, cards, deck="traditional"), f"drop {cards}")[0] == "C25"


@pytest.mark.rule("C25")
@pytest.mark.parametrize("cards", ["10s Js Ks", "10s Qs Ks", "1s Qs Ks", "5s 6s 8s", "5s 6s"])
def test_without_a_joker_a_run_has_no_gap_and_three_cards(cards: str) -> None:
    assert not together(cards)


# Jokers


@pytest.mark.rule("C25")
@pytest.mark.parametrize(
    "cards",
    [
        *("Xb", "Xr", "Xb Xr", "5s Xb", "Ks Xr", "5s 5h Xr", "5s Xb Xr", "5s 5h Xb Xr"),
        *("5s 5h 5d Xb", "5s 5h 5c Xr", "1s 1h 1d 1c"),
    ],
)
def test_a_joker_is_a_single_card_or_one_of_a_rank(cards: str) -> None:
    assert together(cards)


@pytest.mark.rule("C25")
@pytest.mark.parametrize("cards", ["5s 5h 5d 5c Xb", "5s 5h 5d 5c Xr", "5s 5h 5d Xb Xr"])
def test_there_are_never_five_of_a_rank(cards: str) -> None:
    assert not together(cards)
    assert refused(dealt(2, cards, deck="traditional"), f"drop {cards}")[0] == "C25"


@pytest.mark.rule("C25")
@pytest.mark.parametrize(
    "cards",
    [
        *("5s 7s Xb", "5s 6s Xr", "Qh Kh Xb", "1h 2h Xb", "10c Qc Xb", "Jc Kc Xr"),
        *("5s 8s Xb Xr", "5s 6s Xb Xr", "5s 7s Xb Xr", "5s 6s 7s Xb Xr", "5s 7s 9s Xb Xr"),
        *("5s 6s 9s Xb Xr", "5s 6s 7s 8s Xr", "10d Kd Xb Xr", "5s 6s 8s Xr", "10d Jd Kd Xb"),
    ],
)
def test_jokers_fill_gaps_or_lengthen_a_run(cards: str) -> None:
    assert together(cards)


@pytest.mark.rule("C25")
@pytest.mark.parametrize(
    "cards",
    [
        *("5s 8s Xb", "5s 9s Xb Xr", "5s 7s 9s Xb", "5s 8s 9s Xr", "5s 6s 10s Xb Xr", "10d Kd Xb"),
        *("1s Ks Xb", "1s Ks Xb Xr", "1s 2s Ks Xb Xr", "5s 8s 10s Xb Xr", "9s Qs Xr"),
    ],
)
def test_no_more_ranks_may_be_missing_than_there_are_jokers(cards: str) -> None:
    assert not together(cards)
    assert refused(dealt(2, cards, deck="traditional"), f"drop {cards}")[0] == "C25"


@pytest.mark.rule("C25")
@pytest.mark.parametrize("cards", ["5s 5h 6s Xb", "5s 6s 6h Xb Xr", "5s 5h 6h Xb Xr", "5s 6h Xb"])
def test_the_other_cards_of_a_run_are_of_one_suit_and_different_ranks(cards: str) -> None:
    assert not together(cards)


@pytest.mark.rule("C25")
def test_two_cards_are_never_a_run() -> None:
    match = dealt(2, "5s 7s 9h Jd Xb", deck="traditional")
    pairs = {"5s Xb", "7s Xb", "9h Xb", "Jd Xb"}
    assert drops(match) == {"5s", "7s", "9h", "Jd", "Xb", "5s 7s Xb"} | pairs


@pytest.mark.rule("C25")
def test_a_joker_remains_a_joker() -> None:
    match = turn(dealt(2, "5s 6s Xb | 9h 9d Kc Kd 2h", deck="traditional"), "5s 6s Xb")
    turn(match, "2h", take="Xb")
    assert hand(match, 1) == "9h 9d Kd Kc Xb"
    assert "Xb" in match.view(0).players[1].hand
    turn(match, hand(match, 0).split()[-1])
    assert {"9h 9d Xb", "Kd Kc Xb", "Xb", "9h Xb"} <= drops(match)


# Only the ends


@pytest.mark.rule("C25")
@pytest.mark.rule("C22")
@pytest.mark.parametrize(
    ("cards", "fit"),
    [
        ("5s 6s 7s", "5s 7s"),
        ("5s 7s Xb", "5s 7s"),
        ("5s 7s Xr", "5s 7s"),
        ("5s 6s Xb", "5s 6s Xb"),
        ("5s 6s 7s Xr", "5s 7s Xr"),
        ("5s 6s 8s Xr", "5s 8s"),
        ("5s 6s Xb Xr", "5s 6s Xb Xr"),
        ("5s 7s Xb Xr", "5s 7s Xr"),
        ("5s 8s Xb Xr", "5s 8s"),
        ("5s 6s 8s Xb Xr", "5s 8s Xr"),
        ("5s 7s 9s Xb Xr", "5s 9s"),
        ("10d Qd Kd Xb", "10d Kd"),
        ("Jd Qd Kd Xb", "Jd Kd Xb"),
    ],
)
def test_the_ends_and_the_jokers_that_fill_no_gap_can_be_taken(cards: str, fit: str) -> None:
    match = facing(cards)
    assert takes(match) == {"pile", *fit.split()}
    assert " ".join(table(match).takeable) == fit
    for card in set(cards.split()) - set(fit.split()):
        assert refused(match, f"take {card}")[0] == ("C25" if card[0] == "X" else "C22")
    for card in fit.split():
        taken = play(match.copy(), f"take {card}")
        assert card in hand(taken, 1).split()


@pytest.mark.rule("C25")
@pytest.mark.rule("C22")
@pytest.mark.parametrize("cards", ["Xb", "Xb Xr", "5s Xb", "5s 5h Xr", "5s Xb Xr", "5s 5h Xb Xr"])
def test_from_a_set_of_one_rank_any_card_can_be_taken(cards: str) -> None:
    """Two jokers with one card are three of a rank."""
    match = facing(cards)
    assert takes(match) == {"pile", *cards.split()}
    (_, facts), *_ = told(match, "drop")
    assert facts["run"] is False


@pytest.mark.rule("C25")
def test_without_ends_only_any_card_of_a_run_can_be_taken() -> None:
    assert takes(facing("5s 7s Xb Xr", ends_only=False)) == {"pile", "5s", "7s", "Xb", "Xr"}


@pytest.mark.rule("C25")
@pytest.mark.rule("C22")
def test_in_every_run_of_a_suit_the_right_cards_can_be_taken() -> None:
    """C25 as it is told: the ranks missing are counted, `Xb` fills before `Xr`."""
    state = facing("5s").state.copy()
    suit = [f"{rank}s" for rank in [*range(1, 11), "J", "Q", "K"]]
    runs = 0
    for size in range(2, 6):
        for row in combinations(range(13), size):
            gap_ranks = row[-1] - row[0] + 1 - size
            for jokers in ((), ("Xb",), ("Xr",), ("Xb", "Xr")):
                if size + len(jokers) not in (3, 4, 5) or gap_ranks > len(jokers):
                    continue
                cards = [suit[place] for place in row]
                state["previous"][0] = bits(" ".join([*cards, *jokers]))
                fit = [cards[0], cards[-1], *jokers[gap_ranks:]]
                assert names(int(takeable(state[0]))) == " ".join(fit)
                runs += 1
    assert runs == 303
