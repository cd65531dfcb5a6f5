"""The state of the Race: one record. Nothing in it is secret.

Sombreros and ambush tokens are numbered alike: with two each, those of seat 1 are 2 and 3.
"""

from collections.abc import Mapping
from enum import IntEnum
from typing import Any

import numpy as np

from caramba.games.contract import Option, flag, parse_flag, seat_or_none, split, whole
from caramba.games.race.components import FEW, SILVER, TRACK

SEATS = 6
HATS = 6
ZONES = 3
SPACES = 60  # the longest track
MOST_SILVER = 180  # in the whole game
NONE = -1
IN_HAND = 0  # where a token is that lies on no space
OFF_TRACK = 0  # where a sombrero is before it is placed, and in the mine


class Phase(IntEnum):
    """What the next step is about, in the order of a game."""

    FIRST = 0  # chance: who places first
    PLACE = 1  # a player: where a sombrero starts
    ROUND_AMBUSH = 2  # a player: an ambush at the start of a round, or no
    TURN_AMBUSH = 3  # a player: an ambush before an own turn, or no
    DICE = 4  # a player: how many dice to roll
    OFFERS = 5  # a player: money for one die more, or no
    ANSWER = 6  # the mover: accept an offer, or no
    ROLL = 7  # chance: a die
    OVER = 8


class End(IntEnum):
    """Why a game is over; the names in the notation follow in this order."""

    NOT_YET = 0
    BANKRUPT = 1  # R22
    BROKE = 2  # R23
    RACES = 3  # R25


ENDS = ("bankrupt", "broke", "races")


class What(IntEnum):
    """What can happen that is told; events.py says with which facts."""

    FIRST = 0
    PLACE = 1
    AMBUSH = 2
    DECLINE = 3
    DICE = 4
    OFFER = 5
    ACCEPT = 6
    DIE = 7
    MOVE = 8
    AMBUSHED = 9
    WELCOME = 10
    ARRIVE = 11
    BANKRUPT = 12
    RACE_WON = 13
    RACE = 14
    OVER = 15


STATE = np.dtype(
    (
        np.record,
        [
            # The wide fields come first, so that there is no padding between any two.
            ("race", "i2"),
            ("max_races", "i2"),  # option, or 0 for no limit
            ("pot", "i2"),
            ("money", "i2", SEATS),
            ("offer", "i2", SEATS),  # what is offered to the mover; 0 for nothing
            # The variant.
            ("players", "i1"),
            ("chosen_first", "i1"),  # option `first`, or NONE
            ("persuasion", "i1"),
            ("zone_end", "i1", ZONES),  # the last space of each zone
            # Where the game stands.
            ("phase", "i1"),
            ("end", "i1"),
            ("seat", "i1"),  # who is asked
            ("order", "i1", HATS),  # of placing, then of moving in this round
            ("many", "i1"),  # how many sombreros that order has
            ("place", "i1"),  # whose turn it is in that order
            ("dice", "i1"),  # dice that the mover rolls
            ("dice_left", "i1"),  # of these, still to be rolled
            ("sum_rolled", "i1"),
            # The track.
            ("position", "i1", HATS),  # or OFF_TRACK
            ("arrival", "i1", HATS),  # 1 for the first in the mine; 0 for those on the track
            ("token", "i1", HATS),  # where an ambush lies, or IN_HAND
            # The players.
            ("bankrupt", "i1", SEATS),  # 1 who could not pay in this race (R21)
            ("gone", "i1", SEATS),  # 1 who has left the game (R22)
        ],
    )
)


def hats_each(players: int) -> int:
    """R01: two sombreros each with 2 or 3 players."""
    return 2 if players <= FEW else 1


def _track(value: Any, players: int) -> tuple[int, ...]:
    least = players * hats_each(players)
    sizes = value if isinstance(value, list | tuple) else ()
    whole_numbers = all(isinstance(n, int) and not isinstance(n, bool) and n >= 0 for n in sizes)
    if len(sizes) != ZONES or not whole_numbers or not least <= sum(sizes) <= SPACES:
        raise ValueError(
            f"three whole numbers, the spaces of stone, gravel and earth, with a sum from"
            f" {least} to {SPACES}, not {value!r:.60}"
        )
    return tuple(sizes)


def _races(value: Any, players: int) -> int | None:
    return None if value is None else whole(1, 1000)(value, players)


OPTIONS = (
    Option("first", None, "the seat that places first, from 0; random unless given", seat_or_none),
    Option("track", TRACK, "the spaces of stone, gravel and earth", _track, split(int)),
    Option("persuasion", True, "whether money may be offered for one die more", flag, parse_flag),
    Option("max_races", None, "the game ends after so many races; no limit unless given", _races),
)


def setup(players: int, options: Mapping[str, Any]) -> np.ndarray:
    """R01-R03: the money is dealt out; who places first is still to be drawn."""
    states = np.zeros(1, STATE)
    s = states[0]
    s.players = players
    s.chosen_first = NONE if options["first"] is None else options["first"]
    s.persuasion = options["persuasion"]
    s.max_races = options["max_races"] or 0
    s.zone_end[:] = np.cumsum(options["track"])
    s.money[:players] = SILVER * hats_each(players)
    s.race = 1
    return states
