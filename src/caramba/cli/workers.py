"""Several workers on one port: started, kept running, started anew one by one, and ended."""

import fcntl
import os
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, SimpleQueue
from types import FrameType

from caramba.cli.console import complain
from caramba.processes import end_with

ROLE = "CARAMBA_WORKER"
"""What tells a process that it is a worker: its number, and what it got from who started it."""
FIGURES = "PROMETHEUS_MULTIPROC_DIR"
"""Where all workers keep their figures, so that each can show those of all."""
POOL = "CARAMBA_POOL"
"""Where their bots think."""
PREFIX, IN_USE = "caramba-workers-", "in-use"
"""How the name of the folder begins that they share; the file in it that is locked meanwhile."""
TICK = 0.1
"""Seconds between two looks at whether all are there."""
FAREWELL = 30.0
"""Seconds in which a worker has to end."""
AT_ONCE, SOON, LATER = 10.0, 0.5, 30.0
"""Who dies within so many seconds is started again after a moment, which doubles up to the last."""
BAD_INPUT = 2


@dataclass(frozen=True)
class Role:
    """What a worker is told by who started it."""

    number: int
    port: int
    """The descriptor of the socket that all accept on."""
    ready: int
    """The descriptor on which it says that it is ready."""
    parent: int

    @classmethod
    def mine(cls) -> "Role | None":
        """That of this process, if it is a worker."""
        told = os.environ.get(ROLE)
        return cls(*map(int, told.split())) if told else None

    def begin(self) -> None:
        """End with who started this process, however that ends."""
        end_with(self.parent)

    @property
    def socket(self) -> socket.socket:
        """The socket that all accept on."""
        return socket.socket(fileno=self.port)

    def is_ready(self) -> None:
        """Say so."""
        os.write(self.ready, b"1")
        os.close(self.ready)

    def __str__(self) -> str:
        return f"{self.number} {self.port} {self.ready} {self.parent}"


class Place:
    """The place of one worker: whoever is there, there is one again when it has gone."""

    def __init__(self, number: int, listening: socket.socket) -> None:
        self.number, self.listening = number, listening
        self.process: subprocess.Popen[bytes] | None = None
        self.was_ready = False
        self._said, self._pause = -1, SOON
        self._started = self._told_to_end = self._due = 0.0

    def start(self) -> None:
        """Have a worker here."""
        self._said, ready = os.pipe()
        self.process = self._launched(ready)
        os.close(ready)
        self.was_ready, self._told_to_end, self._started = False, 0.0, time.monotonic()

    def _launched(self, ready: int) -> "subprocess.Popen[bytes]":
        """A process, which says there that it is ready. Ctrl-C is for us, who then tell it."""
        role = Role(self.number, self.listening.fileno(), ready, os.getpid())
        return subprocess.Popen(
            [sys.executable, "-m", "caramba", *sys.argv[1:]],
            env={**os.environ, ROLE: str(role)},
            pass_fds=(role.port, role.ready),
            start_new_session=True,
        )

    @property
    def is_there(self) -> bool:
        """Whether a worker is there."""
        return self.process is not None and self.process.poll() is None

    @property
    def is_ready(self) -> bool:
        """Whether it serves."""
        if not self.was_ready and self.is_there and select.select([self._said], [], [], 0)[0]:
            self.was_ready = os.read(self._said, 1) == b"1"
        return self.was_ready and self.is_there

    def end(self) -> None:
        """Tell it to end; kill it if it has had the time for that."""
        if not self.is_there:
            return
        assert self.process
        now = time.monotonic()
        if not self._told_to_end:
            self.process.terminate()
            self._told_to_end = now
        elif now - self._told_to_end > FAREWELL:
            self.process.kill()

    @property
    def is_ending(self) -> bool:
        """Whether it was told to end."""
        return bool(self._told_to_end)

    def look(self) -> int | None:
        """Start another if it has gone, at once or after a while; its code, if it just went so."""
        if self.is_there:
            if self.is_ending:
                self.end()
            return None
        if self.process is None:
            if time.monotonic() >= self._due:
                self.start()
            return None
        return self._clear()

    def _clear(self) -> int | None:
        """It has gone: by itself, or because it was told to."""
        assert self.process
        code, pid, self.process = self.process.returncode, self.process.pid, None
        os.close(self._said)
        forget_figures(pid)
        lived = time.monotonic() - self._started
        self._pause = SOON if lived > AT_ONCE else min(2 * self._pause, LATER)
        self._due = 0.0 if self.is_ending else time.monotonic() + self._pause
        return None if self.is_ending else int(code)


class Thinkers(Place):
    """The place of the process in which all bots look ahead."""

    def __init__(self, listening: socket.socket, threads: int) -> None:
        super().__init__(-1, listening)
        self.threads = threads

    def _launched(self, ready: int) -> "subprocess.Popen[bytes]":
        given = (os.environ[POOL], str(self.threads), str(os.getpid()), str(ready))
        command = [sys.executable, "-P", "-m", "caramba.server.host.pool", *given]
        own = {name: text for name, text in os.environ.items() if name != FIGURES}
        return subprocess.Popen(command, env=own, pass_fds=(ready,), start_new_session=True)


class Supervisor:
    """Keeps so many workers running, until it is told to end."""

    def __init__(self, listening: socket.socket, many: int, threads: int) -> None:
        self.places = [Place(number, listening) for number in range(many)]
        self.places.append(Thinkers(listening, threads))
        self.asked: SimpleQueue[int] = SimpleQueue()
        self.anew: deque[Place] = deque()
        """Whose worker is still to be replaced."""
        self.served = self.said = False
        """Whether a worker was ever ready, and whether all were."""

    def run(self, address: str) -> int:
        """Until told to end; the exit code."""
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, self._ask)
        with shared_folder():
            try:
                return self._keep_running(address)
            finally:
                self._end()

    def _ask(self, number: int, _: FrameType | None) -> None:
        self.asked.put(number)

    def _keep_running(self, address: str) -> int:
        while True:
            codes = [place.look() for place in self.places]
            self.served |= any(place.is_ready for place in self.places)
            if BAD_INPUT in codes and not self.served:
                return BAD_INPUT  # it has said why
            for code in codes:
                if code is not None:
                    complain(f"a worker ended with {code}; another takes its place")
            self._announce(address)
            self._renew()
            try:
                asked = self.asked.get(timeout=TICK)
            except Empty:
                continue
            if asked != signal.SIGHUP:
                return 0
            self.anew.extend(place for place in self.places if place not in self.anew)

    def _announce(self, address: str) -> None:
        if not self.said and all(place.is_ready for place in self.places):
            self.said = True
            complain(f"{len(self.places) - 1} workers: {address}")

    def _renew(self) -> None:
        """Let the next one end whose worker is to be replaced, once all others serve."""
        if self.anew and all(place.is_ready and not place.is_ending for place in self.places):
            self.anew.popleft().end()

    def _end(self) -> None:
        """Let all end, and wait for that."""
        while any(place.is_there for place in self.places):
            for place in self.places:
                place.end()
            time.sleep(TICK)


@contextmanager
def shared_folder() -> Iterator[None]:
    """A folder in which the workers keep their figures, and find where bots think.

    What one who was killed has left of that is removed.
    """
    clear_up(Path(tempfile.gettempdir()))
    with tempfile.TemporaryDirectory(prefix=PREFIX) as folder, in_use(Path(folder)):
        os.environ[FIGURES], os.environ[POOL] = folder, f"{folder}/thinkers"
        yield


@contextmanager
def in_use(folder: Path) -> Iterator[None]:
    """Mark it by a lock that ends with this process, however that ends."""
    with (folder / "new").open("w") as mark:
        fcntl.flock(mark, fcntl.LOCK_EX)
        (folder / "new").rename(folder / IN_USE)  # nobody finds it before it is locked
        yield


def clear_up(place: Path) -> None:
    """Remove folders of ours that nobody uses any more: those whose mark is not locked."""
    for folder in place.glob(f"{PREFIX}*"):
        try:
            if folder.lstat().st_uid != os.geteuid():
                continue
            mark = os.open(folder / IN_USE, os.O_RDWR | os.O_NOFOLLOW)
        except OSError:
            continue  # it is somebody else's, or just being made
        try:
            fcntl.flock(mark, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(folder, ignore_errors=True)
        except OSError:
            pass
        finally:
            os.close(mark)


def forget_figures(pid: int) -> None:
    """What a worker had at the moment is no more; what it has done stays done."""
    from prometheus_client.multiprocess import mark_process_dead

    mark_process_dead(pid)  # type: ignore[no-untyped-call]
