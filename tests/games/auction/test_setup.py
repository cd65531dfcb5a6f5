"""The Auction: components and setup, A01 to A09."""

from collections import Counter
from itertools import product
from typing import Any

import pytest

from auction_kit import SPECIALS, auction
from caramba.games.auction.components import BANDS
from caramba.games.contract import CHANCE, SPECTATOR, UNKNOWN
from caramba.games.errors import IllegalAction, InvalidSetup
from caramba.match.match import Match
from kit import deal_any, random_match


def hands_due(match: Match) -> Match:
    """First player and special cards are drawn; the first hand is to be dealt."""
    while match.view(SPECTATOR).phase != "hands":
        match.play(next(iter(match.chances())))
    return match


def max_alike(pieces: list[str]) -> int:
    """How many there are of the kind of which there are most."""
    return max(Counter(pieces).values())


# Components


@pytest.mark.rule("A01")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_two_to_four_play_each_with_fifteen_cards(players: int) -> None:
    bands = Match("auction", players=players).view(SPECTATOR).bands
    assert [band.pile for band in bands] == [15] * players


@pytest.mark.rule("A01")
@pytest.mark.parametrize("players", [0, 1, 5, True, "2"])
def test_no_other_number_of_players_can_play(players: Any) -> None:
    with pytest.raises(InvalidSetup, match="2 to 4 players"):
        Match("auction", players=players)


@pytest.mark.rule("A01")
def test_there_are_four_bands() -> None:
    assert BANDS == ("Bandidos", "Soldados", "Gringos", "Indios")


@pytest.mark.rule("A02")
def test_a_deck_spreads_seven_points_in_every_way_over_one_or_two_goods() -> None:
    def is_card(spread: tuple[int, ...]) -> bool:
        return sum(spread) == 7 and spread.count(0) in (1, 2) and 1 not in spread

    spreads = [spread for spread in product(range(8), repeat=3) if is_card(spread)]
    cards = ["".join(g + str(n) for g, n in zip("gad", s, strict=True) if n) for s in spreads]
    assert len(cards) == 15
    assert hands_due(Match("auction", players=2)).chances() == {f"deal 0 {c}": 1 for c in cards}


@pytest.mark.rule("A02")
def test_all_bands_have_the_same_deck() -> None:
    match = hands_due(Match("auction", players=4))
    for seat in range(4):
        assert len(match.chances()) == 15
        assert all(step.startswith(f"deal {seat} ") for step in match.chances())
        for _ in range(4):
            match.play(next(iter(match.chances())))


@pytest.mark.rule("A02")
def test_another_deck_can_be_loaded_with_identical_cards() -> None:
    match = hands_due(Match("auction", players=2, options={"deck": ["g9", "a1d2", "g9"]}))
    assert match.chances() == {"deal 0 g9": 2, "deal 0 a1d2": 1}
    match.play("deal 0 g9")
    assert match.chances() == {"deal 0 g9": 1, "deal 0 a1d2": 1}


@pytest.mark.rule("A02")
def test_identical_cards_are_bid_one_by_one() -> None:
    match = auction(2, deck=["g7", "g7"])
    assert match.view(0).bands[0].hand == ("g7", "g7")
    match.play("bid g7 g")
    assert match.view(0).bands[0].hand == ("g7",)
    match.play("pass")
    match.play("bid g7 g")
    assert match.view(0).bands[0].lots["g"].total == 14


@pytest.mark.rule("A02")
@pytest.mark.parametrize(
    "deck",
    [
        [],
        ["g7"] * 61,
        [f"g{n}a{m}" for n in range(1, 5) for m in range(1, 5)],
        ["g7", 7],
        ["x7"],
        ["g0"],
        ["g10"],
        ["a3g4"],
        ["g3g4"],
        ["g2a2d3"],
        "g7",
        None,
    ],
)
def test_a_deck_that_cannot_be_played_is_refused(deck: Any) -> None:
    with pytest.raises(InvalidSetup, match="option deck"):
        Match("auction", players=2, options={"deck": deck})


@pytest.mark.rule("A02")
@pytest.mark.parametrize("deck", [["g7"] * 16, [*["a1d2"] * 20, "g7"]])
def test_a_deck_has_at_most_fifteen_cards_of_a_kind(deck: list[str]) -> None:
    with pytest.raises(InvalidSetup, match=f"deck: at most 15 of a kind, not {max_alike(deck)}"):
        Match("auction", players=2, options={"deck": deck})
    fifteen = ["g7"] * 15 + ["a7"] * 15
    match = hands_due(Match("auction", players=2, options={"deck": fifteen}))
    assert match.chances() == {"deal 0 g7": 15, "deal 0 a7": 15}


@pytest.mark.rule("A03")
@pytest.mark.rule("A08")
def test_all_twenty_four_crates_start_in_the_sack_eight_of_each_good() -> None:
    table = Match("auction", players=2).view(SPECTATOR)
    assert Counter(crate[0] for crate in table.sack) == {"g": 8, "a": 8, "d": 8}
    assert {crate[1] for crate in table.sack} == {"2", "3", "4"}
    assert table.centre == ()


@pytest.mark.rule("A04")
@pytest.mark.parametrize("good", ["g", "a", "d"])
def test_a_good_has_three_twos_three_threes_and_two_fours(good: str) -> None:
    sack = Match("auction", players=3).view(SPECTATOR).sack
    assert [crate[1] for crate in sack if crate[0] == good] == list("22233344")


@pytest.mark.rule("A04")
def test_another_set_of_crates_can_be_loaded() -> None:
    match = Match("auction", players=2, options={"crates": ["g9", "a1", "d2", "g9"]})
    assert match.view(SPECTATOR).sack == ("g9", "g9", "a1", "d2")
    assert deal_any(match).view(SPECTATOR).centre == ("g9", "g9", "a1", "d2")


@pytest.mark.rule("A04")
@pytest.mark.parametrize(
    "crates",
    [
        [],
        ["g3"] * 61,
        [f"g{n}" for n in range(1, 10)] + ["a1"],
        [3],
        ["g0"],
        ["g3a4"],
        ["x2"],
        "g3",
        None,
    ],
)
def test_crates_that_cannot_be_played_with_are_refused(crates: Any) -> None:
    with pytest.raises(InvalidSetup, match="option crates"):
        Match("auction", players=2, options={"crates": crates})


@pytest.mark.rule("A04")
@pytest.mark.parametrize("crates", [["g3"] * 16, [*["d2"] * 20, "a4"]])
def test_there_are_at_most_fifteen_crates_of_a_kind(crates: list[str]) -> None:
    reason = f"crates: at most 15 of a kind, not {max_alike(crates)}"
    with pytest.raises(InvalidSetup, match=reason):
        Match("auction", players=2, options={"crates": crates})
    fifteen = ["g3"] * 15 + ["d2"] * 15
    match = Match("auction", players=2, options={"crates": fifteen})
    assert match.view(SPECTATOR).sack == tuple(fifteen)


def test_an_option_that_the_game_does_not_have_is_refused() -> None:
    with pytest.raises(InvalidSetup, match="no option 'last'; it has crates, deck, first, max_t"):
        Match("auction", players=2, options={"last": 1})


@pytest.mark.rule("A05")
def test_the_four_special_cards_are_there_once_each() -> None:
    match = Match("auction", players=4, options={"first": 0})
    match.play("first 0")
    for seat, special in enumerate(SPECIALS):
        assert match.chances() == {f"special {seat} {left}": 1 for left in SPECIALS[seat:]}
        match.play(f"special {seat} {special}")
    assert [match.view(seat).bands[seat].special for seat in range(4)] == list(SPECIALS)


# Setup


@pytest.mark.rule("A06")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_each_player_draws_four_cards_and_keeps_the_rest_as_a_pile(players: int) -> None:
    match = auction(players)
    for seat in range(players):
        band = match.view(seat).bands[seat]
        assert (len(band.hand), band.pile) == (4, 11)


@pytest.mark.rule("A06")
def test_a_card_that_was_drawn_is_no_longer_in_that_pile_alone() -> None:
    match = hands_due(Match("auction", players=2))
    for card in ("g7", "a7", "d7", "g3a4"):
        match.play(f"deal 0 {card}")
        assert f"deal 0 {card}" not in match.chances()
    assert "deal 1 g7" in match.chances()


@pytest.mark.rule("A06")
def test_hands_are_seen_by_their_owners_only() -> None:
    match = auction(2, hands={0: "g7 a7 d7 g3a4"})
    assert set(match.view(0).bands[0].hand) == {"g7", "a7", "d7", "g3a4"}
    assert match.view(1).bands[0].hand == match.view(SPECTATOR).bands[0].hand == (UNKNOWN,) * 4
    told = [event.facts["card"] for _, event in match.events(1) if event.kind == "deal"]
    assert told == [UNKNOWN] * 4 + ["g7", "a7", "d7", "g2a5"]


@pytest.mark.rule("A06")
def test_a_deck_of_fewer_than_four_cards_is_drawn_whole() -> None:
    match = auction(2, deck=["g7", "a7", "d7"])
    assert match.view(0).bands[0].hand == ("g7", "a7", "d7")
    assert match.view(0).bands[0].pile == 0


@pytest.mark.rule("A07")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_each_special_card_is_seen_by_its_owner_only(players: int) -> None:
    match = auction(players)
    for seat in range(players):
        seen = [band.special for band in match.view(seat).bands]
        assert seen == [SPECIALS[p] if p == seat else UNKNOWN for p in range(players)]
        told = [event.facts["card"] for _, event in match.events(seat) if event.kind == "special"]
        assert told == seen


@pytest.mark.rule("A07")
def test_special_cards_set_aside_are_unseen_and_never_played() -> None:
    for seed in range(8):
        match = random_match("auction", 2, seed, max_turns=12)
        dealt = {text for who, text in match.steps if text.startswith("special")}
        played = {
            f"special {who} {text.split()[0]}" for who, text in match.steps if who is not None
        }
        assert len(dealt) == 2
        assert {step for step in played if step.split()[2] in SPECIALS} <= dealt


@pytest.mark.rule("A07")
def test_nobody_is_told_which_special_cards_were_set_aside() -> None:
    match = auction(2, specials=("manos", "fuera"))
    for seat in (0, 1, SPECTATOR):
        shown = repr((match.view(seat).bands, match.view(seat).gone, list(match.events(seat))))
        assert not any(special in shown for special in ("vuelta", "seguridad"))


@pytest.mark.rule("A09")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_seat_has_the_same_chance_to_begin(players: int) -> None:
    match = Match("auction", players=players)
    assert match.actor == CHANCE
    assert match.chances() == {f"first {seat}": 1 for seat in range(players)}
    assert match.view(0).first is None


@pytest.mark.rule("A09")
def test_a_chosen_first_player_is_written_as_a_step_with_one_outcome() -> None:
    match = Match("auction", players=3, options={"first": 2})
    assert match.chances() == {"first 2": 1}
    with pytest.raises(IllegalAction, match="cannot be drawn now"):
        match.play("first 0")
    match.play("first 2")
    assert match.steps == [(None, "first 2")]
    assert match.view(0).first == 2


@pytest.mark.rule("A09")
@pytest.mark.parametrize("first", [-1, 3, True, "1", 1.0])
def test_a_first_player_who_does_not_sit_here_is_refused(first: Any) -> None:
    with pytest.raises(InvalidSetup, match="option first"):
        Match("auction", players=3, options={"first": first})
