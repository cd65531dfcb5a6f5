"""Builders that the tests share."""

from collections.abc import Callable
from random import Random
from typing import Any

from caramba.games import generic
from caramba.games.contract import CHANCE
from caramba.match.match import Match
from facts import facts

Run = Callable[..., tuple[int, str, str]]
"""A command: exit code, what it printed, what it complained about."""


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


def short_match(game: str, players: int, seed: int, **options: Any) -> Match:
    """A match before its first step, of a game that does not take too long."""
    return Match(game, players=players, seed=seed, options={**facts(game).short, **options})


def random_match(game: str, players: int, seed: int, steps: int = 10**9, **options: Any) -> Match:
    """A match after so many random steps, or at its end."""
    random = Random(seed)
    match = short_match(game, players, seed, **options)
    while match.actor is not None and steps > 0:
        random_step(match, random)
        steps -= 1
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
    state = match.state
    generic.resample_for(state, seat, rng)
    return match.elsewhere(state)
