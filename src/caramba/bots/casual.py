"""A simple opponent for any game: picks a kind of action, then one of that kind."""

from collections import defaultdict
from random import Random

from caramba.games.contract import View


def choose(view: View, random: Random) -> str:
    """One of the legal actions of the view's seat. Each kind is as likely as another."""
    kinds = defaultdict(list)
    for action in view.legal:
        kinds[action.form["do"]].append(action.text)
    return random.choice(random.choice(list(kinds.values())))
