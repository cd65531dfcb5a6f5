"""PettingZoo's classic games, with actions drawn from the mask."""

from collections.abc import Callable
from importlib import import_module
from random import Random

import numpy as np

PACKAGE = "pettingzoo"


def python(name: str) -> Callable[[int], tuple[int, None]]:
    """Plays so many games; chance is played inside."""
    env = import_module(f"pettingzoo.classic.{name}").env()
    env.reset(seed=1)
    random = Random(1)

    def play_games(games: int) -> tuple[int, None]:
        decisions = 0
        for _ in range(games):
            env.reset()
            for _agent in env.agent_iter():
                observation, _, terminated, truncated, _ = env.last()
                if terminated or truncated:
                    env.step(None)
                else:
                    env.step(random.choice(np.flatnonzero(observation["action_mask"])))
                    decisions += 1
        return decisions, None

    return play_games
