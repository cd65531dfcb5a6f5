"""The launchers: a set-up that is in place costs nothing, one that cannot be made says why."""

import importlib.metadata
import json
import os
import re
import shutil
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tools"))

import bootstrap  # noqa: E402
import checks  # noqa: E402
import engines  # noqa: E402
import page  # noqa: E402


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout that was never set up."""
    for name in ("caramba", "test", "pyproject.toml", "README.md", "LICENSE", "tools", "src"):
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, tmp_path / name)
    return tmp_path


def start(checkout: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Start the launcher as a user would, with this Python as the machine's."""
    path = f"{Path(sys.base_prefix) / 'bin'}:/usr/bin:/bin"
    return subprocess.run(
        [checkout / "caramba", *arguments],
        capture_output=True,
        text=True,
        env={"HOME": str(checkout), "PATH": path, **environment},
    )


def test_without_a_network_it_says_so(checkout: Path) -> None:
    done = start(checkout, "--help", PIP_INDEX_URL="http://127.0.0.1:9/", PIP_RETRIES="0")
    assert done.returncode == 2
    assert "registry cannot be reached" in done.stderr
    assert "run this again" in done.stderr.splitlines()[-1]
    assert not (checkout / ".venv" / "ready.json").exists()


def test_without_the_venv_module_it_says_how_to_get_it(checkout: Path) -> None:
    bootstrap = checkout / "tools" / "bootstrap.py"
    script = (
        "import runpy, sys; sys.modules['ensurepip'] = None; sys.argv = ['x', 'caramba'];"
        f"sys.path.insert(0, '{bootstrap.parent}');"
        f"runpy.run_path('{bootstrap}', run_name='__main__')"
    )
    done = subprocess.run(
        [Path(sys.base_prefix) / "bin" / "python3", "-c", script], capture_output=True, text=True
    )
    assert done.returncode == 2
    assert "apt-get install python3-venv" in done.stderr


def test_a_place_that_cannot_be_written_is_named(checkout: Path) -> None:
    (checkout / ".venv").touch()
    done = start(checkout, "--help")
    assert done.returncode == 2
    assert done.stderr.startswith(f"caramba: cannot set up {checkout / '.venv'}: ")


def test_without_a_python_it_says_so(checkout: Path, tmp_path: Path) -> None:
    tools = tmp_path / "only"
    tools.mkdir()
    for name in ("sh", "dirname", "readlink"):
        (tools / name).symlink_to(str(shutil.which(name)))
    done = subprocess.run(
        [checkout / "caramba"], capture_output=True, text=True, env={"PATH": str(tools)}
    )
    assert done.returncode == 2
    assert "needs Python 3.11 or newer" in done.stderr


def test_a_set_up_that_is_in_place_is_not_made_again() -> None:
    done = subprocess.run([ROOT / "caramba", "--version"], capture_output=True, text=True)
    assert done.returncode == 0
    assert done.stdout.startswith("caramba, version")
    assert done.stderr == ""


def test_changed_dependencies_are_noticed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(bootstrap, "ROOT", tmp_path)
    monkeypatch.setattr(bootstrap, "VENV", Path(sys.prefix))
    monkeypatch.setattr(bootstrap, "PYTHON", Path(sys.executable))
    monkeypatch.setattr(bootstrap, "STAMP", tmp_path / "ready.json")
    (tmp_path / "pyproject.toml").write_text("one")
    assert not bootstrap.is_ready([])
    stamp = {"declared": bootstrap.declared(), "extras": ["dev"], "python": bootstrap.VERSION}
    bootstrap.STAMP.write_text(json.dumps({**stamp, "python": "2.7"}))
    assert not bootstrap.is_ready([])
    bootstrap.STAMP.write_text(json.dumps(stamp))
    assert bootstrap.is_ready([])
    assert bootstrap.is_ready(["dev"])
    assert not bootstrap.is_ready(["cluster"])
    (tmp_path / "pyproject.toml").write_text("two")
    assert not bootstrap.is_ready([])
    for broken in ("broken", "5", "[1]"):
        bootstrap.STAMP.write_text(broken)
        assert not bootstrap.is_ready([])


# What is installed


def pinned() -> dict[str, list[str]]:
    """By name: the exact versions in the file, which may differ by machine."""
    pins: dict[str, list[str]] = {}
    for line in bootstrap.VERSIONS.read_text().splitlines():
        if not line.startswith("#"):
            found = re.match(r"([a-z0-9-]+)==([\w.]+)(?: ; .+)?$", line)
            assert found, f"{line!r} is no exact version"
            pins.setdefault(found.group(1), []).append(found.group(2))
    return pins


def declared() -> list[Requirement]:
    """What pyproject.toml asks for, to run, to test and to build."""
    told = tomllib.loads((ROOT / "pyproject.toml").read_text())
    lists = (
        told["build-system"]["requires"],
        told["project"]["dependencies"],
        *told["project"]["optional-dependencies"].values(),
    )
    return [Requirement(text) for each in lists for text in each]


def named(requirements: Iterable[Requirement], seen: set[str]) -> set[str]:
    """The names of all that is required on this machine, and of all that requires in turn."""
    for requirement in requirements:
        name = canonicalize_name(requirement.name)
        if name not in seen and name != "hatchling":  # which is there while building only
            seen.add(name)
            texts = importlib.metadata.requires(name) or ()
            named(filter(is_for_all, map(Requirement, texts)), seen)
    return seen


def is_for_all(requirement: Requirement) -> bool:
    """Whether something is required here without having been asked for."""
    return not requirement.marker or requirement.marker.evaluate({"extra": ""})


def test_the_exact_versions_are_those_that_are_declared() -> None:
    for requirement in declared():
        for version in pinned()[canonicalize_name(requirement.name)]:
            where = f"tools/versions.txt has {version}"
            assert version in requirement.specifier, f"{requirement}: {where}"


def test_everything_that_is_needed_has_an_exact_version() -> None:
    assert {"uv", *named(declared(), set())} - pinned().keys() == set()


def test_nothing_is_installed_that_nobody_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page, "npm_here", lambda: "/usr/bin/npm")
    assert bootstrap.extras_for([], builds=True) == []
    assert bootstrap.extras_for(["bench", "--seconds", "1"], builds=False) == ["plots"]
    monkeypatch.setattr(page, "npm_here", lambda: None)
    assert bootstrap.extras_for(["play", "race"], builds=False) == []
    assert bootstrap.extras_for(["serve"], builds=True) == ["page"]
    assert "scale" in bootstrap.TESTS


@pytest.mark.parametrize(
    ("version", "good"),
    [
        ("v18.20.4", False),
        ("v20.18.3", False),
        ("v20.19.0", True),
        ("v21.7.3", False),
        ("v22.12.0", True),
        ("v24.0.0", True),
        ("v31.1.0", True),
        ("", False),
    ],
)
def test_the_nodejs_of_the_machine_is_used_where_it_is_new_enough(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, version: str, good: bool
) -> None:
    monkeypatch.setattr(page, "NODE", tmp_path / "environment")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert page.npm_here() is None
    for name in ("node", "npm"):
        (tmp_path / name).write_text(f"#!/bin/sh\necho {version}\n")
        (tmp_path / name).chmod(0o755)
    assert page.npm_here() == (str(tmp_path / "npm") if good else None)


def test_the_packages_of_the_page_agree_with_what_nodejs_may_be() -> None:
    packages = json.loads((ROOT / "web" / "package-lock.json").read_text())["packages"]
    assert packages["node_modules/vite"]["engines"]["node"] == "^20.19.0 || >=22.12.0"
    plugin = packages["node_modules/@sveltejs/vite-plugin-svelte"]
    assert plugin["engines"]["node"] == packages[""]["engines"]["node"]


def test_uv_gets_packages_from_where_pip_does(monkeypatch: pytest.MonkeyPatch) -> None:
    listed = (
        "global.index-url='https://mirror.example/simple'\n"
        "global.timeout='60'\n"
        "install.find-links='\\nwheels\\nmore'\n"
        ":env:.extra-index-url='https://one.example https://two.example'\n"
    )
    monkeypatch.setattr(bootstrap, "answer", lambda *command: listed)
    for name in bootstrap.PIP_AND_UV.values():
        monkeypatch.delenv(name, raising=False)
    assert bootstrap.settings_for_uv() == {
        "UV_DEFAULT_INDEX": "https://mirror.example/simple",
        "UV_FIND_LINKS": "wheels,more",
        "UV_INDEX": "https://one.example https://two.example",
        "UV_INDEX_STRATEGY": "unsafe-best-match",
    }
    monkeypatch.setenv("UV_DEFAULT_INDEX", "https://other.example")
    assert "UV_DEFAULT_INDEX" not in bootstrap.settings_for_uv(), "who sets up uv means it"


@pytest.mark.parametrize(
    ("uv", "uv_says", "asked"),
    [
        (["uv", "pip", "install"], None, ["uv"]),
        (["uv", "pip", "install"], ["no such option"], ["uv", "pip"]),
        (None, None, ["pip"]),
    ],
)
def test_pip_does_it_where_uv_does_not(
    monkeypatch: pytest.MonkeyPatch, uv: list[str] | None, uv_says: Any, asked: list[str]
) -> None:
    commands: list[str] = []

    def run(command: list[str], settings: dict[str, str]) -> Any:
        commands.append("uv" if command[0] == "uv" else "pip")
        assert command[-2:] == ["--editable", f"{ROOT}[page]"]
        return uv_says if command[0] == "uv" else None

    monkeypatch.setattr(bootstrap, "find_uv", lambda: uv)
    monkeypatch.setattr(bootstrap, "settings_for_uv", dict)
    monkeypatch.setattr(bootstrap, "run_installer", run)
    bootstrap.install(["page"])
    assert commands == asked


def test_what_cannot_be_installed_stops_the_page_and_is_tried_again(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, path in (("VENV", "venv"), ("STAMP", "venv/ready.json"), ("PYTHON", "venv/python")):
        monkeypatch.setattr(bootstrap, name, tmp_path / path)
    ended: list[str] = []

    def build(progress: page.Progress, tests: bool) -> None:
        try:
            for _ in range(1000):
                progress("building")
                time.sleep(0.01)
        finally:
            ended.append("page")

    monkeypatch.setattr(page, "is_due", lambda tests: True)
    monkeypatch.setattr(page, "npm_here", lambda: "npm")
    monkeypatch.setattr(page, "build", build)
    monkeypatch.setattr(bootstrap, "make_environment", lambda: None)
    monkeypatch.setattr(bootstrap, "find_uv", lambda: None)
    monkeypatch.setattr(bootstrap, "run_installer", lambda *_: ["ERROR: the disk is full"])
    with pytest.raises(SystemExit) as left:
        bootstrap.set_up([], builds=True, tests=False)
    assert (left.value.code, ended) == (2, ["page"])
    assert "the disk is full" in capsys.readouterr().err
    assert not bootstrap.is_ready([])


def test_a_page_that_cannot_be_built_is_no_success(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def build(progress: page.Progress, tests: bool) -> None:
        raise page.NotBuilt("no room for it")

    monkeypatch.setattr(page, "build", build)
    with pytest.raises(SystemExit) as left:
        bootstrap.Building(tests=False).finish()
    assert left.value.code == 2
    assert "no room for it" in capsys.readouterr().err


# The page


def test_packages_for_tests_are_enough_to_play_but_not_the_other_way(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(page, "WEB", tmp_path)
    monkeypatch.setattr(page, "PACKAGES", tmp_path / "installed.txt")
    monkeypatch.setattr(page, "is_built", lambda: True)
    (tmp_path / "package-lock.json").write_text("{}")
    assert (page.has_packages(False), page.is_due(False), page.is_due(True)) == (False, False, True)
    page.PACKAGES.write_text(page.locked(False))
    assert (page.has_packages(False), page.is_due(True)) == (True, True)
    page.PACKAGES.write_text(page.locked(True))
    assert (page.has_packages(False), page.is_due(True)) == (True, False)


def test_a_page_is_built_anew_when_its_sources_change(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name, path in (("WEB", "web"), ("PAGE", "index.html"), ("MADE_FROM", "page.txt")):
        monkeypatch.setattr(page, name, tmp_path / path)
    assert page.is_built(), "it came with the package"
    (tmp_path / "web" / "src").mkdir(parents=True)
    (tmp_path / "web" / "src" / "main.ts").write_text("one")
    assert not page.is_built()
    page.MADE_FROM.write_text(page.sources())
    assert not page.is_built(), "the page itself is gone"
    page.PAGE.touch()
    assert page.is_built()
    (tmp_path / "web" / "src" / "main.ts").write_text("other")
    assert not page.is_built()


def test_a_page_that_cannot_be_built_says_why(tmp_path: Path) -> None:
    assert "npm registry cannot be reached" in page.explain("x", "npm error code ECONNREFUSED")
    assert page.explain("building", "one\n\ntwo") == "building failed. npm says:\none\ntwo"


def test_checks_that_do_not_exist_are_named() -> None:
    done = subprocess.run(
        [sys.executable, ROOT / "tools" / "checks.py", "magic"], capture_output=True, text=True
    )
    assert done.returncode == 2
    assert "no check 'magic'; there are format, lint" in done.stderr


def test_engines_that_are_missing_are_told_of(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nobody believes that all is well where half of it was not tried."""
    monkeypatch.setattr(engines, "missing", lambda: ["Redis"])
    monkeypatch.setattr(checks, "run", lambda name: (True, 1.0))
    assert checks.main(["lint"]) == 0
    assert "NOT RUN Redis" in capsys.readouterr().out


@pytest.mark.parametrize(("variable", "outcome"), [("", "Skipped"), ("1", "Failed")])
def test_without_an_engine_its_tests_are_skipped_but_missed_in_ci(
    monkeypatch: pytest.MonkeyPatch, variable: str, outcome: str
) -> None:
    monkeypatch.setenv("CI", variable)
    monkeypatch.setattr(engines, "postgres_folder", lambda: None)
    with pytest.raises(BaseException, match="apt-get install postgresql") as raised:
        engines.new_postgres()
    assert raised.typename == outcome
    assert "CI=1" in (ROOT / ".ci" / "run").read_text()


def test_the_launchers_can_be_run() -> None:
    for name in ("caramba", "test", "tools/start", ".ci/run"):
        assert os.access(ROOT / name, os.X_OK), name
