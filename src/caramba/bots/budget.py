"""How much a look ahead may take, dealt out in small slices."""

import math
import time
from dataclasses import dataclass

SLICE = 0.02
"""Seconds between two looks at the clock."""
FEW = 32
"""Worlds before anything is given up."""


@dataclass(frozen=True)
class Budget:
    """How much a decision may take: seconds, or a number of simulations."""

    seconds: float = math.inf
    simulations: int = 10**9


class Slicer:
    """Deals out a budget in small slices."""

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self.started = time.perf_counter()
        self.simulations = 0

    def worlds(self, actions: int, part: float) -> int:
        """In how many worlds to try so many actions next; 0 if this part of the budget is used."""
        left = int(part * self.budget.simulations) - self.simulations
        worlds = min(self._in_a_slice(actions, part), max(0, left) // actions)
        if self.simulations == 0:
            worlds = max(1, worlds)
        self.simulations += worlds * actions
        return worlds

    def _in_a_slice(self, actions: int, part: float) -> int:
        """By the pace so far; without a clock always the same, so that it can be repeated."""
        if self.budget.seconds == math.inf:
            return FEW
        if self.simulations == 0:
            return 1
        used = time.perf_counter() - self.started
        left = part * self.budget.seconds - used
        pace = self.simulations / used
        return max(1, int(pace * min(SLICE, left) / actions)) if left > 0 else 0
