"""Advice on the Auction: win little for little, hide the best crate, keep the last word."""

from caramba.bots.advice import Advice
from caramba.bots.advice.auction.evaluation import stage, worth
from caramba.bots.advice.auction.features import features, fits
from caramba.bots.advice.auction.tactics import easy, medium
from caramba.games.contract import marked

ADVICE = Advice(
    easy=easy,
    medium=medium,
    strong=medium,
    stage=stage,
    worth=worth,
    features=features,
    looks_ahead=True,
    fits=fits,
    unlearned=marked("with cards or crates of your own"),
    variants=({}, {"max_turns": 6}, {"max_turns": 10}),
)
