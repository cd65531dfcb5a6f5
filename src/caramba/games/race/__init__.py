"""The Race: a slow one, away from the silver mine, by Alex Randolph (1992)."""

from pathlib import Path

from caramba.games.contract import Game, Window, marked
from caramba.games.race.actions import ACTIONS, NOTATION, OUTCOMES, vocabulary
from caramba.games.race.components import FACES
from caramba.games.race.events import event
from caramba.games.race.odds import odds
from caramba.games.race.rules import actor, apply, chances, draw, legal, outcome
from caramba.games.race.state import ENDS, OPTIONS, STATE, setup
from caramba.games.race.text import describe, hint, say, tell, why_not
from caramba.games.race.view import FEATURES, brings, observe, phase, resample, view

WINDOWS = (
    Window("round_ambush", marked("ambushes at the start of a round"), "no", ask=True),
    Window("turn_ambush", marked("ambushes before your own turns"), "no", ask=True),
    Window("offers", marked("offers of silver for one die more"), "no", ask=True, closes=True),
)

GAME = Game(
    name="race",
    version=1,
    players=range(2, 7),
    options=OPTIONS,
    ends=ENDS,
    notation=NOTATION,
    folder=Path(__file__).parent,
    state=STATE,
    actions=ACTIONS,
    outcomes=OUTCOMES,
    widest_chance=FACES,
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
    odds=odds,
    hides=False,
    describe=describe,
    tell=tell,
    say=say,
    why_not=why_not,
    chapter="race",
    decisive=("race_won", "bankrupt"),
    hint=hint,
    windows=WINDOWS,
)
