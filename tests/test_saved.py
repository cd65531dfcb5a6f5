"""Broken, truncated and hostile files: one clear line each, and nothing else happens."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from auction_kit import auction
from caramba.games.errors import IllegalAction, InvalidFile
from caramba.match import saved
from caramba.match.match import Match
from kit import random_match

HEADER: dict[str, Any] = {
    "caramba": 1,
    "game": "auction",
    "rules": 1,
    "players": 2,
    "options": {},
    "names": ["Ana", "Luc"],
}
Write = Callable[..., Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Writes a file from lines: bytes as they are, anything else as JSON."""

    def write(*lines: Any) -> Path:
        file = tmp_path / "game.jsonl"
        raw = (line if isinstance(line, bytes) else json.dumps(line).encode() for line in lines)
        file.write_bytes(b"\n".join(raw) + b"\n")
        return file

    return write


def refused(file: Path) -> str:
    with pytest.raises(InvalidFile) as info:
        Match.open(file)
    message = str(info.value)
    assert "\n" not in message
    assert len(message) < 600
    return message.removeprefix(str(file))


def test_the_format_is_as_documented(tmp_path: Path) -> None:
    match = auction(hands={0: "g3a4"})
    match.play("bid g3a4 g")
    match.save(tmp_path / "game.jsonl")
    lines = (tmp_path / "game.jsonl").read_text().splitlines()
    assert lines[0] == (
        '{"caramba":1,"game":"auction","rules":1,"players":4,"options":{"first":0},'
        '"names":["Pancho","Emiliano","Porfirio","Dolores"]}'
    )
    assert lines[1] == '[null,"first 0"]'
    assert lines[-1] == '[0,"bid g3a4 g"]'


def test_a_finished_game_ends_with_its_result(tmp_path: Path) -> None:
    match = random_match("auction", 2, seed=3)
    match.save(tmp_path / "game.jsonl")
    last = json.loads((tmp_path / "game.jsonl").read_text().splitlines()[-1])
    assert last == {"result": {"points": match.points, "winners": match.winners, "end": "sack"}}


def test_a_header_alone_is_a_game_before_its_first_step(write: Write) -> None:
    assert Match.open(write(HEADER)).steps == []


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(InvalidFile, match=r"cannot read .*: No such file or directory"):
        Match.open(tmp_path / "none.jsonl")
    with pytest.raises(InvalidFile, match=r"cannot read .*: Is a directory"):
        Match.open(tmp_path)


def test_an_empty_file(tmp_path: Path) -> None:
    (tmp_path / "empty").touch()
    assert refused(tmp_path / "empty") == " is empty; a saved game begins with a header line"


@pytest.mark.parametrize(
    ("header", "reason"),
    [
        ({**HEADER, "caramba": 2}, "format 2, but this reads 1"),
        ({**HEADER, "rules": 7}, "rules version 7, but this plays 1"),
        ({**HEADER, "game": "poker"}, "there is no game 'poker'; the games are auction"),
        ({**HEADER, "players": 5}, "auction is for 2 to 4 players, not 5"),
        ({**HEADER, "players": "2"}, "Expected `int`, got `str`"),
        ({**HEADER, "options": {"speed": 9}}, "auction has no option 'speed'; it has crates"),
        ({**HEADER, "options": {"max_turns": "9"}}, "a whole number from 1 to 10000, not '9'"),
        ({**HEADER, "options": []}, "Expected `object`, got `array`"),
        ({**HEADER, "names": ["Ana"]}, "there must be 2 names"),
        ({**HEADER, "names": ["Ana", "\u001b[31m"]}, "printable"),
        ({"game": "auction"}, "missing required field `caramba`"),
        ({**HEADER, "fair": {"commitment": "", "entropy": [], "seed": "00"}}, "2 entries"),
        ({**HEADER, "fair": {"commitment": "", "entropy": [None, "x"], "seed": "0"}}, "hexadec"),
        ({**HEADER, "taken_back": [[0, 1]]}, "Expected `array` of length 3"),
        ({**HEADER, "taken_back": [[2, 1, 0]]}, "taken_back: [2, 1, 0] is not possible"),
        ({**HEADER, "taken_back": [[-1, 1, 0]]}, "taken_back: [-1, 1, 0] is not possible"),
        ({**HEADER, "taken_back": [[0, 1, 1]]}, "taken_back: [0, 1, 1] is not possible"),
        ({**HEADER, "taken_back": [[0, 1, -1]]}, "taken_back: [0, 1, -1] is not possible"),
        ({**HEADER, "taken_back": [[0, 10**30, 0]]}, "is not possible here"),
        ({**HEADER, "taken_back": [[0, 9, 5], [1, 4, 0]]}, "[1, 4, 0] is not possible"),
        ({**HEADER, "taken_back": [[0, 3, 1]]}, "1 steps were kept, but there are 0"),
        ({**HEADER, "taken_back": [[0, 1, 0]] * 100_001}, "at most 100000 times"),
        (b"nonsense", "not the header of a saved game"),
        (b'{"caramba":1', "not the header of a saved game"),
        (b"\xff\xfe", "not "),
        (b'{"caramba":1,"names":["\xff"]}', "not "),
        (b"[" * 60_000, "not the header of a saved game"),
        (b'{"options":' * 5_000, "not the header of a saved game"),
    ],
)
def test_a_wrong_header(write: Write, header: Any, reason: str) -> None:
    message = refused(write(header))
    assert message.startswith(", line 1: ")
    assert reason in message


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ([0, "first 0"], "not now: the next step is a draw"),
        ([None, "first 7"], "is not a step of this game here; there are: first 0, first 1"),
        ([None, "pass"], "is not a step of this game here"),
        ([None, "special 0 manos"], "special 0 manos cannot be drawn now"),
        ([None], "not a step"),
        ([None, "first 0", 1], "not a step"),
        ([None, 3], "not a step"),
        (["0", "first 0"], "not a step"),
        ([10**40, "first 0"], "there is no seat"),
        ([-1, "first 0"], "there is no seat -1; the seats are 0 to 1"),
        (b'[null,"first', "not a step"),
        (b"", "not a step"),
        (b'[null,"\xff\xfe"]', "not UTF-8 text"),
        (b"[" * 60_000, "not a step"),
        ({"points": []}, "not a result"),
    ],
)
def test_a_wrong_step(write: Write, line: Any, reason: str) -> None:
    message = refused(write(HEADER, line))
    assert message.startswith(", line 2: ")
    assert reason in message


def test_a_step_by_the_wrong_seat_and_an_illegal_one(write: Write) -> None:
    match = auction(2)
    lines = [json.loads(line) for line in save_lines(match)]
    assert "line 16: it is the turn of Pancho" in refused(write(*lines, [1, "bid g7 g"]))
    assert "line 16: pass: the first player must" in refused(write(*lines, [0, "pass"]))


def test_nothing_may_follow_the_result(write: Write) -> None:
    lines = [json.loads(line) for line in save_lines(random_match("auction", 2, seed=3))]
    assert "nothing may follow the result" in refused(write(*lines, [0, "pass"]))


def test_a_result_that_is_not_that_of_the_game(write: Write) -> None:
    *lines, last = (json.loads(line) for line in save_lines(random_match("auction", 2, seed=3)))
    last["result"]["winners"] = [0, 1]
    assert "the result is not that of the game" in refused(write(*lines, last))


def test_a_deal_whose_seed_is_kept_by_its_dealer_cannot_go_on_here(write: Write) -> None:
    fair = {"commitment": "00", "entropy": [None, None]}
    match = Match.open(write({**HEADER, "fair": fair}))
    with pytest.raises(IllegalAction, match="the seed of this deal is not revealed"):
        match.deal()
    assert match.to_saved().header.fair == saved.Fair("00", [None, None])


def test_only_plain_files_are_replaced_and_keep_their_permissions(tmp_path: Path) -> None:
    match, file, link = auction(), tmp_path / "game.jsonl", tmp_path / "link"
    match.save(file)
    file.chmod(0o600)
    link.symlink_to(file)
    match.save(link)
    assert link.is_symlink()
    assert file.stat().st_mode & 0o777 == 0o600
    file.chmod(0o400)
    with pytest.raises(InvalidFile, match="write-protected"):
        match.save(file)
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(InvalidFile, match="not a plain file"):
        match.save(tmp_path / "pipe")
    with pytest.raises(InvalidFile, match="cannot write"):
        match.save(tmp_path / "a\0b")
    with pytest.raises(InvalidFile, match="cannot read"):
        Match.open(tmp_path / "a\0b")


def test_a_line_of_100_megabytes_is_refused_at_its_beginning(tmp_path: Path) -> None:
    file = tmp_path / "huge.jsonl"
    with file.open("wb") as out:
        out.write(json.dumps(HEADER).encode() + b"\n")
        out.truncate(100_000_000)
    assert refused(file) == ", line 2: longer than 65536 bytes"


def test_a_header_of_100_megabytes_is_refused_at_its_beginning(tmp_path: Path) -> None:
    file = tmp_path / "huge.jsonl"
    with file.open("wb") as out:
        out.truncate(100_000_000)
    assert refused(file) == f", line 1: longer than {saved.MAX_HEADER} bytes"


def test_take_backs_stand_in_the_header_in_their_order(write: Write) -> None:
    lines = [json.loads(line) for line in save_lines(auction(2))]
    taken = [[1, 4, 2], [0, 15, 2]]
    match = Match.open(write({**lines[0], "taken_back": taken}, *lines[1:]))
    assert b'"taken_back":[[1,4,2],[0,15,2]]' in save_lines(match)[0]


@pytest.mark.parametrize("many", [20_000, 100_000])
def test_a_game_with_very_many_take_backs_can_be_read_again(tmp_path: Path, many: int) -> None:
    match, file = auction(2), tmp_path / "game.jsonl"
    most = saved.TakenBack(1, saved.MAX_LINES, 14)
    match.taken_back = [most] * many
    match.save(file)
    assert Match.open(file).taken_back == match.taken_back


def test_a_game_with_too_many_take_backs_goes_on_without(tmp_path: Path) -> None:
    match = auction(2)
    match.taken_back = [saved.TakenBack(1, 20, 14)] * saved.MAX_TAKEN_BACK
    before = match.length
    with pytest.raises(IllegalAction, match="100000 times in this game; it must go on now"):
        match.take_back(0, 3)
    assert match.length == before


def save_lines(match: Match) -> list[bytes]:
    return list(saved.lines(match.to_saved()))
