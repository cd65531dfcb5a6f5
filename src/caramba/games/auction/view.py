"""What a seat may know of the Auction: as a view, as numbers, and as other possible worlds."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from caramba.games.auction.actions import card_text, crate_text
from caramba.games.auction.components import LETTERS
from caramba.games.auction.components import SPECIALS as SPECIAL_NAMES
from caramba.games.auction.rules import (
    bonus,
    is_protected,
    is_tied,
    leader,
    offer,
    stashed_value,
    total,
)
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
from caramba.games.chance import pick
from caramba.games.compiled import compiled
from caramba.games.contract import UNKNOWN, Action, Event, View

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
    started = s.phase != Phase.FIRST
    return AuctionView(
        **common,
        phase=Phase(s.phase).name.lower(),
        turn=int(s.turn),
        max_turns=int(s.max_turns),
        first=int(s.first) if started else None,
        first_round=bool(s.first_round and s.phase == Phase.BIDS),
        safe_left=int(s.safe_left),
        centre=_crates(s, s.centre),
        sack=_crates(s, s.sack),
        gone=tuple(name for name, gone in zip(SPECIAL_NAMES, s.gone, strict=True) if gone),
        bands=tuple(_band(s, p, p in eyes) for p in range(int(s.players))),
    )


def _cards(s: Any, counts: Any) -> tuple[str, ...]:
    return tuple(card_text(s, c) for c in range(CARDS) for _ in range(counts[c]))


def _crates(s: Any, counts: Any) -> tuple[str, ...]:
    return tuple(crate_text(s, k) for k in range(CRATE_KINDS) for _ in range(counts[k]))


def _band(s: Any, p: int, seen: bool) -> Band:
    counted = seen or s.phase == Phase.OVER  # A35: at the end the stashes are turned up
    return Band(
        hand=_hand(s, p, seen),
        special=_special(s, p, seen),
        lots={letter: _lot(s, p, good) for good, letter in enumerate(LETTERS)},
        stash=_crates(s, s.stash[p]) if counted else (UNKNOWN,) * total(s.stash[p]),
        points=stashed_value(s, p) if counted else None,
        pile=total(s.pile[p]),
        discards=_cards(s, s.discard[p]),
        passed=bool(s.passed[p] and s.phase == Phase.BIDS),
    )


def _hand(s: Any, p: int, seen: bool) -> tuple[str, ...]:
    """All cards for the owner; for others those they know to be there, and how many more."""
    if seen:
        return _cards(s, s.hand[p])
    known = _cards(s, s.known[p])
    unknown: int = total(s.hand[p]) - len(known)
    return known + (UNKNOWN,) * unknown


def _special(s: Any, p: int, seen: bool) -> str | None:
    if s.special[p] == NONE:
        return None
    return SPECIAL_NAMES[s.special[p]] if seen else UNKNOWN


def _lot(s: Any, p: int, good: int) -> Lot:
    return Lot(
        bids=_cards(s, s.bid[p][good]),
        crates=tuple(_of_good(s, s.in_play[p], good)),
        bonus=bonus(s, p, good),
        total=offer(s, p, good),
        protected=bool(is_protected(s, p, good)),
    )


# As events: the step itself, then what followed from it.


def events(before: Any, step: Action, after: Any) -> Iterator[Event]:
    """What the table is told of one step."""
    yield _step_event(before, step)
    if before.phase == Phase.BIDS:
        yield from _forced_passes(before, step, after)
        if after.phase != Phase.BIDS:
            yield from _loot(before)
    if before.phase in (Phase.HANDS, Phase.DRAW) or after.phase == Phase.DRAW:
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
    if step.text == "manos":
        return
    for p in range(int(before.players)):
        passed_now = after.passed[p] and not before.passed[p]
        if passed_now and not (p == before.seat and step.text == "pass"):
            yield Event("nothing_left", p)


def _loot(before: Any) -> Iterator[Event]:
    """A25-A28, good by good, as it stood when the bids closed."""
    for good, letter in enumerate(LETTERS):
        winner = leader(before, good)
        best = offer(before, winner, good)
        facts = {"good": letter, "total": best}
        if best == 0:
            yield Event("unwanted", None, facts)
        elif is_tied(before, good, best):
            tied = [p for p in range(int(before.players)) if offer(before, p, good) == best]
            crates = _unprotected(before, good, range(int(before.players)))
            yield Event("tie", None, {**facts, "seats": tied, "crates": crates})
        else:
            rivals = [p for p in range(int(before.players)) if p != winner]
            crates = _of_good(before, before.centre, good) + _unprotected(before, good, rivals)
            cards = list(_cards(before, before.bid[winner][good]))
            yield Event("won", winner, {**facts, "crates": crates, "discards": cards})


def _of_good(s: Any, counts: Any, good: int) -> list[str]:
    return [crate for crate in _crates(s, counts) if crate[0] == LETTERS[good]]


def _unprotected(s: Any, good: int, seats: Iterable[int]) -> list[str]:
    """The crates of a good in play before these players that can be lost."""
    exposed = (s.in_play[p] for p in seats if not is_protected(s, p, good))
    return [crate for counts in exposed for crate in _of_good(s, counts, good)]


def _rebuilt_piles(before: Any, after: Any) -> Iterator[Event]:
    """A32: whose discards have become a new pile."""
    for p in range(int(before.players)):
        if total(before.discard[p]) > 0 and total(after.discard[p]) == 0:
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
    at = put(out, PHASES + 5, s.centre)
    at = put(out, at, s.sack)
    at = put(out, at, s.gone)
    if seat >= 0:
        put(out, at, s.hand[seat])
        if s.special[seat] != NONE:
            out[at + CARDS + s.special[seat]] = 1
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
        out[at + 4 + s.protected_good] = 1
    at += 4 + GOODS
    out[at] = total(s.hand[p])
    out[at + 1] = total(s.pile[p])
    at = put(out, at + 2, s.known[p])
    at = put(out, at, s.discard[p])
    for good in range(GOODS):
        at = put(out, at, s.bid[p][good])
    for good in range(GOODS):
        out[at] = offer(s, p, good)
        at += 1
    at = put(out, at, s.in_play[p])
    return put(out, at, s.stash[p])


@compiled
def put(out, at, counts):
    """Copy counts into the vector; return where the next part begins."""
    for i in range(len(counts)):
        out[at + i] = counts[i]
    return at + len(counts)


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
    unseen = total(s.hand[p]) - total(s.known[p])
    for c in range(CARDS):
        s.pile[p][c] += s.hand[p][c] - s.known[p][c]
        s.hand[p][c] = s.known[p][c]
    for _ in range(unseen):
        c = pick(s.pile[p], CARDS, rng)
        s.pile[p][c] -= 1
        s.hand[p][c] += 1
