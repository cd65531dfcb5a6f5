"""What a seat may know of the Race: everything. As a view, as events, and as numbers."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from caramba.games.compiled import compiled
from caramba.games.contract import Action, Event, View, plain
from caramba.games.race.components import AMBUSH_DICE
from caramba.games.race.rules import (
    has_ambush,
    hat_on,
    hats,
    is_passed,
    last_space,
    mover,
    on_track_now,
    owner,
    price,
    rank,
    zone,
)
from caramba.games.race.state import (
    ENDS,
    IN_HAND,
    NONE,
    OFF_TRACK,
    SEATS,
    ZONES,
    Phase,
    hats_each,
)

# As a view


@dataclass(frozen=True, slots=True, kw_only=True)
class Hat:
    """A sombrero."""

    seat: int
    space: int | None
    """None before it is placed, and in the mine."""
    rank: int | None
    """1 for the leader of those on the track: so many dice it rolls."""
    arrival: int | None
    """1 for the first in the mine; None for those that have not arrived."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ambush:
    """An ambush token."""

    seat: int
    space: int | None
    """None in its owner's hand."""
    passed: bool
    """Whether its owner may take it back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RaceView(View):
    """The table. Everybody sees all of it."""

    phase: str
    race: int
    """Its number, by which prices, gifts and fees are multiplied."""
    max_races: int | None
    zones: tuple[int, ...]
    """The last space of stone, gravel and earth."""
    pot: int
    money: tuple[int, ...]
    bankrupt: tuple[int, ...]
    gone: tuple[int, ...]
    hats: tuple[Hat, ...]
    ambushes: tuple[Ambush, ...]
    order: tuple[int, ...]
    """Sombreros still to be placed, or to move in this round, the one in turn first."""
    prices: dict[int, int]
    """Dice that the mover may roll, and what each choice costs."""
    dice: int
    """Dice declared for this turn, an accepted offer included."""
    dice_left: int
    rolled: int
    offers: dict[int, int]
    """By seat: the silver offered to the mover."""


def view(s: Any, eyes: frozenset[int], **common: Any) -> RaceView:
    """The table."""
    t = plain(s)
    everybody = range(t.players)
    return RaceView(
        **common,
        phase=Phase(t.phase).name.lower(),
        race=t.race,
        max_races=t.max_races or None,
        zones=tuple(t.zone_end),
        pot=t.pot,
        money=tuple(t.money[: t.players]),
        bankrupt=tuple(p for p in everybody if t.bankrupt[p]),
        gone=tuple(p for p in everybody if t.gone[p]),
        hats=tuple(_hat(s, t, hat) for hat in range(hats(s))),
        ambushes=tuple(_ambush(s, t, token) for token in range(hats(s))),
        order=_order(t),
        prices=_prices(s) if t.phase == Phase.DICE else {},
        dice=t.dice if t.phase in (Phase.OFFERS, Phase.ANSWER, Phase.ROLL) else 0,
        dice_left=t.dice_left,
        rolled=t.sum_rolled if t.phase == Phase.ROLL else 0,
        offers={p: t.offer[p] for p in everybody if t.offer[p] and _is_open(t)},
    )


def _hat(s: Any, t: Any, hat: int) -> Hat:
    placed = t.position[hat] != OFF_TRACK
    return Hat(
        seat=hat // hats_each(t.players),
        space=t.position[hat] or None,
        rank=rank(s, hat) if placed else None,
        arrival=t.arrival[hat] or None,
    )


def _ambush(s: Any, t: Any, token: int) -> Ambush:
    return Ambush(
        seat=token // hats_each(t.players),
        space=t.token[token] or None,
        passed=bool(is_passed(s, token)),
    )


def _order(t: Any) -> tuple[int, ...]:
    if t.phase in (Phase.FIRST, Phase.OVER):
        return ()
    order = t.order[: t.many]
    if t.phase == Phase.PLACE:
        return tuple(order[t.place :])
    start = 0 if t.phase == Phase.ROUND_AMBUSH else t.place
    return tuple(hat for hat in order[start:] if t.position[hat] != OFF_TRACK)


def _prices(s: Any) -> dict[int, int]:
    due = rank(s, mover(s))
    prices = {dice: int(price(s, due - dice)) for dice in range(1, due + 1)}
    money = 0 if s.bankrupt[s.seat] else int(s.money[s.seat])  # R21: none to spend
    return {dice: silver for dice, silver in prices.items() if silver <= money}


def _is_open(t: Any) -> bool:
    return t.phase in (Phase.OFFERS, Phase.ANSWER)


# As events: the step itself, then what followed from it.


def events(before: Any, step: Action, after: Any) -> Iterator[Event]:
    """What the table is told of one step."""
    yield _step_event(before, step)
    if before.phase == Phase.ROLL and before.dice_left == 1:
        yield from _move(before, int(step.form["shows"]))
    if after.race > before.race:
        yield Event("race", None, {"race": int(after.race)})
    if after.phase == Phase.OVER:
        yield Event("over", None, {"end": ENDS[after.end - 1]})


def _step_event(before: Any, step: Action) -> Event:
    """The step; a `no` is told by what was asked."""
    facts = dict(step.form)
    kind = str(facts.pop("do"))
    seat = int(before.seat)
    match kind:
        case "first":
            return Event(kind, int(facts["seat"]))
        case "no":
            return Event(f"no {Phase(before.phase).name.lower()}", seat)
        case "die":
            return Event(kind, int(owner(before, mover(before))), facts)
        case "accept":
            giver = int(facts["seat"])
            return Event(kind, seat, {"giver": giver, "silver": int(before.offer[giver])})
        case "dice":
            bought = rank(before, mover(before)) - int(facts["dice"])
            return Event(kind, seat, {**facts, "silver": int(price(before, bought))})
        case _:
            return Event(kind, seat, facts)


def _move(before: Any, shows: int) -> Iterator[Event]:
    """R09, R14-R16, R19: where the mover lands, and what comes of it."""
    hat = mover(before)
    seat = int(owner(before, hat))
    start = int(before.position[hat])
    space = start + int(before.sum_rolled) + shows
    if space > last_space(before):
        yield from _arrival(before, seat, start)
        return
    yield Event("move", seat, {"start": start, "space": space})
    host = hat_on(before, space, hat)
    if has_ambush(before, space):
        yield Event("ambushed", seat, {"space": space, "dice": AMBUSH_DICE[zone(before, space)]})
    elif host != NONE:
        giver = int(owner(before, host))
        silver = _paid(before, giver, int(before.race)) if giver != seat else 0
        yield Event("welcome", seat, {"space": space, "giver": giver, "silver": silver})
        if giver != seat:
            yield from _ruin(before, giver, int(before.race))


def _arrival(before: Any, seat: int, start: int) -> Iterator[Event]:
    arrival = int(hats(before) - on_track_now(before) + 1)
    fee = arrival * int(before.race)
    paid = _paid(before, seat, fee)
    yield Event("arrive", seat, {"start": start, "arrival": arrival, "silver": paid})
    yield from _ruin(before, seat, fee)
    if on_track_now(before) == 2:
        winner = next(
            int(owner(before, other))
            for other in range(hats(before))
            if before.position[other] != OFF_TRACK and other != mover(before)
        )
        yield Event("race_won", winner, {"silver": int(before.pot) + paid})


def _paid(before: Any, seat: int, silver: int) -> int:
    """R21: what is really paid of a debt."""
    return 0 if before.bankrupt[seat] else min(silver, int(before.money[seat]))


def _ruin(before: Any, seat: int, silver: int) -> Iterator[Event]:
    """R21: a debt that cannot be paid in full."""
    if not before.bankrupt[seat] and before.money[seat] < silver:
        yield Event("bankrupt", seat)


# As numbers. Seats are counted from the viewer's own; a spectator counts from seat 0.

PHASES = len(Phase)
PLAYER_FEATURES = (
    ("to act", 1),
    ("silver", 1),
    ("bankrupt", 1),
    ("offer", 1),
    *((f"sombrero {i} {name}", 1) for i in (1, 2) for name in ("space", "arrival", "in turn")),
    *((f"ambush {i} {name}", 1) for i in (1, 2) for name in ("space", "passed")),
)
FEATURES = (
    ("phase", PHASES),
    ("players", 1),
    ("race", 1),
    ("pot", 1),
    ("zone ends", ZONES),
    ("dice", 1),
    ("dice left", 1),
    ("rolled", 1),
    ("moves left in round", 1),
    *((f"player +{i} {name}", length) for i in range(SEATS) for name, length in PLAYER_FEATURES),
)


@compiled
def observe(s, seat, out):
    """The table as a vector in the order of FEATURES."""
    out[s.phase] = 1
    at = PHASES
    out[at] = s.players
    out[at + 1] = s.race
    out[at + 2] = s.pot
    for z in range(ZONES):
        out[at + 3 + z] = s.zone_end[z]
    at += 3 + ZONES
    out[at] = s.dice
    out[at + 1] = s.dice_left
    out[at + 2] = s.sum_rolled
    out[at + 3] = s.many - s.place
    at += 4
    for i in range(s.players):
        observe_player(s, (max(seat, 0) + i) % s.players, out, at)
        at += 14


@compiled
def observe_player(s, p, out, at):
    """One player: money, sombreros and tokens."""
    each = hats(s) // s.players
    out[at] = s.seat == p
    out[at + 1] = s.money[p]
    out[at + 2] = s.bankrupt[p]
    out[at + 3] = s.offer[p]
    for i in range(each):
        hat = p * each + i
        out[at + 4 + 3 * i] = s.position[hat]
        out[at + 5 + 3 * i] = s.arrival[hat]
        out[at + 6 + 3 * i] = 0 <= s.place < s.many and s.order[s.place] == hat
        out[at + 10 + 2 * i] = s.token[hat]
        out[at + 11 + 2 * i] = s.token[hat] != IN_HAND and is_passed(s, hat)


@compiled
def resample(s, seat, rng):
    """Nothing in the Race is hidden: every world that a seat cannot tell apart is this one."""
