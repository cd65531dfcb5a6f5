"""The arena: bots against bots, measured.

Every deal is played in all seatings with the same chance stream, so that luck favours nobody.
Each finished game is a line of a file at once; an arena that was stopped goes on from there.
"""

import os
import shlex
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any, Protocol

import msgspec
import numpy as np

from caramba.bots.bot_game import LATE, BotGame
from caramba.bots.knowledge import Bot
from caramba.bots.levels import LEVELS, check_bot, fill, make_bot, name_anywhere
from caramba.bots.limits import Limit, TooLate
from caramba.bots.network.luck import LOTS, OWN, judge_for
from caramba.bots.settling import Question
from caramba.games.chance import streams
from caramba.games.contract import check_options, check_players, load
from caramba.games.errors import InvalidFile, InvalidSetup
from caramba.match.saved import new_file

FORMAT = 1
LIMIT, LONGEST = 60.0, 86_400
"""Seconds for a decision unless told, and the most of them."""
Seating = tuple[str, ...]
"""The name of the bot at each seat."""


class ArenaSettings(msgspec.Struct, kw_only=True, frozen=True, forbid_unknown_fields=True):
    """What is played: the first line of an arena's file."""

    arena: int = FORMAT
    game: str
    rules: int
    players: int
    options: dict[str, Any]
    bots: list[str]
    games: int
    """At least so many; whole deals are played."""
    seed: int
    limit: float = LIMIT
    """Seconds that a decision may take. Who takes longer forfeits the game."""
    judge: str | None = None
    """The file of a network, by whose judgement luck is taken out, or OWN; None: it is not."""

    def lineups(self) -> list[Seating]:
        """Who sits at a table together: the last named fills it, or each choice in turn."""
        if len(self.bots) >= self.players:
            return list(combinations(self.bots, self.players))
        return [fill(self.bots, self.players)]

    def seatings(self) -> list[Seating]:
        """Every table in every rotation."""
        return [
            lineup[turn:] + lineup[:turn]
            for lineup in self.lineups()
            for turn in range(self.players)
        ]

    def deals(self) -> int:
        """How many deals it takes."""
        return -(-self.games // len(self.seatings()))

    def rounds(self) -> list["Round"]:
        """All games, deal by deal."""
        seatings = range(len(self.seatings()))
        return [Round(deal, seating) for deal in range(self.deals()) for seating in seatings]


class Round(msgspec.Struct, frozen=True):
    """Which game it is: the number of the deal, and that of the seating."""

    deal: int
    seating: int


class Played(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A finished game: a line of an arena's file."""

    deal: int
    seating: int
    points: list[int]
    winners: list[int]
    end: str
    milliseconds: list[list[float]]
    """By seat: how long each decision took."""
    luck: list[float] | None = None
    """By seat: what lots gave it, in shares of victory, where that was judged."""

    def share(self, seat: int) -> float:
        """What a seat has of the victory."""
        return (seat in self.winners) / len(self.winners)

    def adjusted(self, seat: int) -> float:
        """The same without its luck, where that was judged."""
        return self.share(seat) - (self.luck[seat] if self.luck else 0.0)


def named_anywhere(settings: ArenaSettings) -> ArenaSettings:
    """The same, with all files by names that lead to them from every folder."""
    bots = [name_anywhere(name) for name in settings.bots]
    judge = settings.judge
    if judge and judge != OWN:
        judge = os.path.realpath(judge)
    return msgspec.structs.replace(settings, bots=bots, judge=judge)


def check(settings: ArenaSettings) -> ArenaSettings:
    """The settings, if they can be played."""
    game = load(settings.game)
    if settings.games < 1 or settings.seed < 0:
        raise InvalidSetup("an arena has at least one game, and a seed from 0 on")
    if not 0 < settings.limit <= LONGEST:
        raise InvalidSetup(f"a decision has more than 0 and at most {LONGEST} seconds")
    check_players(game, settings.players)
    check_options(game, settings.players, settings.options)
    if not 1 <= len(settings.bots) <= 20:
        raise InvalidSetup("name 1 to 20 bots, such as easy,medium")
    for place, name in enumerate(settings.bots):
        if name in settings.bots[:place]:
            raise InvalidSetup(f"{name[:200]!r} is named twice; a bot is measured by its name")
        check_bot(name)
    if settings.judge:
        judge_for(game, settings.players, settings.judge)
    return settings


def check_named(settings: ArenaSettings, file: Path, named: Iterable[str]) -> None:
    """A bot of one's own is code: a file may only have those run that were named beside it."""
    known, given = (set(map(name_anywhere, names)) for names in (settings.bots, named))
    if not known - LEVELS.keys() <= given <= known:
        command = how_to_go_on(file, settings.bots)
        raise InvalidSetup(
            f"name the bots of this arena that are no levels, and no others: {command}"
        )


def how_to_go_on(file: Path, bots: Iterable[str]) -> str:
    """The command that goes on with an arena: it names all bots but the levels."""
    command = [os.environ.get("CARAMBA_COMMAND", "caramba"), "arena", "--resume", str(file)]
    own = [name for name in bots if name not in LEVELS]
    return shlex.join([*command, "--bots", ",".join(own)] if own else command)


def play_round(settings: ArenaSettings, which: Round, may_end_process: bool = False) -> Played:
    """One game. What comes of it depends on the settings and the round alone, but for time.

    A bot that cannot be interrupted ends the process, if that may be ended.
    """
    game = load(settings.game)
    options = check_options(game, settings.players, settings.options)
    names = settings.seatings()[which.seating]
    seeds = np.random.SeedSequence([settings.seed, which.deal, which.seating])
    strangers = not set(names) <= LEVELS.keys()  # the levels always come back
    limit = Limit(settings.limit, may_end_process and strangers)
    bots = [
        _make_in_time(name, int(seed), limit)
        for name, seed in zip(names, seeds.generate_state(len(names)), strict=True)
    ]
    judge = judge_for(game, settings.players, settings.judge) if settings.judge else None
    start = game.setup(settings.players, options)
    bot_game = BotGame(game, start, bots, limit, lots=LOTS if judge else 0)
    result = bot_game.to_the_end(streams(settings.seed, which.deal + 1)[-1])
    times = [[round(1000 * second, 3) for second in seat] for seat in bot_game.seconds]
    log, others = bot_game.log, bot_game.others
    luck = judge.of(start, log, settings.players, others) if judge else None
    points, winners = list(result.points), list(result.winners)
    return Played(which.deal, which.seating, points, winners, result.end, times, luck)


def _make_in_time(name: str, seed: int, limit: Limit) -> Bot:
    try:
        with limit.hold():
            return make_bot(name, seed)
    except TooLate:
        message = f"{name[:200]!r} made no bot within {limit.seconds:g} s"
        raise InvalidSetup(message) from None


class Workers(Protocol):
    """Whoever plays the games: processes of this machine, or a cluster."""

    def play_all(self, settings: ArenaSettings, rounds: Iterable[Round]) -> Iterator[Played]:
        """Play these games; yield each as soon as it is finished."""


@dataclass
class Arena:
    """An arena and its file."""

    settings: ArenaSettings
    file: Path
    games: list[Played]

    @classmethod
    def new(cls, settings: ArenaSettings, file: Path | None = None) -> "Arena":
        """Begin a file, that one or one of its own, once it is known that all can be played."""
        settings = check(named_anywhere(settings))
        file = file or new_file("arena")
        if file.is_file() and file.stat().st_size:
            raise InvalidFile(f"{file} is there already; go on with --resume {file}")
        try:
            file.write_bytes(msgspec.json.encode(settings) + b"\n")
        except OSError as error:
            raise InvalidFile(f"cannot write {file}: {error.strerror}") from None
        return cls(settings, file, [])

    @classmethod
    def resume(cls, file: Path, bots: Iterable[str] = ()) -> "Arena":
        """Go on with a file; a last line that was cut off is played again.

        Bots in it that are no levels have to be named: nothing else is loaded.
        """
        try:
            content = file.read_bytes()
        except OSError as error:
            raise InvalidFile(f"cannot read {file}: {error.strerror}") from None
        arena = cls._of(content, file)
        check_named(arena.settings, file, bots)
        check(arena.settings)
        last = content.rpartition(b"\n")[2]
        if last:
            with file.open("r+b") as out:
                out.truncate(len(content) - len(last))
        return arena

    @classmethod
    def read(cls, file: Path) -> "Arena":
        """What is in a file, to be looked at."""
        try:
            return cls._of(file.read_bytes(), file)
        except OSError as error:
            raise InvalidFile(f"cannot read {file}: {error.strerror}") from None

    @classmethod
    def _of(cls, content: bytes, file: Path) -> "Arena":
        lines = content.split(b"\n")
        settings: ArenaSettings = _decode(lines[0], ArenaSettings, file, 1)
        if settings.arena != FORMAT or settings.rules != load(settings.game).version:
            raise InvalidFile(f"{file}, line 1: of another version of the arena or the rules")
        return cls(settings, file, list(_games(settings, lines[1:-1], file)))

    def left(self) -> list[Round]:
        """The games that are still to be played."""
        done = {Round(game.deal, game.seating) for game in self.games}
        return [each for each in self.settings.rounds() if each not in done]

    @classmethod
    def merged(cls, files: Iterable[Path]) -> "Arena":
        """Several arenas of the same bots as one: their deals were different."""
        first, *others = arenas = [cls.read(file) for file in files]
        if len({arena.settings.seed for arena in arenas}) < len(arenas):
            raise InvalidFile("arenas of one seed have the same deals: each counts once")
        games = list(first.games)
        deals = first.settings.deals()
        for other in others:
            same = msgspec.structs.replace(
                other.settings, seed=first.settings.seed, games=first.settings.games
            )
            if same != first.settings:
                raise InvalidFile(f"{other.file} is an arena of something else than {first.file}")
            games += [msgspec.structs.replace(g, deal=g.deal + deals) for g in other.games]
            deals += other.settings.deals()
        many = deals * len(first.settings.seatings())
        return cls(msgspec.structs.replace(first.settings, games=many), first.file, games)

    def run(
        self,
        workers: Workers,
        advance: Callable[[int, int], None],
        question: Question | None = None,
    ) -> None:
        """Play what is left, or until a question is settled; each game is kept at once."""
        for played in self.games:
            if question:
                question.hear(played)
        left = self.left()
        total = len(left) + len(self.games)
        advance(len(self.games), total)
        with self.file.open("ab") as out:
            for played in workers.play_all(self.settings, left):
                out.write(msgspec.json.encode(played) + b"\n")
                out.flush()
                self.games.append(played)
                advance(len(self.games), total)
                if question:
                    question.hear(played)
                    if question.answer is not None:
                        return


def _games(settings: ArenaSettings, lines: list[bytes], file: Path) -> Iterator[Played]:
    """The games in a file, each of them possible and there only once."""
    missing = set(settings.rounds())
    seats = set(range(settings.players))
    for number, line in enumerate(lines, 2):
        game: Played = _decode(line, Played, file, number)
        which = Round(game.deal, game.seating)
        luck = game.points if game.luck is None else game.luck
        sizes = {len(each) for each in (game.points, game.milliseconds, luck)}
        fits = sizes == {settings.players} and set(game.winners) <= seats
        fits = fits and (game.luck is None) == (not settings.judge)
        if which not in missing or not fits or not _can_end(settings, game):
            raise InvalidFile(f"{file}, line {number}: not a game of this arena, or there twice")
        missing.remove(which)
        yield game


def _can_end(settings: ArenaSettings, game: Played) -> bool:
    """By the rules with somebody who wins, or because one did not answer."""
    if game.end == LATE:
        return len(set(game.winners)) == settings.players - 1
    return game.end in load(settings.game).ends and bool(game.winners)


def _decode(line: bytes, kind: Any, file: Path, number: int) -> Any:
    try:
        return msgspec.json.decode(line, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise InvalidFile(f"{file}, line {number}: not a line of an arena: {error}") from None
