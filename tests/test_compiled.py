"""The compiled rules: where they are kept, and the sets that legal actions come in."""

import os
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tiny
from caramba.games import compiled, masks, warm
from caramba.games.errors import InvalidSetup

actions = st.sets(st.integers(0, 199))


@given(members=actions)
def test_a_mask_is_a_set_of_actions(members: set[int]) -> None:
    mask = np.zeros(masks.words(200), np.uint64)
    for action in members:
        masks.allow(mask, action)
    assert masks.members(mask) == sorted(members)
    assert masks.count(mask) == len(members)
    assert [masks.nth(mask, n) for n in range(len(members))] == sorted(members)
    assert masks.nth(mask, len(members)) == -1
    assert all(masks.is_allowed(mask, action) == (action in members) for action in range(200))


def test_compiled_rules_are_kept_where_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CARAMBA_CACHE_DIR", "/told")
    assert compiled.cache_root() == Path("/told")
    monkeypatch.delenv("CARAMBA_CACHE_DIR")
    monkeypatch.setenv("XDG_CACHE_HOME", "/cache")
    assert compiled.cache_root() == Path("/cache/caramba")


def test_the_cache_is_named_after_every_rule_source(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compiled, "RULES", tmp_path)
    (tmp_path / "rules.py").write_text("one")
    before = compiled.fingerprint()
    (tmp_path / "rules.py").write_text("two")
    assert compiled.fingerprint() != before


def test_compiling_ahead_touches_every_part_and_forgets_old_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(warm, "CACHE", compiled.usable(tmp_path / "new"))
    (tmp_path / "old").mkdir()
    os.utime(tmp_path / "old", (0, 0))
    names = [name for name, compile_part in warm.parts(tiny.GAME) if compile_part() or True]
    assert names[-1] == "done"
    assert warm.is_warm(tiny.GAME)
    assert [path.name for path in tmp_path.iterdir()] == ["new"]


def test_a_cache_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(InvalidSetup, match="set CARAMBA_CACHE_DIR to a folder of yours"):
        compiled.usable(tmp_path / "file" / "cache")
