"""A made-up game of a few lines: whatever is built on the contract must run it unchanged.

High card: everyone is dealt a card from 1 to 3 unseen, then may swap it once, in turn, for
another that chance deals. The highest card wins.
"""

from gettext import NullTranslations
from pathlib import Path
from typing import Any

import numpy as np

from caramba.games.chance import below
from caramba.games.compiled import compiled
from caramba.games.contract import (
    CHANCE,
    OVER,
    UNKNOWN,
    Action,
    Event,
    Game,
    Telling,
    View,
    Wordlist,
    number,
    register,
)
from caramba.games.masks import allow
from caramba.games.paper import tell

CARD, STAY, SWAP = range(3)

STATE = np.dtype(
    (np.record, [("players", "i1"), ("turn", "i1"), ("swapping", "i1"), ("card", "i1", 3)])
)


@compiled
def actor(s):  # type: ignore[no-untyped-def]
    if s.turn == 2 * s.players:
        return OVER
    return CHANCE if s.turn < s.players or s.swapping else s.turn - s.players


@compiled
def legal(s, mask):  # type: ignore[no-untyped-def]
    allow(mask, 0)
    allow(mask, 1)


@compiled
def chances(s, weights):  # type: ignore[no-untyped-def]
    for card in range(3):
        weights[card] = 1
    return s.turn % s.players * 3, 3


@compiled
def draw(s, rng):  # type: ignore[no-untyped-def]
    return s.turn % s.players * 3 + below(rng, 3)


@compiled
def apply(s, action):  # type: ignore[no-untyped-def]
    seat = s.turn % s.players
    if actor(s) == CHANCE:
        s.card[seat] = action % 3 + 1
        s.swapping = 0
        s.turn += 1
        tell(s, CARD, seat, s.card[seat])
    elif action == 1:
        s.swapping = 1
        tell(s, SWAP, seat)
    else:
        s.turn += 1
        tell(s, STAY, seat)


@compiled
def outcome(s, points):  # type: ignore[no-untyped-def]
    winners, highest = 0, 0
    for p in range(s.players):
        points[p] = s.card[p]
        highest = max(highest, int(s.card[p]))
    for p in range(s.players):
        winners |= int(s.card[p] == highest) << p
    return (1, winners) if s.turn == 2 * s.players else (0, 0)


@compiled
def observe(s, seat, out):  # type: ignore[no-untyped-def]
    out[0] = s.turn
    if seat >= 0:
        out[1] = s.card[seat]


@compiled
def resample(s, seat, rng):  # type: ignore[no-untyped-def]
    shown = s.turn == 2 * s.players
    for p in range(s.players):
        if p != seat and s.card[p] and not shown:
            s.card[p] = below(rng, 3) + 1


class TinyView(View, frozen=True, kw_only=True):
    cards: tuple[str, ...]


def setup(players: int, _: Any) -> np.ndarray:
    states = np.zeros(1, STATE)
    states[0].players = players
    return states


def vocabulary(s: Any, who: int) -> Wordlist:
    if who != CHANCE:
        return Wordlist(Action("stay", {"do": "stay"}), Action("swap", {"do": "swap"}))
    outcomes = (
        Action(f"card {seat} {card}", {"do": "card", "seat": seat, "card": card})
        for seat in range(3)
        for card in (1, 2, 3)
    )
    return Wordlist(*outcomes)


def view(s: Any, eyes: frozenset[int], **common: Any) -> TinyView:
    cards = (str(s.card[p]) if p in eyes else UNKNOWN for p in range(s.players))
    return TinyView(**common, cards=tuple(cards))


KINDS = ("card", "stay", "swap")


def event(s: Any, what: int, seat: int, *numbers: int) -> Event:
    telling = Telling(secret=True, card=number) if what == CARD else Telling()
    return telling.event(s, KINDS[what], seat, numbers)


def in_words(event: Event, names: tuple[str, ...], words: NullTranslations) -> str:
    return f"{names[event.seat or 0]}: {event.kind} {event.facts.get('card', '')}"


GAME = Game(
    name="tiny",
    version=1,
    players=range(2, 4),
    options=(),
    ends=("shown",),
    notation="stay, swap",
    folder=Path(__file__).parent,
    state=STATE,
    actions=2,
    outcomes=9,
    widest_chance=3,
    features=(("turn", 1), ("card", 1)),
    actor=actor,
    legal=legal,
    apply=apply,
    chances=chances,
    draw=draw,
    outcome=outcome,
    observe=observe,
    resample=resample,
    setup=setup,
    vocabulary=vocabulary,
    view=view,
    event=event,
    describe=lambda view, names, words: " ".join(view.cards),
    tell=in_words,
    say=lambda view, action, words: action.text,
    why_not=lambda view, action, words: ("never refused", "T01"),
)
register(GAME)
