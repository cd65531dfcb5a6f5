"""The Auction: bidding and bluff over crates, by Michael Schacht (2005)."""

from pathlib import Path

from caramba.games.auction.actions import ACTIONS, NOTATION, OUTCOMES, vocabulary
from caramba.games.auction.events import event
from caramba.games.auction.rules import actor, apply, chances, draw, legal, outcome
from caramba.games.auction.state import CARDS, ENDS, OPTIONS, STATE, setup
from caramba.games.auction.text import describe, recount, say, tell, why_not
from caramba.games.auction.view import FEATURES, brings, observe, phase, resample, view
from caramba.games.contract import Game, Window, marked

WINDOWS = (Window("fuera", marked("Fuera, just before the bids"), "hold", ask=True, secret=True),)

GAME = Game(
    name="auction",
    version=1,
    players=range(2, 5),
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
    describe=describe,
    tell=tell,
    say=say,
    why_not=why_not,
    chapter="turn",
    decisive=("won", "tie"),
    recount=recount,
    windows=WINDOWS,
)
