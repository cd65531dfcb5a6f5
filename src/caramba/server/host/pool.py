"""Bots of several workers think in one process: in fair turns, whichever worker asks for them.

Asked are positions and levels, answered steps, a line of JSON each. The process may die: a worker
asks the next one again for whatever it still waits for.
"""

import asyncio
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from itertools import count

import msgspec

from caramba.processes import end_with
from caramba.server import telemetry
from caramba.server.host.desk import Decision, Desk, chosen

AGAIN = 0.5
"""Seconds until a process that is not there is looked for again."""
LONGEST = 2**20
"""Bytes of a line: a position has some thousand."""


class Question(msgspec.Struct, array_like=True):
    """What does a bot do? Nobody wants to know any more, if there is no level."""

    number: int
    level: str = ""
    game: str = ""
    state: bytes = b""
    seat: int = 0
    players: int = 0
    payer: str = ""
    table: str = ""


class Answer(msgspec.Struct, array_like=True):
    """What it does; nothing, if it failed."""

    number: int
    step: str


# In a worker


class Pool:
    """The process, as a worker reaches it."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._numbers = count()
        self._asked: dict[int, tuple[Question, asyncio.Future[str]]] = {}
        self._writer: asyncio.StreamWriter | None = None
        self._talking: asyncio.Task[None] | None = None

    @property
    def waiting(self) -> int:
        """How many answers are still to come."""
        return len(self._asked)

    def ask(self, question: Question) -> asyncio.Future[str]:
        """The answer to come; who no longer wants it cancels it."""
        answer: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        question.number = next(self._numbers)
        self._asked[question.number] = question, answer
        answer.add_done_callback(partial(self._forget, question.number))
        self._send(question)
        if self._talking is None:
            self._talking = asyncio.create_task(self._talk())
        return answer

    def _forget(self, number: int, answer: asyncio.Future[str]) -> None:
        del self._asked[number]
        if answer.cancelled():
            self._send(Question(number))

    def _send(self, question: Question) -> None:
        if self._writer:
            self._writer.write(msgspec.json.encode(question) + b"\n")

    async def _talk(self) -> None:
        """As long as there is a worker; with one process after the other."""
        while True:
            try:
                reader, self._writer = await asyncio.open_unix_connection(self.path, limit=LONGEST)
                for question, _ in self._asked.values():
                    self._send(question)
                while line := await reader.readline():
                    self._hear(msgspec.json.decode(line, type=Answer))
            except (OSError, ValueError):
                pass  # it is not there, or ended in the middle of a line
            finally:
                if self._writer:
                    self._writer.close()
                self._writer = None
            await asyncio.sleep(AGAIN)

    def _hear(self, answer: Answer) -> None:
        _, waiting = self._asked.get(answer.number, (None, None))
        if waiting is None or waiting.done():
            return
        if answer.step:
            waiting.set_result(answer.step)
        else:
            waiting.set_exception(RuntimeError("a bot failed"))

    def close(self) -> None:
        """Let go."""
        if self._talking:
            self._talking.cancel()


# In the process


class Thinking:
    """Answers all workers."""

    def __init__(self, threads: int) -> None:
        self.desk = Desk(threads, "bot", modest=True)

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One worker, until it hangs up: then nobody wants to know any more what it asked."""
        loop = asyncio.get_running_loop()
        asked: dict[int, Decision] = {}

        def tell(number: int, step: str) -> None:
            asked.pop(number, None)
            if not writer.is_closing():
                writer.write(msgspec.json.encode(Answer(number, step)) + b"\n")

        try:
            while line := await reader.readline():
                question = msgspec.json.decode(line, type=Question)
                if not question.level:
                    if given_up := asked.pop(question.number, None):
                        given_up.answer.cancel()
                    continue
                then = partial(loop.call_soon_threadsafe, partial(tell, question.number))
                asked[question.number] = self._put(question, then)
        except (OSError, ValueError):
            pass  # it is gone
        finally:
            for decision in list(asked.values()):
                decision.answer.cancel()
            writer.close()

    def _put(self, question: Question, tell: Callable[[str], object]) -> Decision:
        """Have a decision made, and told."""
        decision = Decision(partial(decide, question), question.payer, question.table)

        def told(done: object) -> None:
            if not decision.answer.cancelled():
                failed = decision.answer.exception() is not None
                with suppress(RuntimeError):  # of a loop that has ended
                    tell("" if failed else decision.answer.result())

        decision.answer.add_done_callback(told)
        self.desk.put(decision)
        return decision


def decide(question: Question) -> str:
    """What a bot does that knows what its seat does."""
    from caramba.bots.knowledge import Knowledge
    from caramba.games.contract import load

    game = load(question.game)
    state = game.layout.states(question.state)
    try:
        return chosen(Knowledge(game, state, question.seat, question.players), question.level)
    except Exception as error:
        telemetry.stumbled("a bot failed", error)
        raise


async def think(path: str, threads: int, ready: Callable[[], object] = lambda: None) -> None:
    """Answer until the process ends."""
    thinking = Thinking(threads)
    with suppress(FileNotFoundError):
        os.unlink(path)
    server = await asyncio.start_unix_server(thinking.answer, path, limit=LONGEST)
    async with server:
        ready()
        await server.serve_forever()


def main() -> None:
    """The process: where workers find it, how many threads there are, who started it, and where
    that hears that it is ready.
    """
    path, (threads, parent, ready) = sys.argv[1], map(int, sys.argv[2:])
    end_with(parent)
    telemetry.set_up_log()
    asyncio.run(think(path, threads, partial(os.write, ready, b"1")))


if __name__ == "__main__":
    main()
