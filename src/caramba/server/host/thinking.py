"""Bots at work: in threads of their own, in fair turns, from the knowledge of their seat."""

import asyncio
from collections.abc import Callable
from functools import partial

from caramba.bots.knowledge import Knowledge
from caramba.bots.levels import LEVELS, takes_long
from caramba.games import names
from caramba.games.errors import InvalidSetup
from caramba.match.match import Match
from caramba.server.host.desk import Decision, Desk, chosen
from caramba.server.host.pool import Pool, Question
from caramba.server.host.uncompiled import Uncompiled


class Thinkers:
    """All bots of a server: those who look ahead in some threads, the quick ones in another.

    Those of several workers look ahead together, in a process that they share.
    As long as a game is not compiled, players by rules play it as plain Python; the others cannot.
    """

    def __init__(
        self,
        threads: int,
        compiled: Callable[[str], bool] = lambda game: True,
        pool: str | None = None,
    ) -> None:
        self._pool = Pool(pool) if pool else None
        self._quick = Desk(1, "quick bot")
        self._searching = Desk(threads, "bot", modest=True)
        self._compiled = compiled
        self.uncompiled = Uncompiled()
        if not self._all_compiled:
            self.uncompiled.start()

    @property
    def _all_compiled(self) -> bool:
        return all(map(self._compiled, names()))

    def can_play(self, game: str, level: str) -> bool:
        """Whether bots of that level are ready for a game."""
        return self._compiled(game) or not LEVELS[level].learned

    def think(
        self, match: Match, seat: int, level: str, payer: str, table: str
    ) -> asyncio.Future[str]:
        """What a bot of that level does at a seat, as the game stands at this moment.

        Payers take turns, whoever they are, and so do the tables of a payer. A table waits for
        one decision: another one takes its place.
        """
        think, desk = self._way_to_think(match, seat, level)
        if self._pool is not None and desk is self._searching:
            state = match.state.tobytes()
            asked = Question(0, level, match.game.name, state, seat, match.players, payer, table)
            return self._pool.ask(asked)
        decision = Decision(think, payer, table)
        desk.put(decision)
        return asyncio.wrap_future(decision.answer)

    def _way_to_think(self, match: Match, seat: int, level: str) -> tuple[Callable[[], str], Desk]:
        """How a decision is made, and where: looking ahead would keep quick ones waiting."""
        game, state, players = match.game, match.state, match.players
        if not self._compiled(game.name):
            asked = (game.name, state.tobytes(), seat, players, level)
            return partial(self.uncompiled.choose, *asked), self._quick
        knowledge = Knowledge(game, state, seat, players)
        quick = len(knowledge.legal) == 1 or not takes_long(level, knowledge)
        return partial(self._choose, knowledge, level), self._quick if quick else self._searching

    def _choose(self, knowledge: Knowledge, level: str) -> str:
        """In the thread of a desk, which may wait until the process of before has ended."""
        if self.uncompiled.is_running and self._all_compiled:
            self.uncompiled.put_away()
        return chosen(knowledge, level)

    @property
    def waiting(self) -> int:
        """How many decisions nobody has begun to make."""
        shared = 0 if self._pool is None else self._pool.waiting
        return len(self._quick) + len(self._searching) + shared

    def close(self) -> None:
        """Let go; a decision that is being made comes to its end."""
        self.uncompiled.close()
        if self._pool is not None:
            self._pool.close()
        for desk in (self._quick, self._searching):
            desk.close()


def check_level(level: str) -> str:
    """The level, if there is such a one."""
    if level not in LEVELS:
        raise InvalidSetup(f"there is no level {level[:40]!r}; there are {', '.join(LEVELS)}")
    return level
