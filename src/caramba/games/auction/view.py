"""What a seat may know of the Auction: as a view, as numbers, and as other possible worlds."""

from typing import Any

import msgspec
import numpy as np

from caramba.games.auction import rules
from caramba.games.auction.actions import Names, named, names_of_pieces
from caramba.games.auction.components import LETTERS
from caramba.games.auction.components import SPECIALS as SPECIAL_NAMES
from caramba.games.auction.rules import offer
from caramba.games.auction.state import (
    CARDS,
    CRATE_KINDS,
    GOODS,
    NONE,
    SEATS,
    SPECIALS,
    Phase,
)
from caramba.games.bags import draw, many, one, total
from caramba.games.chance import pick
from caramba.games.compiled import compiled
from caramba.games.contract import UNKNOWN, Action, View, seats
from caramba.games.paper import for_good, on_paper, once

paper = on_paper(rules)
PHASE_NAMES: list[str] = [phase.name.lower() for phase in Phase]

# As a view: built by adding what is known.


class Lot(msgspec.Struct, frozen=True, kw_only=True):
    """One good before one player: the cards bid on it, the crates in play, what they make."""

    bids: tuple[str, ...]
    crates: tuple[str, ...]
    bonus: int
    total: int
    protected: bool


class Band(msgspec.Struct, frozen=True, kw_only=True):
    """One player's side of the table."""

    hand: tuple[str, ...]
    special: str | None
    """None before it is dealt, and once it is played."""
    special_played: bool
    lots: dict[str, Lot]
    stash: tuple[str, ...]
    points: int | None
    """What the stash is worth, where it may be seen."""
    pile: int
    discards: tuple[str, ...]
    passed: bool


class Lead(msgspec.Struct, frozen=True, kw_only=True):
    """Who would win a good now: alone, or several who tie; nobody where nothing is bid."""

    total: int
    seats: tuple[int, ...]


class AuctionView(View, frozen=True, kw_only=True):
    """The table as one seat sees it."""

    phase: str
    turn: int
    max_turns: int
    first: int | None
    """Who is first player; None before that is drawn."""
    first_round: bool
    safe_left: int
    """What En seguridad may still stash, in value."""
    centre: tuple[str, ...]
    sack: tuple[str, ...]
    """What is left in the sack: everybody can work it out."""
    gone: tuple[str, ...]
    """Special cards that have been played."""
    bands: tuple[Band, ...]
    leads: dict[str, Lead]
    """By good, as long as there are bids to come."""


def phase(s: Any) -> str:
    """What the next step is about."""
    name: str = PHASE_NAMES[s.phase]
    return name


def view(s: Any, eyes: frozenset[int], **common: Any) -> AuctionView:
    """The table as someone who sees the secrets of the seats in `eyes`; the state on paper."""
    cards, crates = names_of_pieces(s)
    lots = _lots(s)
    bands = tuple(_band(s, p, p in eyes, cards, crates, lots[p]) for p in range(s.players))
    return AuctionView(**common, **_table(s), bands=bands)


@once
def _table(s: Any) -> dict[str, Any]:
    """What is the same for everybody."""
    _, crates = names_of_pieces(s)
    return {
        "phase": phase(s),
        "turn": s.turn,
        "max_turns": s.max_turns,
        "first": None if s.phase == Phase.FIRST else s.first,
        "first_round": bool(s.first_round and s.phase == Phase.BIDS),
        "safe_left": s.safe_left,
        "centre": named(crates, s.centre),
        "sack": named(crates, s.sack),
        "gone": tuple(name for name, gone in zip(SPECIAL_NAMES, s.gone, strict=True) if gone),
        "leads": _leads(s),
    }


def _leads(s: Any) -> dict[str, Lead]:
    if s.phase not in (Phase.FUERA, Phase.BIDS):
        return {}
    highest = {letter: paper.highest(s, good) for good, letter in enumerate(LETTERS)}
    return {
        letter: Lead(total=total, seats=tuple(seats(s, leaders)) if total else ())
        for letter, (total, leaders) in highest.items()
    }


@once
def _lots(s: Any) -> list[dict[str, Lot]]:
    cards, crates = names_of_pieces(s)
    return [
        {letter: _lot(s, p, good, cards, crates) for good, letter in enumerate(LETTERS)}
        for p in range(s.players)
    ]


def _band(s: Any, p: int, seen: bool, cards: Names, crates: Names, lots: dict[str, Lot]) -> Band:
    counted = seen or s.phase == Phase.OVER  # A35: at the end the stashes are turned up
    stash = named(crates, s.stash[p])
    return Band(
        hand=_hand(s, p, seen, cards),
        special=_special(s, p, seen),
        special_played=s.special[p] == NONE and s.phase > Phase.SPECIALS,
        lots=lots,
        stash=stash if counted else (UNKNOWN,) * len(stash),
        points=paper.stashed_value(s, p) if counted else None,
        pile=paper.total(s.pile[p]),
        discards=named(cards, s.discard[p]),
        passed=bool(s.passed[p] and s.phase == Phase.BIDS),
    )


def _hand(s: Any, p: int, seen: bool, cards: Names) -> tuple[str, ...]:
    """All cards for the owner; for others those they know to be there, and how many more."""
    if seen:
        return named(cards, s.hand[p])
    known = named(cards, s.known[p])
    unseen: int = paper.total(s.hand[p]) - len(known)
    return known + (UNKNOWN,) * unseen


def _special(s: Any, p: int, seen: bool) -> str | None:
    if s.special[p] == NONE:
        return None
    return SPECIAL_NAMES[s.special[p]] if seen else UNKNOWN


def _lot(s: Any, p: int, good: int, cards: Names, crates: Names) -> Lot:
    """One that looks like another of this game is the same: most of them do not change."""
    in_play, protected = s.in_play[p] & s.of_good[good], bool(paper.is_protected(s, p, good))
    look = good, s.bid[p][good], in_play, protected
    known = _known_lots(s)
    if look not in known:
        known[look] = Lot(
            bids=named(cards, s.bid[p][good]),
            crates=named(crates, in_play),
            bonus=paper.bonus(s, p, good),
            total=paper.offer(s, p, good),
            protected=protected,
        )
    return known[look]


@for_good
def _known_lots(_: Any) -> dict[tuple[int, int, int, bool], Lot]:
    return {}


def brings(view: AuctionView, action: Action) -> dict[str, int]:
    """What a card counts for the good that it is bid on, and the total that it makes (A24)."""
    if action.form["do"] != "bid":
        return {}
    card, good = str(action.form["card"]), str(action.form["good"])
    value = int(card[card.index(good) + 1])
    return {"value": value, "total": view.bands[view.actor or 0].lots[good].total + value}


# As numbers. Seats are counted from the viewer's own; a spectator counts from seat 0.

PHASES = len(Phase)
PLAYER_FEATURES = (
    ("first", 1),
    ("to act", 1),
    ("passed", 1),
    ("has special", 1),
    ("protected", GOODS),
    ("hand size", 1),
    ("pile size", 1),
    ("known cards", CARDS),
    ("discards", CARDS),
    ("bids", GOODS * CARDS),
    ("totals", GOODS),
    ("in play", CRATE_KINDS),
    ("stash", CRATE_KINDS),
)
FEATURES = (
    ("phase", PHASES),
    ("players", 1),
    ("turn", 1),
    ("first round", 1),
    ("due", 1),
    ("safe left", 1),
    ("centre", CRATE_KINDS),
    ("sack", CRATE_KINDS),
    ("gone", SPECIALS),
    ("own hand", CARDS),
    ("own special", SPECIALS),
    *((f"player +{i} {name}", length) for i in range(SEATS) for name, length in PLAYER_FEATURES),
)


@compiled
def observe(s, seat, out):
    """What a seat may know, as a vector in the order of FEATURES."""
    out[s.phase] = 1
    out[PHASES] = s.players
    out[PHASES + 1] = s.turn
    out[PHASES + 2] = s.first_round
    out[PHASES + 3] = s.due
    out[PHASES + 4] = s.safe_left
    at = put(out, PHASES + 5, s.centre, CRATE_KINDS)
    at = put(out, at, s.sack, CRATE_KINDS)
    for special in range(SPECIALS):
        out[at + special] = s.gone[special]
    at += SPECIALS
    if seat >= 0:
        put(out, at, s.hand[seat], CARDS)
        if s.special[seat] != NONE:
            out[at + CARDS + int(s.special[seat])] = 1
    at += CARDS + SPECIALS
    for i in range(s.players):
        at = observe_player(s, (max(seat, 0) + i) % s.players, out, at)


@compiled
def observe_player(s, p, out, at):
    """What everybody may know of one player; A30: who followed the log knows the stash."""
    out[at] = s.first == p
    out[at + 1] = s.seat == p
    out[at + 2] = s.passed[p]
    out[at + 3] = s.special[p] != NONE
    if s.protected_seat == p:
        out[at + 4 + int(s.protected_good)] = 1
    at += 4 + GOODS
    out[at] = total(int(s.hand[p]))
    out[at + 1] = total(int(s.pile[p]))
    at = put(out, at + 2, s.known[p], CARDS)
    at = put(out, at, s.discard[p], CARDS)
    for good in range(GOODS):
        at = put(out, at, s.bid[p][good], CARDS)
    for good in range(GOODS):
        out[at] = offer(s, p, good)
        at += 1
    at = put(out, at, s.in_play[p], CRATE_KINDS)
    return put(out, at, s.stash[p], CRATE_KINDS)


@compiled
def put(out, at, bag, kinds):
    """Copy how many there are of each kind into the vector; return where the next part begins."""
    for kind in range(kinds):
        out[at + kind] = many(int(bag), kind)
    return at + kinds


# As other worlds: everything that this seat cannot tell apart.


@compiled
def resample(s, seat, rng):
    """Redeal what a seat cannot know: others' special cards, and their unseen cards."""
    redeal_specials(s, seat, rng)
    for p in range(s.players):
        if p != seat:
            redeal_hand(s, p, rng)


@compiled
def redeal_specials(s, seat, rng):
    """A07: the unplayed specials of others lie anywhere, or are set aside."""
    in_box = np.empty(SPECIALS, np.int8)
    for special in range(SPECIALS):
        in_box[special] = 1 - s.gone[special]
    if seat >= 0 and s.special[seat] != NONE:
        in_box[s.special[seat]] = 0
    for p in range(s.players):
        if p != seat and s.special[p] != NONE:
            s.special[p] = pick(in_box, SPECIALS, rng)
            in_box[s.special[p]] = 0


@compiled
def redeal_hand(s, p, rng):
    """Cards not known to be in the hand may as well be in the pile."""
    unseen = total(int(s.hand[p])) - total(int(s.known[p]))
    s.pile[p] += s.hand[p] - s.known[p]
    s.hand[p] = s.known[p]
    for _ in range(unseen):
        card = one(draw(int(s.pile[p]), rng))
        s.pile[p] -= card
        s.hand[p] += card
