"""Many games side by side, and one game by numbers: the same rules, whatever the door."""

import gc
import tracemalloc
from random import Random
from typing import Any

import numpy as np
import pytest

from caramba.games import masks
from caramba.games.compiled import IS_COMPILED
from caramba.games.contract import CHANCE, OVER
from caramba.games.errors import IllegalAction, InvalidSetup
from caramba.match.match import Match
from caramba.research import Batch, Single
from facts import facts
from test_contract import every_table

STEPS = 300 if IS_COMPILED else 60


def short_batch(name: str, players: int, size: int, **more: Any) -> Batch:
    return Batch(name, players=players, size=size, seed=5, options=facts(name).short, **more)


def random_actions(batch: Batch, rng: np.random.Generator) -> np.ndarray:
    return batch.nth_legal(rng.random(batch.size) * batch.counts)


@every_table
def test_a_batch_shows_what_the_rules_say(name: str, players: int) -> None:
    batch, rng = short_batch(name, players, 3), np.random.default_rng(1)
    for _ in range(STEPS):
        batch.step(random_actions(batch, rng))
        matrix, seen = batch.legal_matrix(), batch.observations()
        for i in range(batch.size):
            match = Match(name, players=players, options=facts(name).short)
            match = match.elsewhere(batch.states[i : i + 1])
            assert match.actor == batch.actor[i]
            legal = masks.members(batch.legal[i])
            vocabulary = match.game.vocabulary(match.state[0], int(batch.actor[i]))
            texts = [step.text for n in legal if (step := vocabulary.write(n))]
            assert match.legal() == texts
            assert batch.counts[i] == len(legal)
            assert np.flatnonzero(matrix[i]).tolist() == legal
            assert (match.observation(int(batch.actor[i])) == seen[i]).all()


@every_table
def test_games_that_end_are_rewarded_and_begin_anew(name: str, players: int) -> None:
    batch, rng = short_batch(name, players, 4), np.random.default_rng(2)
    ended = 0
    for _ in range(20 * STEPS):
        batch.step(random_actions(batch, rng))
        assert (batch.actor >= 0).all()
        assert np.allclose(batch.rewards.sum(axis=1), batch.done)
        ended += int(batch.done.sum())
        if ended > 3:
            break
    assert ended


def test_games_may_stay_over() -> None:
    batch, rng = short_batch("auction", 2, 5, restart=False), np.random.default_rng(3)
    ends = np.zeros(5, np.int64)
    while (batch.actor != OVER).any():
        batch.step(random_actions(batch, rng))
        ends += batch.done
    assert (ends == 1).all()
    points = batch.points.copy()
    batch.step(np.full(5, -1))
    batch.step_nth(np.zeros(5))
    assert not batch.done.any()
    assert not batch.rewards.any()
    assert not batch.counts.any()
    assert not batch.observations().any()
    assert (batch.points == points).all()
    batch.reset()
    assert (batch.actor >= 0).all()


def test_the_points_of_a_batch_are_those_of_the_game() -> None:
    batch, rng = short_batch("cards", 3, 2, restart=False), np.random.default_rng(4)
    while (batch.actor != OVER).any():
        batch.step(random_actions(batch, rng))
    for i in range(2):
        match = Match("cards", players=3, options=facts("cards").short)
        match = match.elsewhere(batch.states[i : i + 1])
        assert match.result
        assert list(match.result.points) == batch.points[i].tolist()


def test_a_place_beyond_the_last_action_is_the_last() -> None:
    one, other = short_batch("cards", 4, 6), short_batch("cards", 4, 6)
    for _ in range(STEPS):
        one.step_nth(np.full(6, 99))
        other.step(other.nth_legal(other.counts - 1))
        assert one.states.tobytes() == other.states.tobytes()
        one.step_nth(np.full(6, -3))
        other.step(other.legal_matrix().argmax(axis=1))
        assert one.states.tobytes() == other.states.tobytes()


@pytest.mark.parametrize(("threads", "large"), [(2, 1), (3, 1), (2, 100)])
def test_threads_change_nothing(threads: int, large: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("caramba.research.batch.LARGE", large)
    one, other = short_batch("cards", 4, 7), short_batch("cards", 4, 7, threads=threads)
    rngs = np.random.default_rng(6), np.random.default_rng(6)
    for _ in range(STEPS):
        for batch, rng in zip((one, other), rngs, strict=True):
            batch.step(random_actions(batch, rng))
            batch.step_nth(rng.random(batch.size) * batch.counts)
        assert one.states.tobytes() == other.states.tobytes()
        assert (one.legal == other.legal).all()
        assert (one.rewards == other.rewards).all()
        assert (one.observations() == other.observations()).all()
    other.close()


def test_the_seed_and_nothing_else_decides() -> None:
    one, other = short_batch("race", 4, 3), short_batch("race", 4, 3)
    another = Batch("race", players=4, size=3, seed=6)
    for batch in (one, other, another):
        for _ in range(40):
            batch.step(batch.nth_legal(np.zeros(3)))
    assert one.states.tobytes() == other.states.tobytes()
    assert one.states.tobytes() != another.states.tobytes()


def test_an_illegal_action_is_refused_and_nothing_has_changed() -> None:
    batch = short_batch("cards", 3, 4)
    before = batch.states.tobytes()
    legal = batch.nth_legal(np.zeros(4)).copy()
    for wrong in (-1, 99, batch.game.actions, 32):
        actions = legal.copy()
        actions[2] = wrong
        with pytest.raises(IllegalAction, match=f"action {wrong} is not legal in game 2"):
            batch.step(actions)
    with pytest.raises(InvalidSetup, match="there must be 4 actions"):
        batch.step(legal[:3])
    assert batch.states.tobytes() == before
    batch.step(legal)
    assert batch.states.tobytes() != before


@pytest.mark.parametrize("wrong", [0, -1, 1.5, True, "2"])
def test_a_size_is_a_whole_number(wrong: Any) -> None:
    with pytest.raises(InvalidSetup, match="size must be a whole number from 1 on"):
        Batch("race", players=4, size=wrong)
    with pytest.raises(InvalidSetup, match="threads must be a whole number from 1 on"):
        Batch("race", players=4, size=2, threads=wrong)


@pytest.mark.skipif(not IS_COMPILED, reason="plain Python makes numbers all the time")
def test_a_step_needs_no_new_memory() -> None:
    batch, rng = short_batch("cards", 4, 64), np.random.default_rng(1)

    def play(steps: int) -> None:
        for _ in range(steps):
            batch.step(random_actions(batch, rng))
            batch.observations()

    def growth() -> int:
        before = tracemalloc.get_traced_memory()[0]
        play(200)
        return tracemalloc.get_traced_memory()[0] - before

    play(50)
    gc.collect()
    tracemalloc.start()
    grown = min(growth() for _ in range(5))  # other threads of the test runner allocate, too
    tracemalloc.stop()
    assert grown < 2_000


@every_table
def test_one_game_by_numbers_follows_the_rules(name: str, players: int) -> None:
    random = Random(7)
    single = Single(name, players=players, options=facts(name).short)
    match = Match(name, players=players, options=facts(name).short)
    for _ in range(STEPS):
        if single.actor == OVER:
            break
        vocabulary = match.game.vocabulary(match.state[0], single.actor)
        texts = [step.text for n in single.legal() if (step := vocabulary.write(n))]
        if single.actor == CHANCE:
            assert dict(zip(texts, single.weights(), strict=True)) == match.chances()
        else:
            assert texts == match.legal()
        number = random.choice(single.legal())
        step = vocabulary.write(number)
        assert step
        match.play(step.text)
        single.apply(number)
        assert single.actor == (OVER if match.actor is None else match.actor)
    single.reset()
    assert single.actor == CHANCE
    assert single.draw() in single.legal()
