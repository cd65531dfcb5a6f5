"""A peer in a process of its own, which plays when it is told to."""

import json
import os
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Timer
from typing import Any

from caramba.research.doors import Door, Sample

HERE = Path(__file__).parent
PATIENCE = 600.0
"""Seconds in which a peer must be ready, or answer after its time is up."""
ONE_THREAD = {
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1",
    "JAX_PLATFORMS": "cpu",
    "PYGAME_HIDE_SUPPORT_PROMPT": "1",
}


@dataclass(frozen=True, slots=True)
class Peer:
    """A game of another software, and the way it is played."""

    name: str
    way: str
    """`compiled`: whole games without Python in between; `python`: move by move."""
    game: str
    players: int
    module: str


PEERS = (
    Peer("OpenSpiel", "compiled", "crazy_eights(players=4)", 4, "play_openspiel"),
    Peer("OpenSpiel", "compiled", "hearts", 4, "play_openspiel"),
    Peer("OpenSpiel", "python", "crazy_eights(players=4)", 4, "play_openspiel"),
    Peer("OpenSpiel", "python", "hearts", 4, "play_openspiel"),
    Peer("Pgx", "compiled", "kuhn_poker", 2, "play_pgx"),
    Peer("Pgx", "compiled", "leduc_holdem", 2, "play_pgx"),
    Peer("Pgx", "compiled", "sparrow_mahjong", 3, "play_pgx"),
    Peer("RLCard", "python", "leduc-holdem", 2, "play_rlcard"),
    Peer("RLCard", "python", "gin-rummy", 2, "play_rlcard"),
    Peer("RLCard", "python", "uno", 2, "play_rlcard"),
    Peer("PettingZoo", "python", "leduc_holdem_v4", 2, "play_pettingzoo"),
    Peer("PettingZoo", "python", "hanabi_v5", 2, "play_pettingzoo"),
)


class PeerFailed(Exception):
    """A peer that could not be started, or ended before its time; the message says why."""


class PeerDoor(Door):
    """Talks with a peer: see `serve.py` for the lines that are exchanged."""

    def __init__(self, peer: Peer, python: Path) -> None:
        self.peer, self.python = peer, python
        self.version = ""
        self.process: subprocess.Popen[str] | None = None
        self.complaints = tempfile.TemporaryFile("w+", errors="replace")  # noqa: SIM115 - closed below

    def warm(self) -> None:
        """Start it, and wait until it is ready."""
        script = HERE / "serve.py"
        try:
            self.process = subprocess.Popen(
                [self.python, script, self.peer.module, self.peer.way, self.peer.game],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self.complaints,
                text=True,
                env=_environment(self.python),
                start_new_session=True,  # Ctrl-C is ours
            )
        except OSError as error:
            raise PeerFailed(f"{self.python}: {error.strerror}") from None
        (self.version,) = self._ask(None, "version")

    def run(self, seconds: float) -> Sample:
        """Have it play for about so long."""
        return Sample(*self._ask(seconds, "decisions", "chance_steps", "seconds"))

    def _ask(self, seconds: float | None, *wanted: str) -> list[Any]:
        """These parts of its answer; a failure if there is none, or not such a one."""
        assert self.process
        assert self.process.stdin
        assert self.process.stdout
        timer = Timer(PATIENCE + (seconds or 0), self.process.kill)
        timer.start()
        line = ""
        try:
            if seconds is not None:
                with broken_pipes_as_errors():
                    print(seconds, file=self.process.stdin, flush=True)
            line = self.process.stdout.readline()
            answer = json.loads(line)
            return [answer[key] for key in wanted]
        except (OSError, ValueError, KeyError, TypeError):
            raise PeerFailed(self._reason(line)) from None
        finally:
            timer.cancel()

    def _reason(self, line: str) -> str:
        """Why it failed, as far as can be known: the last that it complained about."""
        code = self._end(grace=2)
        self.complaints.seek(0)
        said = [text.strip() for text in self.complaints if text.strip()]
        if line:
            return f"it answered {line.strip()[:60]!r}"
        if code < 0:
            return f"it was ended by signal {-code}"
        return said[-1][:120] if said else f"it ended with exit code {code}"

    def _end(self, grace: float = 0) -> int:
        """Have it ended, if not by itself in this time; its exit code."""
        assert self.process
        try:
            return self.process.wait(grace)
        except subprocess.TimeoutExpired:
            self.process.kill()
            return self.process.wait()

    def close(self) -> None:
        """End it."""
        if self.process:
            self._end()
            for stream in (self.process.stdin, self.process.stdout):
                assert stream
                with suppress(OSError), broken_pipes_as_errors():  # left without reading all
                    stream.close()
        self.complaints.close()


@contextmanager
def broken_pipes_as_errors() -> Iterator[None]:
    """A peer that is gone must not end us, as the command line has a closed pipe do."""
    before = signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGPIPE, before)


def _environment(python: Path) -> dict[str, str]:
    """One thread; compiled code is kept for the next time."""
    ours = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    kept = {
        "JAX_COMPILATION_CACHE_DIR": str(python.parent.parent / "jax"),
        "JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS": "1",
    }
    return {**ours, **ONE_THREAD, **kept}
