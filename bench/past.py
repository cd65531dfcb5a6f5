"""Players of an old version of this repository, as bots beside those of today.

    .venv/bin/python bench/past.py                         get and compile the old version, once
    ./caramba arena cards --bots hard,bench/past.py:hard --players 2 --games 200

The environment variable CARAMBA_PAST names the commit. The bots are its levels `easy`, `medium`,
`hard` and `expert`; and `search` and `far_search`, the look ahead of these two by itself. Where
that version had a network already, as in the Auction with two players, compare with these.

The old code runs in a process of its own, one for each process that plays, and gets what a seat
knows (elsewhere.py). So it has its full time to think, and the network that came with it.
"""

import os
import subprocess
import sys
import tarfile
import tempfile
from contextlib import suppress
from functools import cache, partial
from io import BytesIO
from itertools import count
from pathlib import Path

sys.path.append(str(Path(__file__).parent))  # last: other names here are also elsewhere

from elsewhere import HOME, ROOT, Elsewhere, told

from caramba.bots.knowledge import Knowledge
from caramba.games.chance import streams
from caramba.games.errors import InvalidSetup

COMMIT = os.environ.get("CARAMBA_PAST") or "52985fc"
SERVE = Path(__file__).with_name("past_serve.py")


class Past:
    """A player of the old version."""

    numbers = count()

    def __init__(self, name: str, seed: int) -> None:
        self.bot = {"bot": next(self.numbers), "name": name, "seed": seed}
        """Which one it is: what it remembers of its game is kept over there."""
        self.rng = streams(seed, 1)[0]
        old_version().start()

    def choose(self, knowledge: Knowledge) -> int:
        """What it would have done."""
        return int(old_version().ask({**told(knowledge, self.rng), **self.bot})["number"])


easy, medium, hard, expert, search, far_search = (
    partial(Past, name) for name in ("easy", "medium", "hard", "expert", "search", "far_search")
)


@cache
def old_version() -> Elsewhere:
    """The process that all bots of this one ask."""
    return Elsewhere([sys.executable, SERVE], environment())


@cache
def environment() -> dict[str, str]:
    """That of this process, with the old sources before ours."""
    folder = sources()
    more = {"PYTHONPATH": str(folder / "src"), "CARAMBA_CACHE_DIR": str(HOME)}
    return {**os.environ, **more}


def sources() -> Path:
    """The folder of the old sources, gotten unless they are there."""
    commit = git("rev-parse", "--verify", f"{COMMIT}^{{commit}}").decode().strip()
    folder = HOME / "past" / commit
    if not folder.exists():
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder.parent) as new:
            with tarfile.open(fileobj=BytesIO(git("archive", commit, "src"))) as archive:
                archive.extractall(new, filter="data")
            with suppress(OSError):  # another process was quicker
                Path(new).rename(folder)
                Path(new).mkdir()
    return folder


def git(*arguments: str) -> bytes:
    """What Git says."""
    done = subprocess.run(["git", "-C", ROOT, *arguments], capture_output=True)
    if done.returncode:
        message = f"no old version {COMMIT} to play: {done.stderr.decode().strip()}"
        raise InvalidSetup(" ".join(message.split()))
    return done.stdout


def prepare() -> None:
    """Get the old version, and compile what is not compiled yet."""
    command = [sys.executable, "-m", "caramba", "compile"]
    subprocess.run(command, env=environment(), check=True)


if __name__ == "__main__":
    prepare()
    print(f"ready to play: {COMMIT}, in {sources()}")
