"""Builders for tests of the Cards."""

from collections.abc import Mapping
from itertools import combinations
from typing import Any

import pytest

from caramba.games.contract import CHANCE, SPECTATOR, UNKNOWN
from caramba.games.errors import IllegalAction
from caramba.match.match import Match
from facts import Facts

RANKS = [*map(str, range(1, 11)), *"JCQK"]
TAROT = [rank + suit for rank in RANKS for suit in "shdc"]
TRADITIONAL = [card for card in TAROT if not card.startswith("C")] + ["Xb", "Xr"]


def dealt(players: int, hands: str, *, first: int = 0, **options: Any) -> Match:
    """A deal at its first discard, with these hands by seat, such as "5s 6s | 1h".

    Hands are filled up to five, and given to those not named, with the first cards left.
    """
    match = Match("cards", players=players, seed=1, options={"first": first, **options})
    match.play(f"first {first}")
    return deal(match, hands)


def deal(match: Match, hands: str) -> Match:
    """Deal these hands."""
    wanted = [hand.split() for hand in hands.split("|")]
    wanted += [[] for _ in range(match.players - len(wanted))]
    kept = {card for hand in wanted for card in hand}
    while table(match).phase == "deal":
        seat = int(next(iter(match.chances())).split()[1])
        left = [step.split()[2] for step in match.chances()]
        card = wanted[seat].pop(0) if wanted[seat] else next(c for c in left if c not in kept)
        match.play(f"deal {seat} {card}")
    return match


def second_lap(players: int, hands: str, *, first: int = 0, **options: Any) -> Match:
    """A deal at the beginning of its second lap, with just these hands of 1 to 5 cards.

    In the first lap everybody discards what is too much, and draws the last card.
    """
    match = Match("cards", players=players, seed=1, options={"first": first, **options})
    match.play(f"first {first}")
    return one_lap(match, hands)


def one_lap(match: Match, hands: str) -> Match:
    """Deal, and play the first lap so that everybody has just these cards."""
    wanted = [hand.split() for hand in hands.split("|")]
    assert len(wanted) == match.players
    traditional = table(match).deck == "traditional"
    kept = {card for hand in wanted for card in hand}
    left = [c for c in (TRADITIONAL if traditional else TAROT) if c not in kept]
    surplus = [_surplus(left, 6 - len(hand)) if hand else [] for hand in wanted]
    first_hands = [hand[:-1] + cards for hand, cards in zip(wanted, surplus, strict=True)]
    deal(match, " | ".join(" ".join(hand) for hand in first_hands))
    for _ in range(sum(map(bool, wanted))):
        assert match.actor is not None
        seat = match.actor
        turn(match, " ".join(surplus[seat]), draw=wanted[seat][-1])
    return match


def _surplus(left: list[str], many: int) -> list[str]:
    """So many cards that can be discarded together, taken from those that are left."""
    for cards in _alike(left, many) if many < 5 else _runs(left, many):
        for card in cards:
            left.remove(card)
        return cards
    raise AssertionError(f"no {many} cards left to be discarded together")


def _alike(left: list[str], many: int) -> list[list[str]]:
    ranks = ([card for card in left if card[:-1] == rank] for rank in reversed(RANKS))
    return [list(cards) for same in ranks for cards in combinations(same, many)]


def _runs(left: list[str], many: int) -> list[list[str]]:
    runs = ([rank + suit for rank in RANKS[i : i + many]] for suit in "shdc" for i in range(6))
    return [run for run in runs if set(run) <= set(left)]


def turn(match: Match, cards: str, take: str = "pile", draw: str = "") -> Match:
    """Discard these cards; take one, by default from the pile: this one, or any."""
    match.play(f"drop {cards}")
    match.play(f"take {take}")
    if match.actor == CHANCE and take == "pile":
        match.play(f"draw {draw}" if draw else next(iter(match.chances())))
    return match


def any_turn(match: Match) -> Match:
    """The player in turn discards the last card of the hand and draws the first of the pile."""
    singles = [step for step in match.legal() if step.startswith("drop") and step.count(" ") == 1]
    return turn(match, singles[-1].removeprefix("drop "))


def table(match: Match) -> Any:
    """What everybody sees."""
    return match.view(SPECTATOR)


def hand(match: Match, seat: int) -> str:
    """A player's cards, as the owner sees them."""
    return " ".join(match.view(seat).players[seat].hand)


def drops(match: Match) -> set[str]:
    """What may be discarded."""
    return {step.removeprefix("drop ") for step in match.legal() if step.startswith("drop")}


def takes(match: Match) -> set[str]:
    """What may be taken."""
    return {step.removeprefix("take ") for step in match.legal() if step.startswith("take")}


def end(match: Match) -> str | None:
    """Why the game is over; None while it goes on."""
    return match.result.end if match.result else None


def told(match: Match, kind: str) -> list[tuple[int | None, dict[str, Any]]]:
    """Who was named in events of a kind, and with what facts."""
    events = match.events(SPECTATOR)
    return [(event.seat, dict(event.facts)) for _, event in events if event.kind == kind]


DECK = [*TAROT, "Xb", "Xr"]
"""Every card of both decks, in the order in which a hand is sorted."""


def bits(cards: str) -> int:
    """Cards as the state has them."""
    return sum(1 << DECK.index(card) for card in cards.split())


def names(cards: int) -> str:
    """Cards of the state by name."""
    return " ".join(card for number, card in enumerate(DECK) if cards >> number & 1)


def draws(match: Match) -> str:
    """What chance may give from the pile, or deal."""
    return " ".join(step.split()[-1] for step in match.chances())


def refused(match: Match, step: str) -> tuple[str | None, str]:
    """The rule against a step, and the reason in words."""
    with pytest.raises(IllegalAction) as error:
        match.play(step)
    return error.value.rule, str(error.value)


def seen(match: Match, seat: int, owner: int) -> str:
    """What a seat knows of somebody's cards."""
    return " ".join(card for card in match.view(seat).players[owner].hand if card != UNKNOWN)


def empty_pile(match: Match, left: int = 0) -> Match:
    """Turns with single cards, drawn from the pile, until it has no more than so many cards."""
    while table(match).pile > left:
        any_turn(match)
    return match


def feature(match: Match, seat: int, name: str) -> Any:
    """A part of a seat's observation: a number, several, or cards by name."""
    vector = match.observation(seat)
    at = 0
    for part, length in match.game.features:
        if part == name:
            values = [int(value) for value in vector[at : at + length]]
            if length != len(DECK):
                return values[0] if length == 1 else values
            assert set(values) <= {0, 1}
            return " ".join(card for card, value in zip(DECK, values, strict=True) if value)
        at += length
    raise AssertionError(f"no feature {name}")


def called(players: int, *deals: str, **options: Any) -> Match:
    """With these hands, deal after deal, whoever begins calls Caramba as soon as possible."""
    match = second_lap(players, deals[0], **options)
    match.play("caramba")
    for hands in deals[1:]:
        one_lap(match, hands).play("caramba")
    return match


# What all tests must know


def cards_in_their_places(s: Any) -> list[int]:
    """Every card: in how many places it is."""
    places = (*s.hand, s.pile, s.laid, s.previous, s.older)
    return [sum(int(place) >> card & 1 for place in places) for card in range(64)]


def tries(match: Match) -> list[str]:
    """Some sets and every card, whoever holds them: what a number means depends on the hand."""
    several = ["drop 5s 5h", "drop 5s 6c 7s", "drop 5s 6h 7s", "drop 1c 3c 4s"]
    return ["caramba", "take pile", *several, *(f"drop {c}" for c in TAROT), "take 5s"]


def raised(form: Mapping[str, Any]) -> list[str]:
    """All cards of a discard are raised before it is laid."""
    return str(form["cards"]).split() if form["do"] == "drop" else []


FACTS = Facts(
    points=range(-400, 181),
    conserved=cards_in_their_places,
    short={"max_deals": 2, "max_laps": 6},
    quick={"max_deals": 1, "max_laps": 4},
    options={
        "first": 1,
        "max_laps": 9,
        "max_deals": 2,
        "call_limit": 4,
        "penalty": 10,
        "end_score": 50,
        "drop_to": 20,
        "ends_only": True,
        "others_score": True,
        "elimination": True,
        "deck": "traditional",
    },
    recorded=(2, 5, 8),
    draws=(0, 90),
    uneven={},
    hidden_after=60,
    revealing=frozenset({"caramba"}),
    tries=tries,
    raised=raised,
)
