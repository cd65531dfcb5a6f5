"""Many games, and what came of them."""

import secrets
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from caramba.games import generic
from caramba.games.chance import streams
from caramba.games.contract import CHANCE, Game, check_options
from caramba.games.errors import InvalidFile
from caramba.games.playout import Playout
from caramba.match import saved
from caramba.match.match import DEFAULT_NAMES

CHUNK = 256
"""Games between two looks at the progress bar."""


class Simulation:
    """A number of games, from a seed. The first games do not depend on how many."""

    def __init__(
        self,
        game: Game,
        players: int,
        games: int,
        seed: int | None,
        options: Mapping[str, Any],
        folder: Path | None = None,
        playing: Callable[[Game, np.ndarray, int], Playout] = Playout,
        chunk: int = CHUNK,
    ) -> None:
        self.game, self.players, self.games = game, players, games
        self.seed = secrets.randbits(32) if seed is None else seed
        self.options = dict(options)
        self.folder = folder
        self.seconds = 0.0
        self.played = 0
        """How many of the games are done."""
        start = game.setup(players, check_options(game, players, options))
        self.playing, self.chunk = playing, chunk
        self.playout = playing(game, start, players)
        if folder:
            self.writer = GameWriter(self, folder)

    def run(self, advance: Callable[[int, int], None] = lambda done, total: None) -> None:
        """Play them all; `advance` is told how far it is."""
        self.playing(self.game, self.playout.start, self.players).load()
        rngs = streams(self.seed, self.games)
        for done in range(0, self.games, self.chunk):
            chunk = rngs[done : done + self.chunk]
            if self.folder:
                self._record_chunk(chunk)
            else:
                self._play_chunk(chunk)
            advance(self.played, self.games)

    def _play_chunk(self, rngs: np.ndarray) -> None:
        started = time.perf_counter()
        self.playout.play(rngs)
        self.seconds += time.perf_counter() - started
        self.played += len(rngs)

    def _record_chunk(self, rngs: np.ndarray) -> None:
        for rng in rngs:
            started = time.perf_counter()
            log = self.playout.record(rng)
            self.seconds += time.perf_counter() - started
            self.writer.write(self.played + 1, log)
            self.played += 1

    def figures(self) -> dict[str, Any]:
        """What came of it: mean points and win shares by seat, ends by reason."""
        tally = self.playout.tally
        decisions, chance_steps = map(int, tally.steps)
        return {
            "game": self.game.name,
            "players": self.players,
            "games": self.games,
            "seed": self.seed,
            "options": self.options,
            "decisions": decisions,
            "chance_steps": chance_steps,
            "seconds": round(self.seconds, 6),
            "points": [round(float(total) / self.games, 4) for total in tally.points],
            "wins": [round(float(wins) / self.games, 4) for wins in tally.wins],
            "ends": {end: int(n) for end, n in zip(self.game.ends, tally.ends, strict=True)},
        }

    def summary(self) -> str:
        """The figures for people."""
        f = self.figures()
        speed = f["decisions"] / max(self.seconds, 1e-9)
        ends = ", ".join(f"{end} {n}" for end, n in f["ends"].items())
        lines = [
            f"{self.game.name}, {self.players} players, {self.games} games, seed {self.seed}",
            f"  decisions      {f['decisions']}",
            f"  chance steps   {f['chance_steps']}",
            f"  ends           {ends}",
            f"  playing took   {self.seconds:.2f} s, {speed:,.0f} decisions a second",
            "  seat           " + "".join(f"{seat:9}" for seat in range(self.players)),
            "  mean points    " + "".join(f"{points:9.2f}" for points in f["points"]),
            "  win share      " + "".join(f"{wins:9.1%}" for wins in f["wins"]),
        ]
        if self.folder:
            lines.append(f"  saved in       {self.folder}")
        return "\n".join(lines)


class GameWriter:
    """Writes games of a simulation into a folder, one file each."""

    def __init__(self, simulation: Simulation, folder: Path) -> None:
        self.simulation, self.folder = simulation, folder
        self.header = saved.Header(
            caramba=saved.FORMAT,
            game=simulation.game.name,
            rules=simulation.game.version,
            players=simulation.players,
            options=simulation.options,
            names=[f"bot {name}" for name in DEFAULT_NAMES[: simulation.players]],
        )
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InvalidFile(f"cannot save into {folder}: {error.strerror}") from None
        if any(folder.glob(f"{simulation.game.name}-*.jsonl")):
            raise InvalidFile(f"{folder} holds saved games already; choose another folder")

    def _file(self, number: int) -> Path:
        return self.folder / f"{self.simulation.game.name}-{number:06}.jsonl"

    def write(self, number: int, log: list[tuple[int, int]]) -> None:
        """Write the game of that number, which has just been played."""
        steps = list(self._steps(log))
        result = self.simulation.playout.result()
        saved.write(saved.Saved(self.header, steps, result), self._file(number))

    def _steps(self, log: list[tuple[int, int]]) -> Iterator[saved.Step]:
        """The log in notation: what a number stands for may depend on where the game stands."""
        game, state = self.simulation.game, self.simulation.playout.start.copy()
        fixed: dict[str, Any] = {}
        for who, number in log:
            on_paper = game.layout.glimpse(state.tobytes(), fixed)
            action = game.vocabulary(on_paper, who).write(number)
            assert action is not None
            yield None if who == CHANCE else who, action.text
            generic.apply_to(state, number)
