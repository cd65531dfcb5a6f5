"""Players in a process of their own, asked decision by decision over its pipes.

A question is a line of JSON with what a seat knows: a world that it may imagine, field by field, so
that both sides may lay out a state in ways of their own. An answer is a line with the number of the
action, and what else the player tells of it; or with an error. The process ends with its input.
"""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from caramba.bots.knowledge import Knowledge
from caramba.games.contract import load
from caramba.games.errors import InvalidSetup

ROOT = Path(__file__).parent.parent
HOME = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "caramba"
"""The user's cache, whatever CARAMBA_CACHE_DIR says: `./caramba` has one that Python has not."""
READY = {"ready": True}


class Elsewhere:
    """A process of players, started when it is needed."""

    def __init__(self, command: Sequence[object], environment: dict[str, str]) -> None:
        self.command = [str(part) for part in command]
        self.environment = environment
        self.process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        """Start it, unless it runs, and wait until it is ready."""
        if self.process:
            return
        self.process = subprocess.Popen(
            self.command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=self.environment,
            start_new_session=True,  # Ctrl-C is ours
        )
        self._talk(None)

    def ask(self, question: dict[str, Any]) -> dict[str, Any]:
        """What it answers."""
        self.start()
        return self._talk(question)

    def _talk(self, question: dict[str, Any] | None) -> dict[str, Any]:
        process = self.process
        assert process
        assert process.stdin
        assert process.stdout
        try:
            if question:
                print(json.dumps(question), file=process.stdin, flush=True)
            answer: dict[str, Any] = json.loads(process.stdout.readline())
        except (
            BaseException
        ) as error:  # also if time is up: nothing must wait for the next question
            self.end()
            if isinstance(error, OSError | ValueError):
                message = f"{self.command[1]} has ended, see the lines above"
                raise InvalidSetup(message) from None
            raise
        if "error" in answer:
            raise InvalidSetup(answer["error"])
        return answer

    def end(self) -> None:
        """End it, whatever it does."""
        if self.process:
            self.process.kill()
            self.process.wait()
            self.process = None


def told(knowledge: Knowledge, rng: np.ndarray) -> dict[str, Any]:
    """What a seat knows, as a question."""
    world = knowledge.imagine(rng)[0]
    return {
        "game": knowledge.game.name,
        "rules": knowledge.game.version,
        "seat": knowledge.seat,
        "players": knowledge.players,
        "legal": knowledge.legal,
        "fields": {name: world[name].tolist() for name in world.dtype.names},
    }


def heard(question: dict[str, Any]) -> Knowledge:
    """The same here: fields that are not known here are left out, others that are missing are 0."""
    game = load(question["game"])
    states = np.zeros(1, game.state)
    for name in set(question["fields"]).intersection(states.dtype.names):
        states[name] = question["fields"][name]
    knowledge = Knowledge(game, states, question["seat"], question["players"])
    if (game.version, knowledge.legal) != (question["rules"], question["legal"]):
        raise InvalidSetup(f"the rules of {game.name} were others there")
    return knowledge


def serve(answer: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
    """Answer all questions; the standard output is for answers only."""
    answers = os.dup(1)
    os.dup2(2, 1)
    tell(answers, READY)
    for line in sys.stdin:
        try:
            said = answer(json.loads(line))
        except Exception as error:
            said = {"error": f"{sys.argv[0]}: {type(error).__name__}: {error}"[:300]}
        try:
            tell(answers, said)
        except BrokenPipeError:  # whoever asked is gone
            return


def tell(answers: int, content: dict[str, Any]) -> None:
    """One line."""
    os.write(answers, json.dumps(content).encode() + b"\n")
