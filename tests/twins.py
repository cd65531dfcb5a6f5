"""Two games that one viewer cannot tell apart, step by step, though they are not the same."""

from random import Random

import msgspec

from caramba.games.contract import CHANCE
from caramba.match.match import Match
from kit import short_match

TRIES = 25
"""Steps that are tried to find one that looks the same."""


def twins(game: str, players: int, viewer: int, steps: int, seed: int = 0) -> tuple[Match, Match]:
    """Two matches of about so many steps, both standing where a player is asked."""
    for attempt in range(200):
        pair = _attempt(game, players, viewer, steps, Random(f"{seed} {viewer} {attempt}"))
        if pair and pair[0].state.tobytes() != pair[1].state.tobytes():
            return pair
    raise AssertionError("no twins were found")


def _attempt(
    game: str, players: int, viewer: int, steps: int, random: Random
) -> tuple[Match, Match] | None:
    one, two = (short_match(game, players, 0) for _ in range(2))
    while len(one.steps) < steps or one.actor == CHANCE:
        possible = one.legal() or list(one.chances())
        one.play(random.choice(possible))
        if one.actor is None or not _follow(two, one, viewer, random):
            return None
    return one, two


def _follow(two: Match, one: Match, viewer: int, random: Random) -> bool:
    """Take a step that looks to the viewer like the last of the other match: another, if any."""
    last = one.steps[-1][1]
    possible = two.legal() or list(two.chances())
    others = [text for text in possible if text != last]
    random.shuffle(others)
    bold = two.actor != viewer and random.random() < 0.3
    same = [last] if last in possible else []
    ordered = [*others[:3], *same, *others[3:]] if bold else [*same, *others]
    seen = look(one, viewer)
    for text in ordered[:TRIES]:
        two.play(text)
        if look(two, viewer) == seen:
            return True
        two.undo()
    return False


def look(match: Match, viewer: int) -> bytes:
    """What the last step told a viewer, and how it stands now."""
    told = [event for _, event in match.events(viewer, len(match.steps) - 1)]
    return msgspec.json.encode([told, match.view(viewer)])
