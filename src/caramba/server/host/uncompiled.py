"""Bots of games that are not compiled yet: the same rules and advice as plain Python.

They think in a process of their own, which does not compile, from one line to the next: asked is a
position and a level, answered a step. It ends when nobody can ask it any more.
"""

import json
import os
import subprocess
import sys
from threading import Lock, Timer

from caramba.games.errors import InvalidSetup

PATIENCE = 20.0
"""Seconds for an answer, also of a process that has just been started on a busy machine."""
MOMENT = 1.0
"""Seconds in which it has to end by itself."""


class Uncompiled:
    """The process, which is there from the first start until it is put away."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[str] | None = None
        self._lock = Lock()
        self._closed = False

    @property
    def is_running(self) -> bool:
        """Whether it is there."""
        return self._process is not None

    def start(self) -> subprocess.Popen[str]:
        """Have it there: it takes a moment to load."""
        self._process = self._process or subprocess.Popen(
            [sys.executable, "-P", "-m", __name__],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
            start_new_session=True,  # Ctrl-C is for the server, which then puts it away
        )
        return self._process

    def choose(self, game: str, state: bytes, seat: int, players: int, level: str) -> str:
        """What a bot does, as a step in notation.

        A process that has died, or is stuck, is replaced, and asked once more.
        """
        line = json.dumps([game, state.hex(), seat, players, level])
        with self._lock:
            for _ in range(2):
                if not self._closed and (answer := self._asked(line)):
                    return answer.rstrip("\n")
                self._end()
        raise InvalidSetup("a bot that is not compiled yet failed; the lines above say why")

    def _asked(self, line: str) -> str:
        """The answer to a line; nothing if the process has ended, or had to be."""
        process = self.start()
        assert process.stdin
        assert process.stdout
        overdue = Timer(PATIENCE, process.kill)
        overdue.start()
        try:
            print(line, file=process.stdin, flush=True)
            return process.stdout.readline()
        except OSError:
            return ""
        finally:
            overdue.cancel()

    def put_away(self) -> None:
        """End it; asked again, it starts again."""
        with self._lock:
            self._end()

    def close(self) -> None:
        """End it for good, also if somebody waits for its answer."""
        self._closed = True
        if not self._lock.acquire(timeout=MOMENT):
            if self._process:
                self._process.kill()
            self._lock.acquire()
        self._end()
        self._lock.release()

    def _end(self) -> None:
        """Tell it that nobody asks any more, and wait until it is gone."""
        if self._process:
            try:
                self._process.communicate(timeout=MOMENT)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.communicate()
            self._process = None


def answer_all() -> None:
    """In the process: answer line by line, until nobody asks any more."""
    from caramba.bots.knowledge import Knowledge
    from caramba.games.contract import load
    from caramba.server.host.desk import chosen

    for line in sys.stdin:
        name, state, seat, players, level = json.loads(line)
        game = load(name)
        states = game.layout.states(bytes.fromhex(state))
        print(chosen(Knowledge(game, states, seat, players), level), flush=True)


if __name__ == "__main__":
    answer_all()
