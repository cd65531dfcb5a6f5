"""What a bot is handed: the knowledge of one seat, and nothing else."""

import sys
import traceback
from collections.abc import Iterable
from contextlib import AbstractContextManager, nullcontext, redirect_stdout
from functools import cached_property
from typing import Any, Protocol

import numpy as np

from caramba.games import generic, masks
from caramba.games.chance import streams
from caramba.games.contract import Event, Game, Vocabulary
from caramba.games.errors import InvalidSetup


class Knowledge:
    """What a seat knows where it is to act: a view, and worlds like the true one to it.

    The true state does not get in here: it is forgotten at the door, by a draw that is the
    same in all worlds which the seat cannot tell apart.
    """

    def __init__(
        self,
        game: Game,
        states: np.ndarray,
        seat: int,
        players: int,
        told: Iterable[Event] = (),
    ) -> None:
        self.game, self.seat, self.players = game, seat, players
        self.told = tuple(told)
        """All that the seat was told so far, in order; for bots that listen only."""
        self._world = states.copy()
        generic.resample_for(self._world, seat, streams(0, 1)[0])
        self.mask = np.zeros(masks.width(game.actions), np.uint64)
        """What the seat may do, as bits."""
        generic.legal_of(self._world, self.mask)

    @cached_property
    def legal(self) -> list[int]:
        """The numbers of what the seat may do."""
        return masks.members(self.mask)

    @cached_property
    def view(self) -> Any:
        """The table as a person in this seat sees it."""
        actions = tuple(self._vocabulary.write(number) for number in self.legal)
        eyes = frozenset([self.seat])
        common = {"seat": self.seat, "actor": self.seat, "legal": actions}
        on_paper = self.game.layout.unpack(self._world.tobytes())
        return self.game.view(on_paper, eyes, **common, result=None, places=())

    def observation(self) -> np.ndarray:
        """The same as a vector, in the order of `game.features`."""
        out = np.zeros(self.game.observation, np.float32)
        generic.observe_from(self._world, self.seat, out)
        return out

    def imagine(self, rng: np.ndarray) -> np.ndarray:
        """A world that may be the true one for all this seat knows: an array of one state."""
        world = self._world.copy()
        generic.resample_for(world, self.seat, rng)
        return world

    def text(self, number: int) -> str:
        """An action in notation."""
        action = self._vocabulary.write(number)
        assert action is not None
        return action.text

    def number(self, text: str) -> int:
        """The legal action of that text."""
        return next(number for number in self.legal if self.text(number) == text)

    @cached_property
    def _vocabulary(self) -> Vocabulary:
        return self.game.vocabulary(self._world[0], self.seat)


class Bot(Protocol):
    """One way to be a player.

    One that has an attribute `listens`, which is true, is handed what its seat was told. One that
    decides by lot, with neither a memory nor a clock, may have a method `again` like `choose`: it
    draws once more, for the same knowledge, and changes nothing of what `choose` will do.
    """

    def choose(self, knowledge: Knowledge) -> int:
        """The number of a legal action."""


def listens(bot: Bot) -> bool:
    """Whether a bot wants to know what happened, which takes longer than the game itself."""
    return bool(getattr(bot, "listens", False))


def draws_again(bot: Bot) -> bool:
    """Whether a bot says what else it might have done."""
    return callable(getattr(bot, "again", None))


def printing_aside() -> AbstractContextManager[object]:
    """What other people's code prints goes to the error stream: the output is ours."""
    return redirect_stdout(sys.stderr)


def ask(bot: Bot, knowledge: Knowledge, method: str = "choose") -> int:
    """What a bot does, or does again, who may be anybody's and do anything."""
    name = f"{type(bot).__module__}.{type(bot).__name__}"
    ours = name.startswith("caramba.")  # these print nothing, and may think in threads
    try:
        with nullcontext() if ours else printing_aside():
            number = getattr(bot, method)(knowledge)
    except (Exception, SystemExit) as error:
        where = traceback.extract_tb(error.__traceback__)[-1]
        reason = f"{type(error).__name__}: {error}"[:300]
        message = f"the bot {name} failed ({where.filename}, line {where.lineno}): {reason}"
        raise InvalidSetup(" ".join(message.split())) from error
    if not isinstance(number, int | np.integer) or number not in knowledge.legal:
        raise InvalidSetup(f"the bot {name} chose {number!r:.60}, which is no legal number")
    return int(number)
