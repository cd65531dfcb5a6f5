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


def test_french_counts_zero_and_one_as_singular() -> None:
    french = words("fr")
    plural = [french.ngettext("{n} point", "{n} points", n).format(n=n) for n in (0, 1, 2)]
    assert plural == ["0 point", "1 point", "2 points"]


def test_english_is_the_text_in_the_code() -> None:
    assert words("en").gettext("the gold") == "the gold"
    assert languages()[0] == "en"
