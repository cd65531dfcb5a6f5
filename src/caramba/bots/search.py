"""The search: information-set Monte-Carlo tree search, for any game.

Each simulation imagines a world that the seat cannot tell from the true one, walks down a tree
of the players' actions (each player taking what was best for itself so far), adds a node, goes
on by light advice to the end of the stage, and notes there how likely everybody is to win. Chance
is played anew each time: a node stands for what the players did, whatever was drawn meanwhile.
"""

import math
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from caramba.bots.advice import advice_on, light, narrow, stage, worth
from caramba.bots.compiled import compiled
from caramba.bots.knowledge import Knowledge
from caramba.games import masks
from caramba.games.chance import below, streams
from caramba.games.contract import CHANCE, OVER
from caramba.games.generic import actor, apply, draw, legal, outcome, resample, share_victory

NODE = np.dtype(
    [
        ("action", np.int16),
        ("seat", np.int16),  # who takes it
        ("visits", np.int32),
        ("offered", np.int32),  # how often it could have been taken
        ("first_child", np.int32),  # 0 for none: the root is nobody's child
        ("sibling", np.int32),
        ("value", np.float64),  # the sum of the shares of victory of who takes it
    ]
)
NONE = -1
DEEPEST = 64
"""No longer path in the tree."""
CURIOSITY = 0.4
"""How much to favour what was seldom tried: the constant of UCB."""
SLICE = 0.02
"""Seconds between two looks at the clock."""


@dataclass(frozen=True)
class Budget:
    """How much a decision may take: seconds, or a number of simulations."""

    seconds: float = math.inf
    simulations: int = 10**9


class Search:
    """A player who looks ahead."""

    def __init__(self, budget: Budget, seed: int = 0, nodes: int = 1 << 18) -> None:
        self.budget = budget
        self.rng = streams(seed, 1)[0]
        self.tree = np.zeros(nodes, NODE)
        self.size = np.ones(1, np.int64)
        """How many nodes are in use."""
        self.simulations = 0
        """How many the last decision took."""

    def choose(self, knowledge: Knowledge) -> int:
        """The action that was tried most."""
        if len(knowledge.legal) == 1:
            return knowledge.legal[0]
        self.think(knowledge)
        return int(self.answers()[0][0])

    def think(self, knowledge: Knowledge) -> None:
        """Simulate as long as the budget allows."""
        started = time.perf_counter()
        self.tree[: self.size[0]] = 0
        self.size[0] = 1
        self.simulations = 0
        run = self._simulator(knowledge)
        many = 16
        used = 0.0
        while self.simulations < self.budget.simulations and used < self.budget.seconds:
            many = min(many, self.budget.simulations - self.simulations)
            run(many)
            self.simulations += many
            used = time.perf_counter() - started
            left = min(SLICE, self.budget.seconds - used)
            many = max(1, int(self.simulations / used * left))

    def _simulator(self, knowledge: Knowledge) -> Callable[[int], None]:
        game, players = knowledge.game, knowledge.players
        root = knowledge.imagine(self.rng)
        scratch = (
            root.copy(),
            np.zeros((2, masks.words(game.actions)), np.uint64),
            np.zeros(DEEPEST, np.int64),
            np.zeros(players),
            np.zeros(players, np.int64),
        )
        last = int(stage_of(root)) + advice_on(game).ahead - 1

        def run(many: int) -> None:
            simulate(root, knowledge.seat, last, many, self.rng, self.tree, self.size, *scratch)

        return run

    def answers(self) -> list[tuple[int, int, float]]:
        """What was tried at the root: action, visits, mean share of victory; most tried first."""
        found = []
        at = self.tree[0]["first_child"]
        while at:
            node = self.tree[at]
            found.append(
                (int(node["action"]), int(node["visits"]), float(node["value"] / node["visits"]))
            )
            at = node["sibling"]
        return sorted(found, key=lambda answer: -answer[1])


@compiled
def stage_of(states):
    """The stage of the first of these states."""
    return stage(states[0])


@compiled
def simulate(root, seat, last, many, rng, tree, size, world, mask, path, shares, points):
    """So many simulations from the root; none goes beyond the last stage."""
    for _ in range(many):
        world[0] = root[0]
        s = world[0]
        resample(s, seat, rng)
        node = 0
        depth = 0
        in_tree = True
        while True:
            who = actor(s)
            if who == OVER or stage(s) > last:
                break
            if who == CHANCE:
                number = draw(s, rng)
            else:
                mask[0, :] = 0
                legal(s, mask[0])
                number = NONE
                if in_tree:
                    narrow(s, mask[0])
                    node, in_tree = descend(s, who, node, rng, tree, size, mask)
                    if node:
                        number = int(tree[node].action)
                        path[depth] = node
                        depth += 1
                        in_tree = in_tree and depth < DEEPEST
                if number == NONE:
                    number = light(s, mask[0], rng)
            apply(s, number)
        judge(s, shares, points)
        tree[0].visits += 1
        for i in range(depth):
            at = path[i]
            tree[at].visits += 1
            tree[at].value += shares[tree[at].seat]


@compiled
def descend(s, who, node, rng, tree, size, mask):
    """The next node for this player: one never tried, or else the most promising.

    Returns the node, 0 if there is no room for a new one, and whether the walk goes on.
    """
    untried = mask[1]
    untried[:] = mask[0]
    best = 0
    hope = -1.0
    child = tree[node].first_child
    while child:
        if tree[child].seat == who and masks.is_allowed(mask[0], tree[child].action):
            masks.forbid(untried, tree[child].action)
            tree[child].offered += 1
            promise = promise_of(tree[child])
            if promise > hope:
                best = child
                hope = promise
        child = tree[child].sibling
    left = masks.count(untried)
    if left == 0 or size[0] == len(tree):
        return best, best > 0
    return add_node(tree, size, node, who, first_to_try(s, untried, rng)), False


@compiled
def promise_of(node):
    """UCB for arms that are not always there: the mean so far, and more if seldom tried."""
    bonus = math.sqrt(math.log(node.offered) / node.visits)
    return node.value / node.visits + CURIOSITY * bonus


@compiled
def first_to_try(s, untried, rng):
    """What light advice would do, if it is among these; else any."""
    number = light(s, untried, rng)
    if masks.is_allowed(untried, number):
        return number
    return masks.nth(untried, below(rng, masks.count(untried)))


@compiled
def add_node(tree, size, parent, who, action):
    """A new child of a node."""
    new = size[0]
    size[0] += 1
    tree[new].action = action
    tree[new].seat = who
    tree[new].offered = 1
    tree[new].sibling = tree[parent].first_child
    tree[parent].first_child = new
    return new


@compiled
def judge(s, shares, points):
    """Everybody's share of victory: as it is at the end, as advice has it before."""
    end, winners = outcome(s, points)
    if end == 0:
        worth(s, shares)
        return
    share_victory(winners, shares)
