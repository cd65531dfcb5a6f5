"""How `caramba serve` starts; and if it cannot, one sentence, and exit code 2."""

import json
import os
import re
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from contextlib import suppress
from multiprocessing import active_children
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import httpx
import pytest
from click.testing import CliRunner
from structlog.testing import capture_logs

from caramba import warmup
from caramba.cli import serve as cli_serve
from caramba.cli.compiling import Compiling
from caramba.games import contract, names
from caramba.games.errors import InvalidSetup
from caramba.server.settings import Settings
from caramba.server.store.database import prepare
from server_kit import Player, serving


def serve(database: Path, port: int = 0, **environment: str) -> "subprocess.Popen[str]":
    command = [sys.executable, "-m", "caramba", "serve", "--port", str(port)]
    command += ["--database", f"sqlite:///{database}"]
    pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    return subprocess.Popen(command, env={**os.environ, **environment}, **pipes)


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


def test_another_server_has_the_file(tmp_path: Path) -> None:
    with serve(tmp_path / "tables.db") as first:
        address_of(first)
        with serve(tmp_path / "tables.db") as second:
            out, err = second.communicate(timeout=60)
        first.terminate()
        first.communicate(timeout=30)
    assert (second.returncode, out, err.count("\n")) == (2, "", 1)
    assert f"is in use by another server (process {first.pid}); one server a file" in err


def test_another_server_has_the_file_by_another_name(tmp_path: Path) -> None:
    """The lock is beside the file itself, wherever a link to it is."""
    (tmp_path / "elsewhere").mkdir()
    link = tmp_path / "elsewhere" / "link.db"
    link.symlink_to(tmp_path / "tables.db")
    for has, wants in ((tmp_path / "tables.db", link), (link, tmp_path / "tables.db")):
        with serving(f"sqlite:///{has}"), pytest.raises(InvalidSetup, match="in use by another"):
            prepare(f"sqlite:///{wants}")
    assert list(link.parent.iterdir()) == [link]


def test_a_link_that_leads_in_a_circle_is_refused(tmp_path: Path) -> None:
    (tmp_path / "tables.db").symlink_to(tmp_path / "tables.db")
    assert "cannot use that database" in why_not(tmp_path / "tables.db")


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


def compilers_in(cache: Path) -> list[str]:
    """The processes that compile into a folder."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            of_this = f"CARAMBA_CACHE_DIR={cache}".encode() in (process / "environ").read_bytes()
            if of_this and (process / "stat").read_text().rpartition(")")[2].split()[0] != "Z":
                found.append((process / "cmdline").read_text())
    return found


def test_it_is_played_while_the_rules_are_being_compiled(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    with serve(tmp_path / "tables.db", CARAMBA_CACHE_DIR=str(cache)) as process:
        address = address_of(process)
        seats = [{"kind": "person"}, {"kind": "bot", "level": "medium"}]
        body = {"game": "race", "seats": seats, "name": "Ana", "options": {"first": 1}}
        made = httpx.post(urljoin(address, "/api/tables"), json=body).json()
        where = httpx.URL(address)
        ana = Player(f"{where.host}:{where.port}", made["table"], made["token"])
        while ana.hear("news")["view"]["actor"] != 0:
            pass
        ana.close()
        assert not list(cache.rglob("*.compiled")), "nothing is compiled yet"
        assert any("compile" in command for command in compilers_in(cache))
        process.terminate()
        process.communicate(timeout=30)
    assert not compilers_in(cache), "what compiles ends with the server"


def failing(tries: Path, times: int) -> tuple[str, ...]:
    """A compiler that fails so often, and then is at work."""
    script = f"""
import pathlib, sys, time
tries = pathlib.Path({str(tries)!r})
tries.open("a").write("x")
if len(tries.read_text()) <= {times}:
    sys.exit("Traceback (most recent call last):\\ncaramba: no space left on the disk")
time.sleep(60)
"""
    return (sys.executable, "-c", script)


@pytest.mark.parametrize("times", [1, 2])
def test_what_cannot_be_compiled_is_tried_again_and_does_not_end_the_server(
    times: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(warmup, "is_ready", lambda game, for_bots: False)
    tries = tmp_path / "tries"
    tries.touch()
    compiling = Compiling(failing(tries, times))
    with capture_logs() as lines:
        compiling.start()
        while len(tries.read_text()) < 2 or len(lines) < times - 1:
            time.sleep(0.05)
        compiling.end()
    assert not compiling.is_done("race")
    assert len(lines) == times - 1
    assert all("compile the rules (no space left on the disk)" in line["event"] for line in lines)


def test_a_compiler_that_cannot_even_be_started_does_not_end_the_server(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(warmup, "is_ready", lambda game, for_bots: False)
    compiling = Compiling(("/no/such/program",))
    with capture_logs() as lines:
        compiling.start()
        end = time.monotonic() + 10
        while not lines and time.monotonic() < end:
            time.sleep(0.05)
        compiling.end()
    assert [line["event"][:60] for line in lines] == [
        "could not compile the rules (No such file or directory): bot"
    ]


def test_a_process_that_dies_while_compiling_is_told_in_one_sentence() -> None:
    def kill_one(done: int, total: int) -> None:
        for process in active_children()[:1]:
            process.kill()

    with pytest.raises(InvalidSetup, match="a process that compiled has died"):
        warmup.prepare_all([contract.load("race")], kill_one)


def test_each_game_is_ready_as_soon_as_it_is_compiled(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ready, loaded = {"cards"}, []
    monkeypatch.setattr(warmup, "is_ready", lambda game, for_bots: game.name in ready)
    monkeypatch.setattr(warmup, "prepare", lambda game, **_: loaded.append(game.name))
    compiling = Compiling((sys.executable, "-c", "import time; time.sleep(60)"))
    compiling.start()
    assert compiling.is_done("cards")
    assert not compiling.is_done("race")
    ready.update(names())
    while not all(map(compiling.is_done, names())):
        time.sleep(0.01)
    compiling.end()
    assert sorted(loaded) == sorted(names())
    assert "compiled: all bots are ready" in capsys.readouterr().err


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
