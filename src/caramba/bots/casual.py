"""A simple opponent for any game: picks a kind of action, then one of that kind.

It is careful with money: of the amounts that it might give, it considers the smallest.
"""

from collections import defaultdict
from random import Random

from caramba.games.contract import Action, View

MONEY = {"silver"}
"""Parts of an action that are an amount of money."""
SMALL = 3


def choose(view: View, random: Random) -> str:
    """One of the legal actions of the view's seat. Each kind is as likely as another."""
    kinds: dict[str | int, list[Action]] = defaultdict(list)
    for action in view.legal:
        kinds[action.form["do"]].append(action)
    same = random.choice(list(kinds.values()))
    return random.choice(same[:SMALL] if same[0].form.keys() & MONEY else same).text
