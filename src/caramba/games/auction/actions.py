"""How the actions of the Auction are numbered, written and taken apart.

Players' actions and chance outcomes are numbered apart. A number that stands for a card or
crate is its kind's place in the variant's deck or sack, so the numbers are the same for all.
"""

from functools import cache, lru_cache
from typing import Any

from caramba.games.auction.components import LETTERS
from caramba.games.auction.components import SPECIALS as SPECIAL_NAMES
from caramba.games.auction.state import CARDS, CRATE_KINDS, GOODS, SEATS, SPECIALS
from caramba.games.bags import MOST
from caramba.games.contract import CHANCE, Action, Wordlist, marked

BID = 0  # + card * BID_STEP + good
BID_STEP = 4  # as many bits as a kind has in a bag, so that a whole hand is allowed at once
HOLD = BID + CARDS * BID_STEP
FUERA = HOLD + 1  # + good
PASS = FUERA + GOODS
MANOS = PASS + 1
VUELTA = MANOS + 1  # + card
KEEP = VUELTA + CARDS
SEGURIDAD = KEEP + 1
DONE = SEGURIDAD + 1
STASH = DONE + 1  # + crate
ACTIONS = STASH + CRATE_KINDS

FIRST = 0  # + seat
SPECIAL = FIRST + SEATS  # + seat * SPECIALS + special
DEAL = SPECIAL + SEATS * SPECIALS  # + seat * CARDS + card
CRATE = DEAL + SEATS * CARDS  # + crate
OUTCOMES = CRATE + CRATE_KINDS

NOTATION = marked(
    "hold, fuera GOOD, bid CARD GOOD, pass, manos, vuelta CARD, stash CRATE, keep, seguridad, done"
    " (such as: bid g3a4 g; goods are g gold, a ammunition, d dynamite)"
)


Names = tuple[str, ...]


def names_of_pieces(s: Any) -> tuple[Names, Names]:
    """The kinds of cards (g3a4) and of crates (g3) in notation; empty for an unused kind."""
    cards = tuple(map(tuple, s.card_value))
    return _names_of_pieces(cards, tuple(s.crate_good), tuple(s.crate_value))


@cache
def _names_of_pieces(
    card_values: tuple[tuple[int, ...], ...], goods: tuple[int, ...], values: tuple[int, ...]
) -> tuple[Names, Names]:
    crates = zip(goods, values, strict=True)
    return (
        tuple(map(_card, card_values)),
        tuple(f"{LETTERS[good]}{value}" if value else "" for good, value in crates),
    )


def _card(values: tuple[int, ...]) -> str:
    return "".join(f"{good}{v}" for good, v in zip(LETTERS, values, strict=True) if v)


@lru_cache(10_000)
def named(names: Names, bag: int) -> Names:
    """The pieces of a bag by name, such as g3 g3 g4."""
    return tuple(name for kind, name in enumerate(names) for _ in range(bag >> 4 * kind & MOST))


def _action(do: str, **parts: str | int) -> Action | None:
    """An action of named parts; none if a part does not exist."""
    if "" in parts.values():
        return None
    return Action(" ".join([do, *map(str, parts.values())]), {"do": do, **parts})


def _bid(card: str, good: str) -> Action | None:
    return _action("bid", card=card, good=good) if good in card else None


def vocabulary(s: Any, who: int) -> Wordlist:
    """Every action, or outcome of chance, by its number, in the order of the numbers above."""
    actions, outcomes = _wordlists(*names_of_pieces(s))
    return outcomes if who == CHANCE else actions


@cache
def _wordlists(cards: tuple[str, ...], crates: tuple[str, ...]) -> tuple[Wordlist, Wordlist]:
    seats = range(SEATS)
    actions = Wordlist(
        *(step for card in cards for step in (*(_bid(card, good) for good in LETTERS), None)),
        _action("hold"),
        *(_action("fuera", good=good) for good in LETTERS),
        _action("pass"),
        _action("manos"),
        *(_action("vuelta", card=card) for card in cards),
        _action("keep"),
        _action("seguridad"),
        _action("done"),
        *(_action("stash", crate=crate) for crate in crates),
        never=(
            Action(f"bid {card} {good}", {"do": "bid", "card": card, "good": good})
            for card in filter(None, cards)
            for good in LETTERS
            if good not in card
        ),
    )
    outcomes = Wordlist(
        *(_action("first", seat=seat) for seat in seats),
        *(_action("special", seat=seat, card=card) for seat in seats for card in SPECIAL_NAMES),
        *(_action("deal", seat=seat, card=card) for seat in seats for card in cards),
        *(_action("crate", crate=crate) for crate in crates),
    )
    return actions, outcomes
