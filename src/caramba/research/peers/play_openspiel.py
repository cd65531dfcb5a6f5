"""OpenSpiel: move by move through its Python interface, and whole games in C++."""

from collections.abc import Callable
from itertools import count
from random import Random

import pyspiel

PACKAGE = "open-spiel"
COUNTED = 1000
"""Games played to know how long they are."""


def python(name: str) -> Callable[[int], tuple[int, int]]:
    """Plays so many games, move by move."""
    game = pyspiel.load_game(name)
    random = Random(1)

    def play_games(games: int) -> tuple[int, int]:
        decisions = chance_steps = 0
        for _ in range(games):
            state = game.new_initial_state()
            while not state.is_terminal():
                if state.is_chance_node():
                    actions, odds = zip(*state.chance_outcomes(), strict=True)
                    state.apply_action(random.choices(actions, odds)[0])
                    chance_steps += 1
                else:
                    state.apply_action(random.choice(state.legal_actions()))
                    decisions += 1
        return decisions, chance_steps

    return play_games


def compiled(name: str) -> Callable[[int], tuple[float, float]]:
    """Plays so many games in C++, with its uniformly random bots.

    `evaluate_bots` returns what a game was worth and not how long it was, so the mean length
    is counted beforehand, in games through the Python interface.
    """
    decisions, chance_steps = python(name)(COUNTED)
    game = pyspiel.load_game(name)
    bots = [pyspiel.make_uniform_random_bot(p, p + 1) for p in range(game.num_players())]
    seeds = count(1)

    def play_games(games: int) -> tuple[float, float]:
        for _ in range(games):
            pyspiel.evaluate_bots(game.new_initial_state(), bots, next(seeds))
        return games * decisions / COUNTED, games * chance_steps / COUNTED

    return play_games
