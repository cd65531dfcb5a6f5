"""The Cards: components and the deal, C01 to C04."""

import pytest

from caramba.games.contract import CHANCE, SPECTATOR
from caramba.games.errors import IllegalAction, InvalidSetup
from caramba.match.match import Match
from cards_kit import (
    TAROT,
    any_turn,
    deal,
    dealt,
    draws,
    hand,
    one_lap,
    refused,
    second_lap,
    table,
    takes,
    told,
    turn,
)
from kit import play


def started(players: int, first: int = 0) -> Match:
    """A match of which the first card is to be dealt."""
    return play(Match("cards", players=players, options={"first": first}), f"first {first}")


def void_deal(match: Match) -> Match:
    """Nobody calls until the deal is over."""
    number = table(match).deal
    deal(match, "")
    while table(match).deal == number:
        any_turn(match)
    return match


# Components


@pytest.mark.rule("C01")
@pytest.mark.parametrize("players", range(2, 9))
def test_two_to_eight_can_play(players: int) -> None:
    match = Match("cards", players=players, seed=1, options={"max_laps": 2})
    void_deal(play(match, f"first {players - 1}"))
    assert table(match).deal == 2
    assert len(table(match).players) == players


@pytest.mark.rule("C01")
@pytest.mark.parametrize("players", [1, 9])
def test_one_is_too_few_and_nine_are_too_many(players: int) -> None:
    with pytest.raises(InvalidSetup, match="2 to 8 players"):
        Match("cards", players=players)


@pytest.mark.rule("C01")
def test_the_deck_has_56_cards_of_14_ranks_in_four_suits() -> None:
    match = started(2)
    assert list(match.chances()) == [f"deal 0 {card}" for card in TAROT]
    assert len(match.chances()) == 56
    for suit in "shdc":
        ranks = " ".join(card[:-1] for card in draws(match).split() if card[-1] == suit)
        assert ranks == "1 2 3 4 5 6 7 8 9 10 J C Q K"


@pytest.mark.rule("C01")
def test_there_are_no_jokers_in_the_tarot_deck() -> None:
    match = started(2)
    for joker in ("Xb", "Xr"):
        assert joker not in draws(match)


@pytest.mark.rule("C02")
@pytest.mark.parametrize(
    ("rank", "points"),
    [*((str(n), n) for n in range(1, 11)), ("J", 10), ("C", -1), ("Q", 10), ("K", 10)],
)
def test_a_card_is_worth_its_points_in_every_suit(rank: str, points: int) -> None:
    match = second_lap(4, f"{rank}s | {rank}h | {rank}d | {rank}c")
    assert [match.view(seat).players[seat].points for seat in range(4)] == [points] * 4


@pytest.mark.rule("C02")
@pytest.mark.parametrize(
    ("cards", "points"),
    [("2c 4d Cd", 5), ("Jh Qh Kh 10h 9s", 49), ("Cs Ch Cd", -3), ("1s Cs", 0), ("Cs Ch Cd Cc", -4)],
)
def test_a_hand_is_worth_its_cards_added_up_and_may_be_below_0(cards: str, points: int) -> None:
    match = second_lap(2, f"5s 6s | {cards}")
    assert match.view(1).players[1].points == points


# The deal


@pytest.mark.rule("C03")
@pytest.mark.parametrize(("players", "first"), [(2, 0), (2, 1), (3, 1), (5, 4), (8, 0), (8, 6)])
def test_everybody_is_dealt_5_cards_one_at_a_time_from_the_beginner_on(
    players: int, first: int
) -> None:
    match = dealt(players, "", first=first)
    seats = [int(step.split()[1]) for _, step in match.steps[1:]]
    assert seats == [(first + i) % players for i in range(5 * players)]
    assert [len(hand(match, seat).split()) for seat in range(players)] == [5] * players
    assert table(match).phase == "discard"
    assert table(match).lap == 1


@pytest.mark.rule("C03")
def test_the_cards_dealt_are_the_hands() -> None:
    match = dealt(3, "5s 6s 7s 8s 9s | 1h 2h Ch Qh Kh | 10d 10c Jd Jc 4c")
    assert hand(match, 0) == "5s 6s 7s 8s 9s"
    assert hand(match, 1) == "1h 2h Ch Qh Kh"
    assert hand(match, 2) == "4c 10d 10c Jd Jc"


@pytest.mark.rule("C03")
def test_every_card_that_is_left_has_the_same_chance_to_be_dealt() -> None:
    match = play(started(3), "deal 0 5s", "deal 1 Kc")
    left = [card for card in TAROT if card not in ("5s", "Kc")]
    assert match.chances() == {f"deal 2 {card}": 1 for card in left}


@pytest.mark.rule("C03")
def test_a_card_is_dealt_once_and_to_the_seat_that_is_due() -> None:
    match = play(started(3), "deal 0 5s")
    for step in ("deal 1 5s", "deal 0 6s", "deal 2 6s", "draw 6s", "first 1"):
        with pytest.raises(IllegalAction, match="cannot be drawn now"):
            match.play(step)


@pytest.mark.rule("C03")
def test_one_sees_only_the_own_hand() -> None:
    match = dealt(3, "5s 6s 7s 8s 9s")
    assert match.view(0).players[0].hand == ("5s", "6s", "7s", "8s", "9s")
    for seat in (1, 2, SPECTATOR):
        assert match.view(seat).players[0].hand == ("??",) * 5
        assert match.view(seat).players[0].points is None
    cards = [e.facts["card"] for _, e in match.events(1) if e.kind == "deal" and e.seat == 0]
    assert cards == ["??"] * 5
    cards = [e.facts["card"] for _, e in match.events(0) if e.kind == "deal" and e.seat == 0]
    assert cards == ["5s", "6s", "7s", "8s", "9s"]


@pytest.mark.rule("C03")
@pytest.mark.parametrize("players", range(2, 9))
def test_the_other_cards_are_the_pile(players: int) -> None:
    assert table(dealt(players, "")).pile == 56 - 5 * players


@pytest.mark.rule("C03")
def test_no_card_is_turned_up_so_one_can_only_take_from_the_pile_on_the_first_turn() -> None:
    match = dealt(2, "5s 6s")
    assert (table(match).laid, table(match).previous, table(match).older) == ((), (), ())
    play(match, "drop 5s")
    assert takes(match) == {"pile"}
    assert match.legal() == ["take pile"]


@pytest.mark.rule("C04")
@pytest.mark.parametrize("players", range(2, 9))
def test_who_begins_is_drawn_with_the_same_chance_for_everybody(players: int) -> None:
    match = Match("cards", players=players, seed=1)
    assert match.actor == CHANCE
    assert match.chances() == {f"first {seat}": 1 for seat in range(players)}
    assert table(match).first is None


@pytest.mark.rule("C04")
@pytest.mark.parametrize("first", [0, 2])
def test_option_first_names_who_begins_and_it_is_written_down(first: int) -> None:
    match = Match("cards", players=3, seed=1, options={"first": first})
    assert match.chances() == {f"first {first}": 1}
    match.deal()
    assert match.steps[0] == (None, f"first {first}")
    assert (match.actor, table(match).first) == (first, first)


@pytest.mark.rule("C04")
def test_option_first_is_a_seat_of_the_game() -> None:
    for first in (-1, 3, True):
        with pytest.raises(InvalidSetup, match="option first"):
            Match("cards", players=3, options={"first": first})


@pytest.mark.rule("C04")
def test_who_was_drawn_begins() -> None:
    match = deal(play(Match("cards", players=4, seed=1), "first 3"), "")
    assert (match.actor, table(match).first) == (3, 3)
    assert told(match, "first") == [(3, {})]


@pytest.mark.rule("C04")
def test_the_turn_passes_to_the_left_and_after_the_last_seat_comes_seat_0() -> None:
    match = dealt(3, "", first=1)
    seats = []
    for _ in range(7):
        seats.append(match.actor)
        any_turn(match)
    assert seats == [1, 2, 0, 1, 2, 0, 1]


@pytest.mark.rule("C04")
def test_the_turn_passes_after_a_card_was_taken_from_the_table_too() -> None:
    match = turn(dealt(3, "5s | 9s", first=0), "5s")
    assert (match.actor, table(match).lap) == (1, 1)
    turn(match, "9s", take="5s")
    assert (match.actor, table(match).lap) == (2, 1)
    turn(match, hand(match, 2).split()[0], take="9s")
    assert (match.actor, table(match).lap) == (0, 2)


@pytest.mark.rule("C04")
def test_discarding_and_taking_are_of_the_same_player() -> None:
    match = dealt(3, "", first=2)
    match.play(match.legal()[-1])
    assert (match.actor, table(match).phase) == (2, "take")
    assert refused(match, "drop 1s")[0] == "C05"


@pytest.mark.rule("C04")
def test_later_deals_are_begun_by_the_left_neighbour_even_after_a_void_one() -> None:
    match = Match("cards", players=3, seed=1, options={"first": 1, "max_laps": 2})
    play(match, "first 1")
    beginners = []
    for _ in range(4):
        beginners.append(table(match).first)
        void_deal(match)
    assert beginners == [1, 2, 0, 1]
    assert [seat for seat, _ in told(match, "new_deal")] == [1, 2, 0, 1, 2]
    assert [facts["deal"] for _, facts in told(match, "new_deal")] == [1, 2, 3, 4, 5]


@pytest.mark.rule("C04")
def test_after_a_call_the_left_neighbour_of_the_beginner_begins_whoever_called() -> None:
    match = second_lap(3, "9s Kc | Kd Kh | 1s 2s", first=0)
    any_turn(any_turn(match))
    play(match, "caramba")
    assert (table(match).deal, table(match).first) == (2, 1)
    assert match.deal()[0].startswith("deal 1 ")
    assert match.actor == 1


@pytest.mark.rule("C03")
def test_all_cards_are_shuffled_for_every_deal() -> None:
    match = second_lap(3, "9s Kc | 1s 2s | Kd Kh")
    turn(match, "Kc", take=table(match).previous[0])
    play(match, "caramba")
    assert match.chances() == {f"deal 1 {card}": 1 for card in TAROT}
    view = table(match)
    assert (view.laid, view.previous, view.older, view.pile) == ((), (), (), 56)
    assert [player.hand for player in view.players] == [()] * 3


@pytest.mark.rule("C03")
def test_a_later_deal_gives_five_to_everybody_from_its_beginner_on() -> None:
    match = play(second_lap(3, "1s 2s | Kd Kh | 9s Kc"), "caramba")
    done = len(match.steps)
    deal(match, "5s 6s 7s 8s 9s")
    seats = [int(step.split()[1]) for _, step in match.steps[done:]]
    assert seats == [1, 2, 0] * 5
    assert hand(match, 0) == "5s 6s 7s 8s 9s"
    assert (match.actor, table(match).lap, table(match).pile) == (1, 1, 41)
    assert takes(play(match, match.legal()[-1])) == {"pile"}


@pytest.mark.rule("C03")
def test_the_second_deal_is_played_like_the_first() -> None:
    match = play(second_lap(2, "1s 2s | Kd Kh"), "caramba")
    one_lap(match, "1s 2s | 1h Kh")
    assert (match.actor, table(match).lap) == (1, 2)


@pytest.mark.rule("C03")
def test_while_a_deal_is_dealt_its_lap_is_the_first() -> None:
    match = Match("cards", players=2, seed=1, options={"max_laps": 3})
    assert table(match).lap == 1
    match = play(second_lap(2, "1s 2s | Kd Kh"), "caramba")
    assert (table(match).deal, table(match).phase, table(match).lap) == (2, "deal", 1)
    match.play(next(iter(match.chances())))
    assert (table(match).phase, table(match).lap) == ("deal", 1)
