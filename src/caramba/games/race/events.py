"""What is told of the Race: the numbers that the rules tell, as named facts."""

from typing import Any

from caramba.games.contract import Event, Telling, number
from caramba.games.race.state import ENDS, Phase, What


def _end(s: Any, end: int) -> str:
    return ENDS[end - 1]


FACTS: dict[int, Telling] = {
    What.PLACE: Telling(space=number),
    What.AMBUSH: Telling(space=number),
    What.DICE: Telling(dice=number, silver=number),
    What.OFFER: Telling(silver=number),
    What.ACCEPT: Telling(giver=number, silver=number),
    What.DIE: Telling(hat=number, shows=number),
    What.MOVE: Telling(hat=number, start=number, space=number),
    What.AMBUSHED: Telling(hat=number, space=number, dice=number),
    What.WELCOME: Telling(hat=number, space=number, giver=number, silver=number),
    What.ARRIVE: Telling(hat=number, start=number, arrival=number, silver=number),
    What.RACE_WON: Telling(silver=number),
    What.RACE: Telling(race=number),
    What.OVER: Telling(end=_end),
}
NOTHING = Telling()


def event(s: Any, what: int, seat: int, *numbers: int) -> Event:
    """What the table is told; a `no` is told by what was asked."""
    if what == What.NO:
        (asked,) = numbers
        return NOTHING.event(s, f"no {Phase(asked).name}", seat, ())
    return FACTS.get(what, NOTHING).event(s, What(what).name, seat, numbers)
