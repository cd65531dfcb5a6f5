"""What is told of the Race: the numbers that the rules tell, as named facts."""

from caramba.games.contract import Telling, end_of, number, telling
from caramba.games.race.state import ENDS, What

FACTS: dict[int, Telling] = {
    What.PLACE: Telling(space=number),
    What.AMBUSH: Telling(space=number),
    What.DICE: Telling(dice=number, silver=number, fewer=number),
    What.OFFER: Telling(silver=number),
    What.ACCEPT: Telling(giver=number, silver=number),
    What.DIE: Telling(hat=number, shows=number),
    What.MOVE: Telling(hat=number, start=number, space=number),
    What.AMBUSHED: Telling(hat=number, space=number, dice=number),
    What.WELCOME: Telling(hat=number, space=number, giver=number, silver=number),
    What.ARRIVE: Telling(hat=number, start=number, arrival=number, silver=number),
    What.RACE_WON: Telling(silver=number),
    What.RACE: Telling(race=number),
    What.OVER: Telling(end=end_of(ENDS)),
}
event = telling(What, FACTS)
