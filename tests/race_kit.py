"""Builders for tests of the Race.

Sombreros are numbered by seat; with two each, those of seat 1 are 2 and 3.
"""

from collections.abc import Mapping
from typing import Any

from caramba.games.contract import CHANCE, SPECTATOR
from caramba.games.race.view import RaceView
from caramba.match.match import Match
from facts import Facts

SHORT = [2, 2, 2]
"""A track on which every sombrero reaches the mine with a 5, but from the first space."""


def race(players: int, spaces: str, *, first: int = 0, **options: Any) -> Match:
    """A race at its first question, with the sombreros on these spaces, by their numbers.

    Nobody is asked for offers, unless `persuasion` is on.
    """
    options = {"first": first, "persuasion": False, **options}
    match = Match("race", players=players, seed=1, options=options)
    match.play(f"first {first}")
    return place(match, spaces)


def short_race(players: int, spaces: str, **options: Any) -> Match:
    """The same on a short track."""
    return race(players, spaces, track=SHORT, **options)


def place(match: Match, spaces: str) -> Match:
    """Put the sombreros on these spaces, by their numbers, in whatever order it goes."""
    wanted = spaces.split()
    assert len(wanted) == len(table(match).hats)
    while table(match).phase == "place":
        match.play(f"place {wanted[table(match).order[0]]}")
    return match


def table(match: Match) -> RaceView:
    """What everybody sees."""
    view: RaceView = match.view(SPECTATOR)
    return view


def spaces(match: Match) -> list[int | None]:
    """Where the sombreros are; None in the mine."""
    return [hat.space for hat in table(match).hats]


def ambushes(match: Match) -> list[int | None]:
    """Where the ambush tokens lie; None in hand."""
    return [token.space for token in table(match).ambushes]


def money(match: Match) -> list[int]:
    """Everybody's silver."""
    return list(table(match).money)


def lay(match: Match, **ambush: int) -> Match:
    """At the start of a round seats lay ambushes, such as p2=7; the others lay none."""
    while table(match).phase == "round_ambush":
        space = ambush.pop(f"p{match.actor}", None)
        match.play(f"ambush {space}" if space else "no")
    assert not ambush, f"was not asked: {ambush}"
    return match


def to_dice(match: Match) -> Match:
    """Nobody lays an ambush; the mover is to declare its dice."""
    while table(match).phase in ("round_ambush", "turn_ambush"):
        match.play("no")
    return match


def to_offers(match: Match) -> Match:
    """The mover declares all its dice; the first offer is due, or the roll."""
    to_dice(match).play(match.legal()[-1])
    return match


def turn(match: Match, *shows: int, dice: int | None = None, bribe: str = "") -> Match:
    """The sombrero in turn rolls this, and no more than this, without an ambush before.

    It rolls all its dice unless told otherwise. A bribe such as "2 10" is an offer of 10
    silver by seat 2, which is accepted.
    """
    to_dice(match).play(f"dice {dice}" if dice else match.legal()[-1])
    giver, _, silver = bribe.partition(" ")
    while table(match).phase == "offers":
        match.play(f"offer {silver}" if str(match.actor) == giver else "no")
    if bribe:
        match.play(f"accept {giver}")
    for face in shows:
        match.play(f"die {face}")
    return match


def turns(match: Match, *rolls: str) -> Match:
    """The next sombreros roll this, each with all its dice, such as "3" and "05"."""
    for roll in rolls:
        turn(match, *map(int, roll))
    return match


def stay(match: Match, turns: int = 1) -> Match:
    """So many sombreros in turn roll nothing but 0."""
    for _ in range(turns):
        turn(match)
        while match.actor == CHANCE:
            match.play("die 0")
    return match


def finish(match: Match) -> Match:
    """Everybody rolls all dice, always a 5, until the race is over."""
    race = table(match).race
    while match.actor is not None and table(match).race == race:
        legal = match.legal()
        match.play("no" if "no" in legal else legal[-1] if legal else "die 5")
    return match


def end(match: Match) -> str | None:
    """Why the game is over; None while it goes on."""
    return match.result.end if match.result else None


def told(match: Match, kind: str) -> list[tuple[int | None, dict[str, Any]]]:
    """Who was named in events of a kind, and with what facts, but for which sombrero it was."""
    events = [event for _, event in match.events(SPECTATOR) if event.kind == kind]
    return [(e.seat, {name: v for name, v in e.facts.items() if name != "hat"}) for e in events]


# What all tests must know


def raised(form: Mapping[str, Any]) -> list[str] | None:
    """A space is chosen before anything is laid on it; some amounts, on a slider."""
    if form["do"] == "offer" and form["silver"] > 1:
        return None
    return [str(form["space"])] if form["do"] in ("place", "ambush") else []


FACTS = Facts(
    points=range(181),
    conserved=lambda s: int(s.money.sum() + s.pot),
    short={},
    quick={"max_races": 1},
    options={"first": 0, "track": [8, 8, 8], "persuasion": False, "max_races": 1},
    recorded=range(2, 7),
    draws=(0, 25),
    uneven={},
    hidden_after=None,
    raised=raised,
)
