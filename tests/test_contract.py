"""What every game promises, shown on random games of each, and on the made-up one."""

from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tiny
from caramba.games import chance, contract, names
from caramba.games.contract import CHANCE
from caramba.games.errors import InvalidSetup
from caramba.games.playout import Playout
from caramba.match.match import Match
from kit import POINTS, conserved, random_match, random_step, short_match

TABLES = [
    (name, players)
    for name in (*names(), tiny.GAME.name)
    for players in contract.load(name).players
]
every_table = pytest.mark.parametrize(("name", "players"), TABLES)
seeds = st.integers(0, 2**32 - 1)
lengths = st.integers(0, 700)


def same(a: Match, b: Match) -> bool:
    return a.state.tobytes() == b.state.tobytes() and a.steps == b.steps


@every_table
@given(seed=seeds)
def test_a_random_game_ends_and_keeps_what_must_be_kept(name: str, players: int, seed: int) -> None:
    match, random = short_match(name, players, seed), Random(seed)
    whole = conserved(match)
    while match.actor is not None:
        random_step(match, random)
        assert conserved(match) == whole
        assert all(points in POINTS[name] for points in match.points)
    assert match.result
    assert match.winners
    assert match.legal() == []
    assert match.chances() == {}


@every_table
@given(seed=seeds, steps=lengths)
def test_every_legal_step_can_be_taken(name: str, players: int, seed: int, steps: int) -> None:
    match = random_match(name, players, seed, steps)
    options = match.legal() or list(match.chances())
    assert bool(options) == (match.actor is not None)
    assert len(set(options)) == len(options)
    view = match.view(contract.REFEREE)
    assert all(match.game.say(view, action, match.words) for action in view.legal)
    for text in options:
        other = match.copy()
        other.play(text)
        assert other.steps[-1][1] == text
        other.undo()
        assert same(other, match)


@every_table
@given(seed=seeds, steps=lengths)
def test_a_copy_is_equal_and_independent(name: str, players: int, seed: int, steps: int) -> None:
    match = random_match(name, players, seed, steps)
    before = match.state.tobytes()
    other = match.copy()
    assert same(other, match)
    if other.actor is not None:
        random_step(other, Random(seed))
        assert match.state.tobytes() == before
        assert len(other.steps) == len(match.steps) + 1


@every_table
@given(seed=seeds, steps=lengths)
def test_undoing_everything_leads_back_to_the_start(
    name: str, players: int, seed: int, steps: int
) -> None:
    match = random_match(name, players, seed, steps)
    while match.steps:
        match.undo()
    assert same(match, short_match(name, players, seed))


@every_table
@given(seed=seeds, steps=lengths)
def test_a_saved_game_is_read_back_and_goes_on(
    tmp_path_factory: pytest.TempPathFactory, name: str, players: int, seed: int, steps: int
) -> None:
    match = random_match(name, players, seed, steps)
    path: Path = tmp_path_factory.mktemp("saved") / "game.jsonl"
    match.save(path)
    other = Match.open(path)
    assert same(other, match)
    assert other.result == match.result
    assert (other.legal(), other.chances()) == (match.legal(), match.chances())


@every_table
@given(seed=seeds)
def test_replaying_to_a_step_shows_the_game_as_it_was(name: str, players: int, seed: int) -> None:
    match = random_match(name, players, seed)
    for step in {0, len(match.steps) // 2, len(match.steps)}:
        assert same(match.at(step), random_match(name, players, seed, step))


@every_table
def test_texts_are_unique_and_understood(name: str, players: int) -> None:
    match = short_match(name, players, seed=1)
    for who, many in ((0, match.game.actions), (CHANCE, match.game.outcomes)):
        vocabulary = match.game.vocabulary(match.state[0], who)
        written = {number: vocabulary.write(number) for number in range(many)}
        steps = {number: step for number, step in written.items() if step}
        assert len({step.text.lower() for step in steps.values()}) == len(steps)
        for number, step in steps.items():
            assert vocabulary.read(step.text.lower()) == (step, number)
            assert step.form["do"] == step.text.split()[0]


@every_table
@given(seed=seeds)
def test_recorded_random_games_follow_the_rules(name: str, players: int, seed: int) -> None:
    match = short_match(name, players, seed)
    playout = Playout(match.game, match.state, players)
    for who, number in playout.record(chance.streams(seed, 1)[0]):
        action = match.game.vocabulary(match.state[0], who).write(number)
        assert action
        match.play(action.text, who)
    assert match.result == playout.result()
    assert playout.tally.steps.sum() == len(match.steps)


@every_table
@given(seed=seeds, steps=lengths)
def test_observations_have_the_promised_shape(
    name: str, players: int, seed: int, steps: int
) -> None:
    match = random_match(name, players, seed, steps)
    for seat in (*range(players), contract.SPECTATOR):
        vector = match.observation(seat)
        assert vector.shape == (match.game.observation,)
        assert np.isfinite(vector).all()


@every_table
@given(seed=seeds)
def test_what_happens_can_be_told(name: str, players: int, seed: int) -> None:
    match = random_match(name, players, seed)
    told = {step for step, _ in match.events(contract.SPECTATOR)}
    assert told == set(range(len(match.steps)))
    for _, event in match.events(contract.SPECTATOR):
        assert match.game.tell(event, match.names, match.words)


@every_table
def test_players_out_of_range_are_refused(name: str, players: int) -> None:
    game = contract.load(name)
    for wrong in (game.players[0] - 1, game.players[-1] + 1, "3", True, None):
        with pytest.raises(InvalidSetup, match=f"{name} is for {game.players[0]} to"):
            Match(name, players=wrong)  # type: ignore[arg-type]


def test_games_are_found_by_name() -> None:
    assert contract.load("auction").name == "auction"
    with pytest.raises(InvalidSetup, match="there is no game 'poker'; the games are auction"):
        contract.load("poker")


def test_two_games_cannot_have_states_of_one_type() -> None:
    from dataclasses import replace

    with pytest.raises(InvalidSetup, match="the same fields"):
        contract.register(replace(tiny.GAME, name="copy"))


def test_streams_do_not_depend_on_how_many_there_are() -> None:
    assert (chance.streams(9, 5) == chance.streams(9, 50)[:5]).all()


def test_draws_are_uniform() -> None:
    rng = chance.streams(4, 1)[0]
    counts = np.bincount([chance.below(rng, 6) for _ in range(6000)], minlength=6)
    assert counts.min() > 850
    assert counts.max() < 1150


def test_picks_follow_the_weights() -> None:
    rng = chance.streams(4, 1)[0]
    weights = np.array([0, 3, 0, 1, 5])
    picks = np.bincount([chance.pick(weights, 4, rng) for _ in range(4000)], minlength=5)
    assert picks[[0, 2, 4]].sum() == 0
    assert 2800 < picks[1] < 3200
    assert chance.pick(np.zeros(3, np.int64), 3, rng) == -1
