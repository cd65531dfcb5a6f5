"""Simulations a second of the search on the opening decision, beside OpenSpiel's C++ ISMCTS.

Run it from the checkout: .venv/bin/python bench/search.py [REPEATS]. Four players; our three games
and OpenSpiel's hearts with one random rollout a simulation take turns; medians are shown, and the
ratio within each repeat. OpenSpiel is installed into an environment of its own, as `caramba bench
--peers` does.
"""

import subprocess
import sys
import time
from statistics import median

from rich.progress import track

from caramba.bots.budget import Budget
from caramba.bots.knowledge import Knowledge
from caramba.bots.search import Search
from caramba.games import names
from caramba.match.match import Match
from caramba.research.peers.install import Environment

PLAYERS = 4
SECONDS = 1.0
HEARTS = """
import random, sys, time
import pyspiel
rng = random.Random(1)
for line in sys.stdin:
    state = pyspiel.load_game("hearts").new_initial_state()
    while state.is_chance_node():
        state.apply_action(rng.choice([action for action, _ in state.chance_outcomes()]))
    evaluator = pyspiel.RandomRolloutEvaluator(1, rng.randrange(10**6))
    bot = pyspiel.ISMCTSBot(rng.randrange(10**6), evaluator, 2.0, 20_000, -1)
    started = time.perf_counter()
    bot.step(state)
    print(20_000 / (time.perf_counter() - started), flush=True)
"""


def opening(name: str, seed: int) -> Knowledge:
    """What the first player with a choice knows."""
    match = Match(name, players=PLAYERS, seed=seed)
    match.deal()
    while len(match.legal()) == 1:
        match.play(match.legal()[0])
        match.deal()
    assert match.actor is not None
    return Knowledge(match.game, match.state, match.actor, PLAYERS)


def pace(name: str, seed: int) -> float:
    """Simulations a second; a search that is sure early counts for the time that it took."""
    search = Search(Budget(seconds=SECONDS), seed)
    knowledge = opening(name, seed)
    started = time.perf_counter()
    search.think(knowledge)
    return search.simulations / (time.perf_counter() - started)


def main() -> None:
    """Measure in turn, and report."""
    repeats = int(sys.argv[1]) if len(sys.argv) > 1 else 7
    environment = Environment()
    environment.prepare(print)
    command = [environment.python, "-c", HEARTS]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) as peer:
        assert peer.stdin
        assert peer.stdout
        for name in names():
            pace(name, 0)
        found: dict[str, list[float]] = {name: [] for name in (*names(), "hearts")}
        for seed in track(range(1, repeats + 1), "measuring"):
            for name in names():
                found[name].append(pace(name, seed))
            peer.stdin.write("\n")
            peer.stdin.flush()
            found["hearts"].append(float(peer.stdout.readline()))
        peer.stdin.close()
    for name, paces in found.items():
        ratios = [ours / theirs for ours, theirs in zip(paces, found["hearts"], strict=True)]
        print(f"{name:8} {median(paces):10,.0f} a second   {median(ratios):5.2f} times hearts")


if __name__ == "__main__":
    main()
