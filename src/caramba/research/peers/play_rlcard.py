"""RLCard, with its random agents, whole games through `env.run`."""

from collections.abc import Callable

import rlcard
from rlcard.agents import RandomAgent

PACKAGE = "rlcard"


def python(name: str) -> Callable[[int], tuple[int, None]]:
    """Plays so many games; chance is played inside."""
    env = rlcard.make(name, config={"seed": 1})
    env.set_agents([RandomAgent(num_actions=env.num_actions) for _ in range(env.num_players)])

    def play_games(games: int) -> tuple[int, None]:
        before = env.timestep
        for _ in range(games):
            env.run(is_training=True)  # the quicker of its two ways
        return env.timestep - before, None

    return play_games
