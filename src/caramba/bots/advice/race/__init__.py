"""Advice on the Race: nobody wants to arrive, and silver is all that counts."""

from caramba.bots.advice import Advice
from caramba.bots.advice.race.considering import consider
from caramba.bots.advice.race.evaluation import stage, worth
from caramba.bots.advice.race.features import features, fits, way
from caramba.bots.advice.race.tactics import easy, medium, strong
from caramba.games.contract import marked

ADVICE = Advice(
    easy=easy,
    medium=medium,
    strong=strong,
    stage=stage,
    worth=worth,
    features=features,
    consider=consider,
    way=way,
    learns_by_stage=True,
    scale=8.0,
    trace=0.7,
    fits=fits,
    unlearned=marked("with tracks much shorter or longer than the usual one"),
    variants=(
        {},
        {"persuasion": False},
        {"max_races": 1},
        {"max_races": 3},
        {"track": (8, 8, 8)},
        {"track": (16, 16, 16)},
    ),
)
