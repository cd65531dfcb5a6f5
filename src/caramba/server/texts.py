"""Texts that are asked for as a whole, and the language to give them in."""

from starlette.requests import HTTPConnection

from caramba.language import languages
from caramba.server.showing import spoken


def language_of(request: HTTPConnection) -> str:
    """The language to answer in: the one that is asked for, else what the browser likes best."""
    if named := request.query_params.get("lang"):
        return spoken(named)
    return best_language(request.headers.get("accept-language", ""))


def best_language(accepted: str) -> str:
    """Of those in a header such as `fr-CH, de;q=0.9`, the dearest that we speak; else English."""
    liked: dict[str, float] = {}
    for part in accepted.lower().split(","):
        name, _, weight = part.partition(";")
        liked.setdefault(name.strip().partition("-")[0], _weight(weight))
    known = [name for name in liked if name in languages() and liked[name] > 0]
    return max(known, key=lambda name: liked[name], default="en")


def _weight(text: str) -> float:
    """What follows the name of a language: `q=0.8`, or nothing."""
    name, _, number = text.replace(" ", "").partition("=")
    try:
        return float(number) if name == "q" else 1.0
    except ValueError:
        return 0.0
