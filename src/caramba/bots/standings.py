"""What came of an arena: shares of victory with intervals, ratings, times."""

from collections import defaultdict
from dataclasses import dataclass, field
from statistics import fmean
from typing import Any

import msgspec
import numpy as np
from openskill.models import BradleyTerryFull

from caramba.bots.arena import Arena, Played, Seating
from caramba.bots.bot_game import LATE

NORMAL = 1.96
"""So many standard errors make an interval of 95 %."""
Interval = tuple[float, float | None, float | None]
"""Mean, low, high; no interval from a single deal."""
ByDeal = dict[int, list[float]]


@dataclass
class TrackRecord:
    """What one bot has done."""

    name: str
    rating: Any
    seats: int = 0
    """How many seats it had in all games together."""
    shares: ByDeal = field(default_factory=lambda: defaultdict(list))
    """Its share of each victory."""
    adjusted: ByDeal = field(default_factory=lambda: defaultdict(list))
    """The same without luck, where that was judged."""
    points: ByDeal = field(default_factory=lambda: defaultdict(list))
    milliseconds: list[float] = field(default_factory=list)
    late: int = 0
    """How many games it forfeited, because it did not answer in time."""

    def count(self, game: Played, seat: int) -> None:
        """Add a game that it played at this seat."""
        self.seats += 1
        self.shares[game.deal].append(game.share(seat))
        if game.luck:
            self.adjusted[game.deal].append(game.adjusted(seat))
        self.points[game.deal].append(game.points[seat])
        self.milliseconds += game.milliseconds[seat]
        self.late += game.end == LATE and seat not in game.winners

    def figures(self) -> dict[str, Any]:
        """It in figures."""
        times = self.milliseconds or [0.0]
        return {
            "name": self.name,
            "seats": self.seats,
            "share": interval(self.shares),
            **self.without_luck(),
            "points": interval(self.points),
            "rating": round(self.rating.mu, 2),
            "deviation": round(self.rating.sigma, 2),
            "decisions": len(self.milliseconds),
            "median_ms": round(float(np.median(times)), 3),
            "p99_ms": round(float(np.percentile(times, 99)), 3),
            "late": self.late,
        }

    def without_luck(self) -> dict[str, Any]:
        """Its share without luck, and how many times fewer games that needs."""
        if self.adjusted.keys() != self.shares.keys():
            return {}
        spread, narrow = (_spread(values) for values in (self.shares, self.adjusted))
        saves = round(spread / narrow, 2) if narrow else None
        return {"adjusted": interval(self.adjusted), "saves": saves}


def _spread(by_deal: ByDeal) -> float:
    """How far the deals are apart: the variance."""
    return float(np.var([fmean(values) for values in by_deal.values()]))


def interval(by_deal: ByDeal) -> Interval:
    """Mean and 95 % interval. The games of one deal hang together: a deal is one observation."""
    means = np.array([fmean(values) for values in by_deal.values()])
    mean = float(means.mean())
    if len(means) < 2:
        return round(mean, 4), None, None
    error = NORMAL * float(means.std(ddof=1)) / len(means) ** 0.5
    return round(mean, 4), round(mean - error, 4), round(mean + error, 4)


def figures(arena: Arena) -> dict[str, Any]:
    """All that an arena has found so far."""
    settings = arena.settings
    return {
        **msgspec.to_builtins(settings),
        "played": len(arena.games),
        "deals": settings.deals(),
        "standings": standings(arena),
        "tables": tables(arena),
    }


def standings(arena: Arena) -> list[dict[str, Any]]:
    """Everybody's standing, the best rated first."""
    seatings = arena.settings.seatings()
    model = BradleyTerryFull()
    found = {name: TrackRecord(name, model.rating()) for name in arena.settings.bots}
    for game in sorted(arena.games, key=lambda game: (game.deal, game.seating)):
        names = seatings[game.seating]
        for seat, name in enumerate(names):
            found[name].count(game, seat)
        _rate(found, names, game, model)
    met = [record.figures() for record in found.values() if record.seats]
    return sorted(met, key=lambda one: -one["rating"])


def _rate(
    found: dict[str, TrackRecord], names: Seating, game: Played, model: BradleyTerryFull
) -> None:
    """Winners before all others; a bot with several seats gets the mean of what they give."""
    if len(set(names)) == 1:
        return
    ranks = [1.0 if seat in game.winners else 2.0 for seat in range(len(names))]
    rated = model.rate([[found[name].rating] for name in names], ranks=ranks)
    for name in set(names):
        mine = [rating for (rating,), other in zip(rated, names, strict=True) if other == name]
        found[name].rating = model.rating(
            mu=fmean(rating.mu for rating in mine), sigma=fmean(rating.sigma for rating in mine)
        )


def tables(arena: Arena) -> list[dict[str, Any]]:
    """For each company at a table: the share of victory of a seat of each bot."""
    seatings, players = arena.settings.seatings(), arena.settings.players
    found = []
    for number, lineup in enumerate(arena.settings.lineups()):
        games = [game for game in arena.games if game.seating // players == number]
        shares: dict[str, ByDeal] = {name: defaultdict(list) for name in lineup}
        for game in games:
            for seat, name in enumerate(seatings[game.seating]):
                shares[name][game.deal].append(game.share(seat))
        if games and len(shares) > 1:
            found.append({"bots": lineup, "share": {n: interval(s) for n, s in shares.items()}})
    return found
