"""How the actions of the Race are numbered, written and taken apart."""

from functools import cache
from typing import Any

from caramba.games.contract import CHANCE, Action, Wordlist, marked
from caramba.games.paper import for_good
from caramba.games.race.components import FACES
from caramba.games.race.state import HATS, MOST_SILVER, SEATS, SPACES

NO = 0
PLACE = 0  # + space, from 1
AMBUSH = PLACE + SPACES  # + space
DICE = AMBUSH + SPACES  # + number of dice, from 1
OFFER = DICE + HATS  # + silver, from 1
ACCEPT = OFFER + MOST_SILVER + 1  # + seat
ACTIONS = ACCEPT + SEATS

FIRST = 0  # + seat
DIE = FIRST + SEATS  # + what it shows
OUTCOMES = DIE + FACES

NOTATION = marked(
    "place SPACE, ambush SPACE, dice NUMBER, offer SILVER, accept SEAT, no (such as: dice 2)"
)


def _actions(do: str, what: str, numbers: range, most: int) -> list[Action | None]:
    """Actions that name a number; none for numbers above the most there is."""
    return [Action(f"{do} {n}", {"do": do, what: n}) if n <= most else None for n in numbers]


def vocabulary(s: Any, who: int) -> Wordlist:
    """Every action, or outcome of chance, by its number, in the order of the numbers above."""
    actions, outcomes = _all_words(s)
    return outcomes if who == CHANCE else actions


@for_good
def _all_words(s: Any) -> tuple[Wordlist, Wordlist]:
    return _wordlists(int(s.zone_end[-1]), int(s.players) - 1)


@cache
def _wordlists(last: int, last_seat: int) -> tuple[Wordlist, Wordlist]:
    spaces, seats = range(1, SPACES + 1), range(SEATS)
    actions = Wordlist(
        Action("no", {"do": "no"}),
        *_actions("place", "space", spaces, last),
        *_actions("ambush", "space", spaces, last),
        *_actions("dice", "dice", range(1, HATS + 1), HATS),
        *_actions("offer", "silver", range(1, MOST_SILVER + 1), MOST_SILVER),
        *_actions("accept", "seat", seats, last_seat),
    )
    outcomes = Wordlist(
        *_actions("first", "seat", seats, last_seat),
        *_actions("die", "shows", range(FACES), FACES),
    )
    return actions, outcomes
