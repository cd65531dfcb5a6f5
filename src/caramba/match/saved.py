"""Saved games: JSON Lines. A header, one step a line, and the result when the game is over.

Reading trusts nothing: whatever a file holds, the answer is a game or one clear sentence.
"""

import os
import tempfile
from collections.abc import Iterable, Iterator
from datetime import datetime
from itertools import count
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import msgspec

from caramba.games.contract import Result
from caramba.games.errors import InvalidFile

FORMAT = 1
MAX_LINE = 65_536
MAX_LINES = 2_000_000
MAX_TAKEN_BACK = 100_000
MAX_HEADER = MAX_LINE + 32 * MAX_TAKEN_BACK
"""The first line may be longer than the others: whatever was taken back stands in it."""
MAX_NAME = 40


class Fair(msgspec.Struct, omit_defaults=True):
    """What a header says of a fair deal; the seed is missing until it is revealed."""

    commitment: str
    entropy: list[str | None]
    seed: str | None = None


class TakenBack(NamedTuple):
    """A seat took steps back: how many there were before, and how many of them stayed."""

    seat: int
    before: int
    kept: int


class Header(msgspec.Struct, kw_only=True, omit_defaults=True):
    """The first line."""

    caramba: int
    game: str
    rules: int
    players: int
    options: dict[str, Any]
    names: list[str]
    fair: Fair | None = None
    taken_back: list[TakenBack] = []


class Last(msgspec.Struct):
    """The last line."""

    result: Result


Step = tuple[int | None, str]
"""A seat, or None for chance; and what it did, in notation."""


class Saved(msgspec.Struct):
    """A saved game as it was read: well-formed, not yet checked against the rules."""

    header: Header
    steps: list[Step]
    result: Result | None


def line_of(step: int) -> int:
    """The line of a file on which a step stands, both as people count them."""
    return step + 2


def read(path: Path) -> Saved:
    """Read a saved game."""
    try:
        with path.open("rb") as file:
            return _read(_numbered_lines(path, file), path)
    except OSError as error:
        raise InvalidFile(f"cannot read {path}: {error.strerror}") from None
    except ValueError as error:
        raise InvalidFile(f"cannot read {str(path)!r:.200}: {error}") from None


def _numbered_lines(path: Path, file: BinaryIO) -> Iterator[tuple[int, bytes]]:
    for number in range(1, MAX_LINES + 1):
        longest = MAX_HEADER if number == 1 else MAX_LINE
        line = file.readline(longest + 1)
        if not line:
            return
        if len(line) > longest:
            raise InvalidFile(f"{path}, line {number}: longer than {longest} bytes")
        yield number, line
    raise InvalidFile(f"{path}: more than {MAX_LINES} lines")


def _read(lines: Iterator[tuple[int, bytes]], path: Path) -> Saved:
    saved = Saved(_header(lines, path), [], None)
    for number, line in lines:
        if saved.result:
            raise InvalidFile(f"{path}, line {number}: nothing may follow the result")
        if line.lstrip().startswith(b"{"):
            saved.result = _decode(line, Last, path, number, 'a result {"result": ...}').result
        else:
            saved.steps.append(_decode(line, Step, path, number, 'a step [who, "text"]'))
    wrong = _wrong_take_back(saved)
    if wrong:
        raise InvalidFile(f"{path}, line 1: {wrong}")
    return saved


def _header(lines: Iterator[tuple[int, bytes]], path: Path) -> Header:
    first = next(lines, None)
    if first is None:
        raise InvalidFile(f"{path} is empty; a saved game begins with a header line")
    header: Header = _decode(first[1], Header, path, 1, "the header of a saved game")
    if header.caramba != FORMAT:
        raise InvalidFile(f"{path}, line 1: format {header.caramba}, but this reads {FORMAT}")
    return header


def _wrong_take_back(saved: Saved) -> str | None:
    """What cannot have been taken back, one after the other, in this game."""
    taken, seats = saved.header.taken_back, range(saved.header.players)
    if len(taken) > MAX_TAKEN_BACK:
        return f"steps can be taken back at most {MAX_TAKEN_BACK} times, not {len(taken)}"
    left = 0
    for seat, before, kept in taken:
        if seat not in seats or not MAX_LINES >= before > kept >= 0 or before < left:
            return f"taken_back: [{seat}, {before}, {kept}] is not possible here"
        left = kept
    steps = len(saved.steps)
    return f"taken_back: {left} steps were kept, but there are {steps}" if steps < left else None


def _decode(line: bytes, kind: Any, path: Path, number: int, expected: str) -> Any:
    try:
        return msgspec.json.decode(line, type=kind)
    except UnicodeDecodeError:
        raise InvalidFile(f"{path}, line {number}: not UTF-8 text") from None
    except (msgspec.DecodeError, RecursionError) as error:
        raise InvalidFile(f"{path}, line {number}: not {expected}: {error}") from None


def check_names(names: Any, players: int) -> tuple[str, ...]:
    """The players' names, if they are fit to be shown."""
    if not isinstance(names, list | tuple) or len(names) != players:
        raise InvalidFile(f"there must be {players} names, one a player")
    for name in names:
        if not isinstance(name, str) or not 1 <= len(name) <= MAX_NAME or not name.isprintable():
            raise InvalidFile(
                f"a name is 1 to {MAX_NAME} printable characters, which {name!r:.60} is not"
            )
    return tuple(names)


def result_text(result: Result | None) -> str:
    """A result as it stands in a file."""
    return msgspec.json.encode(result).decode()


def lines(saved: Saved) -> Iterator[bytes]:
    """A saved game as lines."""
    yield msgspec.json.encode(saved.header)
    for step in saved.steps:
        yield msgspec.json.encode(step)
    if saved.result:
        yield msgspec.json.encode(Last(saved.result))


def write(saved: Saved, path: Path) -> None:
    """Write a saved game; the file is there whole, or as it was before."""
    write_whole(path, (line + b"\n" for line in lines(saved)))


def write_whole(path: Path, content: Iterable[bytes]) -> None:
    """Write a file so that nobody ever finds half of it; a link is followed."""
    try:
        target = path.resolve()
        mode = _mode(target)
        handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
        try:
            with os.fdopen(handle, "wb") as file:
                file.writelines(content)
                file.flush()
                os.fsync(file.fileno())
            os.chmod(temporary, mode)
            os.replace(temporary, target)
        except BaseException:
            os.unlink(temporary)
            raise
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InvalidFile(f"cannot write {str(path)!r:.200}: {reason}") from None


def _mode(path: Path) -> int:
    """The permissions a file has, or a new one gets; OSError if it must not be replaced."""
    if not path.exists():
        umask = os.umask(0)
        os.umask(umask)
        return 0o666 & ~umask
    if not path.is_file():
        raise OSError(None, "it is there already and is not a plain file")
    if not path.stat().st_mode & 0o200:
        raise PermissionError(None, "it is write-protected")
    return path.stat().st_mode & 0o777


def state_folder() -> Path:
    """The user's folder for what Caramba keeps."""
    home = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(home) / "caramba"


def new_file(name: str) -> Path:
    """A file of its own in the user's folder for such things."""
    folder = state_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return _first_free(folder, name)
    except OSError as error:
        raise InvalidFile(f"cannot keep games in {folder}: {error.strerror}") from None


def _first_free(folder: Path, name: str) -> Path:
    """A new file that nobody else has; several games may be started at once."""
    for number in count(1):
        path = folder / f"{name}-{datetime.now():%Y%m%d}-{number}.jsonl"
        try:
            path.open("x").close()
        except FileExistsError:
            continue
        return path
    raise AssertionError("there is always another number")
