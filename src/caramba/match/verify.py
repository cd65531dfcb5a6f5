"""Was this game played by the rules, and dealt fairly? The answer names the wrong line."""

from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from caramba.games.contract import CHANCE, Result
from caramba.games.errors import CarambaError
from caramba.match import saved
from caramba.match.match import Match
from caramba.match.opening import begun, take


@dataclass(frozen=True)
class Verdict:
    """The answer, with the reason in one line."""

    good: bool
    message: str
    line: int | None = None
    """Where it is wrong."""
    fair: bool = False
    """Whether the draws were checked against the seed, and not only against the rules."""
    taken_back: tuple[int, ...] = ()
    """How often each seat took steps back."""


def verify(path: Path) -> Verdict:
    """Check a saved game; a file that is none raises InvalidFile."""
    return check(saved.read(path), str(path))


def check(content: saved.Saved, name: str) -> Verdict:
    """Check a saved game that was read from a file of this name."""
    match = begun(content.header, name)
    fair = content.header.fair
    has_seed = fair is not None and fair.seed is not None
    if fair and has_seed and match.fair.commitment != fair.commitment:
        return Verdict(False, "the seed is not the one that was committed to", 1)
    for number, step in enumerate(content.steps):
        wrong = _check_step(match, step, has_seed)
        if wrong:
            return Verdict(False, wrong, saved.line_of(number))
    wrong = _check_result(match, content.result)
    if wrong:
        return Verdict(False, wrong, saved.line_of(len(content.steps)))
    taken_back = _taken_back(match)
    message = _praise(match, content) + _told(match, taken_back)
    return Verdict(True, message, fair=has_seed, taken_back=taken_back)


def _check_step(match: Match, step: saved.Step, has_seed: bool) -> str | None:
    """What is wrong with a step, if anything; else it is taken."""
    if has_seed and match.actor == CHANCE and step[0] is None:
        due = match.fair_draw()
        if step[1] != due:
            return f"the seed gives {due!r}, not {step[1]!r:.60}"
    try:
        take(match, step)
    except CarambaError as error:
        return str(error)
    return None


def _check_result(match: Match, claimed: Result | None) -> str | None:
    true = match.result
    if claimed and not true:
        return "there is a result, but the game is not over"
    if true and not claimed:
        return "the game is over, but the result is missing"
    if true != claimed:
        return f"the result is wrong; it should be {saved.result_text(true)}"
    return None


def _praise(match: Match, content: saved.Saved) -> str:
    state = "finished" if content.result else "unfinished"
    start = f"{state} game of {match.game.name}, {len(content.steps)} steps, all by the rules"
    if content.header.fair is None:
        return f"{start}; no seed in the file, so the draws were not checked"
    if content.header.fair.seed is None:
        return f"{start}; the seed is not revealed yet, so the draws were not checked"
    return f"{start}, every draw as the seed gives it"


def _taken_back(match: Match) -> tuple[int, ...]:
    """How often each seat took steps back."""
    times = Counter(taken.seat for taken in match.taken_back)
    return tuple(times[seat] for seat in range(match.players))


def _told(match: Match, taken_back: tuple[int, ...]) -> str:
    """Who took steps back, in words; nothing if nobody did."""
    if not any(taken_back):
        return ""
    times = "once" if sum(taken_back) == 1 else f"{sum(taken_back)} times"
    each = zip(match.names, taken_back, strict=True)
    return f"; taken back {times} ({', '.join(f'{name} {n}' for name, n in each if n)})"
