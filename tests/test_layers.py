"""The architecture holds: imports point one way, and the rules need nothing but numbers."""

import ast
import re
import subprocess
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
    "processes": set(),
    "match": {"games"},
    "bots": {"games", "match", "columns", "processes"},
    "research": {"games", "match", "columns"},
    "warmup": {"games", "bots", "processes"},
    "wire": {"games"},
    "bodies": {"match", "wire"},
    "server": {"games", "match", "bots", "language", "wire", "bodies", "processes"},
    "terminal": {"games", "match", "bots", "language"},
    "cli": {
        "games",
        "match",
        "bots",
        "research",
        "warmup",
        "processes",
        "server",
        "terminal",
        "language",
    },
}
"""By part of the package: the other parts it may know."""
NUMBERS_ONLY = {"numpy", "numba", "llvmlite", "msgspec"}
ROOMS = {
    "settings": set(),
    "telemetry": set(),
    "tables": {"settings"},
    "store": {"tables", "telemetry"},
    "crew": {"tables", "telemetry"},
    "host": {"tables", "store", "crew", "settings", "telemetry"},
    "http": {"tables", "store", "crew", "host", "settings", "telemetry"},
}
"""By room of the server: the others it may know."""


def imports(file: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{name.name}" for name in node.names)


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
            known = {names[1] for names in ours} - {part, "__version__"}
            assert known <= allowed, f"{file} knows {known - allowed}"


def test_the_rooms_of_the_server_are_entered_one_way() -> None:
    assert {path.stem for path in files("server") if path.parent.name == "server"} <= {
        "__init__",
        *ROOMS,
    }
    for room, allowed in ROOMS.items():
        for file in files(f"server/{room}"):
            names = (name.split(".") for name in imports(file))
            known = {name[2] for name in names if name[:2] == ["caramba", "server"]} - {room}
            assert known <= allowed, f"{file} knows {known - allowed}"


def test_what_may_happen_at_a_table_needs_no_database() -> None:
    """Not even by the way of something else that is imported."""
    modules = [f"caramba.server.tables.{file.stem}" for file in files("server/tables")]
    look = f"import sys, {', '.join(modules)}; print('sqlalchemy' in sys.modules)"
    found = subprocess.run([sys.executable, "-c", look], capture_output=True, text=True, check=True)
    assert found.stdout == "False\n"


def test_only_the_store_speaks_sql() -> None:
    speaking = {
        file.relative_to(PACKAGE).parts[:2]
        for part in ALLOWED
        for file in files(part)
        for name in imports(file)
        if name.split(".")[0] in ("sqlalchemy", "alembic", "sqlite3")
    }
    assert speaking == {("server", "store")}


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
