"""One game being played: a state, and the list of steps that led to it."""

from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from gettext import NullTranslations
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from caramba.games import generic
from caramba.games.contract import (
    CHANCE,
    REFEREE,
    SPECTATOR,
    Action,
    Event,
    Game,
    Result,
    View,
    check_options,
    check_players,
    load,
)
from caramba.games.errors import IllegalAction, InvalidAction, InvalidSetup
from caramba.games.paper import Noted
from caramba.games.stepping import Stepper
from caramba.match import saved
from caramba.match.fair import FairDeal
from caramba.match.position import CompiledPosition, Position

DEFAULT_NAMES = ("Pancho", "Emiliano", "Porfirio", "Dolores", "Ana", "Luc", "Zoe", "Hugo")


class Match:
    """A game from its first step to its last. `play` checks everything, and says why not."""

    def __init__(
        self,
        game: str | Game,
        *,
        players: int,
        seed: int | str | bytes | None = None,
        options: Mapping[str, Any] | None = None,
        names: Sequence[str] | None = None,
        compiled: bool = False,
    ) -> None:
        """A game before its first step.

        Whoever plays or reads many games by program has it `compiled`: several times as fast, once
        the rules were compiled, which takes half a minute a game, once a machine.
        """
        self.game = load(game) if isinstance(game, str) else game
        self.players = check_players(self.game, players)
        checked = check_options(self.game, players, options or {})
        defaults = {option.name: option.default for option in self.game.options}
        self.options = {name: v for name, v in checked.items() if v != defaults[name]}
        self.names = saved.check_names(names or DEFAULT_NAMES[:players], players)
        self.fair: FairDeal = FairDeal.new(players, seed)
        self.sealed: saved.Fair | None = None
        """What a file says of a fair deal whose seed is not revealed: no more draws here."""
        self.taken_back: list[saved.TakenBack] = []
        """What was taken back by somebody on the way here, in the order in which it happened."""
        self.words = NullTranslations()
        """The language of error messages."""

        self._compiled = compiled
        self._states = [self.game.setup(players, checked).tobytes()]  # before and after each step
        self._log: list[tuple[int, Action, int, bool]] = []  # who, what, its number, if fair
        self._noted: list[list[Noted] | None] = []  # what the rules told of each step, if they did
        self._go_to_last_state()

    def _go_to_last_state(self) -> None:
        self._here = self._position_at(-1)

    # Where the game stands

    @property
    def length(self) -> int:
        """The number of steps so far."""
        return len(self._log)

    @property
    def last(self) -> saved.Step | None:
        """The last step, as it is saved; None before the first."""
        return self._saved_step(-1) if self._log else None

    @property
    def state(self) -> np.ndarray:
        """The true state, as an array of one record: for the referee, not for players."""
        return self.game.layout.states(self._here.packed)

    @property
    def phase(self) -> str:
        """What the next step is about, which everybody knows."""
        return self.game.phase(self._here.on_paper)

    @property
    def actor(self) -> int | None:
        """Whose step it is: a seat, CHANCE, or None when the game is over."""
        return self._here.actor

    @property
    def points(self) -> list[int]:
        """Everybody's points so far."""
        return self._here.points

    @property
    def result(self) -> Result | None:
        """Points, winners and reason of the end; None while the game goes on."""
        return self._here.result

    @property
    def winners(self) -> list[int]:
        """The seats that have won; none while the game goes on."""
        return list(self.result.winners) if self.result else []

    @property
    def memory(self) -> dict[Any, Any]:
        """For what was worked out of the game as it stands: with the next step it is forgotten."""
        return self._here.memory

    # Playing

    def legal(self) -> list[str]:
        """What the seat to act may do, in notation; nothing when chance is to act."""
        return [action.text for action in self._here.legal.values()]

    def legal_actions(self) -> list[Action]:
        """What the seat to act may do, with the structured forms."""
        return list(self._here.legal.values())

    def chances(self) -> dict[str, int]:
        """What chance may do, with the weight of each; nothing when a seat is to act."""
        if self.actor != CHANCE:
            return {}
        write = self._here.vocabulary.write
        outcomes = ((write(number), weight) for number, weight in self._here.weighed.items())
        return {outcome.text: weight for outcome, weight in outcomes if outcome}

    def play(self, text: str, seat: int | None = None) -> None:
        """Take the next step; with `seat`, only if it is the turn of that seat (or CHANCE)."""
        who = self.actor
        if who is None:
            raise IllegalAction(self.words.gettext("the game is over"))
        if seat not in (None, who):
            raise IllegalAction(self._not_their_turn(who))
        action, number = self._understand(text, who)
        if who == CHANCE:
            drawn = self._check_chance(action, number)
        else:
            self._check_legal(who, action, number)
            drawn = False
        assert number is not None
        self._take(who, action, number, drawn)

    def deal(self) -> list[str]:
        """Let chance act until a player must; return what it did."""
        before = self.length
        while self.actor == CHANCE:
            if self.sealed:
                raise IllegalAction(self.words.gettext("the seed of this deal is not revealed"))
            action, number = self._fair_draw()
            self._take(CHANCE, action, number, drawn=True)
        return [action.text for _, action, _, _ in self._log[before:]]

    def fair_draw(self) -> str:
        """What the seed gives for the chance step that is due."""
        return self._fair_draw()[0].text

    def _fair_draw(self) -> tuple[Action, int]:
        number = self._fair_number()
        action = self._here.vocabulary.write(number)
        assert action is not None
        return action, number

    def _fair_number(self) -> int:
        weighed = self._here.weighed
        return [*weighed][self.fair.draw(self.length, [*weighed.values()])]

    def undo(self) -> None:
        """The last step was never taken: for programs that look ahead. Nothing remembers it."""
        self._shorten(self.length - 1)
        self._forget_take_backs_to_come()

    def take_back(self, seat: int, keep: int) -> None:
        """A seat takes back all steps but the first `keep`; that is remembered, and saved."""
        self._check_seat(seat)
        if len(self.taken_back) >= saved.MAX_TAKEN_BACK:
            message = self.words.gettext(
                "steps were taken back {n} times in this game; it must go on now"
            )
            raise IllegalAction(message.format(n=len(self.taken_back)))
        taken = saved.TakenBack(seat, self.length, keep)
        self._shorten(keep)
        self.taken_back.append(taken)

    def _shorten(self, keep: int) -> None:
        """Drop all steps but so many, and at least one."""
        if keep not in range(self.length):
            raise IllegalAction(self.words.gettext("there is nothing to undo"))
        for of_a_step in (self._log, self._noted):
            del of_a_step[keep:]
        del self._states[keep + 1 :]
        self._go_to_last_state()

    def _forget_take_backs_to_come(self) -> None:
        """Those that left more steps than there are: they happened later than now."""
        while self.taken_back and self.taken_back[-1].kept > self.length:
            self.taken_back.pop()

    def _take(self, who: int, action: Action, number: int, drawn: bool) -> None:
        self._here, noted = self._here.take(number)
        self._noted.append(noted)
        self._states.append(self._here.packed)
        self._log.append((who, action, number, drawn))

    def _understand(self, text: str, who: int) -> tuple[Action, int | None]:
        found = self._here.vocabulary.read(" ".join(text.lower().split()))
        if found:
            return found
        notation = self.game.notation
        expected = self._expected_outcomes() if who == CHANCE else self.words.gettext(notation)
        message = self.words.gettext("{text} is not a step of this game here; there are: {steps}")
        raise InvalidAction(message.format(text=repr(text[:60]), steps=expected))

    def _expected_outcomes(self) -> str:
        return ", ".join(self.chances())

    def _check_chance(self, action: Action, number: int | None) -> bool:
        """Refuse what chance cannot do now; tell whether it is what the seed gives."""
        if number not in self._here.weighed:
            message = self.words.gettext("{text} cannot be drawn now; there are: {steps}")
            raise IllegalAction(message.format(text=action.text, steps=self._expected_outcomes()))
        return number == self._fair_number()

    def _check_legal(self, who: int, action: Action, number: int | None) -> None:
        if number not in self._here.legal:
            reason, rule = self.game.why_not(self.view(who), action, self.words)
            message = self.words.gettext("{step}: {reason}")
            raise IllegalAction(message.format(step=action.text, reason=reason), rule, reason)

    def _not_their_turn(self, who: int) -> str:
        if who == CHANCE:
            return self.words.gettext("not now: the next step is a draw")
        return self.words.gettext("it is the turn of {player}").format(player=self.names[who])

    # Looking

    def eyes(self, seat: int) -> frozenset[int]:
        """Whose secrets a seat sees: its own, a spectator's none, a referee's all."""
        if seat == REFEREE:
            return frozenset(range(self.players))
        if seat == SPECTATOR:
            return frozenset()
        self._check_seat(seat)
        return frozenset([seat])

    def _check_seat(self, seat: int) -> None:
        if seat not in range(self.players):
            raise InvalidSetup(f"there is no seat {seat}; the seats are 0 to {self.players - 1}")

    def view(self, seat: int) -> Any:
        """What a seat may know now, with the actions that it may take."""
        mine = seat == self.actor or seat == REFEREE
        common: dict[str, Any] = {
            "seat": seat,
            "actor": self.actor,
            "legal": tuple(self.legal_actions()) if mine else (),
            "result": self.result,
            "places": self._here.places,
        }
        view: View = self.game.view(self._here.on_paper, self.eyes(seat), **common)
        return view

    def view_of(self, table: bytes, seat: int) -> Any:
        """What a seat could see on a table of before, when nobody was asked anything."""
        nobody: dict[str, Any] = {"seat": seat, "actor": None, "legal": ()}
        nothing: dict[str, Any] = {"result": None, "places": ()}
        return self.game.view(self._seen_before(table), self.eyes(seat), **nobody, **nothing)

    def _seen_before(self, table: bytes) -> Any:
        """A table of before, on paper: once for all who look at it."""
        if table not in self.memory:
            self.memory[table] = self.game.layout.unpack(table, self._here.on_paper.fixed)
        return self.memory[table]

    def observation(self, seat: int) -> np.ndarray:
        """What a seat, or a spectator, may know now: a vector in the order of `game.features`."""
        if seat == REFEREE:
            raise InvalidSetup("there is no vector of everything; ask for a seat or SPECTATOR")
        self.eyes(seat)
        out = np.zeros(self.game.observation, np.float32)
        generic.observe_from(self.state, seat, out)
        return out

    def events(self, seat: int, since: int = 0) -> Iterator[tuple[int, Event]]:
        """What a seat was told, each with the number of its step, from step `since` on."""
        return ((step, event) for step, event, _ in self.told(seat, since))

    def told(self, seat: int, since: int = 0) -> Iterator[tuple[int, Event, bytes]]:
        """The same, each with the table as it was right after it: for `view_of`."""
        eyes = self.eyes(seat)
        for step in range(max(since, 0), self.length):
            for event, table in self._events_of(step):
                yield step, event.seen_by(eyes), table

    def _events_of(self, step: int) -> list[tuple[Event, bytes]]:
        """What happened in a step: made once for all who are told of it before the next one."""
        made: list[tuple[Event, bytes]] | None = self.memory.get(step)
        if made is None:
            event, s = self.game.event, self._here.on_paper
            made = [(event(s, what, *facts), table) for what, facts, table in self._noted_in(step)]
            self.memory[step] = made
        return made

    def _noted_in(self, step: int) -> list[Noted]:
        """What the rules told of a step; if they were compiled, they take it again and tell."""
        noted = self._noted[step]
        if noted is None:
            position = Position(self.game, self.players, self._states[step])
            noted = self._noted[step] = position.take(self._log[step][2])[1]
        return noted or []

    def draws(self, since: int) -> set[int]:
        """The steps from that one on that chance took."""
        return {n for n, (who, *_) in enumerate(self._log[since:], since) if who == CHANCE}

    def points_after(self, step: int) -> tuple[int, ...]:
        """Everybody's points when the game had so many steps."""
        return tuple(self._position_at(step).points)

    def _position_at(self, step: int) -> Position:
        packed = self._states[step]
        if not self._compiled:
            return Position(self.game, self.players, packed)
        return CompiledPosition(
            self.game, self.players, Stepper(self.game, self.game.layout.states(packed)), {}
        )

    @property
    def steps(self) -> list[saved.Step]:
        """All steps so far, as they are saved: who (None for chance) and what."""
        return [self._saved_step(step) for step in range(self.length)]

    def _saved_step(self, step: int) -> saved.Step:
        who, action, *_ = self._log[step]
        return None if who == CHANCE else who, action.text

    # Copies and files

    def copy(self) -> "Match":
        """A match of its own that stands where this one stands."""
        return self.at(self.length)

    def at(self, step: int) -> "Match":
        """A copy as it was after so many steps."""
        if step not in range(self.length + 1):
            raise InvalidSetup(f"there is no step {step}; the game has 0 to {self.length}")
        other = copy(self)
        other._states = self._states[: step + 1]
        other._log = self._log[:step]
        other._noted = self._noted[:step]
        other.taken_back = self.taken_back.copy()
        other._forget_take_backs_to_come()
        other._go_to_last_state()
        return other

    def elsewhere(self, state: np.ndarray) -> "Match":
        """A copy in another world, in which all that has happened led to this state."""
        other = self.copy()
        other._states[-1] = state.tobytes()
        other._go_to_last_state()
        return other

    def to_saved(self) -> saved.Saved:
        """The match as it is written; with its seed, if all chance followed from it."""
        fair = all(drawn for who, _, _, drawn in self._log if who == CHANCE)
        header = saved.Header(
            caramba=saved.FORMAT,
            game=self.game.name,
            rules=self.game.version,
            players=self.players,
            options=self.options,
            names=list(self.names),
            fair=self.sealed or (self.fair.to_saved() if fair else None),
            taken_back=self.taken_back.copy(),
        )
        return saved.Saved(header, self.steps, self.result)

    def save(self, path: str | PathLike[str]) -> None:
        """Write the match to a file."""
        saved.write(self.to_saved(), Path(path))

    @classmethod
    def open(cls, path: str | PathLike[str], compiled: bool = False) -> "Match":
        """Read a match from a file, checking every step against the rules."""
        from caramba.match.opening import opened  # which needs this class to be there

        return opened(saved.read(Path(path)), str(path), compiled)
