"""How long it takes from a fresh clone to the page, and to the first move of a bot.

Run it from the checkout: .venv/bin/python bench/start.py [--repeats 5]. Each time what is committed
here is cloned into a folder that is deleted afterwards, all package caches are empty (pip, uv, npm)
and `./caramba` runs there as after a download. Measured from that command: until the address it
prints answers with the page; until a medium bot has moved at a table made then; until everything
is compiled; and how long a command takes after that. The size is that of all that was installed.
How fast play is: caramba bench.
"""

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import astuple, dataclass
from pathlib import Path
from statistics import median

import click
import httpx
from websockets.sync.client import ClientConnection, connect

from caramba.wire import PROTOCOL

ROOT = Path(__file__).parent.parent
GAME, LEVEL = "auction", "medium"
PATIENCE = 900
"""Seconds after which nothing more is expected."""
OURS = ("CARAMBA_", "NUMBA_", "PYTHON", "VIRTUAL_ENV", "DISPLAY", "WAYLAND")
"""What a newcomer has not set."""


@dataclass
class Start:
    """What was measured, in the order of a report: seconds, and megabytes."""

    page: float
    move: float
    compiled: float
    help: float
    game: float
    packages: float
    node_modules: float
    cache: float


TITLES = (
    "first answer of the page, s",
    f"first move of a {LEVEL} bot, s",
    "everything compiled, s",
    "caramba --help afterwards, s",
    "cached start to the first game, s",
    ".venv without the compiled rules, MB",
    "web/node_modules, MB",
    "compiled rules, MB",
)


@click.command()
@click.option("--repeats", type=click.IntRange(1), default=5, show_default=True)
def main(repeats: int) -> None:
    """Measure, and print a table."""
    starts = []
    for number in range(1, repeats + 1):
        tell(f"start {number} of {repeats}")
        with fresh_clone() as (clone, environment):
            starts.append(measure(clone, environment))
    numbers = (str(number) for number in range(1, repeats + 1))
    print(f"| from nothing, empty package caches | {' | '.join(numbers)} | median |")
    print(f"| --- |{' ---: |' * (repeats + 1)}")
    for title, figures in zip(TITLES, zip(*map(astuple, starts), strict=True), strict=True):
        print(f"| {title} | {' | '.join(f'{each:.1f}' for each in (*figures, median(figures)))} |")


@contextmanager
def fresh_clone() -> Iterator[tuple[Path, dict[str, str]]]:
    """What is committed, in a folder of its own, and an environment with empty caches."""
    with tempfile.TemporaryDirectory() as folder:
        clone, empty = Path(folder, "caramba"), Path(folder, "empty")
        subprocess.run(["git", "clone", "--quiet", ROOT, clone], check=True)
        caches = ("PIP_CACHE_DIR", "UV_CACHE_DIR", "npm_config_cache")
        homes = ("XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME")
        kept = {name: text for name, text in os.environ.items() if not name.startswith(OURS)}
        path = [each for each in os.environ["PATH"].split(":") if not each.startswith(sys.prefix)]
        empties = {name: str(empty / name) for name in (*caches, *homes)}
        yield clone, {**kept, **empties, "PATH": ":".join(path)}


def measure(clone: Path, environment: dict[str, str]) -> Start:
    """Start it there, play, wait until nothing is left to be done, and start it again."""
    started = time.perf_counter()
    with running(clone, environment) as address:
        assert httpx.get(address).status_code == 200
        page = lap("the page answers", started)
        wait_for_bot(address)
        move = lap(f"a {LEVEL} bot has moved", started)
        wait_until_compiled(clone)
        compiled = lap("everything is compiled", started)
    again = [timed(clone, environment, *each) for each in (HELP, SIMULATE)]
    cache = size(clone / ".venv" / "cache")
    packages = size(clone / ".venv") - cache
    node_modules = size(clone / "web" / "node_modules")
    return Start(page, move, compiled, *again, packages, node_modules, cache)


HELP = ("--help",)
SIMULATE = ("simulate", GAME, "--games", "1")


@contextmanager
def running(clone: Path, environment: dict[str, str]) -> Iterator[str]:
    """The server of a clone, from nothing: its address, once it has said it."""
    with subprocess.Popen(
        [clone / "caramba"], env=environment, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            yield address_in(process)
        finally:
            process.send_signal(signal.SIGTERM)
            process.communicate(timeout=60)


def address_in(process: "subprocess.Popen[str]") -> str:
    """Where the server says that it is; all that it says before is shown."""
    assert process.stderr is not None
    for line in process.stderr:
        tell(f"    {line.rstrip()[:100]}")
        if found := re.search(r"is at http://[^:]+:(\d+)/", line):
            return f"http://127.0.0.1:{found.group(1)}/"
    sys.exit("it ended before it said where it is")


def wait_for_bot(address: str) -> None:
    """Play at a new table against a bot, anything that is allowed, until the bot has moved."""
    seats = [{"kind": "person"}, *[{"kind": "bot", "level": LEVEL}] * 2]
    made = httpx.post(f"{address}api/tables", json={"game": GAME, "seats": seats, "name": "Ana"})
    made.raise_for_status()
    table, token = made.json()["table"], made.json()["token"]
    where = f"{address.replace('http', 'ws', 1)}api/tables/{table}/socket"
    with connect(where, additional_headers={"Authorization": f"Bearer {token}"}) as socket:
        socket.send(json.dumps({"type": "hello", "protocol": PROTOCOL}))
        play_until_bot(socket)


def play_until_bot(socket: ClientConnection) -> None:
    """The bot has moved when the table has gone on where it was its turn."""
    bots_turn = False
    for frame in socket:
        message = json.loads(frame)
        if message["type"] != "news":
            continue
        if bots_turn:
            return
        actor = message["view"]["actor"]
        bots_turn = actor not in (None, 0)
        if actor == 0:
            action = message["view"]["legal"][0]["text"]
            act = {"type": "act", "key": str(message["number"]), "number": message["number"]}
            socket.send(json.dumps({**act, "action": action}))


def wait_until_compiled(clone: Path) -> None:
    """Wait for the marks of all games, both of the rules and of the bots."""
    until = time.monotonic() + PATIENCE
    while len(list((clone / ".venv" / "cache").rglob("*.compiled"))) < 6:
        if time.monotonic() > until:
            sys.exit("it was never compiled")
        time.sleep(0.2)


def timed(clone: Path, environment: dict[str, str], *arguments: str) -> float:
    """Seconds that a command takes: the median of five times."""
    times = []
    for _ in range(5):
        started = time.perf_counter()
        command = [clone / "caramba", *arguments]
        subprocess.run(command, env=environment, capture_output=True, check=True)
        times.append(time.perf_counter() - started)
    return median(times)


def size(folder: Path) -> float:
    """Megabytes on the disk; a file that has two names counts once."""
    facts = (path.lstat() for path in folder.rglob("*"))
    blocks = {fact.st_ino: fact.st_blocks for fact in facts}
    return sum(blocks.values()) * 512 / 1e6


def lap(what: str, started: float) -> float:
    """How far it is."""
    seconds = time.perf_counter() - started
    tell(f"  {seconds:6.1f} s  {what}")
    return seconds


def tell(line: str) -> None:
    """Progress goes to the error stream: the output is the table."""
    print(line, file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
