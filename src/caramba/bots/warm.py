"""Compile what the bots need for a game ahead of play, once."""

from collections.abc import Callable, Iterator

from caramba.bots.budget import Budget
from caramba.bots.compiled import CACHE
from caramba.bots.knowledge import Knowledge
from caramba.bots.levels import make_bot
from caramba.bots.network.lookahead import LookAhead
from caramba.bots.network.player import Champion
from caramba.games import chance, generic, warm
from caramba.games.contract import CHANCE, Game, check_options


def is_warm(game: Game) -> bool:
    """Whether all is compiled, or need not be."""
    return warm.is_warm(game, CACHE)


def parts(game: Game) -> Iterator[tuple[str, Callable[[], object]]]:
    """The parts to compile: what each is, and a call that compiles it."""
    players, rng = game.players[0], chance.streams(0, 1)[0]
    states = game.setup(players, check_options(game, players, {}))

    def knowledge() -> Knowledge:
        while (who := generic.actor_of(states)) == CHANCE:
            generic.apply_to(states, generic.draw_for(states, rng))
        return Knowledge(game, states, who, players)

    yield "advice", lambda: make_bot("medium", 0).choose(knowledge())
    yield "network", lambda: Champion().choose(knowledge())
    yield "look ahead", lambda: LookAhead(Budget(simulations=1)).choose(knowledge())
    yield "done", lambda: warm.mark(game, CACHE)
