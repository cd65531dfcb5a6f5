"""Advice on the Cards: get rid of much at once, keep what goes together, call in time."""

from caramba.bots.advice import Advice
from caramba.bots.advice.cards.evaluation import stage, worth
from caramba.bots.advice.cards.narrowing import narrow
from caramba.bots.advice.cards.tactics import easy, light, medium, strong

ADVICE = Advice(
    easy=easy,
    medium=medium,
    first_thought=medium,
    strong=strong,
    light=light,
    narrow=narrow,
    stage=stage,
    worth=worth,
    margin=0.03,
)
