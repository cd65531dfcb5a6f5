"""The state of the Auction: one record. Cards and crates are bags of pieces by kind (bags.py)."""

import re
from collections.abc import Callable, Mapping
from enum import IntEnum
from typing import Any

import numpy as np

from caramba.games.auction.components import CRATES, DECK, LETTERS
from caramba.games.bags import MOST
from caramba.games.contract import Option, seat_or_none, split, whole

SEATS = 4
GOODS = 3
CARDS = 15  # kinds of bid cards a deck may have
CRATE_KINDS = 9
SPECIALS = 4
NONE = -1


class Special(IntEnum):
    """A05: the special cards."""

    MANOS = 0
    VUELTA = 1
    FUERA = 2
    SEGURIDAD = 3


class Phase(IntEnum):
    """What the next step is about, in the order of a game."""

    FIRST = 0  # chance: who begins
    SPECIALS = 1  # chance: one special card each
    HANDS = 2  # chance: the first hands
    CRATES = 3  # chance: crates from the sack
    FUERA = 4  # a player: play Fuera, or hold
    BIDS = 5  # a player: bid, pass, or a special card
    STASH = 6  # a player: stash a crate, keep, or En seguridad
    SEGURIDAD = 7  # a player: more crates into safety, or done
    DRAW = 8  # chance: new cards
    OVER = 9


class End(IntEnum):
    """Why a game is over; the names in the notation follow in this order."""

    NOT_YET = 0
    SACK = 1  # A13
    TURNS = 2  # A37


ENDS = ("sack", "turns")


class What(IntEnum):
    """What can happen that is told; events.py says with which facts."""

    FIRST = 0
    SPECIAL = 1
    DEAL = 2
    TURN = 3
    CRATE = 4
    HOLD = 5
    FUERA = 6
    BID = 7
    PASS = 8
    NOTHING_LEFT = 9
    MANOS = 10
    VUELTA = 11
    WON = 12
    TIE = 13
    UNWANTED = 14
    STASH = 15
    KEEP = 16
    SEGURIDAD = 17
    DONE = 18
    REBUILT = 19
    OVER = 20


STATE = np.dtype(
    (
        np.record,
        [
            # The wide fields come first, so that there is no padding between any two.
            # The crates.
            ("sack", "i8"),
            ("centre", "i8"),
            ("in_play", "i8", SEATS),
            ("stash", "i8", SEATS),
            ("of_good", "i8", GOODS),  # the variant: where in a bag the crates of a good are
            # The cards of each band.
            ("pile", "i8", SEATS),  # SECRET
            ("hand", "i8", SEATS),  # SECRET but for its owner
            ("known", "i8", SEATS),  # what everybody knows to be in that hand
            ("bid", "i8", (SEATS, GOODS)),
            ("discard", "i8", SEATS),
            ("all_bids", "i8"),  # the variant: four bits a card, one for each good that it shows
            ("turn", "i2"),
            ("max_turns", "i2"),
            # The variant.
            ("players", "i1"),
            ("chosen_first", "i1"),  # option `first`, or NONE
            ("card_value", "i1", (CARDS, GOODS)),  # 0 where the card does not show the good
            ("crate_good", "i1", CRATE_KINDS),
            ("crate_value", "i1", CRATE_KINDS),  # 0 for an unused kind
            # Where the game stands.
            ("phase", "i1"),
            ("end", "i1"),
            ("first", "i1"),  # who is first player
            ("seat", "i1"),  # whose turn it is in this phase
            ("first_round", "i1"),  # 1 during everybody's first turn of the bids
            ("due", "i1"),  # cards that `seat` is still to be dealt
            ("safe_left", "i1"),  # what En seguridad may still stash, in value
            ("passed", "i1", SEATS),
            ("protected_seat", "i1"),  # who has played Fuera this turn, or NONE
            ("protected_good", "i1"),
            # The special cards.
            ("special", "i1", SEATS),  # SECRET but for its owner; NONE once played
            ("gone", "i1", SPECIALS),  # 1 for those that have left the game
        ],
    )
)

_CARD = re.compile(r"g[1-9]|a[1-9]|d[1-9]|g[1-9]a[1-9]|g[1-9]d[1-9]|a[1-9]d[1-9]")
_CRATE = re.compile(r"[gad][1-9]")


def _pieces(
    pattern: re.Pattern[str], example: str, kinds: int, most: int
) -> Callable[[Any, int], tuple[str, ...]]:
    """A check for a list of cards or crates in notation."""

    def check(value: Any, players: int) -> tuple[str, ...]:
        if not isinstance(value, list | tuple) or not 1 <= len(value) <= most:
            raise ValueError(f"a list of 1 to {most} texts such as {example!r}, not {value!r:.60}")
        for piece in value:
            if not isinstance(piece, str) or not pattern.fullmatch(piece):
                raise ValueError(f"{piece!r:.60} is not written like {example!r}")
        if len(set(value)) > kinds:
            raise ValueError(f"at most {kinds} different kinds, not {len(set(value))}")
        if max(map(value.count, value)) > MOST:
            raise ValueError(f"at most {MOST} of a kind, not {max(map(value.count, value))}")
        return tuple(value)

    return check


OPTIONS = (
    Option("first", None, "the seat that begins, from 0; random unless given", seat_or_none),
    Option("max_turns", 60, "the game ends after so many turns", whole(1, 10_000)),
    Option(
        "deck", DECK, "the bid cards of a band", _pieces(_CARD, "g3a4", CARDS, 60), parse=split(str)
    ),
    Option(
        "crates",
        CRATES,
        "the crates in the sack",
        _pieces(_CRATE, "g3", CRATE_KINDS, 60),
        split(str),
    ),
)


def kinds(pieces: tuple[str, ...]) -> tuple[str, ...]:
    """The different cards or crates of a list, in the order in which they are numbered."""
    return tuple(dict.fromkeys(pieces))


def setup(players: int, options: Mapping[str, Any]) -> np.ndarray:
    """A06-A08: decks in piles, crates in the sack; who begins is still to be drawn."""
    states = np.zeros(1, STATE)
    s = states[0]
    s.players = players
    s.chosen_first = NONE if options["first"] is None else options["first"]
    s.max_turns = options["max_turns"]
    s.protected_seat = s.protected_good = NONE
    s.special[:] = NONE
    for kind, card in enumerate(kinds(options["deck"])):
        for good, value in zip(card[::2], card[1::2], strict=True):
            s.card_value[kind][LETTERS.index(good)] = int(value)
            s.all_bids |= 1 << 4 * kind + LETTERS.index(good)
        s.pile[:players] += options["deck"].count(card) << 4 * kind
    for kind, crate in enumerate(kinds(options["crates"])):
        s.crate_good[kind] = LETTERS.index(crate[0])
        s.crate_value[kind] = int(crate[1])
        s.sack += options["crates"].count(crate) << 4 * kind
        s.of_good[s.crate_good[kind]] |= MOST << 4 * kind
    return states
