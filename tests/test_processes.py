"""Processes that work for another end with it, however it ended."""

import os
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

COMPILING = ["serve", "--port", "0", "--database", "sqlite:///{folder}/tables.db"]
PLAYING = ["arena", "race", "--bots", "easy,random", "--games", "1000000", "--processes", "2"]


def marked(folder: Path) -> list[str]:
    """The processes that were started, by one of them or here, to work in a folder."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            of_this = f"CARAMBA_CACHE_DIR={folder}".encode() in (process / "environ").read_bytes()
            if of_this and (process / "stat").read_text().rpartition(")")[2].split()[0] != "Z":
                found.append((process / "cmdline").read_text().replace("\0", " "))
    return found


def until(true: Callable[[], bool]) -> None:
    end = time.monotonic() + 30
    while not true():
        assert time.monotonic() < end
        time.sleep(0.05)


@pytest.mark.skipif(not Path("/proc").exists(), reason="looks for processes as Linux shows them")
@pytest.mark.parametrize(("command", "uncompiled"), [(COMPILING, "0"), (PLAYING, "1")])
def test_those_who_work_for_a_process_that_is_killed_end_with_it(
    tmp_path: Path, command: list[str], uncompiled: str
) -> None:
    arguments = [word.format(folder=tmp_path) for word in command]
    folders = {"CARAMBA_CACHE_DIR": str(tmp_path), "XDG_STATE_HOME": str(tmp_path)}
    with subprocess.Popen(
        [sys.executable, "-m", "caramba", *arguments],
        env={**os.environ, **folders, "NUMBA_DISABLE_JIT": uncompiled},
        stderr=subprocess.DEVNULL,
    ) as process:
        until(lambda: sum("spawn_main" in each for each in marked(tmp_path)) >= 2)
        time.sleep(1)
        process.kill()
    until(lambda: not marked(tmp_path))
