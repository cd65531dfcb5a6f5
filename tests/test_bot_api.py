"""The bot in the documents plays on a real server, and comes back when it is cut off."""

import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from server_kit import Running, serving

PAGE = Path(__file__).parent.parent / "docs" / "bot-api.md"
SHORT = '{"max_races": 1}'


def program() -> str:
    (found,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL)
    return str(found)


def test_the_bot_makes_a_table_and_plays_to_the_end(tmp_path: Path) -> None:
    file = tmp_path / "bot.py"
    file.write_text(program())
    with serving(tmp_path) as server:
        command = [sys.executable, str(file), f"http://{server.address}", "race", SHORT]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, done.stderr
        assert re.match(r"\{'points': \[\d+, \d+\], 'winners': \[", done.stdout)


def test_the_bot_joins_by_code_and_comes_back_with_what_it_has(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bot: dict[str, Any] = {"__name__": "bot"}
    exec(compile(program(), PAGE.name, "exec"), bot)
    said: list[dict[str, Any]] = []
    monkeypatch.setitem(bot, "time", SimpleNamespace(sleep=lambda seconds: None))
    monkeypatch.setitem(bot, "say", heard(bot["say"], said))
    with serving(tmp_path) as server:
        made = server.make("race", 2, options={"max_races": 1})
        code = server.get(f"/api/tables/{made['table']}").json()["code"]
        seat = bot["take_seat"](f"http://{server.address}", code, {})
        with_ana_away(server, made)
        choices = 0

        def choose(view: Any) -> Any:
            nonlocal choices
            choices += 1
            if choices == 3:
                server.call(cut_off(server, made["table"]))
            return view["legal"][0]

        result = bot["play"](f"http://{server.address}", seat, choose)
    hellos = [message for message in said if message["type"] == "hello"]
    assert len(hellos) == 2
    assert hellos[0]["have"] is None
    assert hellos[1]["have"] > 0
    assert choices > 3
    assert result["winners"]


def heard(say: Any, said: list[dict[str, Any]]) -> Any:
    """Note what the bot says, and let it say it."""

    def note(socket: Any, **message: Any) -> None:
        said.append(message)
        say(socket, **message)

    return note


def with_ana_away(server: Running, made: dict[str, Any]) -> None:
    """Let a bot of the server play for who made the table."""
    ana = server.player(made["table"], made["token"])
    ana.say(type="leave")
    ana.hear("table")
    ana.close()


async def cut_off(server: Running, table: str) -> None:
    """Close the sockets of a table, as when the server is started anew."""
    for connection in server.host.awake.tables[table].connections:
        connection.close(1012)
