"""Every message between a table and those who sit at it or watch, as typed structs.

Text frames of JSON, at most MAX_FRAME bytes to the server. `type` says which message it is;
unknown types and fields are refused. docs/server.md tells how a conversation goes.
"""

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from caramba.games.errors import CarambaError

PROTOCOL = 4
"""Changes when an old client would no longer be understood."""
MAX_FRAME = 16 * 1024
MAX_CHAT = 500

Key = Annotated[str, Meta(min_length=1, max_length=64, pattern=r"^[^\x00]+\Z")]
"""Chosen by the client, anew for each thing it wants done: sent twice, it is done once."""
Number = Annotated[int, Meta(ge=0, le=10_000_000)]
"""How many entries the log of a table has. It only grows: taking back is an entry, too."""
SeatNumber = Annotated[int, Meta(ge=0, le=15)]
Fingerprint = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}\Z")]
"""A SHA-256 in hexadecimal."""
Entropy = Annotated[str, Meta(pattern=r"^([0-9a-f]{2}){16,64}\Z")]
"""16 to 64 bytes in hexadecimal, mixed into every draw: the server alone decides nothing."""
Language = Annotated[str, Meta(min_length=2, max_length=8)]
Status = Literal["open", "dealing", "playing", "over"]


# What a table is made of


class Clock(msgspec.Struct, kw_only=True, frozen=True, forbid_unknown_fields=True):
    """Seconds for each decision, and for all of a player's decisions; null for no limit."""

    move: Annotated[float, Meta(ge=1, le=30 * 86400)] | None = None
    game: Annotated[float, Meta(ge=10, le=365 * 86400)] | None = None


class Terms(msgspec.Struct, kw_only=True):
    """What whoever makes a table decides: all else about it begins here."""

    game: Annotated[str, Meta(max_length=40)]
    options: dict[Annotated[str, Meta(max_length=40)], Any] = {}
    public: bool = False
    """Whether it is listed."""
    watch: bool = True
    """Whether others may watch."""
    chat: bool = True
    take_backs: bool = True
    """Whether steps may be taken back at all."""
    clock: Clock = Clock()


class TableFacts(Terms, kw_only=True):
    """What is kept of a table, and shown to everybody."""

    id: str
    code: str | None
    """To join by, while there are free seats."""
    players: int
    status: Status
    """Over without a result in the view: closed, because nobody had touched it for long."""
    owner: int | None
    rematch: str | None
    """The next table of the same people."""


class SeatFacts(msgspec.Struct, kw_only=True):
    """What is kept of a seat, and shown to everybody."""

    kind: Literal["open", "person", "bot"]
    name: str
    level: str | None = None
    """Of the bot, also of one that plays for a person."""
    away: bool = False
    """Whether a bot plays for a person."""
    seconds: float | None = None
    """What is left of the time for the whole game."""
    mixes: bool = False
    """Whether it mixes something into the deal."""
    promise: str | None = None
    """The SHA-256 of that."""


# From the client


class FromClient(msgspec.Struct, tag_field="type", forbid_unknown_fields=True, kw_only=True):
    """What a client may say."""


class Wanted(FromClient):
    """What a client wants done: answered once, by its key, with `accepted` or `refused`."""

    key: Key


class Hello(FromClient, tag="hello"):
    """The first message: here I am, and this much of the log I have."""

    protocol: int
    have: Number | None = None
    language: Language = "en"


class Promise(Wanted, tag="promise"):
    """What I shall mix into the deal has this SHA-256."""

    commitment: Fingerprint


class Reveal(Wanted, tag="reveal"):
    """What I mix into the deal, now that everybody has promised."""

    entropy: Entropy


class Act(Wanted, tag="act"):
    """Take a step, as an answer to the table as it stood at that number."""

    number: Number
    action: Annotated[str, Meta(max_length=200)]


class TakeBack(Wanted, tag="take_back"):
    """Take back my last step: at once where nobody has learned anything, else if all agree."""

    number: Number


class Consent(Wanted, tag="consent"):
    """Agree, or not, to what a player wants to take back."""

    wish: Number
    """Which one: a yes to one wish is none to another."""
    yes: bool


class Standing(Wanted, tag="standing"):
    """Which questions to be asked; the others the table answers for me."""

    ask: dict[Annotated[str, Meta(max_length=40)], bool]


class Say(Wanted, tag="say"):
    """Chat."""

    text: Annotated[str, Meta(min_length=1, max_length=MAX_CHAT)]


class Mute(Wanted, tag="mute"):
    """Hear no more chat of a seat; of all who watch, with null."""

    seat: SeatNumber | None
    on: bool = True


class Vote(Wanted, tag="vote"):
    """Let a bot play for a seat whose player is not here, before the clock does."""

    seat: SeatNumber
    yes: bool = True


class Leave(Wanted, tag="leave"):
    """Let a bot play for me."""


class Return(Wanted, tag="return"):
    """I play myself again."""


class Ping(FromClient, tag="ping"):
    """To see whether somebody is there."""


Asked = (
    Hello
    | Promise
    | Reveal
    | Act
    | TakeBack
    | Consent
    | Standing
    | Say
    | Mute
    | Vote
    | Leave
    | Return
    | Ping
)


# From the server


class FromServer(msgspec.Struct, tag_field="type", kw_only=True):
    """What a server may say."""


class SeatShown(SeatFacts, kw_only=True):
    """A place at the table, as everybody sees it."""

    here: bool
    """Whether somebody is connected."""
    vote_in: float | None
    """Seconds until the others may vote for a bot here; null where nobody can be replaced."""
    votes: list[int]
    """Who wants a bot to play here."""
    taken_back: int
    """How often something was taken back for this seat."""


class Undo(msgspec.Struct, kw_only=True):
    """A player wants to take something back."""

    wish: int
    """The wish to which consent is an answer."""
    seat: int
    steps: int
    """How many steps would be taken back."""
    agreed: list[int]
    asked: list[int]


class WindowShown(msgspec.Struct, kw_only=True):
    """A question that mostly gets the same answer."""

    name: str
    title: str
    ask: bool


class TableShown(TableFacts, kw_only=True):
    """All that is known of a table beside the game itself."""

    seats: list[SeatShown]
    watching: int
    commitment: str
    """The SHA-256 of the seed of all draws."""
    entropy: list[str | None]
    """What each seat mixed in, shown as the game begins."""
    awaited: list[int]
    """While dealing: whose promise, or then whose share, is still missing."""
    seed: str | None
    """The seed itself, once the game is over."""
    deadline: float | None
    """Seconds until the clock of whoever is asked runs out, or the question closes by itself."""
    closes: bool
    """Whether it closes: then silence is a no, and after some of that nobody asks again."""
    undo: Undo | None
    preparing: bool
    """Whether the bot that has to act is still getting ready: right after a first start, rules are
    being compiled."""


Change = tuple[list[str | int], Any]
"""A part of a view that is otherwise: where it is, and what is there."""


class Told(msgspec.Struct, kw_only=True, omit_defaults=True):
    """Something that happened, as this viewer may know it."""

    step: int
    kind: str
    seat: int | None
    facts: dict[str, Any]
    text: str
    then: list[Change] = []
    """How the view right after it differs from the view right after what is told next; after the
    last thing that is told, it is the view of the news."""


class Welcome(FromServer, tag="welcome"):
    """The answer to `hello`."""

    protocol: int
    you: int | None
    """The seat; null for those who watch."""
    table: TableShown
    windows: list[WindowShown]
    chat: list["Said"]


class Changed(FromServer, tag="table"):
    """The table has changed, but not the game."""

    table: TableShown
    windows: list[WindowShown]


class News(FromServer, tag="news"):
    """What has happened, and how the game stands now."""

    number: int
    """To be named in the answer."""
    steps: int
    """How many steps the game has."""
    same: int
    """Of what the client has, the steps before this one are as they were."""
    since: int
    """The step that the events begin with: later than `same`, if it missed too many. What was
    between them, and before, can be asked for over HTTP."""
    events: list[Told]
    view: Any
    phrases: list[str]
    """The legal actions of the view in words."""
    brings: list[dict[str, Any]]
    """What is certain to come of each of them, where that is worth knowing."""
    table: TableShown | None
    """Null if it has not changed since this client was told."""
    can_take_back: bool = False
    """Whether you have a step that could be taken back."""


class Accepted(FromServer, tag="accepted"):
    """It is done and kept."""

    key: str
    number: int


class Refused(FromServer, tag="refused"):
    """It is not done, and why."""

    code: Literal[
        "invalid",  # not a message, or not a step of this game
        "illegal",  # a step that is not allowed now
        "stale",  # an answer to a table that has changed meanwhile
        "forbidden",  # not for this seat, or not at this table
        "too_large",
        "too_fast",
        "protocol",  # another version, or no hello first
    ]
    reason: str
    rule: str | None = None
    key: str | None = None
    """Null where what was said has none."""
    number: int | None = None


class Said(FromServer, tag="said"):
    """Chat."""

    seat: int | None
    name: str
    text: str
    at: float
    """Seconds since 1970."""


class Pong(FromServer, tag="pong"):
    """I am."""


Answer = Welcome | Changed | News | Accepted | Refused | Said | Pong


class _Keyed(msgspec.Struct):
    """What is read of a frame, whatever else it holds."""

    key: Key | None = None


_decoder = msgspec.json.Decoder(Asked)
_key_decoder = msgspec.json.Decoder(_Keyed)
encode = msgspec.json.Encoder().encode


class BadMessage(CarambaError):
    """A frame that is no message."""


def decode(frame: str | bytes) -> Asked:
    """The message in a frame."""
    try:
        asked: Asked = _decoder.decode(frame)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise BadMessage(f"not a message: {error}"[:300]) from None
    return asked


def key_of(frame: str | bytes) -> str | None:
    """The key in a frame, also in one that is no message: who sent it waits for the answer."""
    try:
        return _key_decoder.decode(frame).key
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return None
