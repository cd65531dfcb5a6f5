"""What the tests that run with every game must know of each: told by its kit, NAME_kit.py."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from caramba.games import names
from caramba.match.match import Match

Options = Mapping[str, Any]


def every_action(match: Match) -> list[str]:
    """Every action in notation, whether it is possible here or not."""
    vocabulary = match.game.vocabulary(match.state[0], 0)
    steps = (vocabulary.write(number) for number in range(match.game.actions))
    return [step.text for step in steps if step]


def nothing(form: Mapping[str, Any]) -> list[str]:
    """A single touch is enough."""
    return []


@dataclass(frozen=True, kw_only=True)
class Facts:
    """One game. Options that are left out are as they always are."""

    points: range
    """The points that are possible."""
    conserved: Callable[[Any], Any]
    """(state) to what no step may change."""
    short: Options
    """Options that keep a game at random from taking too long."""
    quick: Options
    """Options with which people play a whole game in some twenty steps."""
    options: Options
    """Every option there is, with a value of somebody's choice."""
    recorded: Iterable[int]
    """For so many players each, every end is among the recorded games."""
    draws: tuple[int, ...]
    """After so many steps each, chance has done something else last."""
    uneven: Options
    """Options with which some things are far more likely than others."""
    hidden_after: int | None
    """A number of steps after which everybody has secrets; None where there are none."""
    revealing: frozenset[str] = frozenset()
    """Steps that turn up what was hidden."""
    tries: Callable[[Match], list[str]] = every_action
    """Things that somebody may try, whether possible or not."""
    raised: Callable[[Mapping[str, Any]], list[str] | None] = nothing
    """(form of an action) to the pieces that are touched before it on the page; None for an action
    that takes more than touches."""


def facts(name: str) -> Facts:
    """What is to be known of a game."""
    found: Facts = import_module(f"{name}_kit").FACTS
    return found


SECRETIVE = [name for name in names() if facts(name).hidden_after is not None]
"""The games in which something is hidden."""
