"""What a game is. Everything above `games/` speaks to games through this file alone.

A game is one NumPy record (its state) and a few functions on it. Chance is an actor like
any other: `apply` never draws, it is told what was drawn. Actions and chance outcomes are
small numbers inside, texts and forms outside.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import IntEnum
from functools import cached_property
from gettext import NullTranslations
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol

import msgspec
import numba
import numpy as np

from caramba.games import folder_of
from caramba.games.errors import InvalidSetup
from caramba.games.paper import Layout, on_paper

CHANCE = -1
"""The actor when the next step is a draw, a roll or a deal."""
OVER = -2
"""The actor, inside the rules, when the game is over."""
SPECTATOR = -3
"""The seat of someone who only watches; not CHANCE, whose steps nobody may take for it."""
REFEREE = -4
"""The seat of someone who may see everything: whoever holds the saved game."""
UNKNOWN = "??"
"""A card or token that the viewer may not see."""


def marked(message: str) -> str:
    """Mark a message for the catalogue, to be translated later, when it is shown."""
    return message


@dataclass(frozen=True, slots=True)
class Action:
    """A step in both of its outer forms: the notation, and named parts for programs."""

    text: str
    form: Mapping[str, str | int]

    def __hash__(self) -> int:
        return hash(self.text)


@dataclass(frozen=True, slots=True)
class Result:
    """How a game ended."""

    points: tuple[int, ...]
    winners: tuple[int, ...]
    end: str

    @classmethod
    def of(cls, game: "Game", points: Iterable[int], end: int, winners: int) -> "Result":
        """What `outcome` gave at the end, in outer form."""
        points = tuple(map(int, points))
        seats = tuple(seat for seat in range(len(points)) if winners >> seat & 1)
        return cls(points, seats, game.ends[end - 1])


class View(msgspec.Struct, frozen=True, kw_only=True):
    """What one seat may know; every game adds its table to this."""

    seat: int
    actor: int | None
    legal: tuple[Action, ...]
    result: Result | None
    places: tuple[int, ...]
    """By seat, once the game is over: 1 for the winners, then by points; ties share a place."""


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened at the table, and who may see what of it."""

    kind: str
    seat: int | None = None
    facts: dict[str, Any] = field(default_factory=dict)
    secret: dict[str, Any] = field(default_factory=dict)
    """Facts that only `seat` sees."""

    def seen_by(self, eyes: frozenset[int]) -> "Event":
        """The event as it is told to someone who sees the secrets of these seats."""
        if not self.secret:
            return self
        seen = self.secret if self.seat in eyes else dict.fromkeys(self.secret, UNKNOWN)
        return replace(self, facts={**self.facts, **seen}, secret={})


class Telling:
    """How the numbers that the rules tell of something become named facts, in their order."""

    def __init__(
        self, secret: bool = False, of_one: bool = False, **facts: Callable[[Any, int], Any]
    ) -> None:
        self.secret, self.facts = secret, facts
        self.of_one = of_one
        """Whether all facts are read from one number."""

    def event(self, s: Any, kind: str, seat: int, numbers: tuple[int, ...]) -> Event:
        """What is told; of the state, only what never changes is read."""
        if self.of_one:
            numbers *= len(self.facts)
        facts = {
            name: read(s, number)
            for (name, read), number in zip(self.facts.items(), numbers, strict=True)
        }
        shown, hidden = ({}, facts) if self.secret else (facts, {})
        return Event(kind, None if seat < 0 else int(seat), shown, hidden)


NO_FACTS = Telling()


def telling(kinds: type[IntEnum], tellings: Mapping[int, Telling]) -> Callable[..., Event]:
    """The `event` of a game that tells things of these kinds, with these facts or none."""
    names = {int(kind): kind.name.lower() for kind in kinds}

    def event(s: Any, what: int, seat: int, *numbers: int) -> Event:
        return tellings.get(what, NO_FACTS).event(s, names[what], seat, numbers)

    return event


def number(s: Any, value: int) -> int:
    """A fact that is just a number."""
    return int(value)


def end_of(ends: Sequence[str]) -> Callable[[Any, int], str]:
    """A fact that says why a game is over."""
    return lambda s, end: ends[end - 1]


def seats(s: Any, bits: int) -> list[int]:
    """A fact that names seats, given as bits."""
    return [seat for seat in range(s.players) if bits >> seat & 1]


@dataclass(frozen=True, slots=True)
class Option:
    """A named choice of variant: how it is checked, and how it is read from a command line."""

    name: str
    default: Any
    help: str
    check: Callable[[Any, int], Any]
    """(value, players) to the value as the game uses it; ValueError says what is right."""
    parse: Callable[[str], Any] = int


@dataclass(frozen=True, slots=True)
class Window:
    """A question that mostly gets the same answer, so that nobody wants to wait for it."""

    phase: str
    """The phase of the view in which it is asked, and its name."""
    title: str
    answer: str
    """The step that it mostly gets."""
    ask: bool
    """Whether people are asked unless they say otherwise."""
    secret: bool = False
    """Whether the time that an answer takes could betray a secret."""
    closes: bool = False
    """Whether people wait meanwhile: then it closes by itself, and who lets two in a row close is
    not asked again unless they want it.
    """


class Vocabulary(Protocol):
    """What one actor can say where a game stands: from numbers to texts and back."""

    def write(self, number: int) -> Action | None:
        """The step of that number; None if it stands for nothing here."""

    def read(self, text: str) -> tuple[Action, int | None] | None:
        """The step of a tidy text, with its number if it has one here; None for no step at all.

        Tidy is in small letters, with single spaces.
        """


class Wordlist:
    """The vocabulary of a game in which a number always stands for the same step.

    What is `never` possible is understood, too, so that it can be refused with its reason.
    """

    def __init__(self, *steps: Action | None, never: Iterable[Action] = ()) -> None:
        self.write = steps.__getitem__
        """The step of a number; None if this variant does not use it. Asked too often for more."""
        self.numbers: dict[str, tuple[Action, int | None]] = {
            **{step.text.lower(): (step, None) for step in never},
            **{step.text.lower(): (step, n) for n, step in enumerate(steps) if step},
        }

    def read(self, text: str) -> tuple[Action, int | None] | None:
        """The step of that text."""
        return self.numbers.get(text)


@dataclass(frozen=True, kw_only=True)
class Game:
    """One game. `s` is its state record throughout."""

    name: str
    version: int
    players: range
    options: tuple[Option, ...]
    ends: tuple[str, ...]
    """The reasons for an end, as `outcome` numbers them from 1."""
    notation: str
    """The player steps in one line, for error messages."""
    folder: Path
    """Where its RULES.md is."""

    state: np.dtype
    actions: int
    outcomes: int
    widest_chance: int
    """The most outcomes that one chance step can have."""
    features: tuple[tuple[str, int], ...]
    """The parts of an observation: name and length."""

    # Compiled, in-place, trusting: they are called with what is legal only.
    actor: Callable[[Any], int]
    """Who acts: a seat, CHANCE or OVER."""
    legal: Callable[[Any, np.ndarray], None]
    """Allow in an empty mask what the actor may do."""
    apply: Callable[[Any, int], None]
    """Take one step: the actor's action, or the outcome of chance."""
    chances: Callable[[Any, np.ndarray], tuple[int, int]]
    """Fill in weights; return the number of the first outcome and how many there are."""
    draw: Callable[[Any, np.ndarray], int]
    """An outcome of chance by these weights, from a random stream: much faster than weighing."""
    outcome: Callable[[Any, np.ndarray], tuple[int, int]]
    """Fill in points; return the end (0 while playing) and the winners as bits."""
    observe: Callable[[Any, int, np.ndarray], None]
    """Fill a zeroed vector with what a seat may know."""
    resample: Callable[[Any, int, np.ndarray], None]
    """Redraw from a random stream all that a seat cannot know."""

    # Plain Python, for people and files. From here on, `s` is the state on paper.
    setup: Callable[[int, Mapping[str, Any]], np.ndarray]
    """(players, checked options) to an array of one state, before the first step."""
    vocabulary: Callable[[Any, int], Vocabulary]
    """(s, who acts) to the actions of a seat, or the outcomes of CHANCE, in words."""
    view: Callable[..., View]
    """(s, eyes, **fields of View): the table as someone who sees the secrets of `eyes`."""
    event: Callable[..., Event]
    """(s, what, seat, *numbers), as the rules tell it, to what a table is told."""
    describe: Callable[[Any, tuple[str, ...], NullTranslations], str]
    """(view, names, words) to the table as plain text."""
    tell: Callable[[Event, tuple[str, ...], NullTranslations], str]
    """(event, names, words) to a sentence."""
    say: Callable[[Any, Action, NullTranslations], str]
    """(view, legal action, words) to a short phrase for a list of choices."""
    why_not: Callable[[Any, Action, NullTranslations], tuple[str, str]]
    """(view, action that is not legal, words) to the reason and the id of its rule."""
    brings: Callable[[Any, Action], Mapping[str, Any]] = lambda view, action: {}
    """(view, legal action) to what is certain to come of it, where that is worth knowing."""
    odds: Callable[[Any], list[Any]] | None = None
    """(view) to exact odds that help to decide, where a game has that."""
    hint: Callable[[Any, NullTranslations], str] | None = None
    """(view of the seat to act, words) to the same in words."""
    few_points_win: bool = False
    phase: Callable[[Any], str] = lambda s: ""
    """What the next step is about: the phase of the view."""
    hides: bool = True
    """Whether anything is ever hidden from anybody."""
    windows: tuple[Window, ...] = ()
    """The questions that the table can answer for a player."""
    chapter: str = ""
    """The kind of event that begins a turn, a race, a deal."""
    decisive: tuple[str, ...] = ()
    """The kinds of events that decide it."""
    recount: Callable[[Sequence[Event], tuple[str, ...], NullTranslations], str] | None = None
    """(what decided it in one step, names, words) to a line, where that is shorter than to tell one
    after the other."""

    @property
    def observation(self) -> int:
        """The length of an observation."""
        return sum(length for _, length in self.features)

    @cached_property
    def layout(self) -> Layout:
        """The way between a record and a state on paper."""
        return Layout(self.state)

    @cached_property
    def paper(self) -> Any:
        """The compiled rules on paper."""
        return on_paper(import_module(self.apply.__module__))


_games: dict[str, Game] = {}
_by_state: dict[Any, Game] = {}


def register(game: Game) -> None:
    """Make a game known by its name, and its rules by the type of its state."""
    other = _by_state.get(game.state, game)
    if other.name != game.name:
        raise InvalidSetup(f"the states of {game.name} and {other.name} have the same fields")
    _games[game.name] = _by_state[game.state] = game
    _by_state[numba.from_dtype(game.state)] = game


def game_of(state_type: Any) -> Game:
    """The game of a state: by its NumPy dtype, or by Numba's type of it."""
    return _by_state[state_type]


def load(name: str) -> Game:
    """The game of that name."""
    if name not in _games:
        register(import_module(f"caramba.games.{folder_of(name).name}").GAME)
    return _games[name]


def check_players(game: Game, players: Any) -> int:
    """The number of players, if the game can be played by so many."""
    if isinstance(players, bool) or not isinstance(players, int) or players not in game.players:
        low, high = game.players[0], game.players[-1]
        raise InvalidSetup(f"{game.name} is for {low} to {high} players, not {players!r:.20}")
    return players


def check_options(game: Game, players: int, given: Mapping[str, Any]) -> dict[str, Any]:
    """All options of a game, checked, with defaults for those not given."""
    known = {option.name: option for option in game.options}
    for name in given:
        if name not in known:
            raise InvalidSetup(
                f"{game.name} has no option {name[:60]!r}; it has {', '.join(sorted(known))}"
            )
    return {
        name: _check_option(option, given[name], players) if name in given else option.default
        for name, option in known.items()
    }


def _check_option(option: Option, value: Any, players: int) -> Any:
    try:
        return option.check(value, players)
    except ValueError as error:
        raise InvalidSetup(f"option {option.name}: {error}") from None


def whole(low: int, high: int) -> Callable[[Any, int], int]:
    """A check for whole numbers of a range."""

    def check(value: Any, players: int) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise ValueError(f"a whole number from {low} to {high}, not {value!r:.60}")
        return value

    return check


def seat_or_none(value: Any, players: int) -> int | None:
    """A check for a seat, or nothing for a random one."""
    return None if value is None else whole(0, players - 1)(value, players)


def flag(value: Any, players: int) -> bool:
    """A check for yes or no."""
    if not isinstance(value, bool):
        raise ValueError(f"true or false, not {value!r:.60}")
    return value


def parse_flag(text: str) -> bool:
    """Yes or no from a command line."""
    if text.lower() not in ("true", "false"):
        raise ValueError
    return text.lower() == "true"


def split(kind: Callable[[str], Any]) -> Callable[[str], list[Any]]:
    """A list from a command line: a,b,c."""
    return lambda text: [kind(part) for part in text.split(",")]
