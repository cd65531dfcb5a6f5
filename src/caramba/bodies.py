"""Everything that is sent and answered over HTTP, as typed structs.

What is unknown in a body is refused. /api/openapi.json is made of this, and docs/server.md tells
what each request does.
"""

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from caramba.match.saved import MAX_NAME
from caramba.wire import News, SeatNumber, Status, Terms, Told, WindowShown

Name = Annotated[str, Meta(min_length=1, max_length=MAX_NAME)]
Level = Annotated[str, Meta(max_length=20)]
"""How strong a bot is: `GET /api/levels` tells which there are."""
Mixes = Annotated[bool, Meta(description="Whether you mix something into the deal: see `promise`.")]


# What is sent to us


class Body(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """What a request brings."""


class SeatWanted(Body, kw_only=True):
    """A seat for a person, or for a bot of some level."""

    kind: Literal["person", "bot"] = "person"
    level: Level = "medium"


class NewTable(Terms, Body, kw_only=True):
    """A table to be made."""

    seats: Annotated[list[SeatWanted], Meta(min_length=1, max_length=8)]
    name: Name | None = None
    """Of who makes it and sits down; null for somebody who only watches."""
    mixes: Mixes = False


class Sitting(Body, kw_only=True):
    """Somebody who sits down; at any free seat unless one is named."""

    name: Name
    seat: SeatNumber | None = None
    mixes: Mixes = False


class Filling(Body, kw_only=True):
    """Bots for the free seats."""

    level: Level = "medium"


class Again(Body, kw_only=True):
    """Somebody who wants to play once more."""

    mixes: Mixes = False


class Token(Body, kw_only=True):
    """A seat's token, as it stands in a link."""

    token: Annotated[str, Meta(min_length=1, max_length=64)]


# What we answer


class Seated(msgspec.Struct, kw_only=True):
    """Where you sit. The token is your seat: whoever has it plays for you."""

    table: str
    seat: int | None
    token: str | None


class Found(msgspec.Struct, kw_only=True):
    """A table."""

    table: str


class OptionInfo(msgspec.Struct, kw_only=True):
    """Something that can be chosen when a table is made."""

    name: str
    default: Any
    help: str


class GameInfo(msgspec.Struct, kw_only=True):
    """A game: for how many, with which options and standing answers."""

    name: str
    players: list[int]
    options: list[OptionInfo]
    windows: list[WindowShown]


class LevelInfo(msgspec.Struct, kw_only=True):
    """How strong a bot can be."""

    name: str
    title: str
    description: str
    default: bool


class ListedSeat(msgspec.Struct, kw_only=True):
    """Who sits at a table that is listed."""

    kind: str
    name: str


class Listed(msgspec.Struct, kw_only=True):
    """A public table."""

    id: str
    game: str
    players: int
    status: Status
    watch: bool
    seats: list[ListedSeat]


class Replayed(News, kw_only=True):
    """The news after a step, how many steps the game has in all, and the seat of who looks."""

    of: int
    you: int | None


class TurnOdds(msgspec.Struct, kw_only=True):
    """Exact odds that help to decide, as the game tells them, and the number of the log."""

    number: int
    odds: list[Any]


class LogPart(msgspec.Struct, kw_only=True):
    """What you were told from a step on, before another."""

    since: int
    until: int
    events: list[Told]


class StoryLine(msgspec.Struct, kw_only=True):
    """What decided a game in one step."""

    step: int
    text: str


class ChapterShown(msgspec.Struct, kw_only=True):
    """A turn, a race or a deal of a game that is over."""

    step: int
    began: str
    decided: list[StoryLine]
    before: list[int]
    """Everybody's points when it began."""
    points: list[int]
    """The same when it was over."""


class Reached(msgspec.Struct, kw_only=True):
    """Where others find this server; null if nobody else can, or it is not for you to know."""

    address: str | None


class Problem(msgspec.Struct, kw_only=True):
    """Why something was not done: the reason is fit to be shown."""

    code: str
    reason: str
