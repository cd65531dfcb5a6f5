"""Texts that are asked for as a whole."""

import re
from functools import cache
from itertools import pairwise

import polib
from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore

from caramba.games.contract import load
from caramba.language import CATALOGUES

# The catalogue of a language


@cache
def catalogue(language: str) -> dict[str, str | list[str]]:
    """By English text: the text in a language, or its plural forms in their order."""
    if language == "en":
        return {}
    entries = polib.pofile(str(CATALOGUES / f"{language}.po"))
    return {
        entry.msgid: [form for _, form in sorted(entry.msgstr_plural.items())]
        if entry.msgid_plural
        else entry.msgstr
        for entry in entries
    }


# The rules of a game


@cache
def rules(game: str, language: str) -> str:
    """The rules, as Markdown."""
    name = "RULES.md" if language == "en" else f"RULES.{language}.md"
    return (load(game).folder / name).read_text("utf-8")


@cache
def rules_as_html(game: str, language: str) -> str:
    """The rules as a part of a page; every rule can be linked to by its number."""
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    markdown.core.ruler.push("rule_numbers", _name_rules)
    html: str = markdown.render(rules(game, language))
    return html


def _name_rules(state: StateCore) -> None:
    """Give each number in bold an id; where it stands again, the first keeps it."""
    named = set()
    for token in state.tokens:
        children = token.children or []
        for bold, text in pairwise(children):
            number = text.content
            if bold.type == "strong_open" and re.fullmatch(r"[A-Z]\d\d", number):
                if number not in named:
                    bold.attrSet("id", number)
                named.add(number)
