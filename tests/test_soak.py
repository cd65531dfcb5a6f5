"""Short runs of the tools that are hard on a server; the long ones are in bench/RESULTS.md."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from caramba.games.compiled import IS_COMPILED

TOOLS = Path(__file__).parent.parent / "tools"

pytestmark = pytest.mark.skipif(not IS_COMPILED, reason="servers start slowly enough")


def run(tool: str, *arguments: str) -> str:
    """What a tool prints; it must have found nothing wrong."""
    command = [sys.executable, str(TOOLS / tool), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=200)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_a_killed_server_loses_nothing_that_it_confirmed() -> None:
    told = run("kill.py", "--kills", "3", "--tables", "3")
    assert "all is right" in told


def test_every_frame_gets_its_answer_whatever_is_in_it() -> None:
    told = run("fuzz.py", "--frames", "1500")
    assert "all is right" in told


def test_a_besieged_server_answers() -> None:
    """How soon is not for a test: the machine may have other things to do."""
    sieges = ("hellos", "quarrels", "inventions")
    only = [word for siege in sieges for word in ("--only", siege)]
    few = ("--tables", "3", "--steps", "200", "--seconds", "2", "--bar", "60000", "--json")
    told = json.loads(run("siege.py", *few, *only))
    assert told["wrong"] == []
    besieged = told["found"][1:]
    assert [line["siege"] for line in besieged] == list(sieges)
    assert any(line["answers"] for line in besieged), "besiegers give way to all others"
