"""Fair deals: every draw follows from a seed that was committed to before the first step.

The dealer shows the SHA-256 of a secret seed, the players add entropy of their own, and
the seed is revealed at the end. Nobody, the dealer included, can then choose a draw, and
anybody can recompute all of them. docs/fair-deals.md tells how, with no need of this code.
"""

import hashlib
import hmac
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from caramba.games.errors import InvalidFile
from caramba.match.saved import Fair

SEED_BYTES = 32


@dataclass(frozen=True)
class FairDeal:
    """A seed, and what the players mixed in, by seat; None for a seat that gave nothing."""

    seed: bytes = field(repr=False)
    entropy: tuple[bytes | None, ...]

    @classmethod
    def new(cls, players: int, seed: int | str | bytes | None = None) -> "FairDeal":
        """A deal from a given seed, or from one that nobody can guess."""
        if seed is None:
            seed = secrets.token_bytes(SEED_BYTES)
        elif not isinstance(seed, bytes):
            seed = hashlib.sha256(str(seed).encode(errors="surrogateescape")).digest()
        return cls(seed, (None,) * players)

    @cached_property
    def commitment(self) -> str:
        """What is shown before the first step."""
        return hashlib.sha256(self.seed).hexdigest()

    def draw(self, step: int, weights: Sequence[int]) -> int:
        """The place that the chance step of this number draws from a list of weights."""
        mac = self._keyed.copy()
        mac.update(str(step).encode())
        number = int.from_bytes(mac.digest(), "big")
        left = number * sum(weights) >> 256
        for place, weight in enumerate(weights):
            left -= weight
            if left < 0:
                return place
        raise ValueError("a draw needs at least one weight above 0")

    @cached_property
    def _keyed(self) -> hmac.HMAC:
        """By the seed with everybody's entropy mixed in, in the order of the seats."""
        given = ",".join("" if part is None else part.hex() for part in self.entropy)
        return hmac.new(hmac.digest(self.seed, given.encode(), "sha256"), digestmod="sha256")

    def to_saved(self) -> Fair:
        """The deal as it stands in the header of a saved game, with its seed."""
        entropy = [None if part is None else part.hex() for part in self.entropy]
        return Fair(self.commitment, entropy, self.seed.hex())

    @classmethod
    def from_saved(cls, fair: Fair, players: int) -> "FairDeal":
        """The deal of a header that reveals its seed."""
        if len(fair.entropy) != players:
            raise InvalidFile(f"fair.entropy must have {players} entries, one a seat")
        entropy = (None if part is None else _hex("fair.entropy", part) for part in fair.entropy)
        return cls(_hex("fair.seed", fair.seed or ""), tuple(entropy))


def _hex(what: str, text: str) -> bytes:
    try:
        return bytes.fromhex(text)
    except ValueError:
        raise InvalidFile(f"{what} must be hexadecimal, which {text!r:.60} is not") from None
