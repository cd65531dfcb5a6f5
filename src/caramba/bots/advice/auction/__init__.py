"""Advice on the Auction: win little for little, hide the best crate, keep the last word."""

from caramba.bots.advice import Advice
from caramba.bots.advice.auction.evaluation import stage, worth
from caramba.bots.advice.auction.features import features, fits
from caramba.bots.advice.auction.narrowing import narrow
from caramba.bots.advice.auction.tactics import easy, light, medium
from caramba.games.contract import marked

ADVICE = Advice(
    easy=easy,
    medium=medium,
    first_thought=medium,
    strong=medium,
    light=light,
    narrow=narrow,
    stage=stage,
    worth=worth,
    features=features,
    fits=fits,
    unlearned=marked("with cards or crates of your own"),
    variants=({}, {"max_turns": 6}, {"max_turns": 10}),
    far=2,
)
