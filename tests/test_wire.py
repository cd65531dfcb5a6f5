"""Messages: each goes there and back, none has more or less in it than it may."""

import re
import subprocess
import sys
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from caramba import wire
from caramba.games import names

ROOT = Path(__file__).parent.parent
ASKED: list[Any] = [
    wire.Hello(protocol=1, have=7, language="fr"),
    wire.Act(key="a", number=3, action="pass"),
    wire.TakeBack(key="a", number=3),
    wire.Consent(key="k", wish=3, yes=False),
    wire.Promise(key="k", commitment="00" * 32),
    wire.Reveal(key="k", entropy="ab" * 16),
    wire.Standing(key="k", ask={"offers": True}),
    wire.Say(key="k", text="¡caramba!"),
    wire.Mute(key="k", seat=None, on=False),
    wire.Vote(key="k", seat=2),
    wire.Leave(key="k"),
    wire.Return(key="k"),
    wire.Ping(),
]
SEAT = wire.SeatShown(
    kind="person",
    name="Ana",
    level=None,
    here=False,
    away=False,
    seconds=1.5,
    vote_in=2.5,
    votes=[1],
    mixes=True,
    promise="00" * 32,
    taken_back=1,
)
TABLE = wire.TableShown(
    id="t",
    code=None,
    game="race",
    players=2,
    options={"max_races": 1},
    status="playing",
    public=False,
    watch=True,
    chat=True,
    take_backs=True,
    clock=wire.Clock(move=30.0),
    owner=0,
    seats=[SEAT, SEAT],
    watching=3,
    commitment="00",
    entropy=["ab", None],
    awaited=[],
    seed=None,
    deadline=2.5,
    closes=True,
    preparing=False,
    undo=wire.Undo(wish=9, seat=0, steps=2, agreed=[], asked=[1]),
    rematch=None,
)
WINDOWS = [wire.WindowShown(name="offers", title="offers", ask=False)]
SAID = wire.Said(seat=None, name="", text="hop", at=1.0)
TOLD = wire.Told(
    step=8,
    kind="die",
    seat=0,
    facts={"die": 4},
    text="Ana rolls 4.",
    then=[(["hats", 0, "space"], 4)],
)
ANSWERS: list[Any] = [
    wire.Welcome(protocol=1, you=0, table=TABLE, windows=WINDOWS, chat=[SAID]),
    wire.Changed(table=TABLE, windows=WINDOWS),
    wire.News(
        number=9,
        steps=9,
        same=8,
        since=8,
        events=[TOLD],
        view={"seat": 0},
        phrases=["pass"],
        brings=[{}],
        table=TABLE,
    ),
    wire.Accepted(key="a", number=9),
    wire.Refused(code="illegal", reason="no", rule="A21"),
    SAID,
    wire.Pong(),
]


def name_of(message: Any) -> str:
    return str(type(message).__struct_config__.tag)


def test_there_is_one_of_every_message() -> None:
    assert {type(message) for message in ASKED} == set(get_args(wire.Asked))
    assert {type(message) for message in ANSWERS} == set(get_args(wire.Answer))


@pytest.mark.parametrize("message", ASKED, ids=name_of)
def test_what_a_client_says_is_understood(message: Any) -> None:
    assert wire.decode(wire.encode(message)) == message
    assert wire.decode(wire.encode(message).decode()) == message


@pytest.mark.parametrize("message", ANSWERS, ids=name_of)
def test_what_the_server_says_is_understood(message: Any) -> None:
    assert msgspec.json.decode(wire.encode(message), type=wire.Answer) == message


@pytest.mark.parametrize("message", ASKED, ids=name_of)
def test_unknown_fields_are_refused(message: Any) -> None:
    fields = msgspec.to_builtins(message) | {"extra": 1}
    with pytest.raises(wire.BadMessage, match="unknown field `extra`"):
        wire.decode(msgspec.json.encode(fields))


@pytest.mark.parametrize("message", ASKED, ids=name_of)
def test_missing_fields_are_refused(message: Any) -> None:
    needed = [name for name in message.__struct_fields__ if name not in defaults(message)]
    for name in [*needed, "type"]:
        fields = msgspec.to_builtins(message)
        del fields[name]
        with pytest.raises(wire.BadMessage):
            wire.decode(msgspec.json.encode(fields))


def defaults(message: Any) -> set[str]:
    """The fields that may be left out."""
    return {field.name for field in msgspec.structs.fields(message) if not field.required}


@pytest.mark.parametrize("message", ASKED, ids=name_of)
def test_a_field_of_another_type_is_refused(message: Any) -> None:
    for name in message.__struct_fields__:
        fields = msgspec.to_builtins(message) | {name: [{}]}
        with pytest.raises(wire.BadMessage):
            wire.decode(msgspec.json.encode(fields))


@pytest.mark.parametrize(
    "fields",
    [
        {"type": "hello", "protocol": 1, "have": -1},
        {"type": "hello", "protocol": 1, "language": "x"},
        {"type": "hello", "protocol": 1, "language": "x" * 9},
        {"type": "act", "key": "", "number": 0, "action": "pass"},
        {"type": "act", "key": "k" * 65, "number": 0, "action": "pass"},
        {"type": "act", "key": "k", "number": 10_000_001, "action": "pass"},
        {"type": "act", "key": "k", "number": 0.5, "action": "pass"},
        {"type": "act", "key": "k", "number": True, "action": "pass"},
        {"type": "act", "key": "k", "number": 0, "action": "p" * 201},
        {"type": "promise", "key": "k", "commitment": "00" * 32 + "\n"},
        {"type": "reveal", "key": "k", "entropy": "00" * 16 + "\n"},
        {"type": "take_back", "key": "k", "number": -1},
        {"type": "consent", "key": "k", "wish": 0, "yes": 1},
        {"type": "standing", "key": "k", "ask": {"q" * 41: True}},
        {"type": "standing", "key": "k", "ask": {"offers": "yes"}},
        {"type": "say", "key": "k", "text": ""},
        {"type": "say", "key": "k", "text": "x" * (wire.MAX_CHAT + 1)},
        {"type": "mute", "key": "k", "seat": 16},
        {"type": "vote", "key": "k", "seat": -1},
        {"type": "vote", "key": "k", "seat": None},
        {"type": "news"},
        {"type": 1},
        {},
    ],
)
def test_what_is_out_of_range_is_refused(fields: dict[str, Any]) -> None:
    with pytest.raises(wire.BadMessage, match="not a message"):
        wire.decode(msgspec.json.encode(fields))


@pytest.mark.parametrize(
    "frame", ["", "null", "[]", "{", "\x00", b"\xff\xfe", "[" * 5000, '{"type":"ping"}x']
)
def test_what_is_no_json_is_refused_in_one_short_line(frame: str | bytes) -> None:
    with pytest.raises(wire.BadMessage) as refusal:
        wire.decode(frame)
    assert len(str(refusal.value)) <= 300
    assert "\n" not in str(refusal.value)


# What others have of it


def test_the_types_of_the_page_are_up_to_date() -> None:
    command = [sys.executable, str(ROOT / "tools" / "wire_types.py"), "--check"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_a_stale_file_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(ROOT / "tools")
    import wire_types

    folder = tmp_path / "games" / names()[0]
    folder.mkdir(parents=True)  # a game has a view of its own where the page has a folder for it
    monkeypatch.setattr(wire_types, "SOURCES", tmp_path)
    assert wire_types.main(["--check"]) == 1
    assert wire_types.main([]) == 0
    assert wire_types.main(["--check"]) == 0
    assert sorted(tmp_path.rglob("*.ts")) == [folder / "view.ts", tmp_path / "wire.ts"]
    for made in (folder / "view.ts", tmp_path / "wire.ts"):
        made.write_text(made.read_text() + "// changed by hand\n")
        assert wire_types.main(["--check"]) == 1
        assert wire_types.main([]) == 0


def test_every_message_and_code_is_documented() -> None:
    page = (ROOT / "docs" / "server.md").read_text()
    for message in [*ASKED, *ANSWERS]:
        assert f"`{name_of(message)}`" in page, name_of(message)
    for code in get_args(wire.Refused.__annotations__["code"]):
        assert f"`{code}`" in page, code


def test_every_example_of_a_message_is_one() -> None:
    page = (ROOT / "docs" / "server.md").read_text()
    examples = re.findall(r"^([<>]) (\{.*\})$", page, re.MULTILINE)
    examples += [("<", block) for block in re.findall(r"```json\n(.*?)```", page, re.DOTALL)]
    assert len(examples) > 20
    for direction, example in examples:
        if direction == ">":
            wire.decode(example)
        else:
            msgspec.json.decode(example, type=wire.Answer)
