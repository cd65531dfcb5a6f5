"""Compile a game's rules ahead of play, once; afterwards they are read from the cache."""

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from caramba.games import cache, chance, generic, masks
from caramba.games.compiled import CACHE, IS_COMPILED
from caramba.games.contract import CHANCE, Game, check_options
from caramba.games.playout import Playout


def is_warm(game: Game, folder: Path = CACHE) -> bool:
    """Whether what belongs into this folder is compiled, or need not be."""
    return not IS_COMPILED or _sign(game, folder).exists()


def parts(game: Game) -> Iterator[tuple[str, Callable[[], object]]]:
    """The parts to compile: what each is, and a call that compiles it."""
    players = game.players[0]
    states = game.setup(players, check_options(game, players, {}))
    rng = chance.streams(0, 1)
    mask = np.zeros(masks.width(game.actions), np.uint64)
    weights = np.zeros(game.widest_chance, np.int64)
    points = np.zeros(players, np.int64)
    out = np.zeros(game.observation, np.float32)
    playout = Playout(game, states, players)

    def decision() -> np.ndarray:
        state = states.copy()
        while generic.actor_of(state) == CHANCE:
            generic.apply_to(state, generic.draw_for(state, rng[0]))
        return state

    yield "turns", lambda: generic.actor_of(states)
    yield "choices", lambda: (generic.legal_of(decision(), mask), masks.is_allowed(mask, 0))
    yield "chance", lambda: generic.chances_of(states, weights)
    yield "results", lambda: generic.outcome_of(states, points)
    yield "observations", lambda: generic.observe_from(states, 0, out)
    yield "other worlds", lambda: generic.resample_for(states, 0, rng[0])
    yield "moves", lambda: generic.apply_to(states.copy(), generic.chances_of(states, weights)[0])
    yield "many games", lambda: playout.play(rng)
    yield "done", lambda: mark(game)


def _sign(game: Game, folder: Path) -> Path:
    return folder / f"{game.name}.compiled"


def mark(game: Game, folder: Path = CACHE) -> None:
    """Remember that it is done; forget compiled rules that nobody has used for long."""
    _sign(game, folder).touch()
    cache.forget_unused(folder.parent)
