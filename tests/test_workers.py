"""Several workers as one server: each table is awake in one, and anybody can come to any."""

import asyncio
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx
import pytest
import redis
import sqlalchemy as sql
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

import engines
from caramba.server.crew import scripts
from caramba.server.crew.link import Away
from caramba.server.http.passing import CLIENT, PROOF
from caramba.server.http.relay import Far
from caramba.server.store import schema
from engines import Postgres, Redis
from kit import random_match
from server_kit import Message, Player, Running, bearer, keep, play_on, serving
from test_server_operations import until

CARDS = {"first": 0, "max_deals": 1, "max_laps": 4}
RACE = {"max_races": 1}
NEW = {"game": "race", "seats": [{"kind": "person"}] * 2, "name": "Ana"}
COME_BACK = {1001, 1012}
"""How sockets are closed of who shall come again."""


@pytest.fixture
def url(tmp_path: Path) -> Iterator[str]:
    """A new database."""
    with engines.in_postgresql(tmp_path) as made:
        yield made


@pytest.fixture
def mortal() -> Iterator[Redis]:
    """A Redis that may be stopped."""
    engine = engines.new_redis()
    yield engine
    engine.remove()


@contextmanager
def workers(url: str, many: int = 2, **settings: Any) -> Iterator[list[Running]]:
    """Several, each in a thread."""
    with ExitStack() as running:
        given = {"redis": settings.get("redis") or engines.redis(), **settings}
        yield [running.enter_context(serving(url, **given)) for _ in range(many)]


def owners(table: str, all_workers: list[Running]) -> list[int]:
    """Where a table is awake."""
    return [i for i, worker in enumerate(all_workers) if table in worker.host.awake.tables]


def closing_code(player: Player) -> int:
    """How a socket was closed."""
    player.quiet(5)
    assert player.socket.close_code
    return player.socket.close_code


def comes_back(worker: Running, table: str, token: str, have: int) -> Player:
    """Somebody who tries until the table is there again, as the page does."""
    end = time.monotonic() + 20
    while time.monotonic() < end:
        try:
            player = worker.player(table, token, have=have)
            player.hear("news")
        except (ConnectionClosed, OSError):
            time.sleep(0.05)
        else:
            return player
    raise AssertionError("the table did not come back")


# Any worker will do


def test_people_at_different_workers_play_and_watch_the_same(url: str) -> None:
    with workers(url, 3) as (one, two, three):
        table, tokens = one.full("cards", 2, options=CARDS)
        players = [one.player(table, tokens[0]), two.player(table, tokens[1])]
        watching = three.player(table)
        for player in (*players, watching):
            player.hear("news")
        play_on(players)
        watching.wait_for(players[0].news["number"])
        assert watching.news["view"]["result"] == players[1].news["view"]["result"]
        for worker in (one, two, three):
            assert worker.get(f"/api/tables/{table}/saved").status_code == 200
        assert owners(table, [one, two, three]) == [0]


def test_who_comes_while_a_table_is_read_anew_can_play(url: str) -> None:
    with workers(url, 1) as (worker,):
        table, (ana, _) = worker.full("cards", 2, options={"first": 0})
        worker.get(f"/api/tables/{table}", ana)
        forgetting = asyncio.run_coroutine_threadsafe(forget_when_held(worker, table), worker.loop)
        player = worker.player(table, ana)
        player.hear("news")
        step = player.news["view"]["legal"][0]["text"]
        try:
            answer = player.act(step, key="k")
        except ConnectionClosed:
            player = comes_back(worker, table, ana, have=0)
            answer = player.act(step, key="k")
        forgetting.result()
        assert answer["type"] == "accepted"


async def forget_when_held(worker: Running, table: str) -> None:
    """Put a table out of memory as soon as somebody is about to change it, or to come to it."""
    live = worker.host.awake.tables[table]
    for _ in range(1_000_000):
        if live.lock.locked():
            worker.host.awake.forget(live, 1012)
            return
        await asyncio.sleep(0)


def test_whatever_can_be_asked_is_passed_on(url: str) -> None:
    """Seats, cookies, refusals, languages, lengths: as if it were asked at the right place."""
    with workers(url) as (one, two):
        made = one.make("cards", 2, options=CARDS)
        table = made["table"]
        sat = two.sit(table, "Luc")
        assert two.get(f"/api/tables/{table}").json() == one.get(f"/api/tables/{table}").json()
        taken = two.post(f"/api/tables/{table}/seats", {"name": "Zoe"})
        assert (taken.status_code, taken.json()["code"]) == (409, "illegal")
        french, path = {"Accept-Language": "fr"}, f"/api/tables/{table}/seats"
        spoken = [w.post(path, {"name": "Z"}, headers=french) for w in (one, two)]
        assert spoken[0].json() == spoken[1].json() != taken.json()
        session = two.post(f"/api/tables/{table}/session", {"token": sat["token"]})
        assert f"Path=/api/tables/{table}" in session.headers["set-cookie"]
        own = {"Cookie": session.headers["set-cookie"].partition(";")[0]}
        asked = [w.get(f"/api/tables/{table}/replay?step=3", headers=own) for w in (one, two)]
        assert asked[0].json()["you"] == asked[1].json()["you"] == sat["seat"]
        assert {*asked[0].headers} == {*asked[1].headers}
        too_long = two.http.post(f"/api/tables/{table}/seats", content=b"x" * 20_000)
        assert too_long.status_code == 413
        assert two.get(f"/api/tables/{table}/nothing").status_code == 404
        assert two.http.head(f"/api/tables/{table}").status_code == 200


def raw_answer(worker: Running, path: str, *headers: bytes, body: bytes = b"") -> bytes:
    """What is answered to a request that no library would write."""
    host, _, port = worker.address.partition(":")
    lines = [f"GET {path} HTTP/1.1".encode(), b"Host: " + worker.address.encode(), *headers]
    with socket.create_connection((host, int(port)), 20) as plain:
        plain.sendall(b"\r\n".join([*lines, b"Connection: close", b"", body]))
        return b"".join(iter(lambda: plain.recv(65536), b""))


def test_odd_requests_are_passed_on_as_they_are(url: str) -> None:
    with workers(url) as both:
        table = both[0].make("race", 2)["table"]
        path, odd = f"/api/tables/{table}", b"Cookie: x=\xe9"
        paths = (path, f"%2F{path[1:]}", f"{path}/../../../metrics", f"{path}/../../../healthz")
        for asked in paths:
            answers = {raw_answer(worker, asked, odd).partition(b"\r\n")[0] for worker in both}
            assert len(answers) == 1, (asked, answers)
        assert answers == {b"HTTP/1.1 404 Not Found"}


def test_a_question_with_a_body_is_answered_wherever_it_comes(url: str) -> None:
    with workers(url) as both:
        path = f"/api/tables/{both[0].make('race', 2)['table']}"
        chunked = (b"Transfer-Encoding: chunked", b"1\r\nx\r\n0\r\n\r\n")
        for header, body in (chunked, (b"Content-Length: 20000", b"x" * 20_000)):
            answers = [raw_answer(worker, path, header, body=body) for worker in both]
            told = [answer.partition(b"\r\n")[0] for answer in answers]
            assert told == [b"HTTP/1.1 200 OK"] * 2


def test_as_many_headers_are_taken_wherever_a_socket_comes(url: str) -> None:
    with workers(url) as both:
        made = both[0].make("race", 2)
        headers = {**bearer(made["token"]), **{f"x-{n}": "" for n in range(119)}}
        for worker in both:
            address = f"ws://{worker.address}/api/tables/{made['table']}/socket"
            with connect(address, additional_headers=headers) as talking:
                talking.send('{"type": "hello", "protocol": 4}')
                assert '"welcome"' in str(talking.recv(timeout=10))


def test_an_answer_and_what_follows_it_may_come_at_once() -> None:
    async def heard() -> bytes:
        far = Far()
        far.data_received(b"HTTP/1.1 101 Switching Protocols\r\n")
        far.data_received(b"\r\n and a frame")
        return await asyncio.wait_for(far.answer, 1)

    assert asyncio.run(heard()).endswith(b"\r\n\r\n and a frame")


def test_a_socket_that_leads_nowhere_takes_no_table_from_its_worker(url: str) -> None:
    with workers(url) as (one, two):
        table, _ = one.full("race", 2)
        for path in ("nonsense", "socket/nonsense"):
            with pytest.raises(InvalidStatus):
                connect(f"ws://{two.address}/api/tables/{table}/{path}")
        assert two.get(f"/api/tables/{table}").status_code == 200
        assert owners(table, [one, two]) == [0]
        assert one.call(one.host.crew.taken([table])) == {table}


def test_a_worker_that_asks_for_a_table_of_another_has_it_no_longer(url: str) -> None:
    """It stood still, others took over, and the first thing it hears is somebody's question."""
    with workers(url) as (one, two):
        table, tokens = one.full("race", 2)
        player = one.player(table, tokens[0])
        player.hear("news")
        two.call(two.host.crew.bury(one.host.crew.me))
        two.call(two.host.crew.claim(table))
        one.call(one.host.crew.claim(table))
        assert owners(table, [one, two]) == []
        assert closing_code(player) in COME_BACK


def test_a_worker_that_was_given_up_by_mistake_notices(url: str) -> None:
    with workers(url) as (one, two):
        table, _ = one.full("race", 2)
        two.call(two.host.crew.bury(one.host.crew.me))
        two.call(two.host.crew.claim(table))
        until(lambda: owners(table, [one, two]) == [])


def test_many_questions_at_once_are_no_reason_to_give_redis_up(url: str, mortal: Redis) -> None:
    """Also if it takes a moment: those who wait for their turn wait for us, not for Redis."""
    with workers(url, 1, redis=mortal.url) as (one,):

        async def ask() -> Any:
            return await asyncio.gather(*(one.host.crew.taken(["nobody"]) for _ in range(2000)))

        with redis.Redis.from_url(mortal.url) as client:
            client.execute_command("CLIENT", "PAUSE", 800, "ALL")
        assert one.call(ask()) == [set()] * 2000
        assert one.host.crew.link.is_here


def test_where_somebody_comes_from_is_told(url: str) -> None:
    with workers(url, hosts=("play.example.org",)) as (one, two):
        named = {"Host": "play.example.org"}
        answer = one.post("/api/tables", NEW, headers=named)
        table, token = answer.json()["table"], answer.json()["token"]
        assert two.get(f"/api/tables/{table}", headers=named).status_code == 200
        assert two.get(f"/api/tables/{table}").status_code == 403
        headers = {**bearer(token), "Origin": "http://play.example.org"}
        address = f"ws://play.example.org/api/tables/{table}/socket"
        with connect(address, sock=line_to(two), additional_headers=headers) as talking:
            talking.send('{"type": "hello", "protocol": 4}')
            assert '"welcome"' in str(talking.recv(timeout=10))
            (connection,) = one.host.awake.tables[table].connections
            assert connection.address == "127.0.0.7"
        headers["Origin"] = "http://elsewhere.example.org"
        with connect(address, sock=line_to(two), additional_headers=headers) as talking:
            assert '"forbidden"' in str(talking.recv(timeout=10))


def line_to(worker: Running) -> socket.socket:
    """A connection from another address than others have."""
    host, _, port = worker.address.partition(":")
    return socket.create_connection((host, int(port)), source_address=("127.0.0.7", 0))


def test_nobody_else_is_let_in_where_workers_meet(url: str) -> None:
    with workers(url) as (one, two):
        table = one.make("race", 2)["table"]
        inner = f"http://{one.host.settings.inner}"
        for headers in ({}, {PROOF: "x"}, {PROOF: two.app.state.passing.proof("other")}):
            answer = httpx.get(f"{inner}/api/tables/{table}", headers=headers)
            assert (answer.status_code, answer.text) == (421, "not here\n")
        proof = {PROOF: two.app.state.passing.proof(one.host.crew.me.name), CLIENT: "192.0.2.1"}
        assert httpx.get(f"{inner}/api/tables/{table}", headers=proof).status_code == 200


def test_the_same_people_play_once_more_wherever_their_next_table_is(url: str) -> None:
    with workers(url) as (one, two):
        table, tokens = one.full("race", 2, options=RACE)
        play_on(one.all_players(table, tokens))
        first = one.post(f"/api/tables/{table}/rematch", {}, tokens[0]).json()
        live = one.host.awake.tables[first["table"]]
        one.call(one.host.awake.lose([first["table"]]))
        one.call(one.host.crew.let_go([first["table"]]))
        assert two.get(f"/api/tables/{first['table']}").status_code == 200
        assert owners(first["table"], [one, two]) == [1]
        assert not live.is_awake
        second = one.post(f"/api/tables/{table}/rematch", {}, tokens[1])
        assert (second.status_code, second.json()["seat"]) == (201, 0)
        play_on(one.all_players(first["table"], tokens[::-1]), steps=3)


def test_who_has_the_place_of_another_is_not_taken_for_them(url: str) -> None:
    """A worker was started anew at the same address: what was the other's is free at once."""
    with workers(url) as (one, two):
        for what, table in (("socket", "t"), ("request", "u")):
            keep(url, {table: random_match("cards", 2, 1, 12)})
            crew = two.host.crew
            dead = f"dead-{what}"
            script = "redis.call('SET', KEYS[1], ARGV[1]); redis.call('SET', KEYS[2], ARGV[2])"
            keys = [crew.key("table", table), crew.key("worker", dead)]
            two.call(crew.link.do(script, keys, dead, one.host.settings.inner))
            if what == "socket":
                assert two.player(table).welcome["type"] == "welcome"
            else:
                assert two.get(f"/api/tables/{table}").status_code == 200
            assert owners(table, [one, two]) == [1]


def test_who_is_at_no_address_is_not_there(url: str) -> None:
    """Whatever stands in Redis for it."""
    addresses = ["abc", "", ":", "127.0.0.1:", "127.0.0.1:0", "127.0.0.1:99999", "999.999.1.1:80"]
    tables = {f"{what}-{n}": where for n, where in enumerate([*addresses, ":::", "\xff:1"])
              for what in ("socket", "request")}  # fmt: skip
    keep(url, {table: random_match("cards", 2, 1, 12) for table in tables})
    with workers(url, 1) as (one,):
        crew = one.host.crew
        script = "redis.call('SET', KEYS[1], ARGV[1]); redis.call('SET', KEYS[2], ARGV[2])"
        for table, nowhere in tables.items():
            keys = [crew.key("table", table), crew.key("worker", f"dead-{table}")]
            one.call(crew.link.do(script, keys, f"dead-{table}", nowhere))
            if table.startswith("socket"):
                assert one.player(table).welcome["type"] == "welcome"
            else:
                assert one.get(f"/api/tables/{table}").status_code == 200
            assert one.call(crew.link.do(scripts.THERE, keys[1:])) == [0]


# One for all


def test_an_address_is_limited_wherever_it_comes(url: str) -> None:
    with workers(url, requests_a_minute=10, tries_a_minute=4, tables_an_hour=2) as (one, two):
        assert [w.post("/api/tables", NEW).status_code for w in (one, two, one)] == [201, 201, 429]
        tried = [w.get("/api/codes/BCDFGH").status_code for w in (one, two, one, two, one)]
        assert tried == [404, 404, 404, 404, 429]
        assert [w.get("/api/games").status_code for w in (one, two, one)] == [200, 200, 429]


def test_sockets_of_an_address_are_counted_wherever_they_are(url: str) -> None:
    with workers(url, connections=3) as (one, two):
        first, second = (one.make("race", 2)["table"], two.make("race", 2)["table"])
        inside = [one.player(first), two.player(second), two.player(first)]
        assert [player.welcome["type"] for player in inside] == ["welcome"] * 3
        assert one.player(second).welcome["code"] == "too_fast"
        assert two.player(second).welcome["code"] == "too_fast"
        inside[0].close()
        until(lambda: two.player(second).welcome["type"] == "welcome")


def test_who_died_is_not_counted(url: str) -> None:
    with workers(url, connections=1) as (one, two):
        table = two.make("race", 2)["table"]
        two.call(two.host.crew.link.do("redis.call('HSET', KEYS[1], 'dead', 5)", [
            two.host.crew.key("inside", "127.0.0.1")
        ]))  # fmt: skip
        assert one.player(table).welcome["type"] == "welcome"


def test_one_worker_wakes_what_is_due(url: str) -> None:
    """The clocks of many tables run out while nobody is there: each for once, at one worker."""
    tables = {f"t{number}": random_match("cards", 2, number, 12) for number in range(30)}
    keep(url, tables, clock={"move": 1.0, "game": None}, due=time.time() - 1)
    with workers(url, 3, sweep=0.05) as all_workers:
        away = sql.select(schema.seats.c.table_id).where(schema.seats.c.away).distinct()
        until(lambda: len(all_workers[0].rows(away)) == len(tables))
        places = [owners(table, all_workers) for table in tables]
        assert all(len(where) <= 1 for where in places)
        assert len({where[0] for where in places if where}) == 1
        taken = all_workers[0].rows(sql.select(schema.tables.c.taken))
        assert {row["taken"] for row in taken} == {1}


# Coming and going


def test_when_a_worker_ends_its_tables_go_on_elsewhere(url: str) -> None:
    with workers(url) as (one, two):
        with serving(url, redis=engines.redis()) as third:
            table, tokens = third.full("cards", 2, options=CARDS)
            here, passed = third.player(table, tokens[0]), two.player(table, tokens[1])
            here.hear("news")
            passed.hear("news")
            play_on([here, passed], steps=2)
            number = here.news["number"]
        assert closing_code(here) in COME_BACK
        assert closing_code(passed) in COME_BACK
        began = time.monotonic()
        players = [comes_back(w, table, t, number) for w, t in zip((one, two), tokens, strict=True)]
        assert time.monotonic() - began < 2
        assert [player.news["number"] for player in players] == [number, number]
        play_on(players)


def test_steps_are_taken_while_workers_come_and_go(url: str) -> None:
    """Whatever was confirmed is there, once."""
    with workers(url, 2) as (one, two):
        table, tokens = one.full("auction", 2)
        accepted: list[int] = []
        ending = threading.Event()

        def play(worker: Running, token: str) -> None:
            have = 0
            while not ending.is_set():
                player = comes_back(worker, table, token, have)
                try:
                    while not ending.is_set():
                        if player.my_turn:
                            answer = player.act(player.news["view"]["legal"][0]["text"])
                            if answer["type"] == "accepted":
                                accepted.append(answer["number"])
                        have = player.hear("news", timeout=5)["number"]
                except (ConnectionClosed, TimeoutError):
                    continue

        playing = [
            threading.Thread(target=play, args=pair)
            for pair in zip((one, two), tokens, strict=True)
        ]
        for thread in playing:
            thread.start()
        for worker in (one, two, one, two):
            before = len(accepted)
            until(lambda before=before: len(accepted) > before + 3)  # type: ignore[misc]
            worker.call(worker.host.awake.lose([table]))
            worker.call(worker.host.crew.let_go([table]))
        ending.set()
        for thread in playing:
            thread.join(30)
        log = one.log(table)
        assert [row["number"] for row in log] == [*range(len(log))]
        assert len(set(accepted)) == len(accepted)
        assert max(accepted) <= len(log)


# Without Redis for a while


def test_while_redis_is_away_what_is_awake_goes_on(url: str, mortal: Redis) -> None:
    with workers(url, redis=mortal.url) as (one, two):
        table, tokens = one.full("cards", 2, options=CARDS)
        other = two.make("race", 2)["table"]
        players = [one.player(table, tokens[0]), two.player(table, tokens[1])]
        for player in players:
            player.hear("news")
        mortal.stop()
        play_on(players, steps=3)
        until(lambda: not one.host.crew.link.is_here)
        assert one.get(f"/api/tables/{other}").status_code == 503
        assert one.post("/api/tables", NEW).status_code == 503
        assert one.get("/api/games").status_code == 200
        with pytest.raises(ConnectionClosed) as closed:
            one.player(other)
        assert closed.value.rcvd
        assert closed.value.rcvd.code in COME_BACK
        play_on(players, steps=3)
        mortal.start()
        until(lambda: one.host.crew.link.is_here and two.host.crew.link.is_here)
        until(lambda: one.get(f"/api/tables/{other}").status_code == 200)
        play_on(players)
        assert owners(table, [one, two]) == [0]


def test_a_redis_that_forgot_everything_is_told_again(url: str, mortal: Redis) -> None:
    """Or else a table is taken by another worker: then only that one can write."""
    with workers(url, redis=mortal.url) as (one, two):
        table, tokens = one.full("cards", 2, options=CARDS)
        here = one.player(table, tokens[0])
        here.hear("news")
        one.call(one.host.crew.link.do("redis.call('FLUSHALL')", []))
        one.host.crew._mine.discard(table)  # as if it had had no time to tell
        there = two.player(table, tokens[0])
        there.hear("news")
        assert owners(table, [one, two]) == [0, 1]
        action = here.news["view"]["legal"][0]["text"]
        assert here.act(action)["code"] == "stale"
        assert closing_code(here) in COME_BACK
        assert there.act(action)["type"] == "accepted"
        again = comes_back(one, table, tokens[0], 0)
        assert again.news["view"] == there.hear("news")["view"]
        assert owners(table, [one, two]) == [1]
        one.call(one.host.crew.link.do("redis.call('FLUSHALL')", []))
        until(lambda: two.call(two.host.crew.taken([table])) == {table})


def test_a_redis_that_goes_away_while_it_is_told_again_is_told_once_more(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with workers(url, 1) as (one,):
        table, _ = one.full("cards", 2, options=CARDS)
        crew = one.host.crew
        do, away = crew.link.do, iter([True])

        async def at_first_away(script: str, *given: Any, **more: Any) -> Any:
            if script == scripts.CLAIM and next(away, False):
                raise Away
            return await do(script, *given, **more)

        monkeypatch.setattr(crew.link, "do", at_first_away)
        one.call(do("redis.call('FLUSHALL')", []))
        until(lambda: one.call(crew.taken([table])) == {table})


def test_a_worker_ends_though_who_asks_redis_does_not_hear_of_it(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As it may be if its answer comes in the very moment."""
    with workers(url, 1) as (one,):
        crew, asked = one.host.crew, threading.Event()
        do = crew.link.do

        async def deaf(*given: Any, **more: Any) -> Any:
            if not asked.is_set():
                asked.set()
                with suppress(asyncio.CancelledError):
                    await asyncio.sleep(1e6)
            return await do(*given, **more)

        monkeypatch.setattr(crew.link, "do", deaf)
        assert asked.wait(10)
        began = time.monotonic()
        one.call(asyncio.wait_for(crew.close(), 10))
        assert time.monotonic() - began < 5


def test_limits_are_counted_here_while_redis_is_away(url: str, mortal: Redis) -> None:
    with workers(url, 1, redis=mortal.url, requests_a_minute=5, connections=1) as (one,):
        table = one.make("race", 2)["table"]
        mortal.stop()
        until(lambda: not one.host.crew.link.is_here)
        assert [one.get("/api/games").status_code for _ in range(6)] == [200] * 5 + [429]
        inside: Message = one.player(table).welcome
        assert inside["type"] == "refused"


# The database


def test_while_postgresql_is_away_nothing_is_lost(mortal_postgres: Postgres) -> None:
    with engines.new_database(mortal_postgres.url) as url, workers(url, sweep=0.1) as (one, two):
        table, tokens = one.full("cards", 2, options=CARDS)
        players = [one.player(table, tokens[0]), two.player(table, tokens[1])]
        for player in players:
            player.hear("news")
        play_on(players, steps=2)
        number = players[0].news["number"]
        mortal_postgres.stop()
        asked = next(player for player in players if player.my_turn)
        assert asked.act(asked.news["view"]["legal"][0]["text"])["code"] == "stale"
        mortal_postgres.start()
        until(lambda: one.get("/readyz").status_code == 200)
        until(lambda: two.get("/readyz").status_code == 200)
        again = [comes_back(w, table, t, number) for w, t in zip((one, two), tokens, strict=True)]
        assert [player.news["number"] for player in again] == [number, number]
        play_on(again)


@pytest.fixture
def mortal_postgres() -> Iterator[Postgres]:
    """A PostgreSQL that may be stopped."""
    engine = engines.new_postgres()
    yield engine
    engine.remove()
