"""A network that has learned, as it is kept: its weights, and how it came by them."""

import json
import os
import zlib
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np

from caramba.bots.network.network import Weights, size_of, weights_in
from caramba.games.errors import InvalidFile

TORN = (BadZipFile, EOFError, ValueError, zlib.error)
"""What NumPy says of a file that is cut off, empty or damaged."""

MOST = 127
"""Steps to either side, which a byte has room for."""


@dataclass(frozen=True)
class Origin:
    """How a network was made."""

    game: str
    rules: int
    players: list[int]
    """The numbers of players that it has played with."""
    variants: list[dict[str, Any]]
    """The options that it has played with."""
    features: int
    sees: str
    """What the features and its values mean, in short."""
    seed: int
    threads: int
    decisions: int
    seconds: float
    command: str
    version: str
    commit: str
    """Of the sources, where that is known."""
    curve: list[list[float]]
    """Decisions, seconds, error; then what it won at each number of players, times their number."""
    judges: bool = False
    """Whether it sees all cards and says who stands how well, rather than plays."""


def keep(file: Path, theta: np.ndarray, origin: Origin) -> None:
    """Replace the file by a network, as a whole; a byte for a weight of the first layer will do."""
    words = json.dumps(asdict(origin)).encode()
    weights = weights_in(theta, origin.features)
    steps = (np.abs(weights.rows).max(1, initial=0) / MOST).astype(np.float16)
    arrays: dict[str, Any] = {
        "rows": in_steps(weights.rows, steps),
        "steps": steps,
        "others": theta[weights.rows.size :].astype(np.float16),
        "origin": np.frombuffer(words, np.uint8),
    }
    new = file.with_name(f"{file.name}.new.npz")
    np.savez_compressed(new, **arrays)
    os.replace(new, file)


def in_steps(rows: np.ndarray, steps: np.ndarray) -> np.ndarray:
    """Every weight as so many steps of its row; of a row without any, nothing."""
    step = steps.astype(np.float32)[:, np.newaxis]
    many = np.divide(rows, step, out=np.zeros_like(rows), where=step > 0)
    whole: np.ndarray = np.clip(np.rint(many), -MOST, MOST).astype(np.int8)
    return whole


def read(file: Path) -> tuple[Weights, Origin]:
    """A network from its file."""
    try:
        with np.load(file) as kept:
            origin = Origin(**json.loads(kept["origin"].tobytes()))
            theta = theta_of(kept["rows"], kept["steps"], kept["others"])
    except (*TORN, OSError, KeyError, TypeError) as error:
        raise InvalidFile(f"{file}: not a network: {error}") from None
    if len(theta) != size_of(origin.features):
        raise InvalidFile(f"{file}: not a network: {len(theta)} weights")
    return weights_in(theta, origin.features), origin


def theta_of(rows: np.ndarray, steps: np.ndarray, others: np.ndarray) -> np.ndarray:
    """All weights in one long array."""
    whole = rows * steps.astype(np.float32)[:, np.newaxis]
    return np.concatenate([whole.ravel(), others.astype(np.float32)])
