"""Advice on the Cards: get rid of much at once, keep what goes together, call in time."""

from caramba.bots.advice import Advice
from caramba.bots.advice.cards.evaluation import stage, worth
from caramba.bots.advice.cards.features import features, fits, foresee
from caramba.bots.advice.cards.tactics import easy, medium, strong
from caramba.games.contract import marked

ADVICE = Advice(
    easy=easy,
    medium=medium,
    strong=strong,
    stage=stage,
    worth=worth,
    features=features,
    fits=fits,
    unlearned=marked("with limits or totals far from the usual ones"),
    foresee=foresee,
    learns_by_stage=True,
    scale=5.6,
    trace=0.5,
    variants=(
        {},
        {"ends_only": True},
        {"others_score": True},
        {"elimination": True},
        {"deck": "traditional"},
        {"call_limit": 5},
        {"call_limit": 10},
        {"penalty": 20},
        {"end_score": 50, "drop_to": 25},
    ),
)
