"""What a seat may know of the Race: everything. As a view, and as numbers."""

from bisect import bisect_left
from collections.abc import Iterator
from typing import Any

import msgspec

from caramba.games.compiled import compiled
from caramba.games.contract import Action, View
from caramba.games.paper import on_paper, once
from caramba.games.race import rules
from caramba.games.race.components import AMBUSH_DICE, FACES
from caramba.games.race.components import ZONES as ZONE_NAMES
from caramba.games.race.rules import hats, is_passed
from caramba.games.race.state import IN_HAND, NONE, SEATS, ZONES, Phase

paper = on_paper(rules)
PHASE_NAMES: list[str] = [phase.name.lower() for phase in Phase]
TURN = (Phase.TURN_AMBUSH, Phase.DICE, Phase.OFFERS, Phase.ANSWER, Phase.ROLL)
"""The phases in which a sombrero is in turn."""

# As a view


class Hat(msgspec.Struct, frozen=True, kw_only=True):
    """A sombrero."""

    seat: int
    space: int | None
    """None before it is placed, and in the mine."""
    rank: int | None
    """1 for the leader of those on the track: so many dice it rolls."""
    arrival: int | None
    """1 for the first in the mine; None for those that have not arrived."""


class Ambush(msgspec.Struct, frozen=True, kw_only=True):
    """An ambush token."""

    seat: int
    space: int | None
    """None in its owner's hand."""
    passed: bool
    """Whether its owner may take it back."""


class Runner(msgspec.Struct, frozen=True, kw_only=True):
    """A sombrero in the line of all: whose turn it is, who comes next, who has had it."""

    hat: int
    stage: str
    """now, next, done or mine."""


class RaceView(View, frozen=True, kw_only=True):
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
    line: tuple[Runner, ...]
    """All sombreros: those of the order, those that have moved from the leader on, the mine."""
    mover: int | None
    """The sombrero in turn, once the round has begun."""
    due: int
    """Dice that it has to roll, unless it pays; 0 when it is nobody's turn."""
    prices: dict[int, int]
    """Dice that the mover may roll, and what each choice costs."""
    costs: dict[int, int]
    """The same, with those that the mover cannot pay."""
    fee: int
    """What the next one pays who falls into the mine."""
    mine_in_reach: bool
    """Whether the dice that are due can lead the mover into the mine."""
    token: int | None
    """The ambush token that this seat would lay next, if it has one."""
    ambush_dice: tuple[int, ...]
    """Dice that an ambush brings, by zone."""
    faces: tuple[int, ...]
    """What a die can show."""
    dice: int
    """Dice declared for this turn, an accepted offer included."""
    dice_left: int
    rolled: int
    offers: dict[int, int]
    """By seat: the silver offered to the mover."""


def phase(s: Any) -> str:
    """What the next step is about."""
    name: str = PHASE_NAMES[s.phase]
    return name


def view(s: Any, eyes: frozenset[int], **common: Any) -> RaceView:
    """The table; the state on paper."""
    return RaceView(**common, **_table(s), token=_token(s, common["seat"]))


@once
def _table(s: Any) -> dict[str, Any]:
    """What is the same for everybody."""
    everybody, hats = range(s.players), range(paper.hats(s))
    mover = paper.mover(s) if s.phase in TURN else None
    due = 0 if mover is None else paper.rank(s, mover)
    asked = range(1, due + 1) if s.phase == Phase.DICE else range(0)
    costs = {dice: paper.price(s, due - dice) for dice in asked}
    return {
        "phase": phase(s),
        "race": s.race,
        "max_races": s.max_races or None,
        "zones": tuple(s.zone_end),
        "pot": s.pot,
        "money": tuple(s.money[: s.players]),
        "bankrupt": tuple(p for p in everybody if s.bankrupt[p]),
        "gone": tuple(p for p in everybody if s.gone[p]),
        "hats": tuple(_hat(s, hat) for hat in hats),
        "ambushes": tuple(_ambush(s, token) for token in hats),
        "order": _order(s),
        "line": tuple(_line(s)),
        "mover": mover,
        "due": due,
        "prices": {dice: n for dice, n in costs.items() if dice == due or _can_pay(s, n)},
        "costs": costs,
        "fee": paper.fee(s),
        "mine_in_reach": mover is not None and _reach(s, mover, due) > paper.last_space(s),
        "ambush_dice": AMBUSH_DICE,
        "faces": tuple(range(FACES)),
        "dice": s.dice if s.phase in (Phase.OFFERS, Phase.ANSWER, Phase.ROLL) else 0,
        "dice_left": s.dice_left,
        "rolled": s.sum_rolled if s.phase == Phase.ROLL else 0,
        "offers": {p: s.offer[p] for p in everybody if s.offer[p] and _is_open(s)},
    }


def _hat(s: Any, hat: int) -> Hat:
    return Hat(
        seat=paper.owner(s, hat),
        space=s.position[hat] or None,
        rank=paper.rank(s, hat) if paper.on_track(s, hat) else None,
        arrival=s.arrival[hat] or None,
    )


def _ambush(s: Any, token: int) -> Ambush:
    return Ambush(
        seat=paper.owner(s, token),
        space=s.token[token] or None,
        passed=paper.is_passed(s, token),
    )


def _order(s: Any) -> tuple[int, ...]:
    if s.phase in (Phase.FIRST, Phase.OVER):
        return ()
    order = s.order[: s.many]
    if s.phase == Phase.PLACE:
        return tuple(order[s.place :])
    start = 0 if s.phase == Phase.ROUND_AMBUSH else s.place
    return tuple(hat for hat in order[start:] if paper.on_track(s, hat))


def _line(s: Any) -> Iterator[Runner]:
    """R07: as the sombreros go."""
    order = _order(s)
    if order:
        yield Runner(hat=order[0], stage="now" if s.phase in TURN else "next")
        yield from (Runner(hat=hat, stage="next") for hat in order[1:])
    others = [hat for hat in range(paper.hats(s)) if hat not in order]
    moved = [hat for hat in others if paper.on_track(s, hat)]
    moved.sort(key=lambda hat: paper.rank(s, hat))
    yield from (Runner(hat=hat, stage="done") for hat in moved)
    arrived = [hat for hat in others if s.arrival[hat]]
    arrived.sort(key=lambda hat: s.arrival[hat])
    yield from (Runner(hat=hat, stage="mine") for hat in arrived)


def _can_pay(s: Any, silver: int) -> bool:
    return bool(paper.can_afford(s, s.seat, silver))


def _reach(s: Any, hat: int, dice: int) -> int:
    """The farthest space that these dice alone can lead to."""
    return int(s.position[hat]) + dice * (FACES - 1)


def _token(s: Any, seat: int) -> int | None:
    """R13: one in hand, or else one that was passed."""
    if seat < 0:
        return None
    token = paper.next_token(s, seat)
    return None if token == NONE else token


def _is_open(s: Any) -> bool:
    return s.phase in (Phase.OFFERS, Phase.ANSWER)


def brings(view: RaceView, action: Action) -> dict[str, Any]:
    """What a choice costs, and the ground that it is about."""
    form = action.form
    if form["do"] == "dice":
        return {"silver": view.prices[int(form["dice"])]}
    if "space" not in form:
        return {}
    ground = bisect_left(view.zones, int(form["space"]))
    dice = {"dice": AMBUSH_DICE[ground]} if form["do"] == "ambush" else {}
    return {"zone": ZONE_NAMES[ground], **dice}


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
