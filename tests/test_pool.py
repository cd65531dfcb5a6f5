"""Bots of several workers think in one process, in fair turns; it may die at any time."""

import asyncio
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path

import pytest

from caramba.match.match import Match
from caramba.server.host import pool
from caramba.server.host.pool import Pool, Question
from caramba.server.host.thinking import Thinkers
from kit import random_match

PATIENCE = 60


@pytest.fixture
def path() -> Iterator[str]:
    """Where the process is; the name of such a place is short."""
    with tempfile.TemporaryDirectory() as folder:
        yield f"{folder}/thinkers"


@contextmanager
def process(path: str) -> Iterator["subprocess.Popen[bytes]"]:
    """The process, with one thread."""
    read, write = os.pipe()
    given = (path, "1", str(os.getpid()), str(write))
    command = [sys.executable, "-P", "-m", "caramba.server.host.pool", *given]
    with subprocess.Popen(command, pass_fds=(write,)) as running:
        os.close(write)
        assert os.read(read, 1) == b"1"
        os.close(read)
        try:
            yield running
        finally:
            running.send_signal(signal.SIGCONT)
            running.kill()


def match() -> Match:
    """A game in which somebody has a choice, and an expert looks ahead."""
    games = (random_match("auction", 2, 1, steps) for steps in range(11, 40))
    return next(game for game in games if len(game.legal()) > 1)


def question(table: str, payer: str = "ana") -> Question:
    game = match()
    assert game.actor is not None
    state = game.state.tobytes()
    return Question(0, "easy", game.game.name, state, game.actor, 2, payer, table)


def test_a_bot_of_any_worker_is_answered(path: str) -> None:
    async def ask() -> list[str]:
        one, two = Pool(path), Pool(path)
        asked = [one.ask(question("t")), one.ask(question("u")), two.ask(question("v"))]
        answers = await asyncio.wait_for(asyncio.gather(*asked), PATIENCE)
        assert (one.waiting, two.waiting) == (0, 0)
        one.close()
        two.close()
        return list(answers)

    with process(path):
        assert {*asyncio.run(ask())} <= {*match().legal()}


def test_whatever_was_asked_is_asked_again_of_the_next_process(
    path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pool, "AGAIN", 0.05)

    async def ask() -> str:
        asking = Pool(path)
        asked = asking.ask(question("t"))  # there is none yet
        with process(path) as first:
            first.send_signal(signal.SIGSTOP)
            await asyncio.sleep(0.3)
        assert not asked.done()
        with process(path):
            answer = await asyncio.wait_for(asked, PATIENCE)
        asking.close()
        return answer

    assert asyncio.run(ask()) in match().legal()


def note(order: list[str], name: str, _: object) -> None:
    order.append(name)


def test_a_process_that_ends_in_the_middle_of_a_line_is_followed_by_the_next(path: str) -> None:
    async def half_a_line(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readline()
        writer.write(b'{"number"')
        writer.close()
        heard.set()

    async def ask() -> str:
        server = await asyncio.start_unix_server(half_a_line, path)
        answer = pool_.ask(question("a"))
        await asyncio.wait_for(heard.wait(), PATIENCE)
        await asyncio.sleep(0.1)
        server.close()
        Path(path).unlink(missing_ok=True)
        with process(path):
            return await asyncio.wait_for(answer, PATIENCE)

    pool_, heard = Pool(path), asyncio.Event()
    assert asyncio.run(ask()) in match().legal()


def test_payers_take_turns_whichever_workers_they_come_to(path: str) -> None:
    """Somebody with many tables keeps somebody with one waiting for one thing at most."""
    order: list[str] = []

    async def ask() -> None:
        one, two = Pool(path), Pool(path)
        with process(path) as running:
            running.send_signal(signal.SIGSTOP)
            many = [one.ask(question(f"t{number}", "many")) for number in range(10)]
            single = two.ask(question("u", "single"))
            for asked, name in [*((asked, "many") for asked in many), (single, "single")]:
                asked.add_done_callback(partial(note, order, name))
            await asyncio.sleep(0.3)
            running.send_signal(signal.SIGCONT)
            await asyncio.wait_for(asyncio.gather(*many, single), PATIENCE)
        one.close()
        two.close()

    asyncio.run(ask())
    assert len(order) == 11
    assert order.index("single") < 10


def test_nobody_thinks_of_what_nobody_wants_to_know(path: str) -> None:
    async def ask() -> None:
        asking = Pool(path)
        with process(path):
            await asyncio.wait_for(asking.ask(question("t")), PATIENCE)
            given_up = asking.ask(question("u"))
            given_up.cancel()
            with suppress(asyncio.CancelledError):
                await given_up
            await asyncio.sleep(0)
            assert asking.waiting == 0
            assert await asyncio.wait_for(asking.ask(question("u")), PATIENCE)
        asking.close()

    asyncio.run(ask())


def test_a_bot_that_fails_is_told_to_who_asked(path: str) -> None:
    async def ask() -> None:
        asking, wrong = Pool(path), question("t")
        wrong.level = "nobody"
        with process(path), pytest.raises(RuntimeError):
            await asyncio.wait_for(asking.ask(wrong), PATIENCE)
        asking.close()

    asyncio.run(ask())


def test_only_those_who_look_ahead_think_there(path: str) -> None:
    async def ask() -> tuple[str, int]:
        thinkers, game = Thinkers(1, pool=path), match()
        assert game.actor is not None
        quick = await thinkers.think(game, game.actor, "easy", "ana", "t")
        waiting = thinkers.think(game, game.actor, "expert", "ana", "t")
        assert thinkers._pool is not None
        many = thinkers._pool.waiting
        waiting.cancel()
        thinkers.close()
        return quick, many

    answer, waiting = asyncio.run(ask())
    assert answer in match().legal()
    assert waiting == 1
    assert not Path(path).exists()
