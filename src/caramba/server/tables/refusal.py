"""Why something is not done, in the language of whoever is told."""

from gettext import NullTranslations

from caramba.games.contract import marked
from caramba.games.errors import CarambaError
from caramba.language import words


class Refusal(CarambaError):
    """Why something is not done."""

    def __init__(self, code: str, message: str, rule: str | None = None, **gaps: object) -> None:
        self.code, self.message, self.rule, self.gaps = code, message, rule, gaps
        super().__init__(self.text(words("en")))

    def text(self, catalogue: NullTranslations) -> str:
        """The reason in a language."""
        said = catalogue.gettext(self.message)
        return said.format(**self.gaps) if self.gaps else said


class NotNow(Refusal):
    """It can be done, but not here at this moment: who comes again finds it so."""

    def __init__(self) -> None:
        super().__init__("unavailable", marked("not now; try again in a moment"))
