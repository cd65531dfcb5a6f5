"""What a seat may know of the Cards: as a view, as numbers, and as other possible worlds."""

from functools import lru_cache
from typing import Any

import msgspec

from caramba.games.cards import knowledge, rules
from caramba.games.cards.actions import names_of, set_of
from caramba.games.cards.components import DECKS, POINTS, RANKS
from caramba.games.cards.knowledge import hidden, of_shuffle, seen
from caramba.games.cards.rules import nth_card, points_of
from caramba.games.cards.state import CARDS, SEATS, Phase
from caramba.games.chance import below
from caramba.games.compiled import compiled
from caramba.games.contract import UNKNOWN, Action, View
from caramba.games.masks import lowest, ones
from caramba.games.paper import on_paper, once

paper, sure = on_paper(rules), on_paper(knowledge)
PHASE_NAMES: list[str] = [phase.name.lower() for phase in Phase]

SETS = ("single", "pair", "three", "four")
"""Cards of one rank, by how many they are."""

COURT = {rank: n for rank, n in zip(RANKS, POINTS, strict=True) if rank.isalpha()}
WORTH = (COURT, {rank: n for rank, n in COURT.items() if rank != "C"} | {"X": 0})
"""By deck: what cards count that show no number (C02, C25)."""

# As a view: built by adding what is known.


class Player(msgspec.Struct, frozen=True, kw_only=True):
    """One player's side of the table."""

    hand: tuple[str, ...]
    points: int | None
    """Of the cards in hand, where all of them may be seen."""
    score: int
    """In total."""
    out: bool
    """Whether this player has left the game."""
    light: bool
    """Whether all of the hand is seen, and has few enough points for Caramba."""


class CardsView(View, frozen=True, kw_only=True):
    """The table as one seat sees it."""

    phase: str
    deal: int
    max_deals: int
    lap: int
    max_laps: int
    first: int | None
    """Who began this deal; None before that is drawn."""
    deck: str
    worth: dict[str, int]
    """What cards of this deck count that show no number; X is a joker."""
    call_limit: int
    penalty: int
    end_score: int
    drop_to: int
    falls: bool
    """Whether a total of just that end score falls to another one."""
    calls: bool
    """Whether anybody may call in this lap."""
    ends_only: bool
    others_score: bool
    elimination: bool
    pile: int
    """How many cards are left in it."""
    laid: tuple[str, ...]
    """What was discarded in this turn."""
    previous: tuple[str, ...]
    """What the previous player discarded."""
    takeable: tuple[str, ...]
    """Those of them that may be taken."""
    older: tuple[str, ...]
    """What was discarded before that and not shuffled back yet."""
    laid_by: int | None
    previous_by: int | None
    """Who discarded these sets."""
    standing: tuple[int, ...]
    """The seats, whoever stands best first; those who are out come last."""
    players: tuple[Player, ...]


def phase(s: Any) -> str:
    """What the next step is about."""
    name: str = PHASE_NAMES[s.phase]
    return name


def view(s: Any, eyes: frozenset[int], **common: Any) -> CardsView:
    """The table as someone who sees the secrets of the seats in `eyes`; the state on paper."""
    players = tuple(_player(s, p, p in eyes, common["seat"]) for p in range(s.players))
    return CardsView(**common, **_table(s), players=players)


@once
def _table(s: Any) -> dict[str, Any]:
    """What is the same for everybody."""
    return {
        "phase": phase(s),
        "deal": s.deal,
        "max_deals": s.max_deals,
        "lap": s.lap,
        "max_laps": s.max_laps,
        "first": None if s.phase == Phase.FIRST else s.beginner,
        "deck": DECKS[s.traditional],
        "worth": WORTH[s.traditional],
        "call_limit": s.call_limit,
        "penalty": s.penalty,
        "end_score": s.end_score,
        "drop_to": s.drop_to,
        "falls": s.drop_to < s.end_score,
        "calls": s.lap > 1,
        "ends_only": bool(s.ends_only),
        "others_score": bool(s.others_score),
        "elimination": bool(s.elimination),
        "pile": s.pile.bit_count(),
        "laid": names_of(s.laid),
        "previous": names_of(s.previous),
        "takeable": names_of(paper.takeable(s)),
        "older": names_of(s.older),
        "laid_by": s.seat if s.laid else None,
        "previous_by": _right_of(s, s.seat) if s.previous else None,
        "standing": tuple(sorted(range(s.players), key=lambda p: (s.out[p], s.score[p]))),
    }


def _player(s: Any, p: int, open_hand: bool, seat: int) -> Player:
    cards = s.hand[p] if open_hand else sure.seen(s, p, seat)
    unknown = s.hand[p].bit_count() - cards.bit_count()
    points = _points(cards)
    return Player(
        hand=names_of(cards) + (UNKNOWN,) * unknown,
        points=None if unknown else points,
        score=s.score[p],
        out=bool(s.out[p]),
        light=not unknown and cards != 0 and points <= s.call_limit,
    )


def _right_of(s: Any, seat: int) -> int:
    """The player who was in turn before this one."""
    others = ((seat - back) % s.players for back in range(1, s.players + 1))
    return next((p for p in others if not s.out[p]), seat)


def brings(view: CardsView, action: Action) -> dict[str, Any]:
    """What a discard is, and the points that are left in hand (C02, C05)."""
    if action.form["do"] != "drop":
        return {}
    cards = set_of(str(action.form["cards"]))
    left = set_of(" ".join(view.players[view.actor or 0].hand)) & ~cards
    return {"kind": _kind(cards), "left": _points(left)}


@lru_cache(10_000)
def _points(cards: int) -> int:
    points: int = paper.points_of(cards)
    return points


@lru_cache(10_000)
def _kind(cards: int) -> str:
    return SETS[cards.bit_count() - 1] if paper.is_of_one_rank(cards) else "run"


# As numbers. Seats are counted from the viewer's own; a spectator counts from seat 0.

PHASES = len(Phase)
PLAYER_FEATURES = (
    ("to act", 1),
    ("first", 1),
    ("out", 1),
    ("score", 1),
    ("hand size", 1),
    ("cards of the last shuffle", 1),
    ("known cards", CARDS),
)
FEATURES = (
    ("phase", PHASES),
    ("players", 1),
    ("deal", 1),
    ("lap", 1),
    ("call limit", 1),
    ("penalty", 1),
    ("end score", 1),
    ("drop to", 1),
    ("ends only", 1),
    ("others score", 1),
    ("elimination", 1),
    ("traditional deck", 1),
    ("pile size", 1),
    ("may be in the pile", CARDS),
    ("laid", CARDS),
    ("previous", CARDS),
    ("older", CARDS),
    ("own points", 1),
    *((f"player +{i} {name}", length) for i in range(SEATS) for name, length in PLAYER_FEATURES),
)


@compiled
def observe(s, seat, out):
    """What a seat may know, as a vector in the order of FEATURES."""
    out[s.phase] = 1
    at = PHASES
    out[at] = s.players
    out[at + 1] = s.deal
    out[at + 2] = s.lap
    out[at + 3] = s.call_limit
    out[at + 4] = s.penalty
    out[at + 5] = s.end_score
    out[at + 6] = s.drop_to
    out[at + 7] = s.ends_only
    out[at + 8] = s.others_score
    out[at + 9] = s.elimination
    out[at + 10] = s.traditional
    out[at + 11] = ones(s.pile)
    at = put(out, at + 12, maybe_in_pile(s, seat))
    at = put(out, at, s.laid)
    at = put(out, at, s.previous)
    at = put(out, at, s.older)
    if seat >= 0:
        out[at] = points_of(int(s.hand[seat]))
    at += 1
    for i in range(s.players):
        at = observe_player(s, (max(seat, 0) + i) % s.players, seat, out, at)


@compiled
def observe_player(s, p, seat, out, at):
    """What a seat may know of one player; of itself, all cards."""
    out[at] = s.seat == p
    out[at + 1] = s.beginner == p
    out[at + 2] = s.out[p]
    out[at + 3] = s.score[p]
    out[at + 4] = ones(s.hand[p])
    out[at + 5] = ones(of_shuffle(s, hidden(s, p), s.shuffles))
    return put(out, at + 6, seen(s, p, seat))


@compiled
def maybe_in_pile(s, seat):
    """The cards of the last shuffle that a seat has not seen since: the pile, and some hands."""
    cards = int(s.pile)
    for p in range(s.players):
        if p != seat:
            cards |= of_shuffle(s, hidden(s, p), s.shuffles)
    return cards


@compiled
def put(out, at, cards):
    """Mark the cards of a set in the vector; return where the next part begins."""
    while cards:
        out[at + lowest(cards)] = 1
        cards &= cards - 1
    return at + CARDS


# As other worlds: everything that this seat cannot tell apart.


@compiled
def resample(s, seat, rng):
    """Redeal the cards that a seat has not seen, those of one shuffle among themselves.

    What was in the pile when it was last shuffled is known, so a card that was not is still
    in the hand of somebody who had it then; everybody can tell how many of each one holds.
    """
    unseen = int(s.pile)
    for p in range(s.players):
        if p != seat:
            unseen |= hidden(s, p)
    while unseen:
        cards = of_shuffle(s, unseen, s.shuffled[lowest(unseen)])
        redeal(s, seat, cards, rng)
        unseen &= ~cards


@compiled
def redeal(s, seat, cards, rng):
    """Deal cards anew to the hands in which they are hidden; what remains is the pile's."""
    pool = cards
    for p in range(s.players):
        if p != seat:
            held = hidden(s, p) & cards
            s.hand[p] &= ~held
            for _ in range(ones(held)):
                card = 1 << nth_card(pool, below(rng, ones(pool)))
                s.hand[p] |= card
                pool &= ~card
    if s.pile & cards:
        s.pile = pool
