"""How `caramba serve` starts; and if it cannot, one sentence, and exit code 2."""

import json
import os
import re
import signal
import socket
import sqlite3
import subprocess
import sys
from pathlib import Path
from urllib.parse import urljoin

import httpx
import pytest
from click.testing import CliRunner

from caramba.cli import serve as cli_serve
from caramba.server.settings import Settings
from caramba.server.store.database import prepare


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


def address_of(process: "subprocess.Popen[str]") -> str:
    """Where a server says that it is."""
    assert process.stderr is not None
    for line in process.stderr:
        if found := re.match(r"caramba: Caramba! is at (http://\S+) - Ctrl-C ends it", line):
            return found.group(1)
        assert line.startswith("caramba: compiling") or json.loads(line)["event"] == "ready"
    raise AssertionError("it ended")


def test_it_says_where_it_is_once_it_is_there(tmp_path: Path) -> None:
    with serve(tmp_path / "tables.db") as process:
        address = address_of(process)
        assert address.startswith("http://127.0.0.1:")
        assert httpx.get(urljoin(address, "/healthz")).status_code == 200
        process.terminate()
        assert process.stderr is not None
        assert json.loads(next(process.stderr))["event"] == "closed"
        process.communicate(timeout=30)


def test_whoever_hangs_up_before_the_answer_does_not_end_it(tmp_path: Path) -> None:
    """The command line dies of a broken pipe, as programs in a pipe should; a server must not."""
    with serve(tmp_path / "tables.db") as process:
        address = address_of(process)
        where = httpx.URL(address)
        request = b"GET /api/games HTTP/1.1\r\nHost: here\r\n\r\n"
        for _ in range(150):
            with socket.create_connection((where.host, where.port or 0)) as hasty:
                hasty.sendall(request * 3)
        assert httpx.get(urljoin(address, "/healthz")).status_code == 200
        process.terminate()
        process.communicate(timeout=30)
    assert process.returncode != -signal.SIGPIPE


def test_without_a_command_it_serves_the_page_to_the_network(tmp_path: Path) -> None:
    environment = {**os.environ, "XDG_STATE_HOME": str(tmp_path), "DISPLAY": ""}
    with subprocess.Popen(
        [sys.executable, "-m", "caramba"], stderr=subprocess.PIPE, text=True, env=environment
    ) as process:
        address = address_of(process)
        shown = httpx.get(address)
        assert shown.status_code == 200
        assert "Caramba!" in shown.text
        assert process.stderr is not None
        assert "can join" in next(process.stderr)
        process.terminate()
        process.communicate(timeout=30)
    assert (tmp_path / "caramba" / "tables.db").exists()


def test_another_port_is_taken_where_the_usual_one_is_not_free(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        monkeypatch.setattr(cli_serve, "USUAL_PORT", taken.getsockname()[1])
        assert cli_serve.usual_port() == 0
    assert cli_serve.usual_port() == cli_serve.USUAL_PORT


def told(monkeypatch: pytest.MonkeyPatch, *options: str) -> Settings:
    """The settings that a command line gives."""
    given: list[Settings] = []
    monkeypatch.setattr(cli_serve, "run_server", lambda settings, *_: given.append(settings))
    answer = CliRunner().invoke(cli_serve.serve, options)
    assert answer.exit_code == 0, answer.output
    return given[0]


def test_options_become_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CARAMBA_SERVE_PROXY", "127.0.0.1 10.1.2.3/16")
    monkeypatch.setenv("CARAMBA_SERVE_ALLOW_HOST", "Play.example www.example")
    times = ["--gone", "30", "--uncounted", "3600", "--close-after", "864000"]
    settings = told(monkeypatch, "--searchers", "4", "--per-address", "7", *times)
    assert (settings.proxies, settings.hosts) == (
        ("127.0.0.1/32", "10.1.0.0/16"),
        ("play.example", "www.example"),
    )
    assert (settings.searchers, settings.per_address) == (4, 7)
    assert (settings.gone, settings.uncounted, settings.close_after) == (30, 3600, 864000)


def test_without_limits_there_are_none(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = told(monkeypatch, "--no-limits", "--per-address", "7")
    assert all(getattr(settings, limit) == 10**9 for limit in cli_serve.LIMITED)


def test_what_is_not_given_is_as_in_the_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    usual = Settings(database="x")
    changed = {"database", "page", "thinkers"}
    for name, value in vars(told(monkeypatch)).items():
        assert name in changed or value == getattr(usual, name), name
