"""Read by Python itself when it starts, where bench/services.py has put this folder on its path.

Times what a server does for a move: how often, and for how long its processor worked. Twice a
second the sums are written to a file of the process. Nothing of the server knows of it.
"""

import json
import os
import sys
import threading
import time
from collections import Counter
from pathlib import Path

SUMS: Counter[str] = Counter()


def timed(owner: object, name: str, as_: str) -> None:
    """Have all calls of a function counted and timed under a name."""
    plain = getattr(owner, name)

    def call(*args, **more):
        begun = time.thread_time()
        try:
            return plain(*args, **more)
        finally:
            SUMS[f"{as_} seconds"] += time.thread_time() - begun
            SUMS[as_] += 1

    setattr(owner, name, call)


def time_commits(writer: type) -> None:
    """Commits wait for the disk: by their length, so that what a single change adds is seen."""
    plain = writer._commit

    def commit(self, jobs):
        begun, worked = time.perf_counter(), time.thread_time()
        try:
            return plain(self, jobs)
        finally:
            seconds, many = time.perf_counter() - begun, len(jobs)
            SUMS["commit worked"] += time.thread_time() - worked
            SUMS.update({"commits": 1, "jobs": many, "jobs squared": many * many})
            SUMS.update({"commit seconds": seconds, "jobs times seconds": many * seconds})

    writer._commit = commit


def probe() -> None:
    """Time all that is of interest."""
    from caramba.server.host import telling
    from caramba.server.host.keeping import Keeper
    from caramba.server.http import relay
    from caramba.server.store.writer import Writer

    timed(Keeper, "_decided", "decide")
    timed(telling, "tell", "tell")
    timed(relay.Side, "data_received", "pass on")
    time_commits(Writer)


def write_down(folder: Path) -> None:
    """Again and again, how it stands."""
    file = folder / f"{os.getpid()}.json"
    while True:
        time.sleep(0.5)
        new = file.with_suffix(".new")
        new.write_text(json.dumps({**SUMS, "worked": time.process_time()}))
        new.replace(file)


if "CARAMBA_PROBE" in os.environ and sys.argv[:1] == ["-m"]:  # a server, or one of its workers
    probe()
    place = Path(os.environ["CARAMBA_PROBE"])
    threading.Thread(target=write_down, args=(place,), daemon=True).start()
