"""The message catalogues: one gettext file a language; English is the text in the code."""

from functools import cache
from gettext import GNUTranslations, NullTranslations
from io import BytesIO
from pathlib import Path

CATALOGUES = Path(__file__).parent / "locale"


def languages() -> tuple[str, ...]:
    """The languages there are."""
    return ("en", *sorted(path.stem for path in CATALOGUES.glob("*.po")))


@cache
def words(language: str) -> NullTranslations:
    """The catalogue of a language."""
    if language == "en":
        return NullTranslations()
    import polib  # only needed for other languages, and not quick to load

    catalogue = polib.pofile(str(CATALOGUES / f"{language}.po"))
    return GNUTranslations(BytesIO(catalogue.to_binary()))
