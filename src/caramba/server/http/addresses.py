"""What stands in the address of a request: in its path, or after its question mark."""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from caramba.wire import SeatNumber

Step = Annotated[int, Meta(ge=0, le=10_000_000)]
LangCode = Annotated[str, Meta(max_length=8)]


class Spoken(msgspec.Struct, kw_only=True):
    """A request for texts in a language; in English, if we do not speak that."""

    lang: LangCode = "en"


class AboutGame(Spoken, kw_only=True):
    """The rules of a game: as Markdown, or as a part of a page with an id on each rule."""

    game: Annotated[str, Meta(max_length=40)]
    form: Literal["markdown", "html"] = msgspec.field(default="markdown", name="format")


class ByCode(msgspec.Struct, kw_only=True):
    """A table by its code."""

    code: Annotated[str, Meta(min_length=6, max_length=6, pattern=r"^[^\x00]+\Z")]


class AtTable(msgspec.Struct, kw_only=True):
    """A table by its name."""

    table: Annotated[str, Meta(min_length=1, max_length=24, pattern=r"^[A-Za-z0-9_-]+\Z")]


class Look(AtTable, kw_only=True):
    """A table by its name, in a language."""

    lang: LangCode = "en"


class LookBack(Look, kw_only=True):
    """What was told before a step."""

    until: Step


class Replay(Look, kw_only=True):
    """A game after so many steps: as your seat or who watches saw it, as another did, or openly."""

    step: Step = 0
    seat: SeatNumber | None = None
    everything: bool = False
