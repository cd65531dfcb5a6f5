"""The Cards in words: choices, sentences, the table, and why not."""

import pytest

from caramba.games.contract import REFEREE, SPECTATOR
from caramba.language import words
from caramba.match.match import Match
from cards_kit import (
    any_turn,
    deal,
    dealt,
    empty_pile,
    hand,
    one_lap,
    refused,
    second_lap,
    table,
    turn,
)
from kit import play

NAMES = ("Pierre", "Caroline", "Louise")


def choices(match: Match) -> list[str]:
    assert match.actor is not None
    view = match.view(match.actor)
    return [match.game.say(view, action, words("en")) for action in view.legal]


def sentences(match: Match, seat: int = SPECTATOR, last: int = 1) -> list[str]:
    """What a seat is told of the last steps."""
    since = len(match.steps) - last
    return [match.game.tell(e, NAMES, words("en")) for _, e in match.events(seat, since)]


def shown(match: Match, seat: int) -> list[str]:
    """The table as a seat sees it, line by line."""
    names = NAMES[: match.players]
    return match.game.describe(match.view(seat), names, words("en")).splitlines()


# What one may do


def test_choices_to_discard_name_the_set_and_what_is_kept() -> None:
    assert choices(dealt(2, "5s 5h 6c 7s Cd")) == [
        "discard 5♠ and keep 17 points",
        "discard 5♥ and keep 17 points",
        "discard the pair 5♠ 5♥ and keep 12 points",
        "discard 6♣ and keep 16 points",
        "discard 7♠ and keep 15 points",
        "discard the run 5♠ 6♣ 7♠ and keep 4 points",
        "discard Knight♦ and keep 23 points",
    ]


def test_choices_to_discard_three_and_four() -> None:
    match = dealt(2, "Ks Kh Kd Kc 1s")
    assert "discard three of a rank: King♠ King♥ King♦ and keep 11 points" in choices(match)
    assert "discard four of a rank: King♠ King♥ King♦ King♣ and keep 1 point" in choices(match)


def test_choices_with_jokers() -> None:
    match = dealt(2, "5s 7s Xb Xr 1h", deck="traditional")
    said = choices(match)
    assert "discard black joker and keep 13 points" in said
    assert "discard the pair black joker red joker and keep 13 points" in said
    assert "discard three of a rank: 5♠ black joker red joker and keep 8 points" in said
    assert "discard the run 5♠ 7♠ red joker and keep 1 point" in said


def test_the_choice_to_call_names_the_points() -> None:
    assert choices(second_lap(2, "1s 5h | Kd")) == [
        "call Caramba with 6 points",
        "discard 1♠ and keep 5 points",
        "discard 5♥ and keep 1 point",
    ]
    assert choices(second_lap(2, "Cs | Kd")) == [
        "call Caramba with -1 point",
        "discard Knight♠ and keep 0 points",
    ]


def test_the_choice_is_told_of_the_hand_of_the_player_in_turn() -> None:
    match = second_lap(2, "1s | Kd 2s", first=1)
    view = match.view(REFEREE)
    said = [match.game.say(view, action, words("en")) for action in view.legal]
    assert said == ["discard 2♠ and keep 10 points", "discard King♦ and keep 2 points"]


def test_choices_to_take() -> None:
    match = turn(dealt(2, "10s Jc Cs | 2h"), "10s Jc Cs")
    assert choices(play(match, "drop 2h")) == [
        "draw from the pile",
        "take 10♠ from the table",
        "take Jack♣ from the table",
        "take Knight♠ from the table",
    ]


# What happened


def test_the_deal_is_told() -> None:
    match = play(Match("cards", players=3, seed=1, options={"first": 1}), "first 1")
    assert sentences(match) == [
        "Caroline begins the first deal.",
        "Deal 1: five cards each, and Caroline begins.",
    ]
    play(match, "deal 1 Qh")
    assert sentences(match) == ["Caroline is dealt a card."]
    assert sentences(match, 1) == ["Caroline is dealt Queen♥."]


@pytest.mark.parametrize(
    ("cards", "told"),
    [
        ("5s", "Pierre discards 5♠."),
        ("5s 5h", "Pierre discards a pair: 5♠ 5♥."),
        ("5s 5h 5d", "Pierre discards three of a rank: 5♠ 5♥ 5♦."),
        ("5s 5h 5d 5c", "Pierre discards four of a rank: 5♠ 5♥ 5♦ 5♣."),
        ("5s 6s 7c", "Pierre discards a run: 5♠ 6♠ 7♣."),
        ("5s 6s 7c 8c 9s", "Pierre discards a run: 5♠ 6♠ 7♣ 8♣ 9♠."),
    ],
)
def test_discards_are_told(cards: str, told: str) -> None:
    assert sentences(play(dealt(2, cards), f"drop {cards}")) == [told]


@pytest.mark.parametrize(
    ("cards", "told"),
    [
        ("Xb", "Pierre discards black joker."),
        ("Xb Xr", "Pierre discards a pair: black joker red joker."),
        ("Ks Xb Xr", "Pierre discards three of a rank: King♠ black joker red joker."),
        ("5s 7s Xr", "Pierre discards a run: 5♠ 7♠ red joker."),
    ],
)
def test_discards_with_jokers_are_told(cards: str, told: str) -> None:
    match = dealt(2, cards, deck="traditional")
    assert sentences(play(match, f"drop {cards}")) == [told]


def test_cards_taken_are_told() -> None:
    match = turn(dealt(2, "5s | 9s"), "5s", draw="Js")
    assert sentences(match, last=2) == ["Pierre draws from the pile.", "Only Pierre has seen it."]
    assert sentences(match, 0) == ["Pierre has drawn Jack♠."]
    assert sentences(turn(match, "9s", take="5s")) == ["Caroline takes 5♠ from the table."]


def test_a_new_pile_is_told() -> None:
    match = empty_pile(dealt(8, ""))
    play(match, f"drop {hand(match, 0).split()[0]}", "take pile")
    assert sentences(match) == [
        "Pierre draws from the pile.",
        "The pile is empty: a new one is made of the discards, 16 cards.",
    ]


def test_a_call_that_wins_is_told() -> None:
    match = play(second_lap(3, "1s 2s | Kd 1h | Cs 5s"), "caramba")
    assert sentences(match) == [
        "Caramba! Pierre calls with 3 points.",
        "Pierre shows 1♠ 2♠: 3 points.",
        "Caroline shows 1♥ King♦: 11 points.",
        "Louise shows 5♠ Knight♠: 4 points.",
        "Pierre has fewer than all the others and wins the deal.",
        "Caroline scores 11 points, which makes 11.",
        "Louise scores 4 points, which makes 4.",
        "Deal 2: five cards each, and Caroline begins.",
    ]


def test_a_call_that_fails_is_told() -> None:
    match = play(second_lap(3, "1s 2s | Kd 1h | 3s"), "caramba")
    assert sentences(match)[4:] == [
        "Somebody has as few or fewer: Pierre has failed.",
        "Pierre scores 33 points, which makes 33.",
        "Deal 2: five cards each, and Caroline begins.",
    ]


def test_a_fall_from_the_exact_total_is_told() -> None:
    match = second_lap(2, "1s 2s | 3s", end_score=33, drop_to=20)
    assert sentences(play(match, "caramba"))[-3:] == [
        "Pierre scores 33 points, which makes 33.",
        "Exactly 33: Pierre drops to 20.",
        "Deal 2: five cards each, and Caroline begins.",
    ]


def test_a_player_who_is_out_is_told() -> None:
    match = second_lap(3, "1s 2s | 3s | Kd", end_score=30, drop_to=20, elimination=True)
    assert "Pierre has 33 and is out of the game." in sentences(play(match, "caramba"))
    assert shown(match, 1)[-3] == "- Pierre: total 33 | out of the game"


def test_the_end_by_points_is_told() -> None:
    match = play(second_lap(2, "1s 2s | 3s", end_score=32, drop_to=20), "caramba")
    assert sentences(match)[-1] == "A total is too high: the game is over, and the lowest wins."


def test_with_elimination_it_is_told_that_only_one_player_is_left() -> None:
    options = {"end_score": 30, "drop_to": 20, "elimination": True}
    match = play(second_lap(2, "1s 2s | 3s", **options), "caramba")
    assert sentences(match)[-2:] == [
        "Pierre has 33 and is out of the game.",
        "Only one player is left: the game is over.",
    ]


def test_the_end_by_deals_and_a_void_deal_are_told() -> None:
    match = dealt(2, "", max_laps=2, max_deals=1)
    for _ in range(4):
        any_turn(match)
    first, void, *shown, last = sentences(match)
    assert (first, void) == ("Only Caroline has seen it.", "No call in 2 laps: the deal is void.")
    assert [hand.partition(" shows ")[0] for hand in shown] == ["Pierre", "Caroline"]
    assert last == ("That was the last deal: the game is over, and the lowest total wins.")


# The table


def test_the_table_shows_what_one_knows() -> None:
    match = turn(turn(dealt(3, "5s 5h Kh Cs 2d | 9s 4s"), "5s 5h", draw="Qd"), "9s", "5h")
    assert shown(match, 0) == [
        "Deal 1, lap 1. Caramba, or a discard.",
        "Pile: 40 cards.",
        "Discarded before: 5♠",
        "On the table: 9♠",
        "",
        "- Pierre (you): total 0 | 2♦ Knight♠ Queen♦ King♥ = 21 points",
        "- Caroline: total 0 | 5♥ ?? ?? ?? ??",
        "> Louise: total 0 | ?? ?? ?? ?? ??",
    ]


def test_the_table_shows_what_was_discarded_just_now() -> None:
    match = play(dealt(2, "5s 6s 7s"), "drop 5s 6s 7s")
    lines = shown(match, SPECTATOR)
    assert lines[0] == "Deal 1, lap 1. Taking a card."
    assert lines[2:5] == [
        "Discarded before: -",
        "On the table: -",
        "Discarded just now: 5♠ 6♠ 7♠",
    ]
    assert not any("you" in line for line in lines)


def test_a_hand_of_one_point_and_a_pile_of_one_card() -> None:
    match = second_lap(2, "1s | Kd")
    assert "> Pierre (you): total 0 | 1♠ = 1 point" in shown(match, 0)
    assert "Pile: 1 card." in shown(empty_pile(match, left=1), 0)
    assert "Pile: 0 cards." in shown(empty_pile(match), 0)


def test_the_table_before_the_first_card_is_dealt() -> None:
    match = Match("cards", players=2, options={"first": 0})
    assert shown(match, 0) == [
        "Deal 1, lap 1. Drawing who begins.",
        "Pile: 56 cards.",
        "Discarded before: -",
        "On the table: -",
        "",
        "- Pierre (you): total 0 | -",
        "- Caroline: total 0 | -",
    ]
    assert shown(play(match, "first 0"), 0)[0] == "Deal 1, lap 1. Dealing."
    deal(match, "")
    match.play(match.legal()[0])
    assert shown(play(match, "take pile"), 0)[0] == "Deal 1, lap 1. Drawing a card."


def test_totals_are_shown_and_laps_counted() -> None:
    match = play(second_lap(2, "1s | Kd 2d"), "caramba")
    one_lap(match, "5s Kd | 2h 3h")
    assert shown(match, 1)[0] == "Deal 2, lap 2. Caramba, or a discard."
    assert shown(match, 1)[-1] == "> Caroline (you): total 12 | 2♥ 3♥ = 5 points"
    assert shown(match, 1)[-2] == "- Pierre: total 0 | ?? ??"


def test_at_the_end_the_table_shows_all_hands() -> None:
    match = play(second_lap(2, "1s 2s | 3s", end_score=32, drop_to=20), "caramba")
    assert shown(match, SPECTATOR)[0] == "Deal 1, lap 2. The game is over."
    assert shown(match, SPECTATOR)[-2:] == [
        "- Pierre: total 33 | 1♠ 2♠ = 3 points",
        "- Caroline: total 0 | 3♠ = 3 points",
    ]


# Why not


def why_not(match: Match, step: str) -> tuple[str | None, str]:
    """The rule against a step, and the reason alone."""
    rule, text = refused(match, step)
    return rule, text.partition(": ")[2].removesuffix(f" ({rule})")


@pytest.mark.parametrize(
    ("step", "rule"), [("caramba", "C11"), ("drop 5h", "C05"), ("drop 5s 5h", "C05")]
)
def test_when_a_card_is_to_be_taken_nothing_else_will_do(step: str, rule: str) -> None:
    match = play(dealt(2, "5s 5h"), "drop 5s")
    assert why_not(match, step) == (rule, "you have discarded; now you take a card")


@pytest.mark.parametrize("step", ["take pile", "take 5s", "take 6s"])
def test_before_a_discard_nothing_can_be_taken(step: str) -> None:
    match = turn(dealt(2, "5s"), "5s")
    assert why_not(match, step) == ("C08", "first you discard, then you take a card")


def test_why_one_cannot_call() -> None:
    match = dealt(2, "Cs Ch Cd Cc 1s")
    early = "nobody may call before everybody has had a turn"
    assert why_not(match, "caramba") == ("C12", early)
    dear = "you have 10 points, and may call with 7 at most"
    assert why_not(second_lap(2, "Kd | 1s"), "caramba") == ("C11", dear)
    dear = "you have 1 point, and may call with 0 at most"
    assert why_not(second_lap(2, "1s | Kd", call_limit=0), "caramba") == ("C11", dear)


SETS = "together one discards two to four of one rank, or a run of three or more"
JOKERS = (
    "jokers make up to four of one rank, or a run of three or more in one suit that lacks no"
    " more ranks than there are jokers"
)
COLOURS = "a run is all black or all red"
GAPS = "a run has no gaps, and no rank twice"


@pytest.mark.parametrize(
    ("cards", "rule", "reason"),
    [
        ("5s 6s", "C05", SETS),
        ("5s Kh", "C05", SETS),
        ("5s 6h 7s", "C06", COLOURS),
        ("5s 6h 9s", "C06", COLOURS),
        ("5s 6s 8s", "C07", GAPS),
        ("5s 5c 6s 7s", "C07", GAPS),
        ("Js Qs Ks", "C07", GAPS),
        ("5s 5h 6s", "C06", COLOURS),
    ],
)
def test_why_cards_cannot_be_discarded_together(cards: str, rule: str, reason: str) -> None:
    assert why_not(dealt(2, cards), f"drop {cards}") == (rule, reason)


@pytest.mark.parametrize(
    ("cards", "rule", "reason"),
    [
        ("5s 5h 5d 5c Xb", "C25", JOKERS),
        ("5s 5h 5d Xb Xr", "C25", JOKERS),
        ("5s 6s", "C05", SETS),
        ("5s 6c 7s", "C25", "a run is of one suit"),
        ("5s 6h Xr", "C25", JOKERS),
        ("5s 8s Xb", "C25", JOKERS),
        ("10s Js Ks", "C07", GAPS),
    ],
)
def test_why_cards_of_the_traditional_deck_cannot_be_discarded_together(
    cards: str, rule: str, reason: str
) -> None:
    match = dealt(2, cards, deck="traditional")
    assert why_not(match, f"drop {cards}") == (rule, reason)


def test_why_cards_that_one_does_not_have_cannot_be_discarded() -> None:
    match = dealt(2, "5s 6s 7h 8h 9h | Ks Kh")
    assert why_not(match, "drop Ks") == ("C05", "you do not have King♠")
    assert why_not(match, "drop Kh 5s Ks") == ("C05", "you do not have King♠ King♥")


def test_why_a_card_cannot_be_taken() -> None:
    match = play(turn(dealt(2, "5s 6s 7s | Qh", ends_only=True), "5s 6s 7s"), "drop Qh")
    assert why_not(match, "take 6s") == ("C22", "only the ends of a run can be taken")
    strange = "{} is not in the set that the previous player discarded"
    assert why_not(match, "take Qh") == ("C08", strange.format("Queen♥"))
    assert why_not(match, "take 8s") == ("C08", strange.format("8♠"))
    assert table(match).phase == "take"


def test_why_nothing_can_be_taken_from_an_empty_table() -> None:
    match = play(dealt(2, "5s"), "drop 5s")
    reason = "nothing lies on the table yet: draw from the pile"
    assert why_not(match, "take 5s") == ("C03", reason)


def test_why_a_joker_that_fills_a_gap_cannot_be_taken() -> None:
    match = turn(dealt(2, "5s 7s Xb | 1h", deck="traditional", ends_only=True), "5s 7s Xb")
    play(match, "drop 1h")
    assert why_not(match, "take Xb") == ("C25", "that joker fills a gap of the run")
