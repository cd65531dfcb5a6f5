"""Bots at work: in threads of their own, from the knowledge of their seat."""

import asyncio
import secrets
import threading
from concurrent.futures import ThreadPoolExecutor

from caramba.bots.knowledge import Bot, Knowledge, ask
from caramba.bots.levels import LEVELS, make_bot
from caramba.games.errors import InvalidSetup
from caramba.match.match import Match


class Thinkers:
    """Some threads, each with a bot of every level: bots remember nothing between decisions."""

    def __init__(self, threads: int) -> None:
        self._threads = ThreadPoolExecutor(threads, "bot")
        self._bots = threading.local()

    def think(self, match: Match, seat: int, level: str) -> asyncio.Future[str]:
        """What a bot of that level does at a seat, as the game stands at this moment."""
        knowledge = Knowledge(match.game, match.state, seat, match.players)
        loop = asyncio.get_running_loop()
        return loop.run_in_executor(self._threads, self._decide, knowledge, level)

    def _decide(self, knowledge: Knowledge, level: str) -> str:
        if len(knowledge.legal) == 1:
            return knowledge.text(knowledge.legal[0])
        bots: dict[str, Bot] = self._bots.__dict__
        if level not in bots:
            bots[level] = make_bot(level, secrets.randbits(32))
        return knowledge.text(ask(bots[level], knowledge))

    def close(self) -> None:
        """Let go; a decision that is being made comes to its end."""
        self._threads.shutdown(cancel_futures=True)


def check_level(level: str) -> str:
    """The level, if there is such a one."""
    if level not in LEVELS:
        raise InvalidSetup(f"there is no level {level[:40]!r}; there are {', '.join(LEVELS)}")
    return level
