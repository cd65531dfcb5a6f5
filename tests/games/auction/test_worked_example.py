"""The example of the printed rules, played step by step: Pancho, Emiliano, Porfirio, Dolores."""

import pytest

from auction_kit import auction, in_play
from caramba.games.contract import CHANCE, SPECTATOR
from caramba.match.match import Match
from kit import play

PANCHO, EMILIANO, PORFIRIO, DOLORES = range(4)
HANDS = {
    PANCHO: "g7 g3a4 g2d5 a7",
    EMILIANO: "d7 g7 g2a5 a7",
    PORFIRIO: "g4a3 d7 a5d2 g2d5",
    DOLORES: "a7 g5a2 g3a4 d7",
}


def first_bids() -> Match:
    """Turn 1: Pancho has drawn crates until all three goods are there."""
    return auction(hands=HANDS, crates="g3 g4 a2 a3 a4 d3")


def first_loot() -> Match:
    """Turn 1: everybody bids once, Porfirio too low; then all pass."""
    bids = ("bid g7 g", "bid d7 d", "bid g4a3 g", "bid a7 a")
    return play(first_bids(), *bids, "pass", "pass", "pass", "pass")


def first_stash() -> Match:
    """Turn 1: Pancho and Dolores stash a 4, Emiliano his dynamite."""
    return play(first_loot(), "stash g4", "stash d3", "stash a4")


def second_crates() -> Match:
    """Turn 2: all have drawn two cards; Emiliano, now first, is to draw crates."""
    match = first_stash()
    for seat, cards in enumerate(("d7 a5d2", "a3d4 a4d3", "a7 g7", "g7 g2d5")):
        play(match, *[f"deal {seat} {card}" for card in cards.split()])
    return match


def second_bids() -> Match:
    """Turn 2: two crates were drawn; Dolores and Pancho do not play Fuera."""
    return play(second_crates(), "crate g2", "crate d2", "hold", "hold")


def second_loot() -> Match:
    """Turn 2: Emiliano leads for gold, Porfirio for dynamite; he ties with Dolores."""
    bids = ("bid g7 g", "bid d7 d", "bid g3a4 a", "bid g3a4 g", "bid g2a5 g", "bid a7 a")
    return play(second_bids(), *bids, "pass", "pass", "pass", "pass")


def third_turn() -> Match:
    """Turn 2 is over: Emiliano stashed gold 3, Porfirio dynamite; all have drawn."""
    match = play(second_loot(), "stash g3", "stash d2")
    while match.view(SPECTATOR).phase == "draw":
        match.play(next(iter(match.chances())))
    return match


def discards(match: Match) -> list[tuple[str, ...]]:
    """Every player's discard pile."""
    return [band.discards for band in match.view(SPECTATOR).bands]


def stashes(match: Match) -> list[tuple[str, ...]]:
    """What every player knows to be in the own stash."""
    return [match.view(seat).bands[seat].stash for seat in range(4)]


def bonuses(match: Match) -> dict[tuple[int, str], int]:
    """Who has a bonus for what."""
    bands = match.view(SPECTATOR).bands
    lots = {(seat, good): bands[seat].lots[good] for seat in range(4) for good in "gad"}
    return {at: lot.bonus for at, lot in lots.items() if lot.bonus}


@pytest.mark.rule("A10")
def test_pancho_stops_drawing_when_the_dynamite_has_come() -> None:
    match = first_bids()
    assert match.names == ("Pancho", "Emiliano", "Porfirio", "Dolores")
    assert match.view(SPECTATOR).centre == ("g3", "g4", "a2", "a3", "a4", "d3")
    assert match.actor == match.view(SPECTATOR).first == PANCHO
    assert bonuses(match) == {}


@pytest.mark.rule("A25")
@pytest.mark.rule("A27")
def test_three_win_a_good_and_porfirio_takes_his_card_back() -> None:
    match = first_loot()
    assert in_play(match) == [("g3", "g4"), ("d3",), (), ("a2", "a3", "a4")]
    assert match.view(SPECTATOR).centre == ()
    assert discards(match) == [("g7",), ("d7",), (), ("a7",)]
    assert set(match.view(PORFIRIO).bands[PORFIRIO].hand) == set(HANDS[PORFIRIO].split())


@pytest.mark.rule("A29")
def test_pancho_and_dolores_stash_a_four_and_emiliano_his_dynamite() -> None:
    match = first_stash()
    assert stashes(match) == [("g4",), ("d3",), (), ("a4",)]
    assert in_play(match) == [("g3",), (), (), ("a2", "a3")]
    assert [len(band.hand) for band in match.view(SPECTATOR).bands] == [3, 3, 4, 3]


@pytest.mark.rule("A11")
@pytest.mark.rule("A34")
def test_emiliano_is_first_and_draws_until_the_missing_dynamite_comes() -> None:
    match = second_crates()
    assert (match.view(SPECTATOR).turn, match.view(SPECTATOR).first) == (2, EMILIANO)
    play(match, "crate g2")
    assert match.actor == CHANCE
    play(match, "crate d2")
    assert match.view(SPECTATOR).centre == ("g2", "d2")
    assert match.actor == DOLORES


@pytest.mark.rule("A31")
def test_pancho_and_dolores_start_with_a_bonus_of_three() -> None:
    match = second_bids()
    assert match.actor == EMILIANO
    assert bonuses(match) == {(PANCHO, "g"): 3, (DOLORES, "a"): 3}


@pytest.mark.rule("A28")
def test_emiliano_and_porfirio_win_while_a_tie_costs_dolores_her_ammunition() -> None:
    match = second_loot()
    assert in_play(match) == [(), ("g2", "g3"), ("d2",), ()]
    assert match.view(SPECTATOR).centre == ("a2", "a3")
    assert discards(match) == [("g7",), ("g7", "d7", "g2a5"), ("d7",), ("a7",)]
    assert "g3a4" in match.view(PANCHO).bands[PANCHO].hand
    assert "a7" in match.view(PORFIRIO).bands[PORFIRIO].hand
    assert "g3a4" in match.view(DOLORES).bands[DOLORES].hand


@pytest.mark.rule("A24")
def test_the_totals_of_the_second_turn_are_cards_and_bonuses() -> None:
    events = [event for _, event in second_loot().events(SPECTATOR)]
    loot = [event for event in events if event.kind in ("won", "tie")][-3:]
    told = [(event.kind, event.seat, event.facts["good"], event.facts["total"]) for event in loot]
    assert told == [("won", EMILIANO, "g", 9), ("tie", None, "a", 7), ("won", PORFIRIO, "d", 7)]
    assert loot[1].facts["seats"] == [PORFIRIO, DOLORES]


@pytest.mark.rule("A31")
@pytest.mark.rule("A34")
def test_in_the_third_turn_emiliano_has_a_gold_bonus_of_two() -> None:
    match = third_turn()
    assert (match.view(SPECTATOR).turn, match.view(SPECTATOR).first) == (3, PORFIRIO)
    assert stashes(match) == [("g4",), ("g3", "d3"), ("d2",), ("a4",)]
    assert match.points == [4, 6, 2, 4]
    assert in_play(match) == [(), ("g2",), (), ()]
    assert bonuses(match) == {(EMILIANO, "g"): 2}
    assert match.view(SPECTATOR).centre == ("a2", "a3")
    assert match.actor == CHANCE
    match.play("crate d3")
    assert match.actor == EMILIANO
