"""Answers for the players of an old version: run by `past.py`, with the old sources."""

from functools import lru_cache
from typing import Any

from elsewhere import heard, serve

from caramba.bots.budget import Budget
from caramba.bots.knowledge import Bot, ask
from caramba.bots.levels import make_bot
from caramba.bots.search import Search
from caramba.games.contract import load
from caramba.games.errors import InvalidSetup
from caramba.warmup import is_ready

SEATS = 8


def answer(question: dict[str, Any]) -> dict[str, Any]:
    """What one of the players does."""
    check_compiled(question["game"])
    bot = bot_of(question["bot"], question["name"], question["seed"])
    return {"number": ask(bot, heard(question))}


@lru_cache
def check_compiled(game: str) -> None:
    """Nobody wants to wait for that during a game."""
    if not is_ready(load(game), for_bots=True):
        raise InvalidSetup("the old version is not compiled: run bench/past.py once")


@lru_cache(SEATS)
def bot_of(number: int, name: str, seed: int) -> Bot:
    """The player of that number; those of a game before are forgotten."""
    if name == "search":
        return Search(Budget(seconds=0.2), seed, one_game=True)
    if name == "far_search":
        return Search(Budget(seconds=1.5), seed, far=True, one_game=True)
    return make_bot(name, seed, one_game=True)


if __name__ == "__main__":
    serve(answer)
