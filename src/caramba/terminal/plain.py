"""A game in plain lines, for any terminal, pipe or screen reader."""

import os
import shlex
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from caramba.bots.knowledge import Bot, Knowledge, ask, listens
from caramba.games.contract import CHANCE, UNKNOWN, Action, Event, marked
from caramba.games.errors import CarambaError, InvalidAction, InvalidFile
from caramba.language import languages, words
from caramba.match.match import Match

HELP = marked(
    """Type the number of a choice, or the step in notation (such as: {example}).
  ?  this help            t  show the table again     c  show the choices again
  h  hint                 u  undo                     s FILE  save a copy
  l LANGUAGE  switch language ({languages})           q  save and quit
  the rules: caramba rules {game}
Steps: {notation}"""
)

PLAIN = str.maketrans(dict(zip("♠♥♦♣×’–«»“”°", 'shdcx\'-""""o', strict=True)) | {"œ": "oe"})
"""What stands for signs that are not a plain letter with something on it."""
MANY = 8
"""More choices than this that differ in a number only are shown in one line."""


class PlainTable:
    """One person at one seat, the others played by the machine."""

    def __init__(
        self,
        match: Match,
        seat: int,
        language: str,
        autosave: Path,
        bots: Mapping[int, Bot],
        level: str = "",
        read: Callable[[str], str] = input,
        write: Callable[[str], object] = print,
    ) -> None:
        self.match, self.seat, self.autosave, self.bots = match, seat, autosave, bots
        self.level = level
        """To be named when the game is gone on with; empty where that is not needed."""
        self.read, self.write_exactly = read, write
        self.letters: Callable[[str], str] = str
        """What becomes of every line before it is written."""
        self.told = 0
        self.leaving = False
        self.words = match.words
        self.switch_language(language)

    def write(self, line: str) -> None:
        """Show a line, in the letters that were asked for."""
        self.write_exactly(self.letters(line))

    def run(self) -> None:
        """Play until the game is over or the player leaves; either way it is saved."""
        try:
            self.write(self.words.gettext("? for help, q to save and quit."))
            while self.match.actor is not None and not self.leaving:
                self.step()
        except (EOFError, KeyboardInterrupt):
            self.write("")
        finally:
            self.tell_news()
            self.keep()
            self.farewell()

    def step(self) -> None:
        """Chance, an opponent, or the player."""
        if self.match.actor == CHANCE:
            self.match.deal()
        elif self.match.actor != self.seat:
            assert self.match.actor is not None
            self.match.play(self.ask_bot(self.match.actor))
        else:
            self.keep()
            self.tell_news()
            self.show_table()
            self.show_choices()
            self.decide()

    def ask_bot(self, seat: int) -> str:
        """What the machine does at one of its seats, from what that seat knows."""
        match, bot = self.match, self.bots[seat]
        told = (event for _, event in match.events(seat)) if listens(bot) else ()
        knowledge = Knowledge(match.game, match.state, seat, match.players, told)
        return knowledge.text(ask(bot, knowledge))

    def keep(self) -> None:
        """Save the game as it stands; if that fails the game goes on all the same."""
        try:
            self.match.save(self.autosave)
        except InvalidFile as error:
            self.write(f"  {error}")
            self.write(self.words.gettext("  Save it elsewhere with: s FILE"))

    # What the player sees

    def tell_news(self) -> None:
        """What has happened since it was last told; others' hidden draws are left out."""
        for _, event in self.match.events(self.seat, self.told):
            if UNKNOWN not in event.facts.values():
                self.write("  " + self.sentence(event))
        self.told = self.match.length

    def sentence(self, event: Event) -> str:
        """An event in words."""
        return self.match.game.tell(event, self.match.names, self.words)

    def show_table(self) -> None:
        """The table as the player may see it."""
        view = self.match.view(self.seat)
        self.write("")
        self.write(self.match.game.describe(view, self.match.names, self.words))

    def show_choices(self) -> None:
        """What the player may do: by number, or a whole range of it in one line."""
        self.write("")
        view = self.match.view(self.seat)
        single, ranges = folded(view.legal)
        for number, action in enumerate(single, 1):
            phrase = self.match.game.say(view, action, self.words)
            self.write(f"{number:3}  {phrase}  [{action.text}]")
        for do, numbers in ranges.items():
            line = self.words.gettext("or type {do} and a number: {numbers}")
            self.write("     " + line.format(do=do, numbers=spans(numbers)))

    def farewell(self) -> None:
        """The result, or how to go on."""
        result = self.match.result
        if result:
            for seat, points in enumerate(result.points):
                size = abs(points)
                line = self.words.ngettext("{player}: {n} point", "{player}: {n} points", size)
                won = self.words.gettext(" - the winner!") if seat in result.winners else ""
                self.write(line.format(player=self.match.names[seat], n=points) + won)
            line = self.words.gettext("Look back with: {caramba} replay {file}")
        else:
            line = self.words.gettext("Saved. Go on with: {caramba} play --resume {file}")
        caramba = os.environ.get("CARAMBA_COMMAND", "caramba")
        level = f" --level {shlex.quote(self.level)}" if self.level and not result else ""
        file = shlex.quote(str(self.autosave)) + level
        self.write_exactly(self.letters(line).format(caramba=caramba, file=file))

    # What the player does

    def decide(self) -> None:
        """Ask until the player has taken a step, gone back, or left."""
        steps = self.match.length
        while self.match.length == steps and not self.leaving:
            line = self.read("> ").strip()
            try:
                self.obey(line)
            except InvalidAction as error:
                self.write(f"  {error}")
                self.write(self.words.gettext("  ? for help"))
            except CarambaError as error:
                self.write(f"  {error}")

    def obey(self, line: str) -> None:
        """A command, a number, or a step in notation."""
        command, _, argument = line.partition(" ")
        commands: dict[str, Callable[[], None]] = {
            "": lambda: None,
            "?": self.help,
            "t": self.show_table,
            "c": self.show_choices,
            "h": self.hint,
            "u": self.undo,
            "s": lambda: self.save_copy(argument.strip()),
            "l": lambda: self.new_language(argument.strip()),
            "q": self.leave,
        }
        if command in commands:
            commands[command]()
        else:
            self.match.play(self.chosen(line), self.seat)

    def chosen(self, line: str) -> str:
        """The step that a number stands for; anything else is taken as notation."""
        if not line.isdecimal() or len(line) > 6:
            return line
        single, ranges = folded(self.match.legal_actions())
        if not single and len(ranges) == 1:
            return f"{next(iter(ranges))} {line}"
        if not 1 <= int(line) <= len(single):
            message = self.words.gettext("choose a number from 1 to {n}, or ? for help")
            raise CarambaError(message.format(n=len(single)))
        return single[int(line) - 1].text

    def help(self) -> None:
        """What can be typed."""
        self.write(
            self.words.gettext(HELP).format(
                example=self.match.legal()[0],
                game=self.match.game.name,
                languages=", ".join(languages()),
                notation=self.words.gettext(self.match.game.notation),
            )
        )

    def hint(self) -> None:
        """What helps to decide, where the game has that."""
        hint = self.match.game.hint
        if hint is None:
            self.write(self.words.gettext("There are no hints in this game."))
        else:
            self.write(hint(self.match.view(self.seat), self.words))

    def undo(self) -> None:
        """Back to the player's last decision."""
        own = [step for step, (who, _) in enumerate(self.match.steps) if who == self.seat]
        if not own:
            raise CarambaError(self.words.gettext("there is nothing to undo"))
        self.match.take_back(self.seat, own[-1])
        self.told = self.match.length
        self.write(self.words.gettext("Taken back."))

    def save_copy(self, file: str) -> None:
        """Save under a name of the player's choice."""
        path = Path(file).expanduser() if file else self.autosave
        if file and os.path.lexists(path):
            message = self.words.gettext("{file} is there already; choose another name")
            raise InvalidFile(message.format(file=path))
        self.match.save(path)
        line = self.letters(self.words.gettext("Saved in {file}."))
        self.write_exactly(line.format(file=path))

    def switch_language(self, language: str) -> None:
        """Speak another language from now on."""
        if language not in languages():
            message = self.words.gettext("choose a language: {languages}")
            raise CarambaError(message.format(languages=", ".join(languages())))
        self.words = self.match.words = words(language)

    def new_language(self, language: str) -> None:
        """Switch, and show that it worked."""
        self.switch_language(language)
        self.show_choices()

    def leave(self) -> None:
        """Leave the table; the game is kept."""
        self.leaving = True


def in_ascii(text: str) -> str:
    """The text in the letters that everything can show and read; suits as in the notation."""
    apart = unicodedata.normalize("NFKD", text.translate(PLAIN))
    return (
        "".join(c for c in apart if not unicodedata.combining(c))
        .encode("ascii", "replace")
        .decode()
    )


def folded(actions: Sequence[Action]) -> tuple[list[Action], dict[str, list[int]]]:
    """Actions to be listed one by one, and those that are many and differ in a number only."""
    kinds: dict[str, list[Action]] = {}
    for action in actions:
        kinds.setdefault(str(action.form["do"]), []).append(action)
    single: list[Action] = []
    ranges: dict[str, list[int]] = {}
    for do, same in kinds.items():
        numbers = [value for action in same for key, value in action.form.items() if key != "do"]
        if len(same) > MANY and all(isinstance(number, int) for number in numbers):
            ranges[do] = [int(number) for number in numbers]
        else:
            single += same
    return single, ranges


def spans(numbers: list[int]) -> str:
    """Whole numbers in short: 1-3 5 8-9."""
    parts: list[list[int]] = []
    for number in numbers:
        if parts and number == parts[-1][-1] + 1:
            parts[-1].append(number)
        else:
            parts.append([number])
    return " ".join(f"{p[0]}-{p[-1]}" if len(p) > 1 else str(p[0]) for p in parts)
