"""How `caramba serve` starts; and if it cannot, one sentence, and exit code 2."""

import json
import socket
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from caramba.games.compiled import IS_COMPILED
from caramba.server.store import prepare


def serve(database: Path, port: int = 0) -> "subprocess.Popen[str]":
    command = [sys.executable, "-m", "caramba", "serve", "--port", str(port)]
    command += ["--database", f"sqlite:///{database}"]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def why_not(database: Path, port: int = 0) -> str:
    """The one line that a server which cannot start leaves."""
    with serve(database, port) as process:
        out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (2, "")
    assert err.startswith("caramba: cannot ")
    assert err.count("\n") == 1
    return err


def test_the_port_is_taken(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert f"127.0.0.1, port {port}: Address already in use" in why_not(tmp_path / "x.db", port)


def test_the_file_is_no_database(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("no, really, this is something else\n" * 100)
    assert "notes.txt: file is not a database" in why_not(tmp_path / "notes.txt")


def test_the_database_cannot_be_reached(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert str(tmp_path / "file") in why_not(tmp_path / "file" / "tables.db")
    assert "unable to open" in why_not(tmp_path)


def test_the_database_is_damaged(tmp_path: Path) -> None:
    prepare(f"sqlite:///{tmp_path / 'tables.db'}")
    change(tmp_path / "tables.db", "DELETE FROM alembic_version")
    assert "already exists" in why_not(tmp_path / "tables.db")


def test_the_database_is_of_a_newer_version(tmp_path: Path) -> None:
    prepare(f"sqlite:///{tmp_path / 'tables.db'}")
    change(tmp_path / "tables.db", "UPDATE alembic_version SET version_num = '9999'")
    assert "another version of Caramba!" in why_not(tmp_path / "tables.db")


def change(database: Path, statement: str) -> None:
    connection = sqlite3.connect(database)
    connection.execute(statement)
    connection.commit()
    connection.close()


@pytest.mark.skipif(not IS_COMPILED, reason="servers start slowly enough")
def test_it_says_where_it_is_once_it_is_there(tmp_path: Path) -> None:
    with serve(tmp_path / "tables.db") as process:
        assert process.stderr is not None
        lines = iter(process.stderr)
        line = next(lines)
        while not line.startswith("caramba: Caramba! is at http://127.0.0.1:"):
            assert line.startswith("caramba: compiling") or json.loads(line)["event"] == "ready"
            line = next(lines)
        port = int(line.split("/")[2].partition(":")[2])
        socket.create_connection(("127.0.0.1", port), timeout=10).close()
        process.terminate()
        assert json.loads(next(lines))["event"] == "closed"
        process.communicate(timeout=30)
