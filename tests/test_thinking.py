"""Bots at work: whose turn it is to think, and who need not wait for it."""

import asyncio
import threading
import time
from collections.abc import Callable, Coroutine, Iterator
from dataclasses import replace
from functools import partial
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from caramba.bots.knowledge import Knowledge
from caramba.bots.levels import LEVELS
from caramba.games.errors import InvalidSetup
from caramba.match.match import Match
from caramba.server.host import desk
from caramba.server.host.thinking import Thinkers
from caramba.server.host.turns import PAYER, ROUND, Aside, FairQueue, Turns
from kit import random_match

ASKED = "auction"
"""A game in which the first player has many choices, and an expert looks ahead."""


# Turns of the loop


def test_one_long_thing_is_begun_each_time_round_and_addresses_take_turns() -> None:
    begun: list[str] = []

    async def work(turns: Turns, payer: str) -> None:
        PAYER.set(payer)
        await turns.wait()
        begun.append(payer)
        time.sleep(2 * ROUND)  # a long thing

    async def look(rounds: list[int]) -> None:
        for _ in range(40):
            rounds.append(len(begun))
            await asyncio.sleep(0)

    async def flood() -> list[int]:
        turns, rounds = Turns(), list[int]()
        greedy = [asyncio.create_task(work(turns, "greedy")) for _ in range(20)]
        modest = asyncio.create_task(work(turns, "modest"))
        await asyncio.gather(look(rounds), *greedy, modest)
        assert not len(turns._waiting)
        return rounds

    rounds = asyncio.run(flood())
    assert len(begun) == 21
    assert begun.index("modest") <= 2, "after one of the other's, not after twenty"
    assert max(after - before for before, after in pairwise(rounds)) <= 2


def test_who_no_longer_waits_takes_no_turn() -> None:
    async def give_up() -> bool:
        turns = Turns()
        waits = [asyncio.create_task(turns.wait()) for _ in range(3)]
        await asyncio.sleep(0)
        waits[1].cancel()
        await asyncio.gather(*waits, return_exceptions=True)
        return waits[2].done() and not len(turns._waiting)

    assert asyncio.run(give_up())


def test_long_work_is_done_in_fair_turns_also_if_somebody_gives_up() -> None:
    done: list[str] = []
    gate = threading.Event()

    def work(name: str) -> str:
        gate.wait(20)
        done.append(name)
        return name

    async def ask() -> list[Any]:
        aside = Aside()

        async def do(name: str) -> str:
            PAYER.set(name[0])
            return await aside.do(partial(work, name))

        asked = [asyncio.create_task(do(name)) for name in ("a0", "a1", "a2", "a3", "b0")]
        await asyncio.sleep(0)
        asked[2].cancel()
        gate.set()
        answers = await asyncio.gather(*asked, return_exceptions=True)
        aside.close()
        return answers

    answers = asyncio.run(ask())
    assert done == ["a0", "a1", "b0", "a3"] or done == ["a0", "b0", "a1", "a3"]
    assert [answer for answer in answers if isinstance(answer, str)] == ["a0", "a1", "a3", "b0"]


def test_long_work_that_fails_says_so_and_others_go_on() -> None:
    async def ask() -> list[Any]:
        aside = Aside()
        asked = (aside.do(partial(divmod, 7, by)) for by in (0, 2))
        answers = await asyncio.gather(*asked, return_exceptions=True)
        aside.close()
        return answers

    failed, answer = asyncio.run(ask())
    assert isinstance(failed, ZeroDivisionError)
    assert answer == (3, 1)


# The queue


def drained(queue: FairQueue[str]) -> list[str]:
    return list(iter(queue.take, None))


def test_payers_take_turns_and_so_do_the_tables_of_a_payer() -> None:
    queue = FairQueue[str]()
    for payer, table in ("a1", "a2", "a3", "b1", "b2", "c1"):
        queue.put(payer, table, payer + table)
    assert drained(queue) == ["a1", "b1", "c1", "a2", "b2", "a3"]


def test_who_comes_later_waits_for_one_turn_of_each_other_payer() -> None:
    queue = FairQueue[str]()
    for table in range(60):
        queue.put("a", str(table), f"a{table}")
    assert queue.take() == "a0"
    queue.put("b", "0", "b0")
    queue.put("a", "0", "a0 again")
    assert drained(queue)[:3] == ["a1", "b0", "a2"]


def test_a_table_that_was_served_is_behind_the_other_tables_of_its_payer() -> None:
    queue = FairQueue[str]()
    queue.put("a", "1", "first of 1")
    queue.put("a", "2", "first of 2")
    assert queue.take() == "first of 1"
    queue.put("a", "1", "second of 1")
    assert drained(queue) == ["first of 2", "second of 1"]


def test_a_table_waits_for_one_thing_at_a_time() -> None:
    queue = FairQueue[str]()
    assert queue.put("a", "1", "old") is None
    queue.put("a", "2", "other")
    assert queue.put("a", "1", "new") == "old"
    queue.remove("a", "1", "old")
    assert drained(queue) == ["new", "other"]


def test_what_is_removed_leaves_nothing_behind() -> None:
    queue = FairQueue[str]()
    queue.put("a", "1", "x")
    queue.put("b", "1", "y")
    queue.remove("a", "1", "x")
    queue.remove("a", "1", "x")
    queue.remove("nobody", "1", "x")
    assert (len(queue), drained(queue), queue.take()) == (1, ["y"], None)
    assert vars(queue) == vars(FairQueue[str]())


def test_between_two_turns_of_a_payer_all_others_who_wait_have_theirs() -> None:
    """In whatever order they come and go."""
    random, queue = Random(1), FairQueue[str]()
    tables: dict[str, set[str]] = {payer: set() for payer in "abcd"}
    passed = dict.fromkeys(tables, 0)
    for _ in range(5000):
        payer, table = random.choice("abcd"), random.choice("123")
        if random.random() < 0.6:
            queue.put(payer, table, payer + table)
            tables[payer].add(table)
        elif found := queue.take():
            payer, table = found[0], found[1]
            tables[payer].remove(table)
            passed = {p: passed[p] + 1 if tables[p] and p != payer else 0 for p in tables}
            assert max(passed.values()) < len(tables)


# The threads

DEEP = "deep"
"""One more level that looks ahead, to be told from the other."""


class Bots:
    """Those that think until they are told to stop; it knows who has begun, in which order."""

    def __init__(self) -> None:
        self.begun: list[str] = []
        self.ill = False
        self.held = {level.name for level in LEVELS.values() if level.searches}
        """Levels that wait for `go`."""
        self.go = threading.Semaphore(0)
        self.busy = threading.Semaphore(0)
        """Released whenever somebody begins to think."""

    def bot(self, level: str, seed: int) -> "Slow":
        return Slow(self, level)


class Slow:
    def __init__(self, bots: Bots, level: str) -> None:
        self.bots, self.level = bots, level

    def choose(self, knowledge: Knowledge) -> int:
        assert not self.bots.ill
        self.bots.begun.append(self.level)
        self.bots.busy.release()
        if self.level in self.bots.held:
            assert self.bots.go.acquire(timeout=30)
        return knowledge.legal[0]


@pytest.fixture
def bots(monkeypatch: pytest.MonkeyPatch) -> Bots:
    monkeypatch.setitem(LEVELS, DEEP, replace(LEVELS["expert"], name=DEEP))
    bots = Bots()
    monkeypatch.setattr(desk, "make_bot", bots.bot)
    return bots


@pytest.fixture
def match() -> Match:
    match = Match(ASKED, players=2, seed=1, options={"first": 0})
    match.deal()
    return match


@pytest.fixture
def thinkers(bots: Bots) -> Iterator[Thinkers]:
    thinkers = Thinkers(2)
    yield thinkers
    bots.go.release(1000)
    thinkers.close()


def served(
    test: Callable[..., Coroutine[Any, Any, None]],
) -> Callable[[Bots, Match, Thinkers], None]:
    """A test that needs an event loop."""

    def run(bots: Bots, match: Match, thinkers: Thinkers) -> None:
        asyncio.run(asyncio.wait_for(test(bots, match, thinkers), 60))

    return run


async def both_busy(bots: Bots) -> None:
    for _ in range(2):
        assert await asyncio.to_thread(bots.busy.acquire, timeout=30)


@served
async def test_many_tables_of_one_payer_delay_another_payer_by_one_turn(
    bots: Bots, match: Match, thinkers: Thinkers
) -> None:
    many = [thinkers.think(match, 0, "expert", "greedy", f"table {n}") for n in range(60)]
    await both_busy(bots)
    other = thinkers.think(match, 0, DEEP, "modest", "table")
    bots.go.release(2)
    await both_busy(bots)
    assert bots.begun.index(DEEP) in (2, 3)
    bots.go.release(100)
    assert await other == match.legal()[0]
    await asyncio.gather(*many)
    assert bots.begun.count("expert") == 60


@served
async def test_a_quick_level_is_answered_while_all_others_think(
    bots: Bots, match: Match, thinkers: Thinkers
) -> None:
    many = [thinkers.think(match, 0, "expert", "greedy", f"table {n}") for n in range(60)]
    await both_busy(bots)
    for level in ("random", "easy", "medium"):
        assert await thinkers.think(match, 0, level, "greedy", "table") == match.legal()[0]
    assert bots.begun.count("expert") == 2
    for thought in many:
        thought.cancel()


@served
async def test_who_has_no_choice_need_not_wait(
    bots: Bots, match: Match, thinkers: Thinkers
) -> None:
    many = [thinkers.think(match, 0, "expert", "greedy", f"table {n}") for n in range(3)]
    await both_busy(bots)
    forced = next(m for n in range(99) if len((m := random_match("cards", 2, 1, n)).legal()) == 1)
    assert forced.actor is not None
    assert await thinkers.think(forced, forced.actor, "expert", "a", "1") == forced.legal()[0]
    for thought in many:
        thought.cancel()


@served
async def test_what_is_cancelled_is_never_thought_about(
    bots: Bots, match: Match, thinkers: Thinkers
) -> None:
    many = [thinkers.think(match, 0, "expert", "greedy", f"table {n}") for n in range(60)]
    await both_busy(bots)
    last = thinkers.think(match, 0, DEEP, "greedy", "the last")
    for thought in many:
        thought.cancel()
    await asyncio.sleep(0.01)
    assert thinkers.waiting == 1
    bots.go.release(3)
    assert await last
    assert bots.begun == ["expert", "expert", DEEP]
    assert thinkers.waiting == 0


@served
async def test_a_table_has_one_decision_waiting(
    bots: Bots, match: Match, thinkers: Thinkers
) -> None:
    busy = [thinkers.think(match, 0, "expert", "greedy", f"table {n}") for n in range(2)]
    await both_busy(bots)
    old = thinkers.think(match, 0, "expert", "modest", "table")
    new = thinkers.think(match, 0, DEEP, "modest", "table")
    assert thinkers.waiting == 1
    bots.go.release(10)
    assert await new
    assert old.cancelled()
    await asyncio.gather(*busy)


@served
async def test_a_bot_that_fails_fails_alone(bots: Bots, match: Match, thinkers: Thinkers) -> None:
    bots.go.release(10)
    for level in (DEEP, "medium"):
        bots.ill = True
        with pytest.raises(InvalidSetup, match="failed"):
            await thinkers.think(match, 0, level, "a", "1")
        bots.ill = False
        assert await thinkers.think(match, 0, level, "a", "1")


@served
async def test_closing_cancels_what_waits_and_ends_what_has_begun(
    bots: Bots, match: Match, thinkers: Thinkers
) -> None:
    many = [thinkers.think(match, 0, "expert", "a", f"table {n}") for n in range(4)]
    await both_busy(bots)
    threading.Timer(0.05, bots.go.release, [2]).start()
    thinkers.close()
    done = await asyncio.gather(*many, return_exceptions=True)
    assert [isinstance(answer, str) for answer in done] == [True, True, False, False]
    assert bots.begun == ["expert"] * 2
