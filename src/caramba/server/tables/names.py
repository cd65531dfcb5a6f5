"""Names at a table: everything in them can be seen, and no two can be taken for each other."""

import re
from collections.abc import Iterable
from itertools import groupby, pairwise
from unicodedata import category, normalize

from confusable_homoglyphs.categories import alias as script
from confusable_homoglyphs.confusables import confusables_data

from caramba.games.contract import marked
from caramba.match.saved import MAX_NAME
from caramba.server.tables.refusal import Refusal

BLANK = re.compile(
    "[\u0345\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180d\u180f\u2800\u2d7f\u3164\ufe00-\ufe0f\uffa0"
    "\ufffc\U0001107f\U00011a47\U00011a99\U00016fe4\U0001d159\U000e0100-\U000e01ef]"
)
"""What Python calls printable, and nobody sees: fillers, blanks, joiners, variation selectors."""
MAX_MARKS = 3
"""On one letter, when all that can be are part of it. Tibetan needs as many."""


def check_name(name: str, others: Iterable[str]) -> str:
    """The name as it is shown, if it is fit to be, beside these others at the table."""
    cleaned = normalize("NFC", " ".join(name.split()))
    if not cleaned:
        raise Refusal("invalid", marked("a name cannot be empty"))
    if len(cleaned) > MAX_NAME:
        raise Refusal("invalid", marked("a name has at most {many} characters"), many=MAX_NAME)
    _check_signs(cleaned)
    _check_others(cleaned, others)
    return cleaned


def is_free(name: str, others: Iterable[str]) -> bool:
    """Whether nobody at the table has this name, or one that looks like it."""
    try:
        return bool(check_name(name, others))
    except Refusal:
        return False


def _check_signs(name: str) -> None:
    """Nothing hidden, no accents that hide something else."""
    if not can_be_seen(name):
        message = marked("a name cannot have signs that are not seen or that turn it around")
        raise Refusal("invalid", message)
    if any(_is_mark(word[0]) for word in name.split()) or _has_strange_mark(name):
        raise Refusal("invalid", marked("a name cannot have an accent without a letter"))
    if any(is_mark and len(list(run)) > MAX_MARKS for is_mark, run in groupby(name, _is_mark)):
        raise Refusal("invalid", marked("a name cannot have so many accents on one letter"))


def can_be_seen(text: str) -> bool:
    """Whether every sign of it has a picture, or is a space, and none changes the direction."""
    return text.isprintable() and not BLANK.search(text)


def _is_mark(sign: str) -> bool:
    return category(sign).startswith("M")


def _has_strange_mark(name: str) -> bool:
    """Whether a mark of one script is on a letter of another, where many are not drawn."""
    signs = [sign for sign in name if script(sign) != "INHERITED"]
    return any(_is_mark(sign) and script(sign) != script(on) for on, sign in pairwise(signs))


def _check_others(name: str, others: Iterable[str]) -> None:
    """Nobody can be taken for somebody else."""
    for other in others:
        if _spelled(name) == _spelled(other):
            raise Refusal("invalid", marked("somebody at this table has that name already"))
        if not _looks(name).isdisjoint(_looks(other)):
            message = marked("that name looks like {name}, who is at this table")
            raise Refusal("invalid", message, name=other)


def _spelled(name: str) -> str:
    """The same for all ways to write the same letters, large or small."""
    return normalize("NFKC", normalize("NFKC", name).casefold())


def _looks(name: str) -> set[str]:
    """What a name looks like at a glance, as it is written and in small letters."""
    name = normalize("NFKC", name)
    return {_at_a_glance(skeleton(text)) for text in (name, name.casefold())}


def _at_a_glance(text: str) -> str:
    """The same for all that look the same in a small font, or to whoever does not look twice."""
    strokes = text.lower().translate(SMALL).translate(STROKES)
    return strokes.replace("l\u0307", "l")  # an i has its dot already


SMALL = str.maketrans("ᴀʙƅßᴅᴇꞓꜰɢʜᴊĸʟʍɴπᴘꞯʀᴛωшχ", "abbbdeefghjklmnnpqrtwwx")
"""Small capitals, and what stands for the small letters of other scripts: a beta is a sharp s."""
STROKES = str.maketrans({"i": "l", "!": "l", "m": "rn", "w": "vv", "d": "cl", "\u0329": ""})
"""Letters that are two others side by side, or a line; and tails, as of an eta."""


# Look-alikes, as Unicode Technical Standard 39 has them


def skeleton(text: str) -> str:
    """The same for all texts that look the same."""
    return normalize("NFD", normalize("NFD", text).translate(PROTOTYPES))


def _prototypes() -> dict[int, str]:
    """For each sign that can be taken for another: the one that stands for all of them.

    The data lists both at each other. The one that stands for all has many, or comes second.
    """
    found: dict[str, str] = {}
    for sign, (other, *more) in _alike():
        if not more and len(sign) == 1 and other not in found:
            found[sign] = other
    return {ord(sign): other for sign, other in found.items()}


def _alike() -> Iterable[tuple[str, list[str]]]:
    """Each sign and what it can be taken for; the data has marks of direction around some."""
    for sign, others in confusables_data.items():
        yield sign.strip("\u200e"), [other["c"].strip("\u200e") for other in others]


PROTOTYPES = _prototypes()
