"""`caramba move`: all tables from a file to another database, or none."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sql

import engines
from caramba.cli.move import Judge
from caramba.games.errors import InvalidSetup
from caramba.server.store import moving, schema
from caramba.server.store.file import DatabaseFile
from caramba.server.store.moving import move
from kit import Run, random_match
from server_kit import keep, play_on, serving

CARDS = {"first": 0, "max_deals": 1, "max_laps": 3}


@pytest.fixture
def target(tmp_path: Path) -> Iterator[str]:
    """An empty database."""
    with engines.in_postgresql(tmp_path) as url:
        yield url


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of a server: one game over, one going on, one table open; and chat."""
    folder = tmp_path_factory.mktemp("played")
    with serving(folder) as server:
        table, tokens = server.full("cards", 2, options=CARDS)
        players = server.all_players(table, tokens)
        players[0].ask(type="say", text="Bon jeu ! ♣")
        play_on(players)
        table, tokens = server.full("race", 2, clock={"game": 1000})
        play_on(server.all_players(table, tokens), steps=3)
        server.make("auction", 2, public=True)
    return folder / "tables.db"


def everything(place: str | Path) -> dict[str, list[Any]]:
    """All that a server finds in a database."""
    with serving(place, pause=1e6, sweep=1e6) as server:
        parts = (schema.tables, schema.seats, schema.log, schema.chat)
        return {part.name: sorted(map(str, server.rows(sql.select(part)))) for part in parts}


def test_all_tables_arrive_and_the_file_stays_as_it_is(run: Run, played: Path, target: str) -> None:
    before, at = played.read_bytes(), played.stat().st_mtime_ns
    assert run("move", played, target) == (
        0,
        "3 tables moved; 1 finished games verified\n",
        "",
    )
    assert (played.read_bytes(), played.stat().st_mtime_ns) == (before, at)
    assert everything(target) == everything(played.parent)


def test_what_was_moved_is_gone_on_with(played: Path, target: str) -> None:
    move(str(played), target, lambda kept: None, lambda done, total: None)
    with serving(target) as server:
        going_on = server.rows(sql.select(schema.tables).where(schema.tables.c.code.is_not(None)))
        server.sit(going_on[0]["id"])
        over = server.rows(sql.select(schema.tables).where(schema.tables.c.status == "over"))
        saved = server.get(f"/api/tables/{over[0]['id']}/saved")
        assert saved.status_code == 200
        made = server.make("cards", 1, 1, options=CARDS)
        player = server.player(made["table"], made["token"])
        assert player.ask(type="say", text="Me too")["type"] == "accepted"


def test_a_database_that_is_not_empty_is_refused(run: Run, played: Path, target: str) -> None:
    keep(target, {"t": random_match("cards", 2, 1, 12)})
    code, out, err = run("move", played, target)
    assert (code, out) == (2, "")
    assert "there are tables; it must be empty" in err
    assert engines.PASSWORD not in err
    assert len(everything(target)["tables"]) == 1


def test_who_is_interrupted_begins_anew(
    played: Path, target: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(done: int, total: int) -> None:
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        move(str(played), target, lambda kept: None, interrupted)
    assert not everything(target)["log"]
    assert move(str(played), target, lambda kept: None, lambda done, total: None) == 3


def test_what_arrives_otherwise_is_noticed(
    played: Path, target: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = moving._rows

    def altered(connection: Any, part: Any, name: str) -> Any:
        found = rows(connection, part, name)
        if part is schema.log and found and connection.dialect.name == "postgresql":
            found[-1]["text"] += "!"
        return found

    monkeypatch.setattr(moving, "_rows", altered)
    with pytest.raises(InvalidSetup, match="is not the same there; nothing was moved"):
        move(str(played), target, lambda kept: None, lambda done, total: None)
    monkeypatch.undo()
    assert not everything(target)["tables"]


def test_a_game_that_was_wrong_already_is_named(run: Run, tmp_path: Path, target: str) -> None:
    over = random_match("cards", 2, 1, 12)
    keep(tmp_path, {"good": over, "bad": over, "old": over}, status="over")
    with closing(sqlite3.connect(tmp_path / "tables.db")) as file:
        file.execute("UPDATE log SET text = 'nonsense' WHERE table_id = 'bad' AND number = 3")
        file.execute("UPDATE tables SET rules = 0 WHERE id = 'old'")
        file.commit()
    code, out, err = run("move", tmp_path / "tables.db", target)
    assert code == 1
    assert out.splitlines() == [
        "3 tables moved; 1 finished games verified",
        "1 of other rules than these were not checked",
    ]
    assert "bad is as it was, but does not verify" in err


def test_what_cannot_be_moved_is_said(run: Run, tmp_path: Path, target: str) -> None:
    def why_not(source: Path | str, to: str = target) -> str:
        code, out, err = run("move", source, to)
        assert (code, out, err.count("\n")) == (2, "", 1)
        assert engines.PASSWORD not in err
        return err

    assert "an SQLite file that is there" in why_not(tmp_path / "nowhere.db")
    assert not (tmp_path / "nowhere.db").exists()
    assert "an SQLite file that is there" in why_not(target)
    keep(tmp_path, {"t": random_match("cards", 2, 1, 12)})
    in_use = DatabaseFile(tmp_path / "tables.db")
    (tmp_path / "link.db").symlink_to(tmp_path / "tables.db")
    for name in ("tables.db", "link.db"):
        assert "in use by another server" in why_not(tmp_path / name)
    in_use.release()
    assert "Connection refused" in why_not(
        tmp_path / "tables.db", f"postgresql://127.0.0.1:{engines.free_port()}/x"
    )
    with closing(sqlite3.connect(tmp_path / "tables.db")) as file:
        file.execute("UPDATE alembic_version SET version_num = '0001'")
        file.commit()
    assert "it is of another version" in why_not(tmp_path / "tables.db")


def test_a_back_up_can_be_moved_where_nothing_can_be_written(
    run: Run, played: Path, tmp_path: Path, target: str
) -> None:
    with closing(sqlite3.connect(played)) as file:
        file.execute("VACUUM INTO ?", [str(tmp_path / "backup.db")])
    assert run("move", tmp_path / "backup.db", target)[0] == 0


def test_a_file_can_be_moved_to_another(run: Run, played: Path, tmp_path: Path) -> None:
    assert run("move", played, tmp_path / "tables.db")[0] == 0
    assert everything(tmp_path) == everything(played.parent)
    assert os.stat(tmp_path / "tables.db").st_mode & 0o777 == 0o600


def test_games_that_go_on_are_not_judged(played: Path, tmp_path: Path) -> None:
    judge = Judge()
    move(str(played), str(tmp_path / "new.db"), judge.look_at, lambda done, total: None)
    assert (judge.good, judge.other_rules, judge.complaints) == (1, 0, [])
