"""What all tests must know of the made-up game."""

import tiny  # noqa: F401  which makes it known
from facts import Facts

FACTS = Facts(
    points=range(4),
    conserved=lambda s: int(s.players),
    short={},
    quick={},
    options={},
    recorded=(),
    draws=(1,),
    uneven={},
    hidden_after=3,
)
