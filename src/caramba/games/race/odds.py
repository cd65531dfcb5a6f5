"""Exact odds of a turn: where it ends, and what it costs, chains and gifts included.

A turn only ever goes forward, so its probabilities are carried along the track space by
space, as fractions: they add up to 1 exactly. On the way it is remembered how often a host
has paid, only as far as that matters. Everything is worked out from a view: nothing in the
Race is hidden.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from caramba.games.race.components import AMBUSH_DICE, FACES
from caramba.games.race.view import RaceView

MINE = 0
"""Where a turn ends that leads into the mine."""

Counts = tuple[int, ...]
"""How often each of the hosts that are watched has paid, up to a limit."""


@dataclass(frozen=True)
class Odds:
    """What a turn may bring."""

    ends: dict[int, Fraction]
    """By space, or MINE: the probability that the turn ends there."""
    cost: Fraction
    """The silver that the mover is expected to pay, on balance; below 0 if it gains."""


@dataclass(frozen=True)
class TurnOdds:
    """The odds of a turn with so many dice, as numbers to be shown."""

    dice: int
    ends: dict[int, float]
    """By space, 0 for the mine."""
    ahead: float
    """Spaces that the sombrero goes on average, if it does not fall into the mine."""
    gain: float
    """Silver that the mover is expected to gain; the price of dice is not part of it."""


def odds(view: RaceView) -> list[TurnOdds]:
    """The exact odds of each number of dice that is being decided about."""
    if view.mover is None:
        return []
    more = range(view.dice, view.dice + 2)
    dice = {"offers": more, "answer": more, "roll": range(view.dice, view.dice + 1)}
    return [_to_be_shown(view, n) for n in dice.get(view.phase, range(1, view.due + 1))]


def _to_be_shown(view: RaceView, dice: int) -> TurnOdds:
    found = turn_odds(view, dice)
    start = view.hats[view.order[0]].space or 0
    far = sum(end * chance for end, chance in found.ends.items())
    out = 1 - found.ends.get(MINE, Fraction(0))
    ends = {end: float(chance) for end, chance in found.ends.items()}
    ahead = float(far / out) - start if out else 0.0
    return TurnOdds(dice, ends, ahead, 0 - float(found.cost))


def turn_odds(view: RaceView, dice: int, hat: int | None = None) -> Odds:
    """The odds of a turn of the sombrero (the one in turn unless named) with so many dice.

    The price of dice bought off and accepted offers are not part of the cost.
    """
    turn = _Turn(view, view.order[0] if hat is None else hat, dice)
    ends = {end: chance for (end, _), chance in turn.carry({}).items()}
    gifts = sum((turn.expected_gifts(host) for host in turn.purses), Fraction(0))
    return Odds(dict(sorted(ends.items())), turn.expected_fee(ends) - gifts)


@cache
def sums(dice: int) -> tuple[Fraction, ...]:
    """The probability of each sum of so many dice."""
    if dice == 0:
        return (Fraction(1),)
    chances = [Fraction(0)] * (dice * (FACES - 1) + 1)
    for total, chance in enumerate(sums(dice - 1)):
        for face in range(FACES):
            chances[total + face] += chance / FACES
    return tuple(chances)


@cache
def moves(dice: int) -> tuple[tuple[int, Fraction], ...]:
    """How far a sombrero goes that rolls again and again until it moves."""
    still, *chances = sums(dice)
    return tuple((n, chance / (1 - still)) for n, chance in enumerate(chances, 1))


@cache
def payments(count: int, limit: int) -> tuple[tuple[int, Fraction], ...]:
    """R16: how often a host has paid after a visit: once, and once more for every 0."""
    again = Fraction(1, FACES)
    found = [(n, again ** (n - count - 1) * (1 - again)) for n in range(count + 1, limit)]
    rest = 1 - sum((chance for _, chance in found), Fraction(0))
    return (*found, (limit, rest))


class _Turn:
    """One sombrero on its way over a track where nothing else moves."""

    def __init__(self, view: RaceView, hat: int, dice: int) -> None:
        mover = view.hats[hat]
        self.last, self.zones, self.gift = view.zones[-1], view.zones, view.race
        self.start = {(mover.space or 0) + n: chance for n, chance in enumerate(sums(dice))}
        others = [h for n, h in enumerate(view.hats) if h.space and n != hat]
        self.hosts = {h.space: h.seat for h in others}
        self.ambushes = {token.space for token in view.ambushes if token.space}
        self.silver = 0 if mover.seat in view.bankrupt else view.money[mover.seat]
        arrival = 1 + sum(h.arrival is not None for h in view.hats)
        self.fee = 0 if mover.seat in view.bankrupt else arrival * view.race
        self.purses = {
            h.seat: view.money[h.seat]
            for h in others
            if h.seat != mover.seat and h.seat not in view.bankrupt
        }
        """What those hosts have who can give something."""

    def gifts(self, host: int, count: int) -> int:
        """R15, R21: the silver a host gives in so many payments: no more than it has."""
        return min(count * self.gift, self.purses[host])

    def enough(self, silver: int) -> int:
        """How many gifts it takes to give so much silver."""
        return -(-silver // self.gift)

    def expected_gifts(self, host: int) -> Fraction:
        """What the mover is expected to get from a host."""
        ends = self.carry({host: self.enough(self.purses[host])})
        return sum((self.gifts(host, n) * p for (_, (n,)), p in ends.items()), Fraction(0))

    def expected_fee(self, ends: Mapping[int, Fraction]) -> Fraction:
        """R19, R21: what the mover is expected to pay in the mine; gifts may help a poor one."""
        missing = self.fee - self.silver
        if missing <= 0:
            return self.fee * ends.get(MINE, Fraction(0))
        need = self.enough(missing)
        limits = {host: min(need, self.enough(purse)) for host, purse in self.purses.items()}
        expected = Fraction(0)
        for (end, counts), chance in self.carry(limits).items():
            got = sum(self.gifts(host, n) for host, n in zip(limits, counts, strict=True))
            expected += chance * min(self.fee, self.silver + got) * (end == MINE)
        return expected

    def carry(self, limits: Mapping[int, int]) -> dict[tuple[int, Counts], Fraction]:
        """Where the turn ends, with the payments of the watched hosts up to their limits."""
        hosts = list(limits)
        track: dict[int, dict[Counts, Fraction]] = defaultdict(lambda: defaultdict(Fraction))
        for space, chance in self.start.items():
            track[self.end(space)][(0,) * len(hosts)] += chance
        for space in range(1, self.last + 1):
            for counts, chance in list(track[space].items()) if self.goes_on(space) else ():
                del track[space][counts]
                for after, p in self.visit(space, counts, hosts, limits):
                    for n, q in self.moves_from(space):
                        track[self.end(space + n)][after] += chance * p * q
        return {(end, counts): p for end, row in track.items() for counts, p in row.items()}

    def end(self, space: int) -> int:
        """R19: beyond the last space is the mine."""
        return space if space <= self.last else MINE

    def goes_on(self, space: int) -> bool:
        """R14, R16: whether a sombrero that lands here rolls again."""
        return space in self.ambushes or space in self.hosts

    def moves_from(self, space: int) -> tuple[tuple[int, Fraction], ...]:
        """R14, R16: how far it goes on from here."""
        if space in self.hosts:
            return moves(1)
        return moves(AMBUSH_DICE[sum(space > last for last in self.zones)])

    def visit(
        self, space: int, counts: Counts, hosts: list[int], limits: Mapping[int, int]
    ) -> Iterator[tuple[Counts, Fraction]]:
        """R15: how often the hosts have paid after a landing here, and with what chance."""
        host = self.hosts.get(space)
        if host is None or host not in limits:
            yield counts, Fraction(1)
            return
        at = hosts.index(host)
        for count, chance in payments(counts[at], limits[host]):
            yield (*counts[:at], count, *counts[at + 1 :]), chance
