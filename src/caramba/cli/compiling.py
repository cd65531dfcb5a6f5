"""Compiling while a server already serves: in a process of its own, which gives way to all else."""

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Event, Thread

from caramba.cli.console import complain
from caramba.games import names

COMMAND = (sys.executable, "-P", "-m", "caramba", "compile", "--parent", str(os.getpid()))
LOOK_AGAIN = 0.3
"""Seconds between two looks at how far it is."""
LATER = 600.0
"""Seconds until it is tried again after it has failed twice."""
NICE = 10


class Compiling:
    """What is compiled by now, and loaded: while somebody plays, nobody wants to wait for that.

    Without a command, another process compiles, and what it has done is loaded.
    """

    def __init__(self, command: tuple[str, ...] | None = COMMAND) -> None:
        self._command = command
        self._done: set[str] = set()
        self._ending = Event()
        self._thread: Thread | None = None

    def is_done(self, game: str) -> bool:
        """Whether a game is ready for all bots."""
        return game in self._done

    def start(self) -> None:
        """Load what is compiled now, and compile the rest from now on."""
        self._load_compiled()
        if self._missing():
            if self._command:
                complain("compiling the rules, once; bots that look ahead get ready meanwhile")
            self._thread = Thread(target=self._compile if self._command else self._wait)
            self._thread.start()

    def end(self) -> None:
        """Leave the rest for the next start."""
        self._ending.set()
        if self._thread:
            self._thread.join()

    def _missing(self) -> list[str]:
        return [name for name in names() if name not in self._done]

    def _load_compiled(self) -> None:
        """Load what has been compiled since the last look."""
        from caramba import warmup
        from caramba.games.contract import load

        for game in map(load, self._missing()):
            if warmup.is_ready(game, for_bots=True):
                warmup.prepare(game, for_bots=True, advance=lambda done, total: None)
                self._done.add(game.name)

    def _wait(self) -> None:
        """Until somebody else has compiled all."""
        while self._missing() and not self._ending.wait(LOOK_AGAIN):
            self._load_compiled()

    def _compile(self) -> None:
        """Try again if it fails; if that fails, too, say so, and later try again."""
        from caramba.server import telemetry

        again = False
        while not self._ending.is_set() and (why := self._try()):
            if again:
                telemetry.log.error(
                    f"could not compile the rules ({why}): bots that look ahead do not play for"
                    " now, all else goes on, and it is tried again in ten minutes"
                )
                self._ending.wait(LATER)
            again = True

    def _try(self) -> str:
        """Compile; why that came to nothing, if it did."""
        try:
            return self._wait_for_compiler()
        except OSError as error:  # a machine without memory starts nothing
            return str(error.strerror)

    def _wait_for_compiler(self) -> str:
        with tempfile.TemporaryFile("w+") as said, self._process(said.fileno()) as process:
            while not self._ending.wait(LOOK_AGAIN):
                code = process.poll()
                self._load_compiled()
                if not self._missing():
                    complain("compiled: all bots are ready")
                    return ""
                if code is not None:
                    said.seek(0)
                    last = said.read().strip().rpartition("\n")[2]
                    return last.removeprefix("caramba: ")[:300] or f"it ended with {code}"
        return ""

    @contextmanager
    def _process(self, errors: int) -> Iterator["subprocess.Popen[bytes]"]:
        """The compiler, in a session of its own, so that all of it can be ended with the server."""
        assert self._command
        with subprocess.Popen(
            self._command, stdout=subprocess.DEVNULL, stderr=errors, start_new_session=True
        ) as process:
            with suppress(OSError):
                os.setpriority(os.PRIO_PROCESS, process.pid, NICE)
            try:
                yield process
            finally:
                with suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
