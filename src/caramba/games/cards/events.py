"""What is told of the Cards: the numbers that the rules tell, as named facts."""

from typing import Any

from caramba.games.cards import rules
from caramba.games.cards.actions import NAMES, names_of
from caramba.games.cards.state import ENDS, What
from caramba.games.contract import Telling, end_of, number, telling
from caramba.games.paper import on_paper

paper = on_paper(rules)


def _card(s: Any, card: int) -> str:
    return NAMES[card]


def _cards(s: Any, cards: int) -> str:
    return " ".join(names_of(cards))


def _taken(s: Any, card: int) -> str:
    return _cards(s, card) or "pile"


def _many(s: Any, cards: int) -> int:
    return cards.bit_count()


def _is_run(s: Any, cards: int) -> bool:
    return not paper.is_of_one_rank(cards)


def _points(s: Any, cards: int) -> int:
    points: int = paper.points_of(cards)
    return points


def _yes(s: Any, value: int) -> bool:
    return bool(value)


FACTS: dict[int, Telling] = {
    What.NEW_DEAL: Telling(deal=number),
    What.DEAL: Telling(secret=True, card=_card),
    What.DROP: Telling(of_one=True, cards=_cards, many=_many, run=_is_run),
    What.TAKE: Telling(card=_taken),
    What.DRAW: Telling(secret=True, card=_card),
    What.SHUFFLED: Telling(many=_many),
    What.VOID: Telling(laps=number),
    What.CARAMBA: Telling(points=number),
    What.SHOWN: Telling(of_one=True, cards=_cards, points=_points),
    What.SCORES: Telling(points=number, total=number),
    What.DROPS: Telling(exactly=number, total=number),
    What.OUT: Telling(total=number),
    What.OVER: Telling(end=end_of(ENDS), alone=_yes),
}
event = telling(What, FACTS)
