"""What the documents say is true: their code runs, their links lead somewhere."""

import doctest
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_to_files_that_exist(page: Path) -> None:
    for link in re.findall(r"\]\(([^)#]+)\)", page.read_text()):
        if not link.startswith("http"):
            assert (page.parent / link).exists(), link


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_sessions_go_as_shown(page: Path) -> None:
    assert doctest.testfile(str(page), module_relative=False).failed == 0


def test_the_program_in_the_readme_runs(capsys: pytest.CaptureFixture[str]) -> None:
    (program,) = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    exec(compile(program, "README.md", "exec"), {})
    assert re.match(r"\[\d+, \d+, \d+\] \[[012]", capsys.readouterr().out)


def test_every_check_and_option_is_documented() -> None:
    from caramba.games import contract, names

    for name in names():
        rules = (contract.load(name).folder / "RULES.md").read_text()
        for option in contract.load(name).options:
            assert f"`{option.name}`" in rules, option.name


def test_architecture_stays_on_one_page() -> None:
    assert len((ROOT / "ARCHITECTURE.md").read_text().splitlines()) <= 75
