"""Every numbered rule is claimed by a test, in both languages, and no test claims another."""

import re
from pathlib import Path

import pytest

from caramba.games import contract, names
from caramba.language import languages

TESTS = Path(__file__).parent


def rule_ids(text: str) -> list[str]:
    return re.findall(r"^- \*\*([A-Z]\d\d)\*\*", text, re.MULTILINE)


def claimed() -> set[str]:
    sources = (path.read_text() for path in TESTS.rglob("test_*.py"))
    return {rule for text in sources for rule in re.findall(r'mark\.rule\("(\w+)"\)', text)}


@pytest.mark.parametrize("game", names())
def test_every_rule_is_claimed_by_a_test(game: str) -> None:
    ids = rule_ids((contract.load(game).folder / "RULES.md").read_text())
    assert ids
    assert sorted(set(ids) - claimed()) == []


def test_no_test_claims_a_rule_that_is_none() -> None:
    texts = ((contract.load(game).folder / "RULES.md").read_text() for game in names())
    assert claimed() <= {rule for text in texts for rule in rule_ids(text)}


@pytest.mark.parametrize("game", names())
def test_rules_have_the_same_numbers_in_every_language(game: str) -> None:
    folder = contract.load(game).folder
    english = rule_ids((folder / "RULES.md").read_text())
    assert english == sorted(set(english))
    for language in languages()[1:]:
        assert rule_ids((folder / f"RULES.{language}.md").read_text()) == english


def test_the_page_cites_no_rule() -> None:
    """The server tells which rule it is."""
    for file in (TESTS.parent / "web" / "src").rglob("*.*"):
        assert not re.search(r'"[ARC]\d\d"', file.read_text()), file.name


@pytest.mark.parametrize("game", names())
def test_rules_that_the_code_cites_exist(game: str) -> None:
    folder = contract.load(game).folder
    ids = set(rule_ids((folder / "RULES.md").read_text()))
    letter = next(iter(ids))[0]
    cited = {
        rule
        for file in folder.glob("*.py")
        for rule in re.findall(rf"\b{letter}\d\d\b", file.read_text())
    }
    assert cited <= ids
