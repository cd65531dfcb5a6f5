"""Short runs of the tools that are hard on a server; the long ones are in bench/RESULTS.md."""

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
