"""The launchers: a set-up that is in place costs nothing, one that cannot be made says why."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


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
    sys.path.insert(0, str(ROOT / "tools"))
    import bootstrap

    monkeypatch.setattr(bootstrap, "ROOT", tmp_path)
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


def test_a_page_is_built_anew_when_its_sources_change(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    sys.path.insert(0, str(ROOT / "tools"))
    import page

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
    sys.path.insert(0, str(ROOT / "tools"))
    import page

    assert "npm registry cannot be reached" in page.explain("x", "npm error code ECONNREFUSED")
    assert page.explain("building", "one\n\ntwo") == "building failed. npm says:\none\ntwo"


def test_checks_that_do_not_exist_are_named() -> None:
    done = subprocess.run(
        [sys.executable, ROOT / "tools" / "checks.py", "magic"], capture_output=True, text=True
    )
    assert done.returncode == 2
    assert "no check 'magic'; there are format, lint" in done.stderr


def test_the_launchers_can_be_run() -> None:
    for name in ("caramba", "test", "tools/start", ".ci/run"):
        assert os.access(ROOT / name, os.X_OK), name
