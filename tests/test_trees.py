"""Game trees of tiny variants, counted and compared with trees/*.txt.

Whole ones where a game must end; down to `depth` where dice may show 0 for ever, and where a
whole deck is dealt only from where so many random `steps` from a `seed` have led.
"""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from caramba.games import contract, masks
from caramba.games.compiled import IS_COMPILED, compiled
from caramba.games.contract import CHANCE, OVER
from caramba.games.generic import actor, apply, chances, legal
from kit import random_match

TREES = Path(__file__).parent / "trees"
DEPTH = 200


def trees() -> list[Any]:
    """Every line: players, options as NAME=VALUE, then the three counts."""
    found = []
    for file in sorted(TREES.glob("*.txt")):
        if ".large" in file.name and not IS_COMPILED:
            continue
        for line in file.read_text().splitlines():
            if line and not line.startswith("#"):
                setting, counts = line.split("|")
                game = file.name.split(".")[0]
                name = f"{game} {' '.join(setting.split())}"
                found.append(pytest.param(game, setting.split(), counts.split(), id=name))
    return found


@pytest.mark.parametrize(("name", "setting", "counts"), trees())
def test_the_tree_has_this_many_nodes(name: str, setting: list[str], counts: list[str]) -> None:
    game = contract.load(name)
    players, *texts = setting
    parsers: dict[str, Any] = {option.name: option.parse for option in game.options}
    parsers["depth"] = parsers["seed"] = parsers["steps"] = int
    pairs = (text.split("=") for text in texts)
    options = {key: parsers[key](value) for key, value in pairs}
    depth = options.pop("depth", DEPTH - 1)
    seed, steps = options.pop("seed", 0), options.pop("steps", 0)
    start = random_match(name, int(players), seed, steps, **options).state
    assert count_tree(game, start, depth) == [int(count) for count in counts]


def count_tree(game: contract.Game, start: np.ndarray, deepest: int) -> list[int]:
    """Chance, decision and terminal nodes from a state down to a depth."""
    states = np.zeros(DEPTH, game.state)
    states[0] = start[0]
    mask = np.zeros(masks.width(game.actions), np.uint64)
    weights = np.zeros(game.widest_chance, np.int64)
    counts = np.zeros(3, np.int64)
    steps = np.zeros((DEPTH, max(game.actions, game.widest_chance)), np.int16)
    walk(states, steps, mask, weights, counts, deepest)
    return [int(count) for count in counts]


@compiled
def walk(states, steps, mask, weights, counts, deepest):  # type: ignore[no-untyped-def]
    """Depth first, with the steps still to be tried at each depth in a table."""
    left = np.zeros(len(states), np.int64)
    depth = 0
    left[0] = enter(states[0], steps[0], mask, weights, counts)
    while depth >= 0:
        if left[depth] == 0:
            depth -= 1
        else:
            left[depth] -= 1
            states[depth + 1] = states[depth]
            apply(states[depth + 1], int(steps[depth][left[depth]]))
            depth += 1
            left[depth] = enter(states[depth], steps[depth], mask, weights, counts)
            if depth == deepest:
                left[depth] = 0


@compiled
def enter(s, steps, mask, weights, counts):  # type: ignore[no-untyped-def]
    """Count a node; list its steps; return how many there are."""
    who = actor(s)
    many = 0
    if who == OVER:
        counts[2] += 1
    elif who == CHANCE:
        counts[0] += 1
        first, width = chances(s, weights)
        for i in range(width):
            if weights[i]:
                steps[many] = first + i
                many += 1
    else:
        counts[1] += 1
        mask[:] = 0
        legal(s, mask)
        many = masks.count(mask)
        for i in range(many):
            steps[i] = masks.nth(mask, i)
    return many
