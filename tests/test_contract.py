"""What every game promises, shown on random games of each, and on the made-up one."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tiny
from caramba.games import chance, contract, generic, names
from caramba.games.compiled import IS_COMPILED
from caramba.games.contract import CHANCE
from caramba.games.errors import InvalidSetup
from caramba.games.playout import Playout
from caramba.match.match import Match
from facts import facts
from kit import random_match, random_step, short_match


def sizes(name: str) -> Sequence[int]:
    """How many may play; as plain Python, which is slow, the fewest and the most."""
    players = contract.load(name).players
    return players if IS_COMPILED else (players[0], players[-1])


TABLES = [(name, players) for name in (*names(), tiny.GAME.name) for players in sizes(name)]
every_table = pytest.mark.parametrize(("name", "players"), TABLES)
seeds = st.integers(0, 2**32 - 1)
lengths = st.integers(0, 700)


def same(a: Match, b: Match) -> bool:
    return a.state.tobytes() == b.state.tobytes() and a.steps == b.steps


@every_table
@given(seed=seeds)
def test_a_random_game_ends_and_keeps_what_must_be_kept(name: str, players: int, seed: int) -> None:
    match, random = short_match(name, players, seed), Random(seed)
    conserved, possible = facts(name).conserved, facts(name).points
    whole = conserved(match.state[0])
    while match.actor is not None:
        random_step(match, random)
        assert conserved(match.state[0]) == whole
        assert all(points in possible for points in match.points)
    assert match.result
    assert match.winners
    assert match.legal() == []
    assert match.chances() == {}


RULES = {
    "actor": lambda s: generic.actor_of(s),
    "legal": lambda s: generic.legal_of(s, np.zeros(4, np.uint64)),
    "chances": lambda s: generic.chances_of(s, np.zeros(200, np.int64)),
    "draw": lambda s: generic.draw_for(s, chance.streams(0, 1)[0]),
    "apply": lambda s: generic.apply_to(s, 0),
}


@pytest.mark.skipif(IS_COMPILED, reason="compiled code checks nothing")
@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("name", names())
def test_a_phase_that_there_is_not_is_an_error(name: str, rule: str) -> None:
    """And not taken for whichever phase is asked about last."""
    match = Match(name, players=contract.load(name).players[0], seed=1)
    state = match.state
    state[0]["phase"] = 99
    before = state.tobytes()
    with pytest.raises(AssertionError, match="no such phase"):
        RULES[rule](state)
    assert state.tobytes() == before


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


def test_a_random_game_is_the_same_whatever_was_played_before() -> None:
    match = short_match("race", 2, 0)
    playout = Playout(match.game, match.state, 2)
    playout.load()
    first, second = (playout.record(chance.streams(7, 1)[0]) for _ in range(2))
    assert first == second


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
    for _, event in match.events(contract.SPECTATOR):
        assert match.game.tell(event, match.names, match.words)


def at_a_chance(match: Match) -> Match:
    """Back to where chance acted last: every game begins with chance."""
    while match.actor != CHANCE:
        match.undo()
    return match


def shares(match: Match) -> dict[int, float]:
    """The numbers of what chance may do now, and how likely each is."""
    weights = np.zeros(match.game.widest_chance, np.int64)
    first, many = generic.chances_of(match.state, weights)
    possible = np.flatnonzero(weights[:many]).tolist()
    return {first + place: weights[place] / weights[:many].sum() for place in possible}


@every_table
@given(seed=seeds, steps=lengths)
def test_what_is_drawn_is_possible(name: str, players: int, seed: int, steps: int) -> None:
    match = at_a_chance(random_match(name, players, seed, steps))
    state, rng = match.state.copy(), chance.streams(seed, 1)[0]
    assert {match.game.draw(state[0], rng) for _ in range(200)} <= set(shares(match))
    assert state.tobytes() == match.state.tobytes()


@pytest.mark.parametrize(
    ("name", "steps"),
    [(name, steps) for name in (*names(), tiny.GAME.name) for steps in facts(name).draws],
)
def test_draws_follow_the_weights(name: str, steps: int) -> None:
    """Who begins, and whatever else chance does, within five standard deviations."""
    players, many = contract.load(name).players[-1], 6000 if IS_COMPILED else 1500
    match = at_a_chance(random_match(name, players, 1, steps, **facts(name).uneven))
    rng = chance.streams(5, 1)[0]
    drawn = Counter(match.game.draw(match.state[0], rng) for _ in range(many))
    assert set(drawn) == set(shares(match))
    assert len(drawn) > 1
    for number, share in shares(match).items():
        assert abs(drawn[number] - many * share) < 5 * (many * share * (1 - share)) ** 0.5


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
