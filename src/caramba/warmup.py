"""Everything that is compiled for a game: its rules, and what the bots need."""

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from multiprocessing import get_context

from caramba.games import warm
from caramba.games.contract import Game, load
from caramba.games.errors import InvalidSetup
from caramba.processes import end_with

Advance = Callable[[int, int], None]
"""Is told how far it is: done, total."""


def is_ready(game: Game, for_bots: bool) -> bool:
    """Whether there is nothing left to compile."""
    if not for_bots:
        return warm.is_warm(game)
    from caramba.bots import warm as bots  # which takes a while to load

    return warm.is_warm(game) and bots.is_warm(game)


def prepare(game: Game, for_bots: bool, advance: Advance) -> None:
    """Compile part by part, here."""
    parts = _parts(game, for_bots)
    for done, compile_it in enumerate(parts, 1):
        compile_it()
        advance(done, len(parts))


def prepare_all(games: Sequence[Game], advance: Advance) -> None:
    """Compile several games side by side, each part by part."""
    with ProcessPoolExecutor(None, get_context("spawn"), end_with, (os.getpid(),)) as pool:
        try:
            _compile_all(games, pool, advance)
        except BrokenProcessPool:
            raise InvalidSetup("a process that compiled has died") from None


def _compile_all(games: Sequence[Game], pool: ProcessPoolExecutor, advance: Advance) -> None:
    total = sum(len(_parts(game, for_bots=True)) for game in games)
    chains = {game.name: iter(range(len(_parts(game, for_bots=True)))) for game in games}
    running = {pool.submit(_compile, name, next(chains[name])): name for name in chains}
    for done in range(1, total + 1):
        future = next(as_completed(running))
        name = running.pop(future)
        future.result()
        for part in islice(chains[name], 1):
            running[pool.submit(_compile, name, part)] = name
        advance(done, total)


def _parts(game: Game, for_bots: bool) -> list[Callable[[], object]]:
    parts = list(warm.parts(game))
    if for_bots:
        from caramba.bots import warm as bots

        parts += bots.parts(game)
    return [part for _, part in parts]


def _compile(name: str, part: int) -> None:
    _parts(load(name), for_bots=True)[part]()
