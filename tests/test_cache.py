"""Where compiled rules are kept, and what is cleared away there: our own, where unused."""

import os
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest
from numba.core.caching import IndexDataCacheFile

import tiny
from caramba.bots import compiled as bots_compiled
from caramba.games import cache, compiled, warm
from caramba.games.errors import InvalidSetup

OLD, NOW = "0123456789abcdef", "fedcba9876543210"
"""Folders are named by sixteen hexadecimal digits."""


def made(home: Path, name: str, days: float = 0) -> Path:
    """A folder of compiled rules that was last used so many days ago."""
    folder = cache.usable(home / name)
    (folder / "rules.nbi").touch()
    age(folder / cache.MARKER, days)
    return folder


def age(path: Path, days: float) -> None:
    then = time.time() - days * 24 * 3600
    os.utime(path, (then, then), follow_symlinks=False)


def foreign(folder: Path) -> Path:
    """A folder of somebody's, untouched for years."""
    folder.mkdir(parents=True)
    (folder / "letter.txt").write_text("dear Ana")
    for path in (folder / "letter.txt", folder):
        age(path, 2000)
    return folder


def everything(folder: Path) -> set[Path]:
    return set(folder.rglob("*"))


def test_compiled_rules_are_kept_where_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CARAMBA_CACHE_DIR", "/told")
    assert cache.root() == Path("/told")
    monkeypatch.delenv("CARAMBA_CACHE_DIR")
    monkeypatch.setenv("XDG_CACHE_HOME", "/cache")
    assert cache.root() == Path("/cache/caramba")


def test_the_cache_is_named_after_every_source(tmp_path: Path) -> None:
    (tmp_path / "rules.py").write_text("one")
    before = cache.fingerprint(tmp_path)
    (tmp_path / "rules.py").write_text("two")
    assert cache.fingerprint(tmp_path) != before
    assert bots_compiled.CACHE != compiled.CACHE


def test_what_was_compiled_for_another_processor_is_not_taken_for_ours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = cache.fingerprint(tmp_path)
    monkeypatch.setenv("NUMBA_CPU_NAME", "generic")
    assert cache.fingerprint(tmp_path) != before


def test_compiled_rules_have_a_folder_of_their_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CARAMBA_CACHE_DIR", str(tmp_path))
    folder = cache.cache_of()
    assert folder.parent == tmp_path / cache.HOME
    assert cache.is_ours(folder)


def test_a_cache_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(InvalidSetup, match="set CARAMBA_CACHE_DIR to a folder of yours"):
        cache.usable(tmp_path / "file" / "cache")


# Clearing away


def test_compiling_ahead_does_every_part_and_forgets_what_is_unused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    new = made(tmp_path, NOW)
    made(tmp_path, OLD, days=31)
    monkeypatch.setattr(warm, "mark", partial(warm.mark, folder=new))
    names = [name for name, compile_part in warm.parts(tiny.GAME) if compile_part() or True]
    assert names[-1] == "done"
    assert warm.is_warm(tiny.GAME, new)
    assert [path.name for path in tmp_path.iterdir()] == [NOW]


def test_a_folder_that_holds_other_things_keeps_them_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CARAMBA_CACHE_DIR", str(tmp_path))
    for name in ("Documents", "Photos/2011", ".ssh", OLD):
        foreign(tmp_path / name)
    before = everything(tmp_path)
    warm.mark(tiny.GAME, cache.cache_of())
    assert before <= everything(tmp_path)


def test_what_only_looks_like_ours_is_left_alone(tmp_path: Path) -> None:
    unmarked = foreign(tmp_path / OLD)
    badly_marked = foreign(tmp_path / OLD.replace("0", "1"))
    (badly_marked / cache.MARKER).write_text("of Luc")
    marked_folder = foreign(tmp_path / OLD.replace("0", "2"))
    (marked_folder / cache.MARKER).mkdir()
    binary = foreign(tmp_path / OLD.replace("0", "3"))
    (binary / cache.MARKER).write_bytes(b"\xff\xfe")
    named = [made(tmp_path, name) for name in ("Documents", OLD.upper(), OLD[1:], OLD + "0")]
    (tmp_path / OLD.replace("0", "4")).write_text("a file")
    for path in everything(tmp_path):
        age(path, 2000)
    before = everything(tmp_path)
    cache.forget_unused(tmp_path)
    assert everything(tmp_path) == before
    assert not any(map(cache.is_ours, [unmarked, badly_marked, marked_folder, binary, *named]))


def test_links_are_neither_followed_nor_deleted(tmp_path: Path) -> None:
    home, elsewhere = tmp_path / "home", tmp_path / "elsewhere"
    home.mkdir()
    (home / OLD).symlink_to(made(elsewhere, OLD, days=99))
    marked_by_link = foreign(home / NOW)
    (marked_by_link / cache.MARKER).symlink_to(elsewhere / OLD / cache.MARKER)
    age(marked_by_link / cache.MARKER, 99)
    inside = made(home, OLD.replace("0", "1"))
    (inside / "letters").symlink_to(foreign(tmp_path / "letters"))
    age(inside / cache.MARKER, 99)
    cache.forget_unused(home)
    assert {path.name for path in home.iterdir()} == {OLD, NOW}
    assert (elsewhere / OLD / cache.MARKER).exists()
    assert (tmp_path / "letters" / "letter.txt").exists()


def test_a_home_that_is_a_link_is_left_alone(tmp_path: Path) -> None:
    old = made(tmp_path / "elsewhere", OLD, days=99)
    (tmp_path / "home").symlink_to(tmp_path / "elsewhere")
    cache.forget_unused(tmp_path / "home")
    assert old.exists()


def test_every_start_counts_as_use(tmp_path: Path) -> None:
    """Nothing is written into a cache in daily use, so its own time says nothing."""
    folder = made(tmp_path, OLD, days=99)
    cache.usable(folder)
    age(folder, 99)
    cache.forget_unused(tmp_path)
    assert folder.exists()


def test_a_marker_that_is_a_link_leads_nowhere(tmp_path: Path) -> None:
    (tmp_path / OLD).mkdir()
    (tmp_path / OLD / cache.MARKER).symlink_to(tmp_path / "letter")
    cache.usable(tmp_path / OLD)
    assert not (tmp_path / "letter").exists()


def test_who_writes_to_a_folder_is_alone_there(tmp_path: Path) -> None:
    said = list[str]()

    def write(name: str) -> None:
        with cache.alone_in(tmp_path):
            said.append(name)
            time.sleep(0.1)
            said.append(name)

    with ThreadPoolExecutor() as threads:
        list(threads.map(write, ("Ana", "Luc")))
    assert said in (["Ana", "Ana", "Luc", "Luc"], ["Luc", "Luc", "Ana", "Ana"])


@pytest.mark.skipif(not compiled.IS_COMPILED, reason="about what is compiled")
def test_two_who_compile_one_function_keep_a_file_each(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else the rules of one game would be run for another."""
    plain = numba.njit(_first)
    assert (plain(np.array([1.5])), plain(np.array([3]))) == (1.5, 3)
    caches = [compiled.cached_in(tmp_path)(_first)._cache for _ in plain.overloads]
    save_index = IndexDataCacheFile._save_index

    def slowly(file: Any, overloads: Any) -> None:
        time.sleep(0.2)
        save_index(file, overloads)  # type: ignore[no-untyped-call]

    monkeypatch.setattr(IndexDataCacheFile, "_save_index", slowly)
    with ThreadPoolExecutor() as threads:
        done = [
            threads.submit(cache.save_overload, *kind)
            for cache, kind in zip(caches, plain.overloads.items(), strict=True)
        ]
    assert [future.result() for future in done] == [None, None]
    again = compiled.cached_in(tmp_path)(_first)
    assert (again(np.array([1.5])), again(np.array([3]))) == (1.5, 3)
    assert sum(again.stats.cache_hits.values()) == 2


@pytest.mark.skipif(not compiled.IS_COMPILED, reason="about what is compiled")
def test_the_same_sources_elsewhere_are_compiled_already(tmp_path: Path) -> None:
    """A folder is named after what the sources say, and so is what is found in it."""
    hits = []
    for where in ("here", "there"):
        source = foreign(tmp_path / where) / "rules.py"
        source.write_text("def first(numbers):\n    return numbers[0]\n")
        room: dict[str, Any] = {"__name__": "caramba.made_up.rules"}
        exec(compile(source.read_text(), source, "exec"), room)
        first = compiled.cached_in(tmp_path / "compiled")(room["first"])
        cache.usable(tmp_path / "compiled")
        assert first(np.array([3])) == 3
        hits.append(sum(first.stats.cache_hits.values()))
    assert hits == [0, 1]


def _first(numbers: Any) -> Any:
    return numbers[0]
