"""The Cards: few points in hand, and the nerve to say so; with a tarot deck."""

from pathlib import Path

from caramba.games.cards.actions import ACTIONS, NOTATION, OUTCOMES, vocabulary
from caramba.games.cards.events import event
from caramba.games.cards.rules import actor, apply, chances, draw, legal, outcome
from caramba.games.cards.state import CARDS, ENDS, OPTIONS, STATE, setup
from caramba.games.cards.text import describe, say, tell, why_not
from caramba.games.cards.view import FEATURES, brings, observe, phase, resample, view
from caramba.games.contract import Game

GAME = Game(
    name="cards",
    version=1,
    players=range(2, 9),
    options=OPTIONS,
    ends=ENDS,
    notation=NOTATION,
    folder=Path(__file__).parent,
    state=STATE,
    actions=ACTIONS,
    outcomes=OUTCOMES,
    widest_chance=CARDS,
    features=FEATURES,
    actor=actor,
    legal=legal,
    apply=apply,
    chances=chances,
    draw=draw,
    outcome=outcome,
    observe=observe,
    resample=resample,
    setup=setup,
    vocabulary=vocabulary,
    view=view,
    event=event,
    phase=phase,
    brings=brings,
    few_points_win=True,
    describe=describe,
    tell=tell,
    say=say,
    why_not=why_not,
    chapter="new_deal",
    decisive=("caramba", "failed", "scores"),
)
