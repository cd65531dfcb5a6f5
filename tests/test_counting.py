"""Counting together: what Redis is asked, and what it makes of keys that others have written."""

import asyncio
import time
from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest
import redis
from structlog.testing import capture_logs

import engines
from caramba.server.crew import scripts
from caramba.server.crew.link import Link

MANY, SECONDS = 40, 2


@pytest.fixture
def key() -> Iterator[str]:
    """A key that nobody has."""
    name = f"caramba-test:{uuid4().hex}"
    yield name
    with redis.Redis.from_url(engines.redis()) as client:
        client.delete(name)


async def ask_on(key: str, seconds: float) -> list[tuple[float, float]]:
    """Ask again and again; between which times each was that was not too much."""
    link, passed = Link(engines.redis()), []
    end = time.time() + seconds
    while (before := time.time()) < end:
        (full,) = await link.do(scripts.COUNT, [key], MANY, SECONDS)
        if not full:
            passed.append((before, time.time()))
    await link.close()
    return passed


def test_no_more_pass_than_may_whenever_they_come(key: str) -> None:
    """Also if all come at the end of a minute, or whatever else is counted in."""
    while time.time() % SECONDS < 0.8 * SECONDS:
        time.sleep(0.01)
    passed = asyncio.run(ask_on(key, 1.5 * SECONDS))
    for (first, _), (_, last) in zip(passed, passed[MANY:], strict=False):
        assert last - first >= SECONDS
    assert len(passed) > MANY, "after that time there may be more"


def test_little_is_kept_of_each(key: str) -> None:
    asyncio.run(ask_on(key, 2 * SECONDS))
    with redis.Redis.from_url(engines.redis()) as client:
        assert client.hlen(key) <= 22
        assert 0 < client.ttl(key) <= 2 * SECONDS


# Keys that are not of our kind


def put(key: str, command: str, *given: str) -> None:
    """What somebody else leaves in Redis."""
    with redis.Redis.from_url(engines.redis()) as client:
        client.execute_command(command, key, *given)


async def ask_once(script: str, keys: list[str], *given: str | int) -> tuple[Any, bool]:
    """An answer, and whether Redis is taken to be there after it."""
    link = Link(engines.redis())
    try:
        return await link.do(script, keys, *given), link.is_here
    finally:
        await link.close()


def test_a_key_of_another_kind_is_removed_and_named(key: str) -> None:
    for script, given, answer in (
        (scripts.COUNT, (5, 60), [0]),
        (scripts.ENTER, ("lease:", "me", 1, 5), 1),
        (scripts.LEAVE, ("me", 1), None),
        (scripts.CLAIM, ("lease:", "me", "127.0.0.1:1", 60, 1000, 1), ["me"]),
        (scripts.TAKEN, ("lease:",), [0]),
        (scripts.RELEASE, ("me",), None),
    ):
        put(key, "DEL")
        put(key, "RPUSH", "x")
        with capture_logs() as log:
            assert asyncio.run(ask_once(script, [key], *given)) == (answer, True)
        assert [line["key"] for line in log] == [key]


def test_a_lease_of_another_kind_is_nobodys(key: str) -> None:
    put(key, "SET", "dead")
    put(f"{key}:dead", "RPUSH", "x")
    given = (f"{key}:", "me", "127.0.0.1:1", 60, 1000, 1)
    assert asyncio.run(ask_once(scripts.CLAIM, [key], *given)) == (["me"], True)
    put(f"{key}:me", "DEL")


def test_who_looks_after_sleeping_tables_is_found_out_anew(key: str) -> None:
    keys = [f"{key}:lease", f"{key}:seen", key]
    for each in keys:
        put(each, "RPUSH", "x")
    given = ("me", "127.0.0.1:1", 60_000)
    assert asyncio.run(ask_once(scripts.BEAT, keys, *given)) == ([1, 1], True)
    for each in keys:
        put(each, "DEL")


def test_numbers_that_are_none_are_nothing(key: str) -> None:
    for script, given, answer in (
        (scripts.COUNT, (5, 60), [0]),
        (scripts.ENTER, (key[:-1], "me", 1, 5), 1),
    ):
        put(key, "DEL")
        put(key, "HSET", key[-1], "many", "odd", "\xff")
        assert asyncio.run(ask_once(script, [key], *given)) == (answer, True)


def test_what_is_no_text_is_answered_as_it_is(key: str) -> None:
    with redis.Redis.from_url(engines.redis()) as client:
        client.set(key, "other")
        client.set(f"{key}:other", b"\xff\xfe")
    given = (f"{key}:", "me", "127.0.0.1:1", 60, 1000, 1)
    (owner, address), is_here = asyncio.run(ask_once(scripts.CLAIM, [key], *given))
    assert (owner, is_here) == ("other", True)
    assert asyncio.run(ask_once(scripts.BURY, [f"{key}:other", f"{key}:seen"], address))[1]
    with redis.Redis.from_url(engines.redis()) as client:
        assert not client.exists(f"{key}:other")
