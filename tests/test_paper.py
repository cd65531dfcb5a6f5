"""The rules on paper are the compiled rules: the same states, step for step."""

from random import Random

import numpy as np

from caramba.games import generic, masks
from caramba.games.contract import CHANCE, SPECTATOR, load
from cards_kit import called
from kit import random_match, random_step, short_match
from test_contract import every_table


@every_table
def test_the_rules_on_paper_do_what_the_compiled_ones_do(name: str, players: int) -> None:
    random, match = Random(players), short_match(name, players, 1)
    game, mask = match.game, np.zeros(masks.width(match.game.actions), np.uint64)
    weights, points = np.zeros(game.widest_chance, np.int64), np.zeros(players, np.int64)
    state = match.state
    for _ in range(200):
        who = match.actor
        assert generic.actor_of(state) == (-2 if who is None else who)
        generic.outcome_of(state, points)
        assert points.tolist() == match.points
        if who is None:
            break
        vocabulary = game.vocabulary(state[0], who)
        if who == CHANCE:
            first, many = generic.chances_of(state, weights)
            written = ((vocabulary.write(first + n), w) for n, w in enumerate(weights[:many]) if w)
            assert match.chances() == {step.text: w for step, w in written if step}
        else:
            generic.legal_of(state, mask)
            steps = map(vocabulary.write, masks.members(mask))
            assert match.legal() == [step.text for step in steps if step]
        random_step(match, random)
        (step,) = match.steps[-1:]
        _, number = vocabulary.read(step[1].lower()) or (None, None)
        generic.apply_to(state, number)
        assert state.tobytes() == match.state.tobytes()


@every_table
def test_a_state_survives_the_way_to_paper_and_back(name: str, players: int) -> None:
    match = random_match(name, players, 2, 60)
    layout = load(name).layout
    paper = layout.unpack(match.state.tobytes())
    assert layout.pack(paper) == match.state.tobytes()
    assert layout.states(layout.pack(paper)).tobytes() == match.state.tobytes()
    for field in layout.record.names or ():
        assert np.array_equal(getattr(paper, field), match.state[0][field])


@every_table
def test_whatever_happens_is_told_with_the_table_right_after_it(name: str, players: int) -> None:
    match = random_match(name, players, 3)
    told = list(match.told(SPECTATOR))
    assert [step for step, _, _ in told] == sorted(step for step, _, _ in told)
    last_of_step = {step: table for step, _, table in told}
    usual = {window.answer for window in match.game.windows}
    for step, (_, text) in enumerate(match.steps):
        if step in last_of_step:
            assert last_of_step[step] == match.at(step + 1).state.tobytes()
        else:
            assert text in usual, "only who does not do something goes without a word"


def test_a_call_is_told_hand_by_hand() -> None:
    match = called(3, "1s | Ks | 9s")
    step = match.length - 1
    shown = [table for _, event, table in match.told(SPECTATOR, step) if event.kind == "shown"]
    views = [match.view_of(table, SPECTATOR) for table in shown]
    open_hands = [[player.points is not None for player in view.players] for view in views]
    assert open_hands == [[True, False, False], [True, True, False], [True, True, True]]
