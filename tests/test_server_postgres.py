"""Tables on PostgreSQL: how it is reached, and what is done when it goes and comes back."""

import asyncio
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import sqlalchemy as sql

import engines
from caramba.games.errors import InvalidSetup
from caramba.server.store import database, store, writer
from caramba.server.store.changes import Change, append, chat_line, update_seat, update_table
from caramba.server.store.errors import Broken, Crossed, Taken
from caramba.server.store.holding import Hold, take
from caramba.server.store.store import Store
from caramba.server.tables.kept import Entry, Kept
from caramba.wire import Said
from engines import PASSWORD, Postgres
from kit import random_match
from server_kit import Player, keep, play_on, serving
from test_server_operations import until

CARDS = {"first": 0, "max_deals": 1, "max_laps": 4}
NEW = {"game": "race", "seats": [{"kind": "person"}] * 2, "name": "Ana"}


@pytest.fixture
def url(tmp_path: Path) -> Iterator[str]:
    """A new database."""
    with engines.in_postgresql(tmp_path) as made:
        yield made


@pytest.fixture(scope="module")
def mortal() -> Iterator[Postgres]:
    """A PostgreSQL that may be stopped."""
    engine = engines.new_postgres()
    yield engine
    engine.remove()


@pytest.fixture
def mortal_url(mortal: Postgres) -> Iterator[str]:
    """A new database in it."""
    with engines.new_database(mortal.url) as made:
        yield made


# Starting


def why_not(url: str, **environment: str) -> str:
    """The one line of a server that cannot use a database; it never tells the password."""
    command = [sys.executable, "-m", "caramba", "serve", "--port", "0"]
    given = {**os.environ, "CARAMBA_SERVE_DATABASE": url, **environment}
    done = subprocess.run(command, env=given, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("caramba: cannot use ")
    assert done.stderr.count("\n") == 1
    assert PASSWORD not in done.stderr
    return done.stderr


def altered(url: str, **parts: Any) -> str:
    return sql.make_url(url).set(**parts).render_as_string(hide_password=False)


def test_whoever_cannot_be_reached_is_named_without_a_password(url: str) -> None:
    port = engines.free_port()
    told = why_not(altered(url, port=port))
    assert f"postgresql://127.0.0.1:{port}/" in told
    assert "Connection refused" in told
    assert "Connection refused" in why_not(altered(url, host="localhost", port=port))


@pytest.mark.parametrize(
    ("parts", "told"),
    [
        ({"database": "nowhere"}, 'database "nowhere" does not exist'),
        ({"password": "wrong"}, "authentication failed"),
        ({"query": {"password": "wrong"}}, "authentication failed"),
        ({"query": {"sslmode": "require"}}, "does not support SSL"),
        ({"query": {"nonsense": "1"}}, "nonsense"),
        ({"drivername": "mysql"}, "it must be in SQLite or in PostgreSQL"),
    ],
)
def test_what_is_wrong_with_a_database_is_said(url: str, parts: Any, told: str) -> None:
    with pytest.raises(InvalidSetup, match=told) as error:
        database.prepare(altered(url, **parts))
    assert PASSWORD not in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("place", ["postgresql://ana:{}@127.0.0.1:port/x", "://ana:{}@127.0.0.1"])
def test_what_is_no_url_is_not_repeated(place: str) -> None:
    with pytest.raises(InvalidSetup, match="a URL is such as") as error:
        database.prepare(place.format(PASSWORD))
    assert PASSWORD not in str(error.value)


def test_without_its_driver_one_is_told_what_to_install(url: str, tmp_path: Path) -> None:
    (tmp_path / "psycopg.py").write_text("raise ImportError('not here')\n")
    path = f"{tmp_path}{os.pathsep}{os.environ.get('PYTHONPATH', '')}"
    assert "pip install 'caramba[scale]'" in why_not(url, PYTHONPATH=path)


def test_a_database_that_cannot_hold_all_letters_is_refused(url: str) -> None:
    with engines.executing(url) as execute:
        execute("CREATE DATABASE latin ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0")
        try:
            with pytest.raises(InvalidSetup, match="its encoding must be UTF8, not LATIN1"):
                database.prepare(altered(url, database="latin"))
        finally:
            execute("DROP DATABASE latin WITH (FORCE)")


def test_many_may_start_at_once_on_a_new_database(url: str) -> None:
    with ThreadPoolExecutor(8) as many:
        for done in [many.submit(database.prepare, url) for _ in range(8)]:
            done.result()


def test_its_url_may_say_more_but_gives_it_no_other_name(url: str) -> None:
    """By its name, a server is known to be there when a back-up is restored."""
    query = {"application_name": "tables", "options": "-c statement_timeout=3s"}
    engine = database.connect(altered(url, drivername="postgres", query=query))
    with engine.connect() as connection:
        shown = [
            connection.execute(sql.text(f"SHOW {name}")).scalar()
            for name in ("application_name", "statement_timeout", "lock_timeout")
        ]
    engine.dispose()
    assert shown == ["caramba", "3s", "5s"]


# Several servers


def test_of_two_servers_one_writes_a_number(url: str) -> None:
    """The other reads what there is, and goes on from there."""
    with serving(url, pause=1e6) as one, serving(url, pause=1e6) as two:
        table, tokens = one.full("cards", 2, options=CARDS)
        here, there = one.player(table, tokens[0]), two.player(table, tokens[0])
        number = here.hear("news")["number"]
        there.hear("news")
        action = here.news["view"]["legal"][0]["text"]
        assert here.act(action)["type"] == "accepted"
        assert there.act(action)["code"] == "stale"
        again = two.player(table, tokens[0], have=number)
        assert again.hear("news")["view"] == here.hear("news")["view"]
        assert len(one.log(table)) == len(two.log(table)) == number + 1


def test_nobody_gets_in_each_others_way(url: str) -> None:
    """Two who change the same tables, each in another order: each change is made, soon."""
    keep(url, {"t": random_match("cards", 2, 1, 12), "u": random_match("cards", 2, 1, 12)})

    def work(kept: Store, number: int, *names: str) -> Any:
        changes = [
            change
            for name in names
            for change in (update_seat(name, 0, away=True), update_table(name, touched=number))
        ]
        return kept.write(*changes[:: 1 if names[0] == "t" else -1])

    async def cross() -> list[Any]:
        one, two = Store(url), Store(url)
        await asyncio.gather(one.open(), two.open())
        done: list[Any] = []
        for number in range(50):
            writes = work(one, number, "t", "u"), work(two, number, "u", "t")
            done += await asyncio.gather(*writes, return_exceptions=True)
        await asyncio.gather(one.close(), two.close())
        return [*filter(None, done)]

    assert asyncio.run(asyncio.wait_for(cross(), 30)) == []


def test_who_was_in_the_way_once_is_tried_again(tmp_path: Path) -> None:
    kept = Store(str(tmp_path / "tables.db"))
    answers: list[Any] = [Crossed("somebody else was quicker"), None]
    kept.writer._try = lambda *_: answers.pop(0)  # type: ignore[method-assign]
    jobs: list[Any] = [SimpleNamespace(changes=[], hold=None)]
    assert (kept.writer._commit(jobs), answers) == ([None], [])
    asyncio.run(kept.close())


# All at once


async def taking(kept: Store, *names: str) -> list[Hold]:
    """Take some tables."""
    await kept.open()
    taken = [await kept.take(name) for name in names]
    return [found[1] for found in taken if found]


def stands(kept: Kept | None) -> tuple[Any, ...]:
    """What a move may change."""
    assert kept
    last = [entry.text for entry in kept.log[12:]]
    return last, kept.table.touched, kept.table.due, kept.seats[0].seconds


def move(hold: Hold, number: int, text: str = "caramba") -> list[Change]:
    """What a move writes, with a clock."""
    return [
        append(hold.table, number, [Entry(0, text, "k"), Entry(None, "é'%s\"")]),
        update_seat(hold.table, 0, seconds=2.5),
        update_table(hold.table, touched=5.5, due=None),
    ]


def test_moves_at_many_tables_are_one_statement(url: str) -> None:
    keep(url, {name: random_match("cards", 2, 1, 12) for name in "tu"})
    asked: list[str] = []

    async def write() -> list[Any]:
        kept = Store(url)
        holds = await taking(kept, "t", "u")
        sql.event.listen(
            kept.engine, "before_cursor_execute", lambda *given: asked.append(given[2])
        )
        await asyncio.gather(*(kept.write(*move(hold, 12), hold=hold) for hold in holds))
        found = [stands(await kept.load(hold.table)) for hold in holds]
        await kept.close()
        return found

    assert asyncio.run(write()) == [(["caramba", "é'%s\""], 5.5, None, 2.5)] * 2
    assert len([words for words in asked if words.startswith("WITH")]) == 1
    assert not [words for words in asked if not words.startswith(("WITH", "SELECT"))]


def test_of_what_is_written_at_once_only_what_was_taken_since_is_refused(url: str) -> None:
    keep(url, {name: random_match("cards", 2, 1, 12) for name in "tuv"})

    async def write() -> list[Any]:
        kept = Store(url)
        holds = await taking(kept, *"tuv")
        await kept.take("u")
        writes = (kept.write(*move(hold, 12 - (hold.table == "v")), hold=hold) for hold in holds)
        done = await asyncio.gather(*writes, return_exceptions=True)
        found = [len((await kept.load(name)).log) for name in "tuv"]  # type: ignore[union-attr]
        await kept.close()
        return [*map(type, done), *found]

    assert asyncio.run(write()) == [type(None), Taken, Taken, 14, 12, 12]


def test_who_is_just_taking_a_table_is_waited_for(url: str) -> None:
    """What is written in that moment is refused, though nobody had the table when it began."""
    keep(url, {"t": random_match("cards", 2, 1, 12)})

    async def write() -> Any:
        kept = Store(url)
        (hold,) = await taking(kept, "t")
        engine = database.connect(url)
        with engine.begin() as other:
            take(other, "t")
            writing = asyncio.create_task(kept.write(*move(hold, 12), hold=hold))
            await asyncio.sleep(0.5)
            assert not writing.done()
        done = await asyncio.gather(writing, return_exceptions=True)
        found = stands(await kept.load("t"))
        engine.dispose()
        await kept.close()
        return type(done[0]), found[0], found[1] == 5.5

    assert asyncio.run(write()) == (Taken, [], False)


def test_whatever_does_not_fit_into_one_statement_is_written_as_well(url: str) -> None:
    """Two things of one table, the same twice, another table's, and what is not of a move."""
    keep(url, {name: random_match("cards", 2, 1, 12) for name in "tu"})
    said = Said(seat=0, name="Ana", text="hello", at=1.0)

    async def write() -> list[Any]:
        kept = Store(url)
        t, u = await taking(kept, *"tu")
        await asyncio.gather(
            kept.write(*move(t, 12), hold=t), kept.write(*move(t, 14, "again"), hold=t)
        )
        twice = update_table("u", touched=1.0), update_table("u", touched=2.0)
        await kept.write(*twice, hold=u)
        await kept.write(update_seat("u", 0, seconds=9.0), hold=t)
        await asyncio.gather(
            kept.write(chat_line("u", said), hold=u), kept.write(*move(t, 16, "more"), hold=t)
        )
        found = [await kept.load(name) for name in "tu"]
        await kept.close()
        return [stands(found[0])[0][::2], *stands(found[1])[1::2], found[1].chat]  # type: ignore[union-attr]

    assert asyncio.run(write()) == [["caramba", "again", "more"], 2.0, 9.0, [said]]


# It goes, and comes back


def refused(player: Player) -> dict[str, Any]:
    answer = player.act(player.news["view"]["legal"][0]["text"])
    assert (answer["type"], answer["code"]) == ("refused", "stale")
    return answer


def test_while_it_is_gone_steps_are_refused_and_none_is_lost(
    mortal: Postgres, mortal_url: str, capfd: pytest.CaptureFixture[str]
) -> None:
    with serving(mortal_url, sweep=0.05) as server:
        table, tokens = server.full("cards", 2, options=CARDS)
        players = server.all_players(table, tokens)
        play_on(players, steps=2)
        before = server.log(table)
        mortal.stop()
        for player in players:
            if player.my_turn:
                refused(player)
        assert server.get("/readyz").text == "the database does not answer\n"
        assert server.post("/api/tables", NEW).status_code == 503
        assert server.get("/healthz").status_code == 200
        mortal.start()
        until(lambda: server.get("/readyz").status_code == 200)
        assert server.log(table) == before
        again = server.all_players(table, tokens)
        play_on(again)
        assert server.get(f"/api/tables/{table}/saved").status_code == 200
    assert PASSWORD not in "".join(capfd.readouterr())


def test_one_that_was_started_anew_meanwhile_is_used_at_once(
    mortal: Postgres, mortal_url: str
) -> None:
    with serving(mortal_url, sweep=1e6) as server:
        table, tokens = server.full("cards", 2, options=CARDS)
        players = server.all_players(table, tokens)
        mortal.stop()
        mortal.start()
        play_on(players, steps=2)


def test_whatever_was_accepted_is_there_after_it_was_killed(
    mortal: Postgres, mortal_url: str
) -> None:
    """Killed again and again while steps are written: each that was confirmed is found again."""
    keep(mortal_url, {"t": random_match("cards", 2, 1, 12)})
    accepted: list[int] = []
    ending = threading.Event()

    async def write_on() -> None:
        kept = Store(mortal_url)
        await kept.open()
        number = 12
        while not ending.is_set():
            try:
                await kept.write(append("t", number, [Entry(0, "caramba")]))
                accepted.append(number)
                number += 1
            except Taken:  # it was kept, though that could not be said any more
                number += 1
            except Broken:
                await asyncio.sleep(0.01)
        await kept.close()

    with ThreadPoolExecutor(1) as thread:
        writing = thread.submit(asyncio.run, write_on())
        for _ in range(2):
            goal = len(accepted) + 20
            until(lambda goal=goal: len(accepted) >= goal)  # type: ignore[misc]
            mortal.stop(signal.SIGQUIT)
            mortal.start()
        ending.set()
        writing.result()
    with serving(mortal_url) as server:
        numbers = {row["number"] for row in server.log("t")}
    assert {*accepted} <= numbers
    assert numbers == {*range(max(numbers) + 1)}


@contextmanager
def frozen(engine: Postgres) -> Iterator[None]:
    """A PostgreSQL that takes what it is sent, and says nothing."""
    stopped = engine.processes()
    for process in stopped:
        os.kill(process, signal.SIGSTOP)
    try:
        yield
    finally:
        for process in stopped:
            os.kill(process, signal.SIGCONT)


def test_one_that_says_nothing_is_not_waited_for_long(
    mortal: Postgres, mortal_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer, "PATIENCE", 0.5)
    monkeypatch.setattr(store, "PATIENCE", 0.5)
    with serving(mortal_url, sweep=0.05) as server:
        table, tokens = server.full("cards", 2, options=CARDS)
        players = server.all_players(table, tokens)
        with frozen(mortal):
            refused(players[0])
            assert server.get("/readyz").status_code == 503
            assert server.get("/api/tables").status_code == 503
        until(lambda: server.get("/readyz").status_code == 200)
        play_on(server.all_players(table, tokens))


# Texts


def test_a_key_that_cannot_be_kept_is_refused(url: str) -> None:
    """Nor does it bother anybody else: the one letter that PostgreSQL cannot keep."""
    with serving(url) as server:
        table, tokens = server.full("cards", 2, options=CARDS)
        ana, luc = server.all_players(table, tokens)
        action = ana.news["view"]["legal"][0]["text"]
        ana.say(type="act", key="\0", number=ana.news["number"], action=action)
        assert ana.hear("refused", "accepted")["code"] == "invalid"
        assert server.player("t%00").welcome["type"] == "refused"
        assert server.get("/api/codes/%00BCDFG").status_code in (400, 404)
        play_on([ana, luc], steps=2)
