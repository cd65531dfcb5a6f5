"""boardgame.io beside us: its Node server with a game about as large as ours, kept in memory.

It is installed once, in exactly these versions, into a folder of its own in the cache.
"""

import asyncio
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
from pathlib import Path

from caramba.games import cache

SOURCES = Path(__file__).parent / "boardgame_io"
FOLDER = cache.root() / "bench-peers" / "boardgame-io"
NODE = Path(sys.executable).parent


def install() -> None:
    """Fetch it, unless it is there."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    wanted = (SOURCES / "package.json").read_text()
    stamp = FOLDER / "installed.json"
    for source in SOURCES.iterdir():
        shutil.copy(source, FOLDER)
    if not stamp.exists() or stamp.read_text() != wanted:
        print("fetching boardgame.io, once ...", file=sys.stderr)
        command = [NODE / "npm", "install", "--no-audit", "--no-fund", "--silent"]
        subprocess.run(command, cwd=FOLDER, env=_environment(), check=True)
        stamp.write_text(wanted)


async def measure(tables: int, seconds: float) -> dict[str, float]:
    """Moves a second, and how long they take in milliseconds: half of them, and the 99th of 100."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = str(free.getsockname()[1])
    server = await _node("server.cjs", port)
    try:
        assert server.stdout
        while b"serving on" not in (line := await server.stdout.readline()):
            if not line:
                raise RuntimeError("boardgame.io does not start")
        players = await _node("players.cjs", port, str(tables), str(seconds))
        said, _ = await players.communicate()
        found: dict[str, float] = json.loads(said.splitlines()[-1])
        return found
    finally:
        os.killpg(server.pid, signal.SIGTERM)  # our `node` may be a script that starts another
        await server.wait()


async def _node(script: str, *arguments: str) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        str(NODE / "node"),
        str(FOLDER / script),
        *arguments,
        cwd=FOLDER,
        env=_environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )


def _environment() -> dict[str, str]:
    return {**os.environ, "PATH": f"{NODE}{os.pathsep}{os.environ.get('PATH', '')}"}
