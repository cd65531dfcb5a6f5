"""Bots: honest, legal, in time; and advice that makes sense everywhere."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from caramba.bots.advice import (
    advice_on,
    anything,
    consider,
    easy,
    medium,
    stage,
    strong,
    worth,
)
from caramba.bots.bot_game import BotGame
from caramba.bots.budget import Budget
from caramba.bots.compiled import compiled
from caramba.bots.knowledge import Bot, Knowledge
from caramba.bots.levels import LEVELS, check_bot, fill, make_bot
from caramba.bots.network.lookahead import LookAhead
from caramba.games import generic, masks
from caramba.games.chance import streams
from caramba.games.compiled import IS_COMPILED
from caramba.games.contract import CHANCE, OVER, Event, Game, check_options, load
from caramba.games.errors import InvalidSetup
from caramba.match.match import Match
from facts import facts
from kit import Run
from test_contract import every_table
from tiny import GAME as TINY

FEW = 40 if IS_COMPILED else 4


def start_of(game: Game, players: int) -> np.ndarray:
    options = facts(game.name).short
    return game.setup(players, check_options(game, players, options))


def decisions(game: Game, players: int, seed: int, most: int) -> Iterator[tuple[int, np.ndarray]]:
    """Who decides, and the true state, along a random game; only where there is a choice."""
    state, rng = start_of(game, players), streams(seed, 1)[0]
    mask = np.zeros(masks.width(game.actions), np.uint64)
    while most and (who := int(generic.actor_of(state))) != OVER:
        if who == CHANCE:
            generic.apply_to(state, generic.draw_for(state, rng))
            continue
        generic.legal_of(state, mask)
        if masks.count(mask) > 1:
            yield who, state.copy()
            most -= 1
        generic.apply_to(state, choose_any(state, mask, rng))


@compiled
def choose_any(states, mask, rng):  # type: ignore[no-untyped-def]
    return anything(states[0], mask, rng)


# Honesty


@every_table
def test_knowledge_is_the_same_in_every_world_that_a_seat_cannot_tell_apart(
    name: str, players: int
) -> None:
    game, rng = load(name), streams(5, 1)[0]
    for who, state in decisions(game, players, 1, FEW):
        other = state.copy()
        generic.resample_for(other, who, rng)
        mine, theirs = (Knowledge(game, s, who, players) for s in (state, other))
        assert vars(mine)["_world"].tobytes() == vars(theirs)["_world"].tobytes()
        assert mine.view == theirs.view
        assert mine.observation().tobytes() == theirs.observation().tobytes()


@every_table
def test_every_level_decides_alike_in_every_world_it_cannot_tell_apart(
    name: str, players: int
) -> None:
    game, rng = load(name), streams(6, 1)[0]
    makers: dict[str, Callable[[], Bot]] = {
        level: partial(make_bot, level, 3) for level in ("random", "easy", "medium")
    }
    if IS_COMPILED:
        makers["hard"] = partial(make_bot, "hard", 3)
        makers["expert"] = partial(LookAhead, Budget(simulations=200), 3)
    for who, state in decisions(game, players, 2, FEW // 4):
        other = state.copy()
        generic.resample_for(other, who, rng)
        for level, make in makers.items():
            a, b = (make().choose(Knowledge(game, s, who, players)) for s in (state, other))
            assert a == b, level


def test_a_bot_is_handed_knowledge_and_no_true_state() -> None:
    """Nothing reachable from what a bot gets is the state that the table plays with."""

    class Curious:
        def choose(self, knowledge: Knowledge) -> int:
            assert type(knowledge) is Knowledge
            for thing in vars(knowledge).values():
                assert not isinstance(thing, np.ndarray) or not np.shares_memory(thing, table.state)
            return knowledge.legal[0]

    game = load("auction")
    table = BotGame(game, start_of(game, 2), [Curious(), Curious()])
    table.to_the_end(streams(1, 1)[0])
    assert all(table.seconds)


@every_table
def test_a_bot_that_listens_is_handed_what_its_seat_was_told(name: str, players: int) -> None:
    """The same as at a table, in order, and no more: match by match, decision by decision."""

    class Listening:
        listens = True

        def __init__(self, seat: int) -> None:
            self.seat, self.quiet = seat, make_bot("easy", seat)

        def choose(self, knowledge: Knowledge) -> int:
            heard[self.seat].append(knowledge.told)
            return self.quiet.choose(knowledge)

    game = load(name)
    heard: dict[int, list[tuple[Event, ...]]] = {0: [], 1: []}
    bots = [Listening(0), Listening(1), *(make_bot("easy", n) for n in range(2, players))]
    table = BotGame(game, start_of(game, players), bots)
    table.to_the_end(streams(1, 1)[0])
    match = Match(name, players=players, options=facts(name).short)
    for who, number in table.log:
        if who in heard and len(match.legal()) > 1:
            assert heard[who].pop(0) == tuple(event for _, event in match.events(who))
        action = game.vocabulary(match.state[0], who).write(number)
        assert action
        match.play(action.text)
    assert heard == {0: [], 1: []}


def test_worlds_that_a_bot_imagines_vary() -> None:
    game, rng = load("cards"), streams(5, 1)[0]
    who, state = next(decisions(game, 4, 1, 1))
    knowledge = Knowledge(game, state, who, 4)
    worlds = {knowledge.imagine(rng).tobytes() for _ in range(10)}
    assert len(worlds) > 5
    assert state.tobytes() not in worlds


# Advice


@compiled
def consult(states, mask, considered, shares, rng):  # type: ignore[no-untyped-def]
    """All advice at once."""
    s = states[0]
    considered[:] = mask
    consider(s, considered)
    worth(s, shares)
    return easy(s, mask, rng), medium(s, mask, rng), strong(s, mask, rng), stage(s)


@every_table
def test_advice_is_legal_and_makes_sense(name: str, players: int) -> None:
    game, rng = load(name), streams(7, 1)[0]
    shares = np.zeros(players)
    last = -1
    for who, state in decisions(game, players, 3, 10 * FEW):
        mask = Knowledge(game, state, who, players).mask
        considered, before = mask.copy(), state.copy()
        *choices, now = consult(state, mask, considered, shares, rng)
        assert state.tobytes() == before.tobytes(), "advice changes nothing"
        assert all(masks.is_allowed(mask, choice) for choice in choices)
        assert masks.count(considered) > 0
        assert not np.any(considered & ~mask)
        assert shares.sum() == pytest.approx(1)
        assert shares.min() >= 0
        assert now >= last
        last = now


def test_a_game_without_advice_is_played_all_the_same() -> None:
    assert advice_on(TINY).easy is anything
    for who, state in decisions(TINY, 2, 1, 3):
        knowledge = Knowledge(TINY, state, who, 2)
        for level in LEVELS:
            assert make_bot(level, 1).choose(knowledge) in knowledge.legal


@pytest.mark.parametrize("name", ["auction", "cards"])
def test_bots_play_where_nothing_is_compiled(name: str) -> None:
    short = "max_turns=1" if name == "auction" else "max_deals=1"
    command = f"simulate {name} --bots hard,easy --players 2 --games 1 --seed 1 -o {short}"
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    subprocess.run([sys.executable, "-m", "caramba", *command.split()], env=environment, check=True)


# Levels and names


def test_levels_have_names_and_descriptions() -> None:
    assert list(LEVELS) == ["random", "easy", "medium", "hard", "expert"]
    assert all(level.title and level.description for level in LEVELS.values())


def test_seats_are_filled_with_the_last_named() -> None:
    assert fill(["hard", "easy"], 4) == ("hard", "easy", "easy", "easy")
    assert fill(["easy"], 2) == ("easy", "easy")
    for wrong in ([], ["easy"] * 3):
        with pytest.raises(InvalidSetup, match="name 1 to 2 bots"):
            fill(wrong, 2)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("clever", "there is no level 'clever'; the levels are random, easy"),
        ("nowhere.py:Bot", "cannot load the bot 'nowhere.py:Bot'.*FileNotFoundError"),
        ("no.such.module:Bot", "cannot load.*ModuleNotFoundError"),
        ("random:Nobody", "cannot load.*AttributeError"),
    ],
)
def test_a_bot_that_is_not_there_is_refused(name: str, reason: str) -> None:
    with pytest.raises(InvalidSetup, match=reason):
        check_bot(name)


def test_a_bot_that_breaks_the_rules_is_named() -> None:
    class Cheat:
        def choose(self, knowledge: Knowledge) -> int:
            return 10**6

    game = load("race")
    table = BotGame(game, start_of(game, 2), [Cheat(), Cheat()])
    with pytest.raises(InvalidSetup, match=r"Cheat chose 1000000, which is no legal number"):
        table.to_the_end(streams(1, 1)[0])


@pytest.mark.parametrize("trouble", [ValueError("too\nlate"), SystemExit(0)])
def test_a_bot_that_fails_is_named_with_the_line(trouble: BaseException) -> None:
    class Late:
        def choose(self, knowledge: Knowledge) -> int:
            raise trouble

    game = load("race")
    table = BotGame(game, start_of(game, 2), [Late(), Late()])
    with pytest.raises(InvalidSetup, match=r"Late failed \(.*test_bots.py, line \d+\): "):
        table.to_the_end(streams(1, 1)[0])


def test_what_a_bot_of_ones_own_prints_is_kept_out_of_the_output(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "chatty.py"
    file.write_text(CHATTY)
    more = ["--bots", f"{file}:Chatty", "--players", 2, "--games", 1, "-o", "max_races=1", "--json"]
    code, out, err = run("simulate", "race", *more)
    assert code == 0
    assert json.loads(out)["games"] == 1
    assert {"loaded", "made", "asked"} <= set(err.split())


CHATTY = """
print("loaded")
class Chatty:
    def __init__(self, seed):
        print("made")
    def choose(self, knowledge):
        print("asked")
        return knowledge.legal[0]
"""


def test_what_makes_no_bot_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "odd bots.py"
    file.write_text("def nothing(seed): return 5\ndef greedy(): pass\n")
    with pytest.raises(InvalidSetup, match="what it makes cannot choose"):
        make_bot(f"{file}:nothing", 1)
    with pytest.raises(InvalidSetup, match="makes no bot from a seed"):
        make_bot(f"{file}:greedy", 1)
