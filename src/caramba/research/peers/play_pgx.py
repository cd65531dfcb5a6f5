"""Pgx, compiled by JAX for the CPU: many games side by side, begun again when they end."""

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import pgx
from pgx.experimental.wrappers import auto_reset

PACKAGE = "pgx"
SIZE = 1024
STEPS = 16
"""Actions in every game between two returns to Python."""


def compiled(name: str) -> Callable[[int], tuple[int, None]]:
    """Plays so many rounds of STEPS actions in SIZE games; chance is played inside."""
    env = pgx.make(name)
    step = jax.vmap(auto_reset(env.step, env.init))

    def advance(carried: Any, _: None) -> tuple[Any, None]:
        state, key = carried
        key, for_actions, for_steps = jax.random.split(key, 3)
        allowed = jnp.log(state.legal_action_mask.astype(jnp.float32))
        actions = jax.random.categorical(for_actions, allowed, axis=-1)
        return (step(state, actions, jax.random.split(for_steps, SIZE)), key), None

    def round_of_steps(carried: Any) -> Any:
        return jax.lax.scan(advance, carried, None, length=STEPS)[0]

    quick = jax.jit(round_of_steps)
    key = jax.random.PRNGKey(1)
    carried = (jax.jit(jax.vmap(env.init))(jax.random.split(key, SIZE)), key)

    def play_rounds(rounds: int) -> tuple[int, None]:
        nonlocal carried
        for _ in range(rounds):
            carried = quick(carried)
        jax.block_until_ready(carried)
        return rounds * STEPS * SIZE, None

    return play_rounds
