"""Builders that the tests share."""

from collections.abc import Callable
from random import Random
from typing import Any

from caramba.games import generic
from caramba.games.contract import CHANCE
from caramba.match.match import Match

POINTS = {"auction": range(73), "race": range(181), "tiny": range(4)}
"""By game: the points that are possible."""

WELL_HIDDEN = {"auction": 30, "tiny": 3}
"""By game that has secrets: a number of steps after which everybody has some."""


def conserved(match: Match) -> Any:
    """What no step of a game may change."""
    return CONSERVED[match.game.name](match.state[0])


def auction_pieces(s: Any) -> list[list[int]]:
    """Every kind of card by band, and every kind of crate: how many there are."""
    cards = s.pile + s.hand + s.discard + s.bid.sum(axis=1)
    crates = s.sack + s.centre + s.in_play.sum(axis=0) + s.stash.sum(axis=0)
    return [*cards.tolist(), crates.tolist()]


CONSERVED: dict[str, Callable[[Any], Any]] = {
    "auction": auction_pieces,
    "race": lambda s: int(s.money.sum() + s.pot),
    "tiny": lambda s: int(s.players),
}


def tries(match: Match) -> list[str]:
    """Things that somebody may try: every action, whether it is possible here or not."""
    vocabulary = match.game.vocabulary(match.state[0], 0)
    steps = (vocabulary.write(number) for number in range(match.game.actions))
    return [step.text for step in steps if step]


def play(match: Match, *steps: str) -> Match:
    """Take steps in notation; chance steps that are not named are left to the seed."""
    for step in steps:
        if match.actor == CHANCE and step not in match.chances():
            match.deal()
        match.play(step)
    return match


def deal_any(match: Match) -> Match:
    """Let chance give the first thing it can, until somebody is asked."""
    while match.actor == CHANCE:
        match.play(next(iter(match.chances())))
    return match


def random_match(game: str, players: int, seed: int, steps: int = 10**9, **options: Any) -> Match:
    """A match after so many random steps, or at its end."""
    random = Random(seed)
    match = Match(game, players=players, seed=seed, options=options)
    while match.actor is not None and len(match.steps) < steps:
        random_step(match, random)
    return match


def random_step(match: Match, random: Random) -> None:
    """One random legal step, or what chance gives."""
    if match.actor == CHANCE:
        chances = match.chances()
        match.play(random.choices(list(chances), list(chances.values()))[0])
    else:
        match.play(random.choice(match.legal()))


def other_world(match: Match, seat: int, rng: Any) -> Match:
    """A match that this seat cannot tell from the given one."""
    other = match.copy()
    other._states[-1] = other._states[-1].copy()
    generic.resample_for(other._states[-1], seat, rng)
    return other
