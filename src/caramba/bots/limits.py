"""How long somebody else's code may take, which may never come back."""

import faulthandler
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

AGAIN = 1.0
"""Seconds after which code that goes on is interrupted once more."""
GRACE = 3.0
"""Seconds after which a process ends whose code cannot be interrupted at all."""


class TooLate(BaseException):
    """Time is up. Not an Exception: code that goes on whatever happens must not catch it."""


@dataclass(frozen=True)
class Limit:
    """So many seconds at a time.

    Python code is interrupted, where that can be: in the main thread. Code that never comes back
    to Python ends its process, if that may be ended; a line of each thread tells where it was.
    """

    seconds: float
    may_end_process: bool = False

    @contextmanager
    def hold(self) -> Iterator[None]:
        """What is done herein is in time, or TooLate is raised."""
        started = time.perf_counter()
        with ExitStack() as guards:
            if self.may_end_process:
                guards.enter_context(_last_resort(self.seconds + GRACE))
            if threading.current_thread() is threading.main_thread():
                guards.enter_context(_alarm(self.seconds))
            yield
        if time.perf_counter() - started > self.seconds:
            raise TooLate


@contextmanager
def _alarm(seconds: float) -> Iterator[None]:
    """Raise TooLate herein after so many seconds; other alarms are left as they were."""
    handler = signal.signal(signal.SIGALRM, _too_late)
    timer = signal.setitimer(signal.ITIMER_REAL, seconds, AGAIN)
    try:
        try:
            yield
        finally:  # the alarm may still go off in here, but not twice
            signal.setitimer(signal.ITIMER_REAL, 0)
    finally:
        signal.setitimer(signal.ITIMER_REAL, *timer)
        signal.signal(signal.SIGALRM, handler)


def _too_late(*_: object) -> None:
    raise TooLate


@contextmanager
def _last_resort(seconds: float) -> Iterator[None]:
    """End this process after so many seconds, from a thread that needs no interpreter."""
    faulthandler.dump_traceback_later(seconds, exit=True, file=2)
    try:
        yield
    finally:
        faulthandler.cancel_dump_traceback_later()
