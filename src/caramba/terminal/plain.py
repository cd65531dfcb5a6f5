"""A game in plain lines, for any terminal, pipe or screen reader."""

from collections.abc import Callable
from pathlib import Path
from random import Random

from caramba.bots import casual
from caramba.games.contract import CHANCE, UNKNOWN, Event, marked
from caramba.games.errors import CarambaError
from caramba.language import languages, words
from caramba.match.match import Match

HELP = marked(
    """Type the number of a choice, or the step in notation (such as: {example}).
  ?  this help            t  show the table again     c  show the choices again
  u  undo                 s FILE  save a copy         l LANGUAGE  switch language ({languages})
  q  save and quit        the rules: caramba rules {game}"""
)


class PlainTable:
    """One person at one seat, the others played by the machine."""

    def __init__(
        self,
        match: Match,
        seat: int,
        language: str,
        autosave: Path,
        random: Random,
        read: Callable[[str], str] = input,
        write: Callable[[str], object] = print,
    ) -> None:
        self.match, self.seat, self.autosave, self.random = match, seat, autosave, random
        self.read, self.write = read, write
        self.told = 0
        self.leaving = False
        self.words = match.words
        self.switch_language(language)

    def run(self) -> None:
        """Play until the game is over or the player leaves; either way it is saved."""
        try:
            self.write(self.words.gettext("? for help, q to save and quit."))
            while self.match.actor is not None and not self.leaving:
                self.step()
        except (EOFError, KeyboardInterrupt):
            self.write("")
        self.tell_news()
        self.match.save(self.autosave)
        self.farewell()

    def step(self) -> None:
        """Chance, an opponent, or the player."""
        if self.match.actor == CHANCE:
            self.match.deal()
        elif self.match.actor != self.seat:
            assert self.match.actor is not None
            self.match.play(casual.choose(self.match.view(self.match.actor), self.random))
        else:
            self.match.save(self.autosave)
            self.tell_news()
            self.show_table()
            self.show_choices()
            self.decide()

    # What the player sees

    def tell_news(self) -> None:
        """What has happened since it was last told; others' hidden draws are left out."""
        for _, event in self.match.events(self.seat, self.told):
            if UNKNOWN not in event.facts.values():
                self.write("  " + self.sentence(event))
        self.told = len(self.match.steps)

    def sentence(self, event: Event) -> str:
        """An event in words."""
        return self.match.game.tell(event, self.match.names, self.words)

    def show_table(self) -> None:
        """The table as the player may see it."""
        view = self.match.view(self.seat)
        self.write("")
        self.write(self.match.game.describe(view, self.match.names, self.words))

    def show_choices(self) -> None:
        """What the player may do."""
        self.write("")
        for number, action in enumerate(self.match.legal_actions(), 1):
            phrase = self.match.game.say(action, self.words)
            self.write(f"{number:3}  {phrase}  [{action.text}]")

    def farewell(self) -> None:
        """The result, or how to go on."""
        result = self.match.result
        if result:
            for seat, points in enumerate(result.points):
                line = self.words.ngettext("{player}: {n} point", "{player}: {n} points", points)
                won = self.words.gettext(" - the winner!") if seat in result.winners else ""
                self.write(line.format(player=self.match.names[seat], n=points) + won)
            line = self.words.gettext(
                "The game is in {file}; look back with: caramba replay {file}"
            )
        else:
            line = self.words.gettext("Saved. Go on with: caramba play --resume {file}")
        self.write(line.format(file=self.autosave))

    # What the player does

    def decide(self) -> None:
        """Ask until the player has taken a step, gone back, or left."""
        steps = len(self.match.steps)
        while len(self.match.steps) == steps and not self.leaving:
            line = self.read("> ").strip()
            try:
                self.obey(line)
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
            "u": self.undo,
            "s": lambda: self.save_copy(argument.strip()),
            "l": lambda: self.switch_language(argument.strip()),
            "q": self.leave,
        }
        if command in commands:
            commands[command]()
        else:
            self.match.play(self.chosen(line), self.seat)

    def chosen(self, line: str) -> str:
        """The step that a number stands for; anything else is taken as notation."""
        if not line.isdecimal():
            return line
        legal = self.match.legal()
        if not 1 <= int(line) <= len(legal):
            message = self.words.gettext("choose a number from 1 to {n}, or ? for help")
            raise CarambaError(message.format(n=len(legal)))
        return legal[int(line) - 1]

    def help(self) -> None:
        """What can be typed."""
        self.write(
            self.words.gettext(HELP).format(
                example=self.match.legal()[0],
                game=self.match.game.name,
                languages=", ".join(languages()),
            )
        )

    def undo(self) -> None:
        """Back to the player's last decision."""
        own = [step for step, (who, _) in enumerate(self.match.steps) if who == self.seat]
        if not own:
            raise CarambaError(self.words.gettext("there is nothing to undo"))
        while len(self.match.steps) > own[-1]:
            self.match.undo()
        self.told = len(self.match.steps)
        self.write(self.words.gettext("Taken back."))

    def save_copy(self, file: str) -> None:
        """Save under a name of the player's choice."""
        path = Path(file or self.autosave)
        self.match.save(path)
        self.write(self.words.gettext("Saved in {file}.").format(file=path))

    def switch_language(self, language: str) -> None:
        """Speak another language from now on."""
        if language not in languages():
            message = self.words.gettext("choose a language: {languages}")
            raise CarambaError(message.format(languages=", ".join(languages())))
        self.words = self.match.words = words(language)

    def leave(self) -> None:
        """Leave the table; the game is kept."""
        self.leaving = True
