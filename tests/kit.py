"""Builders that the tests share."""

from collections.abc import Callable
from random import Random
from typing import Any

from caramba.games import generic
from caramba.games.contract import CHANCE
from caramba.match.match import Match
from cards_kit import TAROT

POINTS = {
    "auction": range(73),
    "race": range(181),
    "cards": range(-400, 181),
    "tiny": range(4),
}
"""By game: the points that are possible."""

Run = Callable[..., tuple[int, str, str]]
"""A command: exit code, what it printed, what it complained about."""

SHORT: dict[str, dict[str, Any]] = {"cards": {"max_deals": 2, "max_laps": 6}}
"""By game that is long: options that make it short."""

REVEALING = {"caramba"}
"""Steps that turn up what was hidden."""

WELL_HIDDEN = {"auction": 30, "cards": 60, "tiny": 3}
"""By game that has secrets: a number of steps after which everybody has some."""


def conserved(match: Match) -> Any:
    """What no step of a game may change."""
    return CONSERVED[match.game.name](match.state[0])


def auction_pieces(s: Any) -> list[int]:
    """The bag of all cards of each band, and of all crates."""
    cards = s.pile + s.hand + s.discard + s.bid.sum(axis=1)
    crates = s.sack + s.centre + s.in_play.sum() + s.stash.sum()
    return [*cards.tolist(), int(crates)]


def cards_in_their_places(s: Any) -> list[int]:
    """Every card: in how many places it is."""
    places = (*s.hand, s.pile, s.laid, s.previous, s.older)
    return [sum(int(place) >> card & 1 for place in places) for card in range(64)]


CONSERVED: dict[str, Callable[[Any], Any]] = {
    "auction": auction_pieces,
    "cards": cards_in_their_places,
    "race": lambda s: int(s.money.sum() + s.pot),
    "tiny": lambda s: int(s.players),
}


def tries(match: Match) -> list[str]:
    """Things that somebody may try: every action, whether it is possible here or not."""
    if match.game.name == "cards":
        several = ["drop 5s 5h", "drop 5s 6c 7s", "drop 5s 6h 7s", "drop 1c 3c 4s"]
        return ["caramba", "take pile", *several, *(f"drop {c}" for c in TAROT), "take 5s"]
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


def short_match(game: str, players: int, seed: int, **options: Any) -> Match:
    """A match before its first step, of a game that does not take too long."""
    return Match(game, players=players, seed=seed, options={**SHORT.get(game, {}), **options})


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
