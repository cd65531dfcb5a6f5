"""Processes that work for another: they end with it, however it ends."""

import os
import time
from threading import Thread

LOOK_AGAIN = 1.0
"""Seconds between two looks whether it is still there."""


def end_with(parent: int) -> None:
    """From now on, end this process when the one that has started it is gone, also if killed."""
    Thread(target=_watch, args=(parent,), daemon=True).start()


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(LOOK_AGAIN)
    os._exit(1)
