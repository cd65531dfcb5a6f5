"""What a seat may know of the Cards: as a view, as numbers, and as other possible worlds."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from caramba.games.cards.actions import names_of
from caramba.games.cards.components import DECKS
from caramba.games.cards.rules import (
    fewest_of_others,
    is_above,
    is_of_one_rank,
    nth_card,
    points_of,
    takeable,
)
from caramba.games.cards.state import CARDS, ENDS, SEATS, End, Phase
from caramba.games.chance import below
from caramba.games.compiled import compiled
from caramba.games.contract import UNKNOWN, Action, Event, View, plain
from caramba.games.masks import lowest, ones

# What is known of a hand


@compiled
def seen(s, p, seat):
    """The cards in the hand of `p` that a seat is sure of.

    Those are cards that were taken from the table, and cards that can be nowhere else: what
    was not yet shuffled back when the pile ran out is in one of the hands.
    """
    if p == seat or s.phase == Phase.OVER:
        return int(s.hand[p])
    sure = int(s.known[p])
    rest = int(s.hand[p]) & ~sure
    while rest:
        card = lowest(rest)
        if not hides_elsewhere(s, p, seat, s.shuffled[card]):
            sure |= 1 << card
        rest &= rest - 1
    return sure


@compiled
def hides_elsewhere(s, p, seat, shuffle):
    """Whether cards of that shuffle are out of a seat's sight, other than in the hand of `p`."""
    if s.pile and shuffle == s.shuffles:
        return True
    for other in range(s.players):
        if other != seat and other != p and of_shuffle(s, hidden(s, other), shuffle):
            return True
    return False


@compiled
def hidden(s, p):
    """The cards in a hand that nobody else has seen come there."""
    return int(s.hand[p]) & ~int(s.known[p])


@compiled
def of_shuffle(s, cards, shuffle):
    """Those cards of a set that were last shuffled at that time."""
    found = 0
    while cards:
        if s.shuffled[lowest(cards)] == shuffle:
            found |= cards & -cards
        cards &= cards - 1
    return found


# As a view: built by adding what is known.


@dataclass(frozen=True, slots=True, kw_only=True)
class Player:
    """One player's side of the table."""

    hand: tuple[str, ...]
    points: int | None
    """Of the cards in hand, where all of them may be seen."""
    score: int
    """In total."""
    out: bool
    """Whether this player has left the game."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CardsView(View):
    """The table as one seat sees it."""

    phase: str
    deal: int
    max_deals: int
    lap: int
    max_laps: int
    first: int | None
    """Who began this deal; None before that is drawn."""
    deck: str
    call_limit: int
    penalty: int
    end_score: int
    drop_to: int
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
    players: tuple[Player, ...]


def view(s: Any, eyes: frozenset[int], **common: Any) -> CardsView:
    """The table as someone who sees the secrets of the seats in `eyes`."""
    t = plain(s)
    return CardsView(
        **common,
        phase=Phase(t.phase).name.lower(),
        deal=t.deal,
        max_deals=t.max_deals,
        lap=t.lap,
        max_laps=t.max_laps,
        first=None if t.phase == Phase.FIRST else t.beginner,
        deck=DECKS[t.traditional],
        call_limit=t.call_limit,
        penalty=t.penalty,
        end_score=t.end_score,
        drop_to=t.drop_to,
        ends_only=bool(t.ends_only),
        others_score=bool(t.others_score),
        elimination=bool(t.elimination),
        pile=t.pile.bit_count(),
        laid=names_of(t.laid),
        previous=names_of(t.previous),
        takeable=names_of(int(takeable(s))),
        older=names_of(t.older),
        players=tuple(_player(s, t, p, p in eyes, common["seat"]) for p in range(t.players)),
    )


def _player(s: Any, t: Any, p: int, open_hand: bool, seat: int) -> Player:
    cards = t.hand[p] if open_hand else int(seen(s, p, seat))
    unknown = t.hand[p].bit_count() - cards.bit_count()
    return Player(
        hand=names_of(cards) + (UNKNOWN,) * unknown,
        points=None if unknown else int(points_of(cards)),
        score=t.score[p],
        out=bool(t.out[p]),
    )


# As events: the step itself, then what followed from it.


def events(before: Any, step: Action, after: Any) -> Iterator[Event]:
    """What the table is told of one step."""
    yield _step_event(before, step, after)
    if after.shuffles > before.shuffles:
        yield Event("shuffled", None, {"many": int(after.pile).bit_count()})
    if step.form["do"] == "caramba":
        yield from _scoring(before, after)
    elif before.phase in (Phase.TAKE, Phase.DRAW) and after.phase in (Phase.DEAL, Phase.OVER):
        yield Event("void", None, {"laps": int(before.lap)})
        if after.phase == Phase.OVER:
            yield from _shown(after)
    if before.phase != Phase.DEAL and after.phase == Phase.DEAL:
        yield Event("new_deal", int(after.beginner), {"deal": int(after.deal)})
    if after.phase == Phase.OVER:
        alone = bool(after.elimination and after.end == End.POINTS)
        yield Event("over", None, {"end": ENDS[after.end - 1], "alone": alone})


def _step_event(before: Any, step: Action, after: Any) -> Event:
    """The step, with what only its owner sees of it apart."""
    facts = dict(step.form)
    kind = str(facts.pop("do"))
    seat = int(facts.pop("seat", before.seat))
    match kind:
        case "deal" | "draw":
            return Event(kind, seat, {}, facts)
        case "drop":
            laid = int(after.laid)
            alike = bool(is_of_one_rank(laid))
            return Event(kind, seat, {**facts, "many": laid.bit_count(), "run": not alike})
        case "caramba":
            return Event(kind, seat, {"points": int(points_of(int(before.hand[seat])))})
        case _:
            return Event(kind, seat, facts)


def _scoring(before: Any, after: Any) -> Iterator[Event]:
    """C11, C13-C15, C24: all hands, then who scored what, and what came of the totals."""
    caller = int(before.seat)
    yield from _shown(before)
    won = points_of(int(before.hand[caller])) < fewest_of_others(before, caller)
    yield Event("won" if won else "failed", caller)
    for p in range(int(before.players)):
        if not before.out[p]:
            yield from _score(before, after, p, won)


def _shown(s: Any) -> Iterator[Event]:
    """C11, C16: all hands."""
    for p in range(int(s.players)):
        if not s.out[p]:
            hand = int(s.hand[p])
            facts = {"cards": " ".join(names_of(hand)), "points": int(points_of(hand))}
            yield Event("shown", p, facts)


def _score(before: Any, after: Any, p: int, won: bool) -> Iterator[Event]:
    """What one player scores, if anything."""
    points = _scored(before, p, won)
    total = int(before.score[p]) + points
    if points:
        yield Event("scores", p, {"points": points, "total": total})
    if total == before.end_score > before.drop_to:
        yield Event("drops", p, {"exactly": total, "total": int(before.drop_to)})
    if before.elimination and is_above(after, p):
        yield Event("out", p, {"total": total})


def _scored(before: Any, p: int, won: bool) -> int:
    """C13, C14, C23: the points that a call brings to one player."""
    caller = int(before.seat)
    points = int(points_of(int(before.hand[p])))
    if p == caller:
        return 0 if won else points + int(before.penalty)
    if won:
        return points
    is_fewest = points == fewest_of_others(before, caller)
    return points if before.others_score and not is_fewest else 0


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
        if p != seat and s.phase != Phase.OVER:
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
    if s.phase == Phase.OVER:  # all hands lie open
        return
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
