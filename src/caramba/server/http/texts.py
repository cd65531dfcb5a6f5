"""Texts that are asked for as a whole, and the language to give them in."""

import re
from functools import cache
from itertools import pairwise

import polib
from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from starlette.requests import HTTPConnection

from caramba.games.contract import load
from caramba.language import CATALOGUES, languages
from caramba.server.tables.showing import spoken


def language_of(request: HTTPConnection) -> str:
    """The language to answer in: the one that is asked for, else what the browser likes best."""
    if named := request.query_params.get("lang"):
        return spoken(named)
    return best_language(request.headers.get("accept-language", ""))


def best_language(accepted: str) -> str:
    """Of those in a header such as `fr-CH, de;q=0.9`, the dearest that we speak; else English."""
    liked: dict[str, float] = {}
    for part in accepted.lower().split(","):
        name, _, weight = part.partition(";")
        liked.setdefault(name.strip().partition("-")[0], _weight(weight))
    known = [name for name in liked if name in languages() and liked[name] > 0]
    return max(known, key=lambda name: liked[name], default="en")


def _weight(text: str) -> float:
    """What follows the name of a language: `q=0.8`, or nothing."""
    name, _, number = text.replace(" ", "").partition("=")
    try:
        return float(number) if name == "q" else 1.0
    except ValueError:
        return 0.0


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
