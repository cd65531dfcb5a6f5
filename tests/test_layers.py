"""The architecture holds: imports point one way, and the rules need nothing but numbers."""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import caramba

PACKAGE = Path(caramba.__file__).parent
PAGE = Path(__file__).parent.parent / "web" / "src"
ALLOWED = {
    "games": set(),
    "language": set(),
    "columns": set(),
    "match": {"games"},
    "bots": {"games", "match", "columns"},
    "research": {"games", "match", "columns"},
    "warmup": {"games", "bots"},
    "wire": {"games"},
    "server": {"games", "match", "bots", "language", "wire"},
    "terminal": {"games", "match", "bots", "language"},
    "cli": {"games", "match", "bots", "research", "warmup", "server", "terminal", "language"},
}
"""By part of the package: the other parts it may know."""
NUMBERS_ONLY = {"numpy", "numba", "msgspec"}


def imports(file: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or ""


def files(part: str) -> list[Path]:
    folder = PACKAGE / part
    return sorted(folder.rglob("*.py")) if folder.is_dir() else [folder.with_suffix(".py")]


def test_every_part_of_the_package_has_its_place() -> None:
    parts = {path.stem for path in PACKAGE.iterdir() if path.suffix == ".py" or path.is_dir()}
    assert parts - {"__init__", "__main__", "__pycache__", "locale", "page"} == set(ALLOWED)


def test_imports_point_one_way() -> None:
    for part, allowed in ALLOWED.items():
        for file in files(part):
            ours = (name.split(".") for name in imports(file) if name.startswith("caramba."))
            known = {names[1] for names in ours} - {part}
            assert known <= allowed, f"{file} knows {known - allowed}"


def test_the_rules_import_next_to_nothing() -> None:
    for file in files("games"):
        others = {name.split(".")[0] for name in imports(file)} - {"caramba"}
        assert others - set(sys.stdlib_module_names) <= NUMBERS_ONLY, file


def test_games_do_not_know_each_other() -> None:
    games = {path.parent.name for path in (PACKAGE / "games").glob("*/rules.py")}
    for game in games:
        for file in files(f"games/{game}"):
            known = {name.split(".")[2] for name in imports(file) if name.count(".") > 1}
            assert not known & (games - {game}), file


def test_the_page_names_a_game_in_its_own_folder_only() -> None:
    games = {path.parent.name for path in (PACKAGE / "games").glob("*/rules.py")}
    for file in PAGE.rglob("*.*"):
        places = file.relative_to(PAGE).parts
        own = {places[1]} if places[0] == "games" and len(places) > 2 else set()
        text = (
            file.read_text() if file.name != "wire.ts" else ""
        )  # made from what is not the page's
        words = set(re.split(r"[^a-z]+", text.lower()) if not own else imports_of_the_page(text))
        assert not words & (games - own), f"{file} names {words & (games - own)}"


def imports_of_the_page(text: str) -> list[str]:
    """The parts of all paths that a file of the page imports."""
    return [part for path in re.findall(r'from "([^"]+)"', text) for part in path.split("/")]


def test_nothing_above_the_rules_names_a_game() -> None:
    games = {path.parent.name for path in (PACKAGE / "games").glob("*/rules.py")}
    for part in ALLOWED.keys() - {"games"}:
        for file in files(part):
            words = {
                node.value
                for node in ast.walk(ast.parse(file.read_text()))
                if isinstance(node, ast.Constant) and isinstance(node.value, str)
            }
            assert not words & games, file
