"""What a seat may know of the Auction: as a view, as numbers, and as other possible worlds."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from caramba.games.auction.actions import names_of_pieces
from caramba.games.auction.components import LETTERS
from caramba.games.auction.components import SPECIALS as SPECIAL_NAMES
from caramba.games.auction.rules import bonus, lay_card, offer
from caramba.games.auction.state import (
    CARDS,
    CRATE_KINDS,
    ENDS,
    GOODS,
    NONE,
    SEATS,
    SPECIALS,
    Phase,
)
from caramba.games.bags import MOST, draw, many, one, total
from caramba.games.chance import pick
from caramba.games.compiled import compiled
from caramba.games.contract import UNKNOWN, Action, Event, View, plain

# As a view: built by adding what is known.


@dataclass(frozen=True, slots=True, kw_only=True)
class Lot:
    """One good before one player: the cards bid on it, the crates in play, what they make."""

    bids: tuple[str, ...]
    crates: tuple[str, ...]
    bonus: int
    total: int
    protected: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Band:
    """One player's side of the table."""

    hand: tuple[str, ...]
    special: str | None
    """None once it is played."""
    lots: dict[str, Lot]
    stash: tuple[str, ...]
    points: int | None
    """What the stash is worth, where it may be seen."""
    pile: int
    discards: tuple[str, ...]
    passed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class AuctionView(View):
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


def view(s: Any, eyes: frozenset[int], **common: Any) -> AuctionView:
    """The table as someone who sees the secrets of the seats in `eyes`."""
    t = _table(s)
    return AuctionView(
        **common,
        phase=Phase(t.phase).name.lower(),
        turn=t.turn,
        max_turns=t.max_turns,
        first=None if t.phase == Phase.FIRST else t.first,
        first_round=bool(t.first_round and t.phase == Phase.BIDS),
        safe_left=t.safe_left,
        centre=_named(t.crates, t.centre),
        sack=_named(t.crates, t.sack),
        gone=tuple(name for name, gone in zip(SPECIAL_NAMES, t.gone, strict=True) if gone),
        bands=tuple(_band(t, p, p in eyes) for p in range(t.players)),
    )


def _table(s: Any) -> Any:
    """The state as plain numbers and lists, with names of cards and crates, and totals."""
    t = plain(s)
    t.cards, t.crates = names_of_pieces(s)
    standing = np.zeros((2, SEATS, GOODS), np.int64)
    stand(s, standing)
    t.offer, t.bonus = standing.tolist()
    return t


@compiled
def stand(s, out):
    """Everybody's totals and bonuses for each good."""
    for p in range(s.players):
        for good in range(GOODS):
            out[0][p][good] = offer(s, p, good)
            out[1][p][good] = bonus(s, p, good)


def _named(names: Sequence[str], bag: int) -> tuple[str, ...]:
    """Pieces by name, such as g3 g3 g4."""
    return tuple(name for kind, name in enumerate(names) for _ in range(bag >> 4 * kind & MOST))


def _band(t: Any, p: int, seen: bool) -> Band:
    counted = seen or t.phase == Phase.OVER  # A35: at the end the stashes are turned up
    stash = _named(t.crates, t.stash[p])
    return Band(
        hand=_hand(t, p, seen),
        special=_special(t, p, seen),
        lots={letter: _lot(t, p, good) for good, letter in enumerate(LETTERS)},
        stash=stash if counted else (UNKNOWN,) * len(stash),
        points=sum(int(crate[1]) for crate in stash) if counted else None,
        pile=int(total(t.pile[p])),
        discards=_named(t.cards, t.discard[p]),
        passed=bool(t.passed[p] and t.phase == Phase.BIDS),
    )


def _hand(t: Any, p: int, seen: bool) -> tuple[str, ...]:
    """All cards for the owner; for others those they know to be there, and how many more."""
    if seen:
        return _named(t.cards, t.hand[p])
    known = _named(t.cards, t.known[p])
    unknown = int(total(t.hand[p])) - len(known)
    return known + (UNKNOWN,) * unknown


def _special(t: Any, p: int, seen: bool) -> str | None:
    if t.special[p] == NONE:
        return None
    return SPECIAL_NAMES[t.special[p]] if seen else UNKNOWN


def _lot(t: Any, p: int, good: int) -> Lot:
    return Lot(
        bids=_named(t.cards, t.bid[p][good]),
        crates=_of_good(t, t.in_play[p], good),
        bonus=t.bonus[p][good],
        total=t.offer[p][good],
        protected=(t.protected_seat, t.protected_good) == (p, good),
    )


def _of_good(t: Any, bag: int, good: int) -> tuple[str, ...]:
    return _named(t.crates, bag & t.of_good[good])


# As events: the step itself, then what followed from it.


def events(before: Any, step: Action, after: Any) -> Iterator[Event]:
    """What the table is told of one step."""
    yield _step_event(before, step)
    if before.phase == Phase.BIDS:
        yield from _forced_passes(before, step, after)
        if after.phase != Phase.BIDS or after.turn > before.turn:
            yield from _loot(_table(_as_bids_closed(before, step)))
    if before.phase == Phase.DRAW or after.phase == Phase.DRAW:
        yield from _rebuilt_piles(before, after)
    if after.turn > before.turn:
        yield Event("turn", int(after.first), {"turn": int(after.turn)})
    if after.phase == Phase.OVER:
        yield Event("over", None, {"end": ENDS[after.end - 1]})


def _step_event(before: Any, step: Action) -> Event:
    """The step, with what only its owner sees of it apart."""
    parts = dict(step.form)
    kind = str(parts.pop("do"))
    if kind in ("deal", "special"):
        return Event(kind, int(parts["seat"]), {}, {"card": parts["card"]})
    seat = parts.pop("seat", None if kind == "crate" else int(before.seat))
    return Event(kind, int(seat) if seat is not None else None, parts)


def _forced_passes(before: Any, step: Action, after: Any) -> Iterator[Event]:
    """A22: those who had nothing left to play."""
    for p in range(int(before.players)):
        passed_now = after.passed[p] and not before.passed[p]
        if passed_now and not (p == before.seat and step.text == "pass"):
            yield Event("nothing_left", p)


def _as_bids_closed(before: Any, step: Action) -> Any:
    """The state when the loot began: a last card may have closed the bids."""
    closed = before.copy()
    if step.form["do"] == "bid":
        cards, _ = names_of_pieces(before)
        lay_card(closed, cards.index(step.form["card"]), LETTERS.index(str(step.form["good"])))
    return closed


def _loot(t: Any) -> Iterator[Event]:
    """A25-A28, good by good, as it stood when the bids closed."""
    for good, letter in enumerate(LETTERS):
        best = max(t.offer[p][good] for p in range(t.players))
        leaders = [p for p in range(t.players) if t.offer[p][good] == best]
        facts = {"good": letter, "total": best}
        if best == 0:
            yield Event("unwanted", None, facts)
        elif len(leaders) > 1:
            lost = _can_be_lost(t, good, range(t.players))
            yield Event("tie", None, {**facts, "seats": leaders, "crates": lost})
        else:
            (winner,) = leaders
            rivals = [p for p in range(t.players) if p != winner]
            crates = [*_of_good(t, t.centre, good), *_can_be_lost(t, good, rivals)]
            cards = list(_named(t.cards, t.bid[winner][good]))
            yield Event("won", winner, {**facts, "crates": crates, "discards": cards})


def _can_be_lost(t: Any, good: int, seats: Iterable[int]) -> list[str]:
    """The crates of a good in play before these players, but for protected ones."""
    lots = (_lot(t, p, good) for p in seats)
    return [crate for lot in lots if not lot.protected for crate in lot.crates]


def _rebuilt_piles(before: Any, after: Any) -> Iterator[Event]:
    """A32: whose discards have become a new pile."""
    for p in range(int(before.players)):
        if before.discard[p] and not after.discard[p]:
            yield Event("rebuilt", p)


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
