"""What who asks likes best, by the headers that say so: a language, and how an answer is packed."""

import gzip
from collections.abc import Collection
from typing import TypeVar

from starlette.requests import HTTPConnection
from starlette.responses import Response

from caramba.language import languages
from caramba.server.tables.showing import spoken

CODINGS = {"br": ".br", "gzip": ".gz"}
"""How a file can be packed, smallest first; and how its name then ends."""
AS_IT_IS = "identity"
"""What HTTP calls an answer that is not packed."""
Answer = TypeVar("Answer", bound=Response)


def weights(accepted: str) -> dict[str, float]:
    """How dear each thing is in a header such as `fr-CH, de;q=0.9`; 0 is not at all."""
    liked: dict[str, float] = {}
    for part in accepted.lower().split(","):
        name, _, weight = part.partition(";")
        liked.setdefault(name.strip(), _weight(weight))
    return liked


def _weight(text: str) -> float:
    """What follows the name: `q=0.8`, or nothing."""
    name, _, number = text.replace(" ", "").partition("=")
    try:
        return float(number) if name == "q" else 1.0
    except ValueError:
        return 0.0


# The language


def language_of(request: HTTPConnection) -> str:
    """The language to answer in: the one that is asked for, else what the browser likes best."""
    if named := request.query_params.get("lang"):
        return spoken(named)
    return best_language(request.headers.get("accept-language", ""))


def best_language(accepted: str) -> str:
    """Of those in a header, the dearest that we speak; else English."""
    liked: dict[str, float] = {}
    for name, weight in weights(accepted).items():
        liked.setdefault(name.partition("-")[0], weight)
    known = [name for name in liked if name in languages() and liked[name] > 0]
    return max(known, key=lambda name: liked[name], default="en")


# The packing


def best_coding(request: HTTPConnection, there: Collection[str]) -> str:
    """Of the codings that are there, the one to answer in; the smallest of those liked as much."""
    liked = weights(request.headers.get("accept-encoding", ""))
    others = liked.get("*", 0.0)
    as_it_is = liked.get(AS_IT_IS, 0.0)
    known = {name: liked.get(name, others) for name in CODINGS if name in there}
    best = max(known, key=lambda name: known[name], default=AS_IT_IS)
    return best if known.get(best, 0.0) > 0 and known[best] >= as_it_is else AS_IT_IS


def packed(answer: Answer, request: HTTPConnection) -> Answer:
    """A long text, packed if who asks can take it so."""
    answer.headers["Vary"] = "Accept-Encoding"
    if best_coding(request, ["gzip"]) == "gzip":
        answer.body = gzip.compress(bytes(answer.body), mtime=0)
        answer.headers["Content-Encoding"] = "gzip"
        answer.headers["Content-Length"] = str(len(answer.body))
    return answer
