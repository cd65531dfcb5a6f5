"""What an operator needs: health, figures, migrations, shutting down, sleeping, and back-ups."""

import asyncio
import io
import os
import re
import sqlite3
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import sqlalchemy as sql
import structlog
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from caramba.games.errors import InvalidSetup
from caramba.server import telemetry
from caramba.server.host import sweeping
from caramba.server.store import database, schema
from caramba.server.store.changes import Change, Row, append, update_table
from caramba.server.store.errors import Broken, Locked, Taken
from caramba.server.store.store import Store
from caramba.server.tables.kept import Entry, KeptSeat, KeptTable
from kit import random_match
from server_kit import Player, Running, keep, play_on, serving, token_of

CARDS = {"max_deals": 1, "max_laps": 4}
NEW = {"game": "race", "seats": [{"kind": "person"}] * 2, "name": "Ana"}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with serving(tmp_path_factory.mktemp("operations")) as running:
        yield running


def until(true: Callable[[], bool]) -> None:
    """Wait for something that no message tells of."""
    end = time.monotonic() + 20
    while not true():
        assert time.monotonic() < end
        time.sleep(0.01)


def code_of(closed: ConnectionClosed) -> int | None:
    """Why the server closed a socket."""
    return closed.rcvd.code if closed.rcvd else None


# Looking at it from outside


def test_it_says_that_it_is_well_and_ready(server: Running) -> None:
    assert server.get("/healthz").text == "ok\n"
    assert server.get("/readyz").text == "ok\n"


def test_it_is_not_ready_when_the_database_does_not_answer(
    server: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def rows(_: Any) -> list[Row]:
        raise Broken("no")

    monkeypatch.setattr(server.host.store, "rows", rows)
    assert server.get("/readyz").status_code == 503
    assert server.get("/healthz").status_code == 200
    assert server.get("/api/tables").status_code == 503


def test_figures_are_for_prometheus(server: Running) -> None:
    made = server.make("cards", 1, 1, options=CARDS)
    server.player(made["table"], made["token"]).hear("news")
    figures = server.get("/metrics").text
    for name in ("tables_awake", "connections", "steps_total", "write_seconds_count"):
        assert f"caramba_{name}" in figures


def test_nobody_can_invent_figures(server: Running) -> None:
    """Whatever is asked, there is a bounded number of lines: labels are words of ours."""
    server.get("/healthz")
    server.ask("BREW", "/api/tables")
    before = labels(server)
    for number in range(20):
        server.ask(f"BREW{number}", f"/api/games/{number}/rules")
        server.ask("POST", f"/api/{number}", content="{}")
        server.ask("GET", f"/api/tables/{number}?lang={number}")
        with pytest.raises(InvalidStatus):
            connect(f"ws://{server.address}/{number}")
    player = server.player("nowhere")
    for number in range(20):
        player.send(f'{{"type": "{number}"}}')
    assert labels(server) - before <= {
        ("method", "POST"), ("method", "GET"), ("code", "invalid"), ("code", "forbidden"),
        ("status", "404"), ("status", "405"), ("status", "400"), ("status", "403"),
    }  # fmt: skip
    assert ("method", "other") in before


def labels(server: Running) -> set[tuple[str, str]]:
    """All labels of all figures, but those of a histogram."""
    found = re.findall(r'[{,](\w+)="([^"]*)"', server.get("/metrics").text)
    return {(name, value) for name, value in found if name != "le"}


# The database


@contextmanager
def editing(place: str) -> Iterator[Callable[[str], Any]]:
    """The database of a server, as another program changes it."""
    engine = database.connect(place)
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        yield lambda statement: connection.execute(sql.text(statement))
    engine.dispose()


def test_migrations_give_what_the_code_expects(place: str) -> None:
    kept = Store(place)
    database.migrate(kept.engine)
    database.migrate(kept.engine)
    with kept.engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), schema.metadata) == []
    asyncio.run(kept.close())


def test_every_field_that_is_kept_has_its_column() -> None:
    assert {*schema.tables.c.keys()} == {"taken", *KeptTable.__struct_fields__}
    assert {*schema.seats.c.keys()} == {"table_id", "seat", *KeptSeat.__struct_fields__}
    assert {*schema.log.c.keys()} == {"table_id", "number", *Entry._fields}


@pytest.mark.parametrize("url", ["sqlite://", "sqlite:///:memory:", "/dev/null/x", "oracle://x/y"])
def test_a_database_that_cannot_be_used_is_refused(url: str) -> None:
    with pytest.raises(InvalidSetup):
        Store(url)


def made_elsewhere(file: Path, *statements: str) -> bytes:
    """A database of another program, as it looks before we come."""
    connection = sqlite3.connect(file)
    for statement in ("CREATE TABLE mydata (x)", "INSERT INTO mydata VALUES (1)", *statements):
        connection.execute(statement)
    connection.commit()
    connection.close()
    file.chmod(0o644)
    os.utime(file, (1000, 1000))
    return file.read_bytes()


ALEMBIC = "CREATE TABLE alembic_version (version_num VARCHAR(32))"


@pytest.mark.parametrize("more", [(), (ALEMBIC,), ("PRAGMA journal_mode=WAL",)])
@pytest.mark.parametrize("use", [Store, database.prepare])
def test_the_database_of_another_program_is_left_as_it_is(
    tmp_path: Path, more: tuple[str, ...], use: Callable[[str], Any]
) -> None:
    file = tmp_path / "theirs.db"
    before = made_elsewhere(file, *more)
    with pytest.raises(InvalidSetup, match=r"theirs\.db: it belongs to another program"):
        use(f"sqlite:///{file}")
    assert list(tmp_path.iterdir()) == [file]
    assert file.read_bytes() == before
    assert (file.stat().st_mode & 0o777, file.stat().st_mtime) == (0o644, 1000)


def test_what_another_program_has_not_put_into_its_file_yet_counts(tmp_path: Path) -> None:
    file = tmp_path / "theirs.db"
    with closing(sqlite3.connect(file)) as theirs:
        theirs.execute("PRAGMA journal_mode=WAL")
        theirs.execute("CREATE TABLE mydata (x)")
        with pytest.raises(InvalidSetup, match="belongs to another program"):
            Store(str(file))


@pytest.mark.parametrize("text", ["no\n", "no, really, this is something else\n" * 100])
def test_a_file_that_is_no_database_is_left_as_it_is(tmp_path: Path, text: str) -> None:
    file = tmp_path / "notes.txt"
    file.write_text(text)
    os.utime(file, (1000, 1000))
    with pytest.raises(InvalidSetup, match=r"notes\.txt: file is not a database"):
        Store(str(file))
    assert list(tmp_path.iterdir()) == [file]
    assert (file.read_text(), file.stat().st_mtime) == (text, 1000)


def test_a_database_that_is_locked_is_waited_for_once(tmp_path: Path) -> None:
    """Not once for everything that is to be written: all tables would stand still."""
    writer = Store(str(tmp_path / "tables.db")).writer
    tries = []

    def locked(work: Any, engine: Any = None) -> Locked:
        tries.append(work)
        return Locked("locked")

    writer._transact = locked  # type: ignore[method-assign]
    jobs: list[Any] = [SimpleNamespace(changes=[])] * 3
    assert [type(failure) for failure in writer._commit(jobs)] == [Locked] * 3
    assert len(tries) == 1
    assert writer.failing, "and /readyz says so"


def test_a_number_of_a_log_is_given_once(place: str) -> None:
    """Of two who append at the same place, one is told; others in the same go are not hurt."""
    keep(place, {"t": random_match("cards", 2, 1, 12), "u": random_match("cards", 2, 1, 12)})

    async def race() -> list[Any]:
        kept = Store(place)
        await kept.open()
        entry = [Entry(0, "caramba")]
        bad = append("t", 99, [Entry(0, "\ud800")])
        writes = [
            kept.write(append("t", 12, entry)),
            kept.write(append("t", 12, entry)),
            kept.write(bad),
            kept.write(append("u", 12, entry)),
            kept.write(append("nowhere", 0, entry)),
        ]
        done = await asyncio.gather(*writes, return_exceptions=True)
        await kept.close()
        return [type(answer) for answer in done]

    nothing = type(None)
    assert asyncio.run(race()) == [nothing, Taken, Broken, nothing, Taken]


def test_a_table_that_changed_elsewhere_is_read_anew(server: Running) -> None:
    """As if another process had written: nothing is told that is not kept."""
    table, tokens = server.full("cards", 2, options={"first": 0, **CARDS})
    player = server.all_players(table, tokens)[0]
    number = player.news["number"]
    action = player.news["view"]["legal"][0]["text"]
    server.call(server.host.store.write(append(table, number, [Entry(0, action, "x")])))
    assert player.act(action)["code"] == "stale"
    with pytest.raises(ConnectionClosed) as closed:
        player.next()
    assert code_of(closed.value) == 1012
    again = server.player(table, tokens[0], have=number)
    assert again.hear("news")["number"] == number + 1


def test_a_step_that_cannot_be_kept_is_not_told(
    server: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, tokens = server.full("cards", 2, options={"first": 0, **CARDS})
    players = server.all_players(table, tokens)
    players[1].ping()
    number = players[0].news["number"]

    async def write(*_: Any, **__: Any) -> None:
        raise Broken("the disk is full")

    with monkeypatch.context() as broken:
        broken.setattr(server.host.store, "write", write)
        assert players[0].act(players[0].news["view"]["legal"][0]["text"])["code"] == "stale"
        with pytest.raises(ConnectionClosed):
            players[0].next()
    assert not [m for m in players[1].quiet(5) if m["type"] == "news"]
    again = server.all_players(table, tokens)
    assert again[0].news["number"] == number
    play_on(again, steps=2)


def test_it_is_ready_again_by_itself(tmp_path: Path) -> None:
    """After a write that failed, without anybody else having to write."""
    with serving(tmp_path, sweep=0.02) as server:
        locker = sqlite3.connect(tmp_path / "tables.db", isolation_level=None)
        locker.execute("BEGIN EXCLUSIVE")
        assert server.post("/api/tables", NEW).status_code == 503
        assert server.get("/readyz").status_code == 503
        locker.execute("ROLLBACK")
        locker.close()
        until(lambda: server.get("/readyz").status_code == 200)


@pytest.mark.parametrize("table", ["tables", "seats", "log", "chat", "pulse"])
def test_it_is_not_ready_while_a_table_of_the_database_is_missing(place: str, table: str) -> None:
    with serving(place, sweep=0.02) as server, editing(place) as edit:
        if server.host.store.file:
            edit("PRAGMA legacy_alter_table=ON")
        edit(f"ALTER TABLE {table} RENAME TO gone")
        with suppress(Broken):
            server.call(server.host.store.writer.probe())
        for _ in range(5):
            assert server.get("/readyz").status_code == 503
            time.sleep(0.03)
        edit(f"ALTER TABLE gone RENAME TO {table}")
        until(lambda: server.get("/readyz").status_code == 200)


def test_it_is_not_ready_while_its_database_cannot_be_understood(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever the failure is called."""

    def damaged(*_: Any) -> Broken:
        return Broken("malformed")

    with serving(tmp_path, sweep=0.02) as server:
        with monkeypatch.context() as broken:
            broken.setattr(server.host.store.writer, "_try", damaged)
            assert server.post("/api/tables", NEW).status_code == 503
            for _ in range(5):
                assert server.get("/readyz").status_code == 503
                time.sleep(0.03)
        until(lambda: server.get("/readyz").status_code == 200)


def test_what_cannot_be_kept_does_not_count_against_the_database(place: str) -> None:
    async def write() -> list[bool]:
        kept = Store(place)
        await kept.open()
        seen = []
        for values in ({"id": 2, "at": "\ud800"}, {"id": 1, "at": 0.0}):
            with pytest.raises((Broken, Taken)):
                await kept.write(Change(sql.insert(schema.pulse), [values]))
            seen.append(kept.writer.failing)
        await kept.close()
        return seen

    assert asyncio.run(write()) == [False, False]


@pytest.mark.parametrize("by", ["moved away", "emptied", "log moved away"])
def test_a_lost_database_is_noticed_while_nobody_writes(tmp_path: Path, by: str) -> None:
    ending = "-wal" if by == "log moved away" else ""
    file = tmp_path / f"tables.db{ending}"
    with serving(tmp_path, sweep=1e6) as server:
        assert server.get("/readyz").status_code == 200
        if by == "emptied":
            os.truncate(file, 0)
        else:
            file.rename(tmp_path / "moved")
        assert server.get("/readyz").status_code == 503


@pytest.mark.parametrize("by", ["removed", "replaced", "log removed"])
def test_a_database_that_is_no_longer_there_is_noticed(tmp_path: Path, by: str) -> None:
    """SQLite goes on writing into a file that has no name any more; nobody is told it was kept."""
    file = tmp_path / "tables.db"
    with serving(tmp_path, sweep=0.02) as server:
        table, tokens = server.full("cards", 2, options={"first": 0, **CARDS})
        player = server.all_players(table, tokens)[0]
        if by == "replaced":
            sqlite_backup(file, tmp_path / "other.db")
            (tmp_path / "other.db").replace(file)
        elif by == "removed":
            file.rename(tmp_path / "moved.db")
        else:
            (tmp_path / "tables.db-wal").rename(tmp_path / "moved-wal")
        answer = player.act(player.news["view"]["legal"][0]["text"])
        assert (answer["type"], answer["code"]) == ("refused", "stale")
        assert server.get("/readyz").status_code == 503
        if by == "removed":
            assert not file.exists(), "it is not made anew, either"
            (tmp_path / "moved.db").rename(file)
            until(lambda: server.get("/readyz").status_code == 200)


def test_a_second_server_on_the_same_file_does_not_start(tmp_path: Path) -> None:
    with serving(tmp_path):
        for _ in range(2):
            with pytest.raises(InvalidSetup, match=r"in use by another server \(process \d+\)"):
                Store(f"sqlite:///{tmp_path / 'tables.db'}")
            with pytest.raises(InvalidSetup, match="in use"):
                database.prepare(f"sqlite:///{tmp_path / 'tables.db'}")
    with serving(tmp_path) as server:
        assert server.get("/readyz").status_code == 200


def test_a_database_that_others_could_read_is_closed_to_them(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "tables.db"
    sqlite3.connect(file).close()
    file.touch()
    file.chmod(0o644)
    with serving(tmp_path):
        modes = {part.stat().st_mode & 0o777 for part in tmp_path.glob("tables.db*")}
    assert modes == {0o600}
    assert "others could read this" in "".join(capfd.readouterr())


# Ending and going on


def test_shutting_down_tells_everybody_to_come_back(place: str) -> None:
    with serving(place) as server:
        table, tokens = server.full("cards", 2, options=CARDS)
        player = server.all_players(table, tokens)[0]
    with pytest.raises(ConnectionClosed) as closed:
        player.hear("nothing more")
    assert code_of(closed.value) in (1001, 1012)


def sqlite_backup(source: Path, target: Path) -> None:
    with sqlite3.connect(source) as one, sqlite3.connect(target) as two:
        one.backup(two)
    one.close()
    two.close()


def vacuum_into(source: Path, target: Path) -> None:
    connection = sqlite3.connect(source)
    connection.execute("VACUUM INTO ?", [str(target)])
    connection.close()


@pytest.mark.parametrize("copy", [sqlite_backup, vacuum_into])
def test_a_copy_made_while_people_play_can_be_gone_on_with(
    tmp_path: Path, copy: Callable[[Path, Path], None]
) -> None:
    (tmp_path / "copy").mkdir()
    with serving(tmp_path) as server:
        table, tokens = server.full("cards", 2, options=CARDS)
        players = server.all_players(table, tokens)
        play_on(players, steps=2)
        copy(tmp_path / "tables.db", tmp_path / "copy" / "tables.db")
        view = players[0].news["view"]
        play_on(players, steps=1)
    with serving(tmp_path / "copy") as server:
        players = server.all_players(table, tokens)
        assert players[0].news["view"] == view
        play_on(players)
        assert server.get(f"/api/tables/{table}/saved").status_code == 200


def test_tables_that_nobody_looks_at_are_put_out_of_memory(place: str) -> None:
    with serving(place, idle=0.05) as server:
        names = [server.make("race", 2)["table"] for _ in range(10)]
        table, tokens = server.full("cards", 2, options=CARDS)
        player = server.all_players(table, tokens)[0]
        until(lambda: list(server.host.awake.tables) == [table])
        for gone in server.players:
            gone.close()
        until(lambda: not server.host.awake.tables)
        assert not server.host.awake.waking
        assert server.get(f"/api/tables/{names[0]}").json()["status"] == "open"
        again = server.player(table, tokens[0], have=player.news["number"])
        assert again.hear("news")["view"] == player.news["view"]


def test_games_that_nobody_touches_no_longer_count_and_are_closed_in_the_end(
    place: str,
) -> None:
    now = [1000.0]
    more: dict[str, Any] = {"idle": 0.05, "sweep": 0.02, "max_tables": 1, "pause": 1e9}
    with serving(place, now=lambda: now[0], uncounted=10, close_after=100, **more) as server:
        table, tokens = server.full("cards", 2, options={"first": 0, **CARDS})
        assert server.post("/api/tables", NEW).status_code == 429
        now[0] += 11
        assert server.post("/api/tables", NEW).status_code == 201
        until(lambda: table not in server.host.awake.tables)
        now[0] += 90
        until(lambda: server.table_row(table)["status"] == "over")
        ana = server.player(table, tokens[0])
        news = ana.hear("news")
        assert (news["table"]["status"], news["view"]["result"]) == ("over", None)
        assert ana.act(news["view"]["legal"][0]["text"])["reason"] == "the game is over"
        assert server.get(f"/api/tables/{table}/saved").status_code == 200
        assert server.post(f"/api/tables/{table}/rematch", {}, tokens[0]).status_code == 201


def test_a_game_whose_clock_runs_is_not_closed(place: str) -> None:
    now = [1000.0]
    with serving(place, now=lambda: now[0], close_after=10, idle=0.05, sweep=0.02) as server:
        table, _ = server.full("cards", 2, options=CARDS, clock={"game": 10_000})
        until(lambda: not server.host.awake.tables)
        now[0] += 1000
        time.sleep(0.2)
        assert server.table_row(table)["status"] == "playing"


def test_tables_that_never_began_are_removed(place: str) -> None:
    with serving(place, idle=0.05, sweep=0.05, keep_open=0.3) as server:
        table = server.make("race", 2)["table"]
        until(lambda: not server.rows(sql.select(schema.tables)))
        assert not server.rows(sql.select(schema.seats))
        assert server.get(f"/api/tables/{table}").status_code == 404


def test_tables_that_are_awake_do_not_hide_those_that_can_be_removed(
    place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sweeping, "SWEEP", 2)
    now = [1000.0]
    with serving(place, now=lambda: now[0], idle=0.05, sweep=0.02, keep_open=10) as server:
        names = sorted(server.make("race", 2)["table"] for _ in range(8))
        for table in names[:5]:
            server.player(table)
        until(lambda: sorted(server.host.awake.tables) == names[:5])
        now[0] += 11
        until(
            lambda: (
                {row["id"] for row in server.rows(sql.select(schema.tables.c.id))} == {*names[:5]}
            )
        )


def test_bots_go_on_after_a_restart(place: str) -> None:
    with serving(place, pause=1000) as server:
        made = server.make("cards", 1, 1, options={"first": 1, **CARDS})
        server.call(server.host.store.write(update_table(made["table"], due=0.0)))
        before = len(server.log(made["table"]))
    with serving(place) as server:
        until(lambda: len(server.log(made["table"])) > before)


def test_bots_among_themselves_rest_while_nobody_looks(place: str) -> None:
    with serving(place, idle=0.05, sweep=0.05) as server:
        table = server.make("cards", 0, 2, options=CARDS, name=None)["table"]
        dealt = len(server.log(table))
        until(lambda: not server.host.awake.tables)
        assert len(server.log(table)) == dealt
        assert server.table_row(table)["due"] is None
        watcher = server.player(table)
        while not watcher.hear("news")["view"]["result"]:
            pass


def test_bots_rest_when_the_last_watcher_has_gone(tmp_path: Path) -> None:
    with serving(tmp_path, idle=0.05, sweep=0.02, pause=0.05) as server:
        table = server.make("race", 0, 2, name=None)["table"]
        watcher = server.player(table)
        until(lambda: len(server.log(table)) > 20)
        watcher.close()
        until(lambda: not server.host.awake.tables)
        assert server.table_row(table)["due"] is None
        played = len(server.log(table))
        time.sleep(0.3)
        assert (len(server.log(table)), server.host.awake.tables) == (played, {})


def test_a_table_that_cannot_be_read_does_not_stop_the_others(place: str) -> None:
    match = random_match("cards", 2, 1, 12)
    keep(place, {"bad": match, "worse": match}, due=1.0)
    with editing(place) as edit:
        edit("UPDATE log SET text = 'nonsense' WHERE table_id = 'bad' AND number = 3")
        edit("UPDATE log SET text = 'back x' WHERE table_id = 'worse' AND number = 3")
    with serving(place, sweep=0.05) as server:
        until(lambda: all(server.table_row(name)["due"] > 1.0 for name in ("bad", "worse")))
        made = server.make("cards", 1, 1, options=CARDS)
        assert server.player(made["table"], made["token"]).welcome["you"] == 0
        assert server.player("bad", token_of(0)).welcome["type"] == "refused"


def test_a_table_that_did_not_wake_is_tried_again(
    place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving(place, sweep=0.02, retry=0.1, idle=0.05, pause=0.2) as server:
        table = server.make("cards", 1, 1, options={"first": 1, **CARDS})["table"]
        dealt = len(server.log(table))
        broken: list[str] = []

        async def load(name: str) -> None:
            broken.append(name)
            raise Broken("the disk is asleep")

        with monkeypatch.context() as failing:
            failing.setattr(server.host.store, "load", load)
            until(lambda: len(broken) > 1)
        until(lambda: len(server.log(table)) > dealt)


def test_a_table_of_other_rules_is_not_gone_on_with(tmp_path: Path) -> None:
    keep(tmp_path, {"old": random_match("cards", 2, 1, 12)}, rules=0)
    with serving(tmp_path) as server:
        assert server.get("/api/tables/old").status_code == 409
        assert "other rules" in server.player("old", token_of(0)).welcome["reason"]


def test_a_table_is_woken_once_however_many_ask(tmp_path: Path) -> None:
    keep(tmp_path, {"t": random_match("cards", 2, 1, 12)})

    async def wake_all(server: Running) -> list[Any]:
        names = ["t", "t", "nowhere", "t", "nowhere", "t"]
        wakes = (server.host.awake.wake(name) for name in names)
        return await asyncio.gather(*wakes, return_exceptions=True)

    with serving(tmp_path, pause=1e6) as server:
        woken = server.call(wake_all(server))
        assert len({id(live) for live in woken[:2] + woken[3:4] + woken[5:]}) == 1
        assert [str(woken[2]), str(woken[4])] == ["there is no such table"] * 2
        assert not server.host.awake.waking
        assert list(server.host.awake.tables) == ["t"]


# Looking back


def test_a_game_is_replayed_from_ones_own_seat_and_openly_after_the_end(server: Running) -> None:
    table, tokens = server.full("cards", 2, options=CARDS)
    players: list[Player] = server.all_players(table, tokens)
    path = f"/api/tables/{table}/replay"
    step = players[0].news["steps"]
    mine = server.get(f"{path}?step={step}&seat=0", tokens[0]).json()
    assert mine["view"] == players[0].news["view"]
    assert (mine["steps"], mine["of"]) == (step, step)
    assert server.get(f"{path}?step={step}").json()["view"]["seat"] == -3
    for query, token in (("seat=1", tokens[0]), ("seat=0", None), ("everything=true", tokens[0])):
        assert server.get(f"{path}?{query}", token).status_code == 403
    assert server.get(f"{path}?step={step + 1}", tokens[0]).status_code == 404
    assert server.get(f"/api/tables/{table}/saved", tokens[0]).status_code == 409
    play_on(players)
    assert server.get(f"{path}?seat=1").json()["view"]["seat"] == 1
    assert "??" not in str(server.get(f"{path}?everything=true&step={step}").json()["view"])
    assert server.get(f"{path}?seat=7").status_code == 400
    texts = [server.get(f"{path}?step={step}&lang={lang}").text for lang in ("en", "fr", "xx")]
    assert texts[0] == texts[2] != texts[1]


def test_who_hangs_up_does_not_show_what_is_not_kept(
    server: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Everybody is told who has gone; not, by the way, of something that may still fail."""
    table, tokens = server.full("cards", 2)
    ana, luc = server.all_players(table, tokens)
    watcher = server.player(table)
    luc.hear("table")
    write, free = server.host.store.write, threading.Event()

    async def slowly(*changes: Any, **more: Any) -> None:
        while not free.is_set():
            await asyncio.sleep(0.01)
        await write(*changes, **more)

    monkeypatch.setattr(server.host.store, "write", slowly)
    ana.say(type="leave")
    time.sleep(0.1)
    watcher.close()
    assert not luc.quiet(0.3), "it is not kept"
    free.set()
    while not luc.hear("table")["table"]["seats"][0]["away"]:
        pass


def test_a_line_of_the_log_is_written_in_one_go(monkeypatch: pytest.MonkeyPatch) -> None:
    """Several workers write to one stream."""
    written: list[str] = []
    stream = io.StringIO()
    monkeypatch.setattr(stream, "write", written.append)
    monkeypatch.setattr(sys, "stderr", stream)
    before = structlog.get_config()
    try:
        telemetry.set_up_log()
        telemetry.log.info("well")
    finally:
        structlog.configure(**before)
    (line,) = written
    assert line.endswith("}\n")
