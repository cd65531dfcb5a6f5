"""The Auction: the loot and the bonus, A24 to A28 and A31."""

import pytest

from auction_kit import all_pass, auction, hold, in_play, next_turn
from caramba.games.contract import SPECTATOR
from caramba.match.match import Match
from kit import play


def totals(match: Match, good: str) -> list[int]:
    """Every player's total for a good."""
    return [band.lots[good].total for band in match.view(SPECTATOR).bands]


def bonuses(match: Match, seat: int) -> list[int]:
    """A player's bonus for gold, ammunition and dynamite."""
    lots = match.view(SPECTATOR).bands[seat].lots
    return [lots[good].bonus for good in "gad"]


def loot_events(match: Match) -> list[tuple[str, int | None, str, int]]:
    """What was told of the loot: kind, winner, good, total."""
    told = [event for _, event in match.events(SPECTATOR)]
    loot = [event for event in told if event.kind in ("won", "tie", "unwanted")]
    return [(e.kind, e.seat, e.facts["good"], e.facts.get("total", 0)) for e in loot]


# Totals and the winner


@pytest.mark.rule("A24")
def test_the_sum_of_all_cards_bid_on_a_good_decides() -> None:
    match = play(auction(2, hands={1: "g4a3 g5a2"}), "bid g7 g", "bid g4a3 g", "pass", "bid g5a2 g")
    assert totals(match, "g") == [7, 9]
    assert totals(match, "a") == [0, 0]
    assert in_play(play(match, "pass")) == [(), ("g3",)]


@pytest.mark.rule("A24")
@pytest.mark.rule("A31")
def test_the_bonus_is_added_to_the_cards() -> None:
    match = auction(2, hands={0: "g7 g5a2"})
    hold(next_turn(play(match, "bid g7 g")))
    play(match, "bid g7 g", "bid g5a2 g")
    assert totals(match, "g") == [8, 7]
    assert in_play(all_pass(match)) == [("g3",), ()]
    assert match.view(1).bands[1].discards == ()


@pytest.mark.rule("A25")
def test_the_highest_total_takes_all_crates_of_that_good_and_no_others() -> None:
    match = auction(3, crates="g3 g2 a2 g4 d2")
    all_pass(play(match, "bid g2a5 g", "bid g7 g"))
    assert in_play(match) == [(), ("g2", "g3", "g4"), ()]
    assert match.view(0).centre == ("a2", "d2")
    assert loot_events(match)[0] == ("won", 1, "g", 7)


@pytest.mark.rule("A25")
def test_one_player_may_win_several_goods() -> None:
    match = play(auction(3), "bid g7 g", "bid a7 a", "pass", "bid d7 d", "pass")
    assert in_play(play(match, "pass")) == [("g3", "d2"), ("a2",), ()]


@pytest.mark.rule("A25")
def test_the_winner_takes_crates_in_play_from_every_rival() -> None:
    match = auction(2, crates="g3 a2 d2")
    hold(next_turn(play(match, "bid g7 g", "bid a7 a")))
    all_pass(play(match, "bid g7 g"))
    assert in_play(match) == [(), ("g3", "a2")]


@pytest.mark.rule("A25")
def test_the_winner_takes_from_the_centre_and_from_a_rival_at_once() -> None:
    match = auction(3, crates="g3 a2 d2")
    play(match, "bid g7 g", "bid a7 a", "pass", "pass", "pass", "keep", "stash a2")
    hold(next_turn(match, "g4 a3"))
    all_pass(play(match, "bid g7 g"))
    assert in_play(match) == [(), ("g3", "g4"), ()]
    won = [event.facts["crates"] for _, event in match.events(0) if event.kind == "won"]
    assert sorted(won[-1]) == ["g3", "g4"]


@pytest.mark.rule("A25")
def test_who_holds_crates_and_wins_again_keeps_them_all() -> None:
    match = hold(next_turn(play(auction(2), "bid g7 g"), ""))
    all_pass(play(match, "bid a7 a", "bid g3a4 g"))
    assert in_play(match) == [("g3",), ("a2",)]


@pytest.mark.rule("A25")
@pytest.mark.rule("A42")
def test_who_wins_only_protected_crates_gets_none_and_still_discards() -> None:
    match = next_turn(play(auction(2, specials=("fuera", "manos")), "bid g7 g"))
    all_pass(play(match, "fuera g", "bid g7 g"))
    assert in_play(match) == [("g3",), ()]
    assert match.view(0).bands[1].discards == ("g7",)
    assert loot_events(match)[-3] == ("won", 1, "g", 7)


# A bonus alone, and nothing at all


@pytest.mark.rule("A26")
def test_a_bonus_wins_by_itself() -> None:
    match = auction(2, crates="g2 a2 d2")
    play(match, "bid g7 g", "bid a7 a", "pass", "pass", "keep", "stash a2")
    hold(next_turn(match, "g4 a3"))
    all_pass(play(match, "bid d7 d"))
    assert in_play(match)[0] == ("g2", "g4")
    assert match.view(0).bands[0].discards == ("g7",)
    assert ("won", 0, "g", 2) in loot_events(match)


@pytest.mark.rule("A26")
def test_a_total_of_zero_never_wins_and_the_crates_stay_in_the_centre() -> None:
    match = all_pass(play(auction(), "bid g7 g"))
    assert match.view(0).centre == ("a2", "d2")
    assert in_play(match) == [("g3",), (), (), ()]
    assert loot_events(match)[1:] == [("unwanted", None, "a", 0), ("unwanted", None, "d", 0)]


# What becomes of the cards


@pytest.mark.rule("A27")
def test_the_winner_of_a_good_discards_the_cards_bid_on_it_face_up() -> None:
    match = play(auction(2), "bid g7 g", "pass", "bid g2a5 g", "bid d7 d", "pass")
    for seat in (0, 1, SPECTATOR):
        assert set(match.view(seat).bands[0].discards) == {"g7", "g2a5", "d7"}
    assert match.view(0).bands[0].hand == ("a7",)


@pytest.mark.rule("A27")
def test_every_other_bid_card_returns_to_its_owners_hand() -> None:
    match = play(auction(2), "bid g7 g", "bid g2a5 g", "bid g2a5 a", "bid a7 a", "pass", "pass")
    bands = [match.view(seat).bands[seat] for seat in (0, 1)]
    assert [band.discards for band in bands] == [("g7",), ("a7",)]
    assert set(bands[0].hand) == {"a7", "d7", "g2a5"}
    assert set(bands[1].hand) == {"g7", "d7", "g2a5"}
    assert all(lot.bids == () for band in bands for lot in band.lots.values())


# Ties


@pytest.mark.rule("A28")
@pytest.mark.parametrize("tied", [2, 3, 4])
def test_when_players_tie_nobody_wins_and_all_take_back_their_cards(tied: int) -> None:
    match = all_pass(play(auction(), *["bid g7 g"] * tied))
    assert in_play(match) == [()] * 4
    assert match.view(0).centre == ("g3", "a2", "d2")
    for seat in range(4):
        assert set(match.view(seat).bands[seat].hand) == {"g7", "a7", "d7", "g2a5"}
        assert match.view(0).bands[seat].discards == ()
    facts = next(event.facts for _, event in match.events(0) if event.kind == "tie")
    assert (facts["seats"], facts["total"]) == (list(range(tied)), 7)


@pytest.mark.rule("A28")
def test_a_player_outside_the_tie_takes_the_cards_back_too() -> None:
    match = all_pass(play(auction(3), "bid g7 g", "bid g2a5 g", "bid g7 g"))
    assert set(match.view(1).bands[1].hand) == {"g7", "a7", "d7", "g2a5"}


@pytest.mark.rule("A28")
def test_a_tie_below_the_highest_total_changes_nothing() -> None:
    match = all_pass(play(auction(3), "bid g2a5 g", "bid g7 g", "bid g2a5 g"))
    assert in_play(match) == [(), ("g3",), ()]


@pytest.mark.rule("A28")
def test_a_tie_in_one_good_leaves_the_others_alone() -> None:
    match = play(auction(2), "bid g7 g", "bid g7 g", "bid a7 a", "pass", "pass")
    assert in_play(match) == [("a2",), ()]
    assert match.view(0).centre == ("g3", "d2")


@pytest.mark.rule("A28")
def test_a_tie_sends_every_crate_of_that_good_to_the_centre() -> None:
    match = auction(3, crates="g3 g4 a2 d2")
    play(match, "bid g7 g", "bid a7 a", "pass", "pass", "pass", "keep", "stash a2")
    hold(next_turn(match, "g2 a3"))
    all_pass(play(match, "bid g7 g", "bid g7 g", "pass"))
    assert in_play(match) == [(), (), ()]
    assert set(match.view(0).centre) == {"g2", "g3", "g4", "a3", "d2"}
    facts = [event.facts for _, event in match.events(0) if event.kind == "tie"][-1]
    assert facts["seats"] == [1, 2]
    assert set(facts["crates"]) == {"g3", "g4"}


@pytest.mark.rule("A28")
@pytest.mark.rule("A26")
def test_a_bonus_without_a_card_can_tie() -> None:
    match = auction(2, hands={1: "g3a4"})
    hold(next_turn(play(match, "bid g7 g")))
    play(match, "bid g3a4 g")
    assert totals(match, "g") == [3, 3]
    all_pass(match)
    assert in_play(match) == [(), ()]
    assert match.view(0).centre == ("g3", "a2", "d2")
    assert "g3a4" in match.view(1).bands[1].hand


@pytest.mark.rule("A28")
@pytest.mark.rule("A42")
def test_two_equal_bonuses_tie_after_fuera_has_left_one_good_to_two_players() -> None:
    match = auction(2, specials=("fuera", "manos"))
    play(match, "bid g7 g", "bid a7 a", "pass", "pass", "keep", "stash a2")
    next_turn(match, "g3 a3")
    next_turn(play(match, "fuera g", "bid g7 g"))
    assert in_play(match) == [("g3",), ("g3",)]
    assert (bonuses(match, 0), bonuses(match, 1)) == ([3, 0, 0], [3, 0, 0])
    all_pass(play(match, "bid a7 a"))
    assert in_play(match) == [("a3",), ()]
    assert sorted(match.view(0).centre) == ["d2", "g3", "g3"]
    assert loot_events(match)[-3] == ("tie", None, "g", 3)


# The bonus


@pytest.mark.rule("A31")
def test_the_bonus_is_the_highest_crate_of_each_good_not_the_sum() -> None:
    match = auction(2, crates="g3 g2 g4 a2 a3 d2")
    play(match, "bid g7 g", "pass", "bid a7 a", "pass", "stash g4")
    next_turn(match)
    assert bonuses(match, 0) == [3, 3, 0]
    assert bonuses(match, 1) == [0, 0, 0]


@pytest.mark.rule("A31")
def test_neither_the_centre_nor_a_stashed_crate_gives_a_bonus() -> None:
    match = auction(2)
    assert bonuses(match, 0) == [0, 0, 0]
    play(match, "bid g7 g", "pass", "pass", "stash g3")
    next_turn(match, "g2")
    assert bonuses(match, 0) == bonuses(match, 1) == [0, 0, 0]


@pytest.mark.rule("A31")
def test_the_bonus_lasts_while_the_crate_stays_in_play_and_goes_with_it() -> None:
    match = hold(next_turn(play(auction(2), "bid g7 g")))
    hold(next_turn(play(match, "bid a7 a")))
    assert (match.view(0).turn, bonuses(match, 0)) == (3, [3, 0, 0])
    next_turn(play(match, "bid d7 d", "bid g7 g"))
    assert (bonuses(match, 0), bonuses(match, 1)) == ([0, 0, 2], [3, 2, 0])


# What the table is told


@pytest.mark.rule("A25")
def test_the_table_is_told_who_won_when_the_last_card_closes_the_bids() -> None:
    match = auction(2, specials=("seguridad", "manos"), deck=["g7", "a7"])
    play(match, "bid g7 g", "pass", "pass", "seguridad", "done", "deal 0 g7")
    hold(next_turn(play(hold(match), "bid g7 g")))
    play(match, "bid g7 g", "pass", "bid a7 a")
    assert "a2" in in_play(match)[0]
    assert ("won", 0, "a", 7) in loot_events(match)


@pytest.mark.rule("A28")
def test_the_table_is_told_of_a_tie_when_the_next_bids_follow_at_once() -> None:
    match = play(auction(2, deck=["g7"]), "bid g7 g", "bid g7 g", "pass", "pass")
    assert (match.view(0).turn, match.view(0).phase) == (2, "bids")
    assert loot_events(match)[0] == ("tie", None, "g", 7)
