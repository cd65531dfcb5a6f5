"""The state of the Cards: one record. SECRET fields are seen by some players only.

A card is a number, rank * 4 + suit, with the jokers last. A set of cards is one whole number
with a bit for each card in it, so the cards of a set are sorted by nature.
"""

from collections.abc import Mapping
from enum import IntEnum
from typing import Any

import numpy as np

from caramba.games.cards.components import (
    CALL_LIMIT,
    DECKS,
    DROP_TO,
    END_SCORE,
    JOKERS,
    PENALTY,
    RANKS,
    SUITS,
)
from caramba.games.contract import Option, flag, parse_flag, seat_or_none, whole
from caramba.games.errors import InvalidSetup

SEATS = 8
NONE = -1

KNIGHT = RANKS.index("C")
JOKER = len(RANKS) * len(SUITS)  # the number of the first one
CARDS = JOKER + len(JOKERS)
ALL_JOKERS = (1 << CARDS) - (1 << JOKER)
ALL_KNIGHTS = 0b1111 << KNIGHT * len(SUITS)
TAROT = (1 << JOKER) - 1
TRADITIONAL = (TAROT | ALL_JOKERS) & ~ALL_KNIGHTS


class Phase(IntEnum):
    """What the next step is about, in the order of a game."""

    FIRST = 0  # chance: who begins the first deal
    DEAL = 1  # chance: a card for a player
    DISCARD = 2  # a player: Caramba, or what to discard
    TAKE = 3  # the same player: from the pile, or from the table
    DRAW = 4  # chance: the top card of the pile
    OVER = 5


class End(IntEnum):
    """Why a game is over; the names in the notation follow in this order."""

    NOT_YET = 0
    POINTS = 1  # C16
    DEALS = 2  # C17


ENDS = ("points", "deals")


class What(IntEnum):
    """What can happen that is told; events.py says with which facts."""

    FIRST = 0
    NEW_DEAL = 1
    DEAL = 2
    DROP = 3
    TAKE = 4
    SHUFFLED = 5
    DRAW = 6
    VOID = 7
    CARAMBA = 8
    SHOWN = 9
    WON = 10
    FAILED = 11
    SCORES = 12
    DROPS = 13
    OUT = 14
    OVER = 15


STATE = np.dtype(
    (
        np.record,
        [
            # The wide fields come first, so that there is no padding between any two.
            # Where the cards are: every card of the deck is in one of these places.
            ("hand", "i8", SEATS),  # SECRET but for `known`
            ("pile", "i8"),  # SECRET as the hands are
            ("laid", "i8"),  # discarded in this turn
            ("previous", "i8"),  # what the previous player discarded, if it is still there
            ("older", "i8"),  # discarded before that
            ("known", "i8", SEATS),  # cards of the hand that everybody has seen come there
            ("dropped", "i8", SEATS),  # what each discarded last, wherever it is now
            # The variant.
            ("max_laps", "i2"),
            ("max_deals", "i2"),
            ("penalty", "i2"),
            ("end_score", "i2"),
            ("drop_to", "i2"),
            # Where the game stands.
            ("deal", "i2"),  # from 1
            ("lap", "i2"),  # of this deal, from 1
            ("score", "i2", SEATS),  # in total
            ("shuffled", "i1", CARDS),  # the shuffle that last put a card into the pile
            ("shuffles", "i1"),  # in this deal, after the one before it
            ("players", "i1"),
            ("chosen_first", "i1"),  # option `first`, or NONE
            ("call_limit", "i1"),
            ("ends_only", "i1"),
            ("others_score", "i1"),
            ("elimination", "i1"),
            ("traditional", "i1"),
            ("phase", "i1"),
            ("end", "i1"),
            ("seat", "i1"),  # who is dealt to, or whose turn it is
            ("beginner", "i1"),  # of this deal
            ("out", "i1", SEATS),  # 1 who is no longer in the game (C24)
        ],
    )
)


def _deck(value: Any, players: int) -> str:
    if value not in DECKS:
        raise ValueError(f"tarot or traditional, not {value!r:.60}")
    return str(value)


# A shuffle makes a pile of 14 cards at least: 200 laps of 8 players are fewer than 127 of them.
OPTIONS = (
    Option("first", None, "the seat that begins, from 0; random unless given", seat_or_none),
    Option("max_laps", 100, "a deal is void after so many turns each", whole(2, 200)),
    Option("max_deals", 100, "the game ends after so many deals", whole(1, 1000)),
    Option("call_limit", CALL_LIMIT, "the most points to call Caramba with", whole(0, 50)),
    Option("penalty", PENALTY, "what a failed call costs", whole(0, 1000)),
    Option("end_score", END_SCORE, "the game ends above this total", whole(1, 1000)),
    Option("drop_to", DROP_TO, "what exactly that total drops to", whole(0, 1000)),
    Option("ends_only", False, "whether only the ends of a run can be taken", flag, parse_flag),
    Option("others_score", False, "whether others score on a failed call", flag, parse_flag),
    Option("elimination", False, "whether the last one in wins", flag, parse_flag),
    Option("deck", DECKS[0], "tarot, or traditional with two jokers", _deck, str),
)


def setup(players: int, options: Mapping[str, Any]) -> np.ndarray:
    """C01: all cards in the pile; who begins is still to be drawn."""
    if options["drop_to"] > options["end_score"]:
        raise InvalidSetup(
            f"option drop_to: at most end_score, {options['end_score']}, not {options['drop_to']}"
        )
    states = np.zeros(1, STATE)
    s = states[0]
    s.players = players
    s.chosen_first = NONE if options["first"] is None else options["first"]
    for name in ("max_laps", "max_deals", "call_limit", "penalty", "end_score", "drop_to"):
        s[name] = options[name]
    for name in ("ends_only", "others_score", "elimination"):
        s[name] = options[name]
    s.traditional = options["deck"] == "traditional"
    s.pile = TRADITIONAL if s.traditional else TAROT
    s.deal = s.lap = 1
    return states
