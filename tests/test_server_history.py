"""However long a game is, whoever comes is told a bounded part of it, and asks for the rest."""

import asyncio
import json
import secrets
import threading
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from caramba.match.match import Match
from caramba.server.host.connection import HEAVY, Connection
from caramba.server.settings import Settings
from caramba.server.tables import showing
from caramba.server.tables.log import BACK, RECENT
from caramba.server.tables.table import Table
from caramba.wire import PROTOCOL, Said, encode
from kit import random_match
from server_kit import Running, keep, kept_as, serving, token_of

LONG = 450
STILL: dict[str, Any] = {"pause": 1e9, "window": 1e9}


@pytest.fixture(scope="module")
def match() -> Match:
    return random_match("race", 6, 1, LONG)


@pytest.fixture(scope="module")
def server(match: Match, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    folder = tmp_path_factory.mktemp("history")
    keep(folder, {"long": match})
    with serving(folder, **STILL) as running:
        yield running


def test_a_hello_brings_the_last_steps_only(server: Running, match: Match) -> None:
    for have in (None, 0, 17, 10**6):
        news = server.player("long", have=have).hear("news")
        assert (news["since"], news["steps"]) == (match.length - RECENT, match.length)
        assert news["same"] == (have if have == 17 else 0)
        assert news["events"][0]["step"] >= news["since"]
    news = server.player("long", have=match.length - 3).hear("news")
    assert news["same"] == news["since"] == match.length - 3


@pytest.mark.parametrize("seat", [None, 1])
def test_what_was_before_is_asked_for_part_by_part(
    server: Running, match: Match, seat: int | None
) -> None:
    token = None if seat is None else token_of(seat)
    news = server.player("long", token, language="fr").hear("news")
    events, until = news["events"], news["since"]
    while until > 0:
        part = server.get(f"/api/tables/long/log?until={until}&lang=fr", token).json()
        assert until - part["since"] <= RECENT
        events, until = part["events"] + events, part["since"]
    viewer = -3 if seat is None else seat
    told = showing.told(match, viewer, 0, match.length, "fr")
    assert [event["text"] for event in events] == [event.text for event in told]
    assert server.get(f"/api/tables/long/log?until={match.length + 1}").status_code == 404


def test_who_has_not_followed_take_backs_is_told_from_the_right_step() -> None:
    """The answer to 'how much is still as it was' does not grow with the log."""
    match = random_match("cards", 2, 3, 60)
    stored = kept_as(match)
    seats = [who for who, _ in match.steps]
    mine = [step for step, who in enumerate(seats) if who is not None]
    for keep_steps in (mine[-1], mine[-4], mine[-2]):
        stored.log.append(stored.log[0]._replace(who=0, text=f"{BACK} {keep_steps}", key="b"))
        stored.log += stored.log[keep_steps : mine[-1]]
    table = Table(stored, Settings(database=""))
    for number in range(table.number + 1):
        assert table.log.same_until(number) == min(table.steps_at[number:])


def test_who_missed_more_than_is_told_learns_what_of_theirs_is_void(match: Match) -> None:
    """Steps were taken back, and so many made since that the first of them are not told."""
    stored = kept_as(match)
    mine = [step for step, (who, _) in enumerate(match.steps) if who is not None]
    early = next(step for step in mine if step > match.length - RECENT - 60)
    seen = early + 80
    back = stored.log[0]._replace(who=0, text=f"{BACK} {early}", key="b")
    stored.log[:] = [*stored.log[:seen], back, *stored.log[early:]]
    table = Table(stored, Settings(database=""))
    assert table.log.recent(seen) == (early, match.length - RECENT)
    assert early < match.length - RECENT < seen


MUCH = Said(seat=None, name="", text=secrets.token_hex(30_000), at=0.0)
"""About 60,000 bytes, however they are packed."""


def only_connection(server: Running, table: str) -> Connection:
    found: set[Connection] = server.host.awake.tables[table].connections
    return found.copy().pop()


def test_a_client_that_does_not_read_is_let_go_by_the_bytes_that_wait(server: Running) -> None:
    made = server.make("race", 2)
    player = server.player(made["table"], made["token"])
    slow = only_connection(server, made["table"])

    async def fill() -> int:
        most = 0
        while not slow.closing:
            slow.send(MUCH)
            most = max(most, slow.line.waiting)
            await asyncio.sleep(0)
        return most

    assert HEAVY < server.call(fill()) <= HEAVY + len(encode(MUCH))
    with suppress(ConnectionClosed):
        while True:
            player.next()
    assert player.socket.close_code == 1006, "cut off, for it would not hear why"


def test_what_was_sent_no_longer_counts(server: Running) -> None:
    made = server.make("race", 2)
    player = server.player(made["table"], made["token"])
    quick = only_connection(server, made["table"])

    async def send() -> None:
        for _ in range(5):
            quick.send(MUCH)

    for _ in range(20):
        server.call(send())
        assert [player.hear("said")["text"] for _ in range(5)] == [MUCH.text] * 5
    assert not quick.closing


def test_hellos_are_counted_by_what_they_cost(match: Match, tmp_path: Any) -> None:
    keep(tmp_path, {"long": match})
    with serving(tmp_path, **{**STILL, "hellos_a_minute": 3}) as server:
        watcher = server.player("long")
        for _ in range(2):
            watcher.say(type="hello", protocol=watcher.welcome["protocol"])
        watcher.ping()
        answer = watcher.send(json.dumps({"type": "hello", "protocol": PROTOCOL}))
        assert answer["code"] == "too_fast"
        seated = server.player("long", token_of(0))
        assert seated.welcome["type"] == "welcome", "a seat is not counted with those who watch"


def test_a_socket_that_never_reads_stalls_nobody(server: Running) -> None:
    flood = server.player("long")
    with suppress(ConnectionClosed):
        while True:
            flood.say(type="hello", protocol=flood.welcome["protocol"])
    assert server.get("/healthz").text == "ok\n"


def test_a_new_table_does_not_wait_for_long_ones_to_wake(server: Running) -> None:
    """Long work is done in one thread; what takes no time is not put behind it."""
    gate = threading.Event()
    waiting = asyncio.run_coroutine_threadsafe(server.host.aside.do(gate.wait), server.loop)
    try:
        assert server.make("race", 2)["table"]
    finally:
        gate.set()
        waiting.result(20)
