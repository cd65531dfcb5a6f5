"""What docs/server.md says of the server is complete, and its back-up works."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from caramba.cli.serve import serve
from caramba.match.verify import verify
from caramba.server.http import api, openapi
from caramba.server.telemetry import REGISTRY
from server_kit import play_on, serving

PAGE = (Path(__file__).parent.parent / "docs" / "server.md").read_text()


def test_every_option_and_its_variable_are_documented() -> None:
    for option in serve.params:
        assert any(f"| `{name}` |" in PAGE for name in [*option.opts, *option.secondary_opts])
        assert f"`CARAMBA_SERVE_{str(option.name).upper()}`" in PAGE


def test_every_request_is_documented() -> None:
    for path, methods in openapi.describe(api.ACTIONS)["paths"].items():
        for method in methods:
            assert f"`{method.upper()} {path}`" in PAGE


def test_every_metric_is_documented() -> None:
    for metric in REGISTRY.collect():
        assert f"`{metric.name}" in PAGE


def commands(what: str) -> str:
    """The block of commands that has this in it."""
    blocks = re.findall(r"^```\w*\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
    (block,) = [block for block in blocks if what in block]
    return str(block)


@pytest.mark.parametrize("way", ["sqlite3 tables.db", "python3 -c"])
def test_a_back_up_of_a_running_server_can_be_restored(tmp_path: Path, way: str) -> None:
    if not shutil.which(way.split()[0]):
        pytest.skip(f"there is no {way.split()[0]} here")
    with serving(tmp_path) as server:
        table, tokens = server.full("race", 2, options={"max_races": 1})
        players = server.all_players(table, tokens)
        play_on(players, steps=6)
        then = players[0].news["number"]
        subprocess.run(["sh", "-ec", commands(way)], cwd=tmp_path, check=True)
        play_on(players, steps=3)
        assert players[0].news["number"] > then
    assert (tmp_path / "backup.db").stat().st_mode & 0o077 == 0
    subprocess.run(["sh", "-ec", commands("rm -f tables.db")], cwd=tmp_path, check=True)
    with serving(tmp_path) as server:
        players = server.all_players(table, tokens)
        assert players[0].news["number"] >= then
        play_on(players)
        saved = server.get(f"/api/tables/{table}/saved")
        (tmp_path / "game.jsonl").write_bytes(saved.content)
    assert verify(tmp_path / "game.jsonl").good
