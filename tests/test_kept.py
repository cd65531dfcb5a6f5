"""Networks as they are kept: small, and near enough to what was learned."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from caramba.bots import advice
from caramba.bots.network.kept import Origin, keep, read
from caramba.bots.network.network import fresh, weights_in
from caramba.bots.network.training import Plan, Training
from caramba.games.errors import InvalidFile
from tiny import GAME as TINY

FEATURES = 300


def an_origin(features: int = FEATURES) -> Origin:
    made: Any = (*(0,) * 3, 0.0, *("",) * 3, [])
    return Origin("tiny", 1, [2], [{}], features, "", *made)


def some_weights() -> np.ndarray:
    """Rows of very different sizes, and some of nothing."""
    theta = fresh(FEATURES, 5, np.random.default_rng(1))
    rows = weights_in(theta, FEATURES).rows
    rows *= np.geomspace(1e-3, 10, FEATURES, dtype=np.float32)[:, np.newaxis]
    rows[::7] = 0
    return theta


def test_what_is_read_is_near_to_what_was_kept(tmp_path: Path) -> None:
    theta = some_weights()
    keep(tmp_path / "a.npz", theta, an_origin())
    found, origin = read(tmp_path / "a.npz")
    kept = weights_in(theta, FEATURES)
    assert origin == an_origin()
    largest = np.abs(kept.rows).max(1, keepdims=True)
    assert (np.abs(found.rows - kept.rows) <= 0.51 * largest / 127 + 1e-9).all()
    for one, other in zip(found[1:], kept[1:], strict=True):
        assert one == pytest.approx(other, rel=1e-3, abs=1e-6)
    assert all(part.dtype == np.float32 and part.flags.c_contiguous for part in found)


def test_what_is_kept_again_is_the_same(tmp_path: Path) -> None:
    keep(tmp_path / "a.npz", some_weights(), an_origin())
    first, _ = read(tmp_path / "a.npz")
    keep(tmp_path / "a.npz", np.concatenate([part.ravel() for part in first]), an_origin())
    second, _ = read(tmp_path / "a.npz")
    for one, other in zip(first, second, strict=True):
        assert one == pytest.approx(other, rel=1e-2, abs=1e-6)


def test_a_row_of_nothing_takes_no_room(tmp_path: Path) -> None:
    sizes = []
    for features in (FEATURES, 10 * FEATURES):
        theta = np.zeros(len(fresh(features, 5, np.random.default_rng(1))), np.float32)
        keep(tmp_path / "a.npz", theta, an_origin(features))
        sizes.append((tmp_path / "a.npz").stat().st_size)
    assert sizes[1] - sizes[0] < 2 * 9 * FEATURES


def test_a_file_with_weights_missing_is_refused(tmp_path: Path) -> None:
    keep(tmp_path / "a.npz", some_weights(), an_origin())
    with np.load(tmp_path / "a.npz") as kept:
        arrays = dict(kept)
    for name in ("rows", "steps", "others"):
        np.savez(tmp_path / "b.npz", **{**arrays, name: arrays[name][:-1]})
        with pytest.raises(InvalidFile, match="not a network"):
            read(tmp_path / "b.npz")
        np.savez(tmp_path / "b.npz", **{key: arrays[key] for key in arrays if key != name})
        with pytest.raises(InvalidFile, match="not a network"):
            read(tmp_path / "b.npz")


def test_features_that_were_never_noted_are_left_out() -> None:
    training = Training(replace(Plan(TINY, [2, 3], 1), threads=1))
    next(training.rounds())
    rows = weights_in(training.progress.mean, training.features).rows
    slopes = weights_in(training.progress.second, training.features).rows
    noted = np.asarray(slopes.any(1))
    assert 0 < noted.sum() < len(noted)
    assert not rows[~noted].any()
    assert rows[noted].any(1).all()


def test_all_networks_that_come_along_are_small_together() -> None:
    files = [*Path(advice.__file__).parent.glob("*/*.npz")]
    assert files
    assert sum(file.stat().st_size for file in files) < 3_000_000
