"""OpenSpiel's ISMCTS for `ismcts.py`, which starts it: ismcts_serve.py SITE-PACKAGES.

A world is a state of ours with the methods by which OpenSpiel's search asks for a game.
"""

import sys
import time
from types import SimpleNamespace
from typing import Any

import numpy as np
from elsewhere import heard, serve

from caramba.bots.knowledge import Knowledge
from caramba.games import generic, masks
from caramba.games.chance import streams
from caramba.games.contract import CHANCE, OVER, Game
from caramba.games.playout import Playout

sys.path.append(sys.argv[1])  # after ours, so that nothing of ours is replaced

import pyspiel
from open_spiel.python.algorithms.ismcts import ISMCTSBot

CURIOSITY = 2**0.5
"""The constant of UCB1 for values from 0 to 1."""
ENDLESS = 10**9
KIND = SimpleNamespace(
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
)


class Rules:
    """A game, as far as the search asks for it; and room to work in."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.mask = np.zeros(masks.width(game.actions), np.uint64)
        self.weights = np.zeros(game.widest_chance, np.int64)
        self.seen = np.zeros(game.observation, np.float32)

    def get_type(self) -> SimpleNamespace:
        """What kind of game it is."""
        return KIND


class World:
    """A state of a game."""

    def __init__(self, rules: Rules, states: np.ndarray) -> None:
        self.rules, self.states = rules, states
        self.who = int(generic.actor_of(states))

    def get_game(self) -> Rules:
        """The game."""
        return self.rules

    def current_player(self) -> int:
        """The seat that is asked."""
        return self.who

    def is_terminal(self) -> bool:
        """Whether it is over."""
        return self.who == OVER

    def is_chance_node(self) -> bool:
        """Whether chance goes on."""
        return self.who == CHANCE

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """What chance may do, and how likely that is."""
        first, many = generic.chances_of(self.states, self.rules.weights)
        weights = self.rules.weights[:many]
        odds = (weights / weights.sum()).tolist()
        return [(first + i, p) for i, p in enumerate(odds) if p]

    def legal_actions(self) -> list[int]:
        """What the seat may do."""
        generic.legal_of(self.states, self.rules.mask)
        return masks.members(self.rules.mask)

    def observation_string(self) -> bytes:
        """What the seat knows, and what it may do, so that both are always the same together."""
        generic.observe_from(self.states, self.who, self.rules.seen)
        generic.legal_of(self.states, self.rules.mask)
        return self.rules.seen.tobytes() + self.rules.mask.tobytes()

    def apply_action(self, number: int) -> None:
        """Take a step."""
        generic.apply_to(self.states, int(number))
        self.who = int(generic.actor_of(self.states))

    def returns(self) -> list[float]:
        """The shares of victory."""
        players = int(self.states[0]["players"])
        _, winners = generic.outcome_of(self.states, np.zeros(players, np.int64))
        return [(winners >> p & 1) / masks.ones(winners) for p in range(players)]


class RandomRollout:
    """An evaluator, as OpenSpiel has it: one random game to the end."""

    def __init__(self, game: Game, states: np.ndarray, players: int, seed: int) -> None:
        self.playout = Playout(game, states, players)
        self.rngs = streams(seed, 1)

    def evaluate(self, world: World) -> list[float]:
        """The shares of victory at its end."""
        self.playout.start = world.states
        self.playout.tally.wins[:] = 0
        self.playout.play(self.rngs)
        return self.playout.tally.wins.tolist()

    def prior(self, world: World) -> list[tuple[int, float]]:
        """All actions are as good."""
        legal = world.legal_actions()
        return [(action, 1 / len(legal)) for action in legal]


class TimeIsUp(Exception):
    """Enough was searched."""


class InTime(ISMCTSBot):  # type: ignore[misc]
    """OpenSpiel's search, which stops by the clock rather than after so many simulations."""

    def __init__(self, knowledge: Knowledge, seconds: float, seed: int) -> None:
        self.rules = Rules(knowledge.game)
        self.knowledge, self.rng = knowledge, streams(seed, 1)[0]
        self.root = World(self.rules, knowledge.imagine(self.rng))
        rollout = RandomRollout(knowledge.game, self.root.states, knowledge.players, seed)
        chance = np.random.RandomState(seed % 2**32)
        super().__init__(
            self.rules,
            rollout,
            CURIOSITY,
            ENDLESS,
            random_state=chance,
            use_observation_string=True,
        )
        self.set_resampler(lambda world, seat: self.resample())
        self.simulations = 0
        self.until = time.perf_counter() + seconds

    def resample(self) -> World:
        """Another world that the seat may imagine, for one simulation more."""
        if time.perf_counter() > self.until:
            raise TimeIsUp
        self.simulations += 1
        return World(self.rules, self.knowledge.imagine(self.rng))

    def run_search(self, state: World) -> Any:
        """The policy in the end."""
        try:
            return super().run_search(state)
        except TimeIsUp:
            return self.get_final_policy(state, self._root_node)


def answer(question: dict[str, Any]) -> dict[str, Any]:
    """What it does, and after how many simulations."""
    search = InTime(heard(question), question["seconds"], question["seed"])
    number = int(search.step(search.root))
    return {"number": number, "simulations": search.simulations}


if __name__ == "__main__":
    serve(answer)
