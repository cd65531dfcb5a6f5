"""The search: information-set Monte-Carlo tree search, for any game.

It asks what good advice would do, and whether anything else is better. In each of many worlds
that the seat cannot tell from the true one, all actions still in question are tried with the same
luck, so that they are compared fairly. After an action, a simulation walks down a tree of
what the players did next (each player taking what was best for itself so far), adds a node, goes on
by light advice to the end of the stage, and notes there how likely everybody is to win. Chance
is played anew each time: a node stands for what the players did, whatever was drawn meanwhile.

Half of the actions are given up from time to time, so the best ones are compared longest. Advice
is followed unless something else is better beyond doubt.
"""

import math

import numpy as np

from caramba.bots.advice import (
    advice_on,
    first_thought,
    light,
    narrow,
    stage,
    strong,
    worth,
)
from caramba.bots.budget import FEW, Budget, Slicer
from caramba.bots.compiled import compiled
from caramba.bots.knowledge import Knowledge
from caramba.games import generic, masks
from caramba.games.chance import below, streams
from caramba.games.contract import CHANCE, OVER
from caramba.games.generic import actor, apply, draw, legal, outcome, resample, share_victory

NODE = np.dtype(
    (
        np.record,
        [
            ("action", np.int16),
            ("seat", np.int16),  # who takes it
            ("visits", np.int32),
            ("offered", np.int32),  # how often it could have been taken
            ("first_child", np.int32),  # 0 for none: the root is nobody's child
            ("sibling", np.int32),
            ("value", np.float64),  # the sum of the shares of victory of who takes it
        ],
    )
)
NONE = -1
DEEPEST = 32
"""No longer path in the tree."""
CURIOSITY = 0.3
"""How much to favour what was seldom tried: the constant of UCB."""
DOUBT = 1.0
"""So many standard errors better than advice is beyond doubt."""
HOPELESS = 2.5
"""What would have to be so many standard errors better than it looks is given up."""


class Search:
    """A player who looks ahead.

    One who plays one game, and no other, remembers what was thought of the next decision while
    this one was made. All others remember nothing, and can be asked at any table.
    """

    def __init__(
        self,
        budget: Budget,
        seed: int = 0,
        far: bool = False,
        nodes: int = 1 << 18,
        one_game: bool = False,
    ) -> None:
        self.budget, self.far, self.one_game = budget, far, one_game
        self.rng = streams(seed, 1)[0]
        self.tree = np.zeros(nodes, NODE)
        self.size = np.ones(1, np.int64)
        """How many nodes are in use."""
        self.simulations = 0
        """How many the last decision took."""
        self.foreseen: tuple[int, np.ndarray] | None = None
        """A node of the tree, and what the seat will know there if nothing comes between."""

    def choose(self, knowledge: Knowledge) -> int:
        """What advice would do, or what has proved better."""
        if len(knowledge.legal) == 1:
            return knowledge.legal[0]
        trial = self.think(knowledge)
        if self.one_game:
            self.foresee(knowledge, trial.root, trial.best())
        return trial.best()

    def think(self, knowledge: Knowledge) -> "Trial":
        """Compare actions as long as the budget allows, and as long as there is a question."""
        slicer = Slicer(self.budget)
        self.prune(knowledge)
        trial = Trial(self, knowledge)
        rounds = max(1, math.ceil(math.log2(len(trial.actions))))
        for number in range(1, rounds + 1):
            while len(trial.actions) > 1:
                worlds = slicer.worlds(len(trial.actions), number / rounds)
                if worlds == 0:
                    break
                trial.run(worlds)
                trial.give_up_hopeless()
            trial.halve()
        self.simulations = slicer.simulations
        return trial

    def foresee(self, knowledge: Knowledge, root: np.ndarray, action: int) -> None:
        """Note where the tree goes on, if the next decision is one's own and nothing is drawn."""
        after = root.copy()
        generic.apply_to(after, action)
        node = int(child_of(self.tree, self.size, 0, knowledge.seat, action))
        self.foreseen = None
        if generic.actor_of(after) == knowledge.seat and node:
            known = np.zeros(knowledge.game.observation, np.float32)
            generic.observe_from(after, knowledge.seat, known)
            self.foreseen = node, known

    def prune(self, knowledge: Knowledge) -> None:
        """Keep the part of the tree that begins here, where all is as foreseen; else nothing."""
        room = 2 * self.size[0] < len(self.tree)
        if self.foreseen and room and np.array_equal(self.foreseen[1], knowledge.observation()):
            self.tree[0]["first_child"] = self.tree[self.foreseen[0]]["first_child"]
        else:
            self.tree[: self.size[0]] = 0
            self.size[0] = 1
        self.foreseen = None


class Trial:
    """Actions under comparison. The first one is what advice would do."""

    def __init__(self, search: Search, knowledge: Knowledge) -> None:
        game, players = knowledge.game, knowledge.players
        self.search, self.seat = search, knowledge.seat
        self.root = knowledge.imagine(search.rng)
        mask = knowledge.mask.copy()
        advised = int(narrow_to_candidates(self.root, mask, search.far, search.rng))
        others = [number for number in masks.members(mask) if number != advised]
        self.actions = np.array([advised, *others])
        self.worlds = 0
        self.sums = np.zeros((3, game.actions))
        """By action: of its values, of how much better it was than advice, and of the squares."""
        advice = advice_on(game)
        self.margin = advice.margin if search.far else 0.0
        self.last = int(stage_of(self.root)) + (advice.far if search.far else advice.ahead) - 1
        self.scratch = (
            np.repeat(self.root, 2),
            streams(0, 1)[0],
            np.zeros((2, masks.width(game.actions)), np.uint64),
            np.zeros(DEEPEST + 1, np.int64),
            np.zeros(players),
            np.zeros(players, np.int64),
        )

    def run(self, worlds: int) -> None:
        """Try all actions in so many worlds."""
        search = self.search
        where = (self.root, self.seat, self.last)
        tree = (search.rng, search.tree, search.size)
        compare(*where, self.actions, self.sums, worlds, *tree, *self.scratch)
        self.worlds += worlds

    def better(self) -> tuple[np.ndarray, np.ndarray]:
        """How much better than advice the actions in question are, and the standard errors."""
        _, differences, squares = self.sums[:, self.actions] / self.worlds
        variances = np.maximum(squares - differences**2, 0)
        return differences, np.sqrt(variances / self.worlds) + 1e-9

    def give_up_hopeless(self) -> None:
        """Leave out what is clearly not better than advice, or not by enough."""
        if self.worlds >= FEW:
            differences, errors = self.better()
            keep = differences + HOPELESS * errors >= self.margin
            keep[0] = True
            self.actions = self.actions[keep]

    def halve(self) -> None:
        """Leave out the worse half of the others."""
        if self.worlds and len(self.actions) > 2:
            differences, _ = self.better()
            order = 1 + np.argsort(-differences[1:])
            self.actions = self.actions[[0, *order[: len(self.actions) // 2]]]

    def best(self) -> int:
        """The best action if that is beyond doubt; else what advice would do."""
        if not self.worlds:
            return int(self.actions[0])
        differences, errors = self.better()
        differences[1:][differences[1:] < self.margin + DOUBT * errors[1:]] = -1
        return int(self.actions[np.argmax(differences)])


@compiled
def stage_of(states):
    """The stage of the first of these states."""
    return stage(states[0])


@compiled
def narrow_to_candidates(states, mask, far, rng):
    """Leave in the mask what is worth a thought; return what advice would do."""
    s = states[0]
    advised = strong(s, mask, rng) if far else first_thought(s, mask, rng)
    narrow(states[0], mask)
    masks.allow(mask, advised)
    return advised


@compiled
def compare(
    root,
    seat,
    last,
    actions,
    sums,
    many,
    rng,
    tree,
    size,
    worlds,
    luck,
    mask,
    path,
    shares,
    points,
):
    """Try every action in so many worlds, each time with the same luck."""
    for _ in range(many):
        worlds[0] = root[0]
        resample(worlds[0], seat, rng)
        below(rng, 2)
        advised = 0.0
        for i in range(len(actions)):
            worlds[1] = worlds[0]
            luck[0] = rng[0]
            simulate(worlds, seat, last, actions[i], luck, tree, size, mask, path)
            judge(worlds[1], shares, points)
            remember(tree, path, shares)
            value = shares[seat]
            if i == 0:
                advised = value
            sums[0, actions[i]] += value
            sums[1, actions[i]] += value - advised
            sums[2, actions[i]] += (value - advised) ** 2
        below(rng, 2)


@compiled
def simulate(worlds, seat, last, action, rng, tree, size, mask, path):
    """Take an action in the second of the worlds and go on, not beyond the last stage."""
    s = worlds[1]
    node = child_of(tree, size, 0, seat, action)
    path[0] = 1
    path[1] = node
    in_tree = True
    number = action
    while True:
        apply(s, number)
        who = actor(s)
        if who == OVER or stage(s) > last:
            return
        if who == CHANCE:
            number = draw(s, rng)
            continue
        mask[0, :] = 0
        legal(s, mask[0])
        number = NONE
        if in_tree:
            narrow(s, mask[0])
            node, in_tree = descend(s, who, node, rng, tree, size, mask)
            if node:
                number = int(tree[node].action)
                path[0] += 1
                path[path[0]] = node
                in_tree = in_tree and path[0] < len(path) - 1
        if number == NONE:
            number = light(s, mask[0], rng)


@compiled
def child_of(tree, size, parent, who, action):
    """The node of an action, new or old; the root itself if there is no room."""
    child = tree[parent].first_child
    while child:
        if tree[child].action == action:
            return child
        child = tree[child].sibling
    return add_node(tree, size, parent, who, action) if size[0] < len(tree) else parent


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
            masks.forbid(untried, int(tree[child].action))
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
    else:
        share_victory(winners, shares)


@compiled
def remember(tree, path, shares):
    """Note what came of a simulation at every node that it went through."""
    for i in range(1, path[0] + 1):
        node = path[i]
        tree[node].visits += 1
        tree[node].value += shares[tree[node].seat]
