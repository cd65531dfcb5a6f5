"""The Cards: the example of the rule book, step by step."""

import pytest

from caramba.games.contract import CHANCE, SPECTATOR
from caramba.games.errors import IllegalAction
from caramba.match.match import Match
from cards_kit import deal, end, hand, one_lap, table, takes, told, turn
from kit import play

PIERRE, CAROLINE, LOUISE = range(3)


def before_the_deal() -> Match:
    """Pierre has a total of 65, and begins the deal."""
    names = ("Pierre", "Caroline", "Louise")
    match = Match("cards", players=3, seed=1, options={"first": PIERRE}, names=names)
    match.play("first 0")
    for hands in ("5s | 5h | 9s", "10s Kh Qh | Cs | 1h", "1h | 9s | 5s"):
        one_lap(match, hands).play("caramba")
    return match


def start(*, carolines: str = "1s") -> Match:
    """The example begins in the second lap, with Louise's turn."""
    match = before_the_deal()
    deal(match, f"2c 8s Cd 10s 10h | {carolines} 5c Jh 9h 9d | 3h 4d 5h 9s 7d")
    turn(match, "10s 10h", draw="6s")
    turn(match, "9h 9d", draw="6h")
    turn(match, "7d", draw="Kc")
    turn(match, "6s", draw="8d")
    turn(match, "6h", draw="Jd")
    return match


def after_louise(*, carolines: str = "1s") -> Match:
    return play(start(carolines=carolines), "drop 3h 4d 5h", "take pile", "draw Qs")


def after_pierre(*, carolines: str = "1s") -> Match:
    return play(after_louise(carolines=carolines), "drop 8s 8d", "take 4d")


def after_caroline(*, carolines: str = "1s") -> Match:
    return play(after_pierre(carolines=carolines), "drop Jh Jd", "take pile", "draw Cs")


def before_the_call(*, carolines: str = "1s") -> Match:
    return play(after_caroline(carolines=carolines), "drop Kc", "take pile", "draw 3c")


def points(match: Match, seat: int) -> int | None:
    """The points of a hand, as its owner counts them."""
    count: int | None = match.view(seat).players[seat].points
    return count


@pytest.mark.rule("C04")
def test_pierre_has_65_and_began_the_deal_and_it_is_louises_turn() -> None:
    match = start()
    assert match.points[PIERRE] == 65
    assert table(match).first == PIERRE
    assert (table(match).lap, match.actor) == (2, LOUISE)
    assert hand(match, PIERRE) == "2c 8s 8d Cd"
    assert hand(match, CAROLINE) == "1s 5c Jh Jd"
    assert hand(match, LOUISE) == "3h 4d 5h 9s Kc"


@pytest.mark.rule("C06")
def test_louise_discards_a_red_run_and_draws_a_queen_that_only_she_sees() -> None:
    match = after_louise()
    assert table(match).previous == ("3h", "4d", "5h")
    assert hand(match, LOUISE) == "9s Qs Kc"
    assert told(match, "draw")[-1] == (LOUISE, {"card": "??"})


@pytest.mark.rule("C11")
def test_pierre_cannot_call_with_17_points() -> None:
    match = after_louise()
    assert points(match, PIERRE) == 17
    with pytest.raises(IllegalAction, match=r"you have 17 points.*C11"):
        match.play("caramba")


@pytest.mark.rule("C08")
def test_pierre_takes_the_4_and_everybody_knows_that_he_has_it() -> None:
    match = after_pierre()
    assert hand(match, PIERRE) == "2c 4d Cd"
    assert points(match, PIERRE) == 2 + 4 - 1
    assert sorted(table(match).players[PIERRE].hand) == ["4d", "??", "??"]
    assert told(match, "take")[-1] == (PIERRE, {"card": "4d"})


@pytest.mark.rule("C08")
def test_caroline_might_take_an_eight_but_no_longer_the_3_or_the_5() -> None:
    match = play(after_pierre(), "drop Jh Jd")
    assert takes(match) == {"pile", "8s", "8d"}
    match = after_caroline()
    assert hand(match, CAROLINE) == "1s 5c Cs"
    assert points(match, CAROLINE) == 5
    assert table(match).players[CAROLINE].hand == ("??",) * 3


@pytest.mark.rule("C02")
def test_louise_is_left_with_22_points() -> None:
    match = before_the_call()
    assert hand(match, LOUISE) == "3c 9s Qs"
    assert points(match, LOUISE) == 22
    assert (match.actor, table(match).lap) == (PIERRE, 4)


@pytest.mark.rule("C14")
def test_pierre_calls_with_5_but_caroline_has_5_too_so_only_he_scores_35() -> None:
    match = before_the_call()
    others = match.points[CAROLINE:]
    match.play("caramba")
    assert told(match, "failed")[-1] == (PIERRE, {})
    assert told(match, "scores")[-1] == (PIERRE, {"points": 35, "total": 100})
    assert match.points[CAROLINE:] == others


@pytest.mark.rule("C15")
def test_pierre_is_at_exactly_100_and_falls_to_75() -> None:
    match = play(before_the_call(), "caramba")
    assert match.points[PIERRE] == 75
    assert told(match, "drops") == [(PIERRE, {"exactly": 100, "total": 75})]
    assert end(match) is None


@pytest.mark.rule("C04")
def test_caroline_begins_the_next_deal() -> None:
    match = play(before_the_call(), "caramba")
    assert match.actor == CHANCE
    assert table(match).first == CAROLINE
    last = [event for _, event in match.events(SPECTATOR)][-1]
    assert (last.kind, last.seat) == ("new_deal", CAROLINE)


@pytest.mark.rule("C13")
def test_if_caroline_had_6_pierre_would_have_won_the_deal() -> None:
    match = before_the_call(carolines="2s")
    assert points(match, CAROLINE) == 6
    before = match.points
    match.play("caramba")
    assert told(match, "won")[-1] == (PIERRE, {})
    assert [b - a for a, b in zip(before, match.points, strict=True)] == [0, 6, 22]
