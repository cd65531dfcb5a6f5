"""Who plays the games of an arena: the processes of this machine, or a Ray cluster."""

import os
import signal
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from multiprocessing import get_context
from signal import SIGPIPE
from typing import Any

from caramba.bots.arena import ArenaSettings, Played, Round, play_round
from caramba.games.errors import InvalidSetup
from caramba.processes import end_with

WAITING = 4
"""Games handed out ahead, for each worker."""


def _finished(
    rounds: Iterable[Round],
    most: int,
    begin: Callable[[Round], Any],
    wait_for_some: Callable[[list[Any]], tuple[Iterable[Any], Iterable[Any]]],
) -> Iterator[Any]:
    """Games as they finish, with at most so many begun at a time."""
    todo = iter(rounds)
    running = [begin(each) for each in islice(todo, most)]
    while running:
        done, others = wait_for_some(running)
        running = list(others)
        for game in done:
            running += [begin(each) for each in islice(todo, 1)]
            yield game


def died(settings: ArenaSettings) -> str:
    """What is said when a process is gone in the middle of a game."""
    return (
        "a process that played has died, and its game is not counted; a bot that thinks for more"
        f" than {settings.limit:g} s and cannot be interrupted ends it; see the lines above,"
        " or those in the log of a cluster"
    )


class Processes:
    """Processes of this machine, one a core unless told."""

    def __init__(self, many: int | None = None) -> None:
        self.many = many or len(os.sched_getaffinity(0))

    def play_all(self, settings: ArenaSettings, rounds: Iterable[Round]) -> Iterator[Played]:
        """Play these games; yield each as soon as it is finished."""
        before = signal.signal(SIGPIPE, signal.SIG_IGN)  # a process that died must not end ours
        pool = ProcessPoolExecutor(self.many, get_context("spawn"), _begin, (os.getpid(),))
        games = _finished(
            rounds,
            WAITING * self.many,
            lambda each: pool.submit(play_round, settings, each, may_end_process=True),
            lambda running: wait(running, return_when=FIRST_COMPLETED),
        )
        try:
            yield from (game.result() for game in games)
        except BrokenProcessPool:
            raise InvalidSetup(died(settings)) from None
        finally:
            _stop(pool)
            signal.signal(SIGPIPE, before)


def _begin(boss: int) -> None:
    """In a process that plays: leave interrupts to the boss, and end with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_with(boss)


def _stop(pool: ProcessPoolExecutor) -> None:
    """Let go of processes, which may be in the middle of a game; no haste may disturb that."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    for process in list((pool._processes or {}).values()):
        process.terminate()
    pool.shutdown(wait=True, cancel_futures=True)
    signal.signal(signal.SIGINT, before)


class Cluster:
    """The workers of a Ray cluster. Caramba must be installed there, too."""

    def __init__(self, address: str) -> None:
        try:
            import ray
        except ImportError:
            message = "--ray needs Ray: pip install 'caramba[cluster]' brings it"
            raise InvalidSetup(message) from None
        self.ray: Any = ray
        try:
            ray.init(address=address, log_to_driver=False, configure_logging=False)
        except (ConnectionError, ValueError, RuntimeError) as error:
            raise InvalidSetup(f"no Ray cluster at {address}: {error}") from None

    def play_all(self, settings: ArenaSettings, rounds: Iterable[Round]) -> Iterator[Played]:
        """Play these games; yield each as soon as it is finished."""
        remote = self.ray.remote(max_retries=0)(play_round)
        many = int(self.ray.cluster_resources().get("CPU", 1))
        games = _finished(
            rounds,
            WAITING * many,
            lambda each: remote.remote(settings, each, may_end_process=True),
            self.ray.wait,
        )
        try:
            yield from (self.ray.get(game) for game in games)
        except self.ray.exceptions.WorkerCrashedError:
            raise InvalidSetup(died(settings)) from None
        finally:
            self.ray.shutdown()
