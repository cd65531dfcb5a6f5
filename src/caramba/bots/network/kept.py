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
    """Replace the file by a network, as a whole; half the precision is enough to play."""
    words = json.dumps(asdict(origin)).encode()
    new = file.with_name(f"{file.name}.new.npz")
    np.savez_compressed(new, theta=theta.astype(np.float16), origin=np.frombuffer(words, np.uint8))
    os.replace(new, file)


def read(file: Path) -> tuple[Weights, Origin]:
    """A network from its file."""
    try:
        with np.load(file) as kept:
            theta = kept["theta"].astype(np.float32)
            origin = Origin(**json.loads(kept["origin"].tobytes()))
    except (*TORN, OSError, KeyError, TypeError) as error:
        raise InvalidFile(f"{file}: not a network: {error}") from None
    if len(theta) != size_of(origin.features):
        raise InvalidFile(f"{file}: not a network: {len(theta)} weights")
    return weights_in(theta, origin.features), origin
