"""OpenSpiel's ISMCTS as a bot: ten times the time that `hard` once had, through our contract.

    .venv/bin/python bench/ismcts.py [GAME] ...            install it once; simulations a decision
    ./caramba arena cards --bots hard,bench/ismcts.py:ISMCTS --players 2 --games 100

It is the one of OpenSpiel that is written in Python: the one in C++ cannot resample what a game
written in Python hides. Its rollouts are random games to the end, which are compiled, and it
searches for two seconds. OpenSpiel is installed as `caramba bench --peers` does it; the search runs
in a process of its own, one for each process that plays (elsewhere.py).
"""

import os
import sys
from functools import cache
from pathlib import Path
from statistics import median

sys.path.append(str(Path(__file__).parent))  # last: other names here are also elsewhere

from elsewhere import HOME, Elsewhere, told

from caramba.bots.bot_game import BotGame
from caramba.bots.knowledge import Knowledge
from caramba.bots.levels import make_bot
from caramba.games import names
from caramba.games.chance import streams
from caramba.games.contract import check_options, load
from caramba.games.errors import InvalidSetup
from caramba.research.peers.install import Environment

SECONDS = 2.0
SERVE = Path(__file__).with_name("ismcts_serve.py")


class ISMCTS:
    """A player who searches as OpenSpiel does."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.rng = streams(seed, 1)[0]
        self.simulations: list[int] = []
        """How many each decision took."""
        openspiel().start()

    def choose(self, knowledge: Knowledge) -> int:
        """What was tried most often."""
        question = {**told(knowledge, self.rng), "seconds": SECONDS, "seed": self.seed}
        answer = openspiel().ask(question)
        self.simulations.append(answer["simulations"])
        return int(answer["number"])


@cache
def openspiel() -> Elsewhere:
    """The process that all bots of this one ask."""
    environment = Environment(HOME / "bench-peers")
    if "OpenSpiel" not in environment.complete():
        raise InvalidSetup("OpenSpiel is not installed: run bench/ismcts.py once")
    (packages,) = environment.made.glob("lib/python*/site-packages")
    return Elsewhere([sys.executable, SERVE, packages], dict(os.environ))


def prepare() -> None:
    """Install it, unless it is there."""
    Environment(HOME / "bench-peers").prepare(print)


def report(name: str) -> str:
    """How many simulations the decisions of a game take, with two players."""
    game, bot = load(name), ISMCTS(1)
    start = game.setup(2, check_options(game, 2, {}))
    BotGame(game, start, [bot, make_bot("medium", 1)]).to_the_end(streams(1, 1)[0])
    few, many = min(bot.simulations), max(bot.simulations)
    half = median(bot.simulations)
    return f"{name:8} {half:8,.0f} simulations a decision, {few:,} to {many:,}"


if __name__ == "__main__":
    prepare()
    for game in sys.argv[1:] or names():
        print(report(game), flush=True)
