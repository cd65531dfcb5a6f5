"""Every language says everything, and with the same placeholders."""

import re
from pathlib import Path

import polib
import pytest
from babel.messages.extract import extract_from_dir

import caramba
from caramba.language import CATALOGUES, languages, words

KEYWORDS = {"marked": None, "gettext": None, "ngettext": (1, 2)}


PAGE = Path(__file__).parent.parent / "web" / "src"
SPOKEN = re.compile(r'\b(?:say|count)\(\s*"((?:[^"\\]|\\.)*)"')
"""A text of the page: what `say` or `count` is called with."""
BUILT = re.compile(r"\b(?:say|count)\(\s*[^\s\")]")
"""A text that is put together at run time: no catalogue could have it."""


def messages() -> set[str]:
    return messages_of_the_server() | messages_of_the_page()


def messages_of_the_server() -> set[str]:
    found = extract_from_dir(Path(caramba.__file__).parent, keywords=KEYWORDS)
    texts = (message for _, _, message, _, _ in found)
    return {text[0] if isinstance(text, tuple) else text for text in texts}


def messages_of_the_page() -> set[str]:
    files = [file for file in PAGE.rglob("*") if file.suffix in (".svelte", ".ts")]
    return {
        found.group(1).replace('\\"', '"')
        for file in files
        for found in SPOKEN.finditer(file.read_text())
    }


def test_every_text_of_the_page_can_be_found() -> None:
    for file in PAGE.rglob("*.svelte"):
        assert not BUILT.search(file.read_text()), file.name


def test_no_colon_is_written_beside_the_catalogue() -> None:
    """French has a space before it."""
    for file in PAGE.rglob("*.svelte"):
        assert not re.search(r"}:\s*<", file.read_text()), file.name


@pytest.mark.parametrize("game", ["auction", "cards"])
@pytest.mark.parametrize("language", languages())
def test_explanations_are_short(game: str, language: str) -> None:
    told = SPOKEN.findall((PAGE / "games" / game / "guide.ts").read_text())
    assert not [text for text in map(words(language).gettext, told) if len(text) > 105]


def placeholders(text: str) -> set[str]:
    return set(re.findall(r"{(\w+)}", text))


@pytest.mark.parametrize("language", languages()[1:])
def test_a_catalogue_has_every_message_and_no_other(language: str) -> None:
    catalogue = polib.pofile(str(CATALOGUES / f"{language}.po"))
    assert {entry.msgid for entry in catalogue} == messages()
    assert catalogue.untranslated_entries() == []
    assert catalogue.fuzzy_entries() == []


@pytest.mark.parametrize("language", languages()[1:])
def test_translations_keep_the_placeholders(language: str) -> None:
    for entry in polib.pofile(str(CATALOGUES / f"{language}.po")):
        for text in entry.msgstr_plural.values() or [entry.msgstr]:
            assert placeholders(text) == placeholders(entry.msgid), entry.msgid


ELIDED = re.compile(r"\b(?:de|que|le|la|je|ne|se|si) {(?:player|giver|mover|name)}", re.I)
"""A word that would lose its last letter before Ana, but not before Zoe."""
GENDERED = re.compile(r"joueur : {player}|{player} est \w+é\b|\bchacun\b[^.]*{player}")


def test_french_sentences_fit_every_name() -> None:
    for entry in polib.pofile(str(CATALOGUES / "fr.po")):
        for text in entry.msgstr_plural.values() or [entry.msgstr]:
            text = text.replace("\u00a0", " ")
            assert not ELIDED.search(text), text
            assert not GENDERED.search(text), text


def test_french_counts_zero_and_one_as_singular() -> None:
    french = words("fr")
    plural = [french.ngettext("{n} point", "{n} points", n).format(n=n) for n in (0, 1, 2)]
    assert plural == ["0 point", "1 point", "2 points"]


def test_english_is_the_text_in_the_code() -> None:
    assert words("en").gettext("the gold") == "the gold"
    assert languages()[0] == "en"
