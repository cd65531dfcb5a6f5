"""What names a table, and what shows a seat: made so that nobody can guess it."""

import hashlib
import secrets

LETTERS = "BCDFGHJKLMNPQRSTVWXZ"
"""Of codes: no vowels, so that they spell nothing."""


def new_token() -> str:
    """What whoever has a seat shows."""
    return secrets.token_urlsafe(24)


def new_id() -> str:
    """The name of a table: who does not know it cannot guess it."""
    return secrets.token_urlsafe(12)


def new_code() -> str:
    """A short name of a table, to be told by word of mouth."""
    return "".join(secrets.choice(LETTERS) for _ in range(6))


def hashed(token: str) -> str:
    """All that is kept of a token."""
    return hashlib.sha256(token.encode(errors="replace")).hexdigest()
