"""How the actions of the Cards are numbered, written and taken apart.

A hand has five cards at most, and what one discards is a choice among them: a number from
1 to 31 whose bits, from the lowest up, stand for the cards of the sorted hand, so that 5,
which is 101 in bits, means the first and the third. The choice of no card, 0, is free for
Caramba. A card that one takes from the table is numbered by its place in the sorted set
that lies there. That makes 38 actions, whatever the cards; the texts name the cards.
"""

from functools import lru_cache
from typing import Any

from caramba.games.cards.components import HAND, JOKERS, RANKS, SUITS
from caramba.games.cards.state import CARDS, SEATS, TAROT, TRADITIONAL, Phase
from caramba.games.contract import CHANCE, Action, Vocabulary, marked

CARAMBA = 0
DROP = 0  # + choice, from 1
TAKE_PILE = DROP + (1 << HAND)
TAKE = TAKE_PILE + 1  # + place in the previous player's set
ACTIONS = TAKE + HAND

FIRST = 0  # + seat
CARD = FIRST + SEATS  # + card: dealt, or drawn
OUTCOMES = CARD + CARDS

NOTATION = marked(
    "caramba, drop CARDS, take pile, take CARD (such as: drop 5s 6c 7s; ranks are 1-10 J C Q K,"
    " C the knight; suits are s spades, h hearts, d diamonds, c clubs; with the traditional deck"
    " there is no C, and the jokers are Xb and Xr)"
)

NAMES = tuple(f"{rank}{suit}" for rank in RANKS for suit in SUITS) + JOKERS
"""Every card in notation, by its number."""
NUMBERS = {name.lower(): number for number, name in enumerate(NAMES)}


@lru_cache(10_000)
def cards_of(bits: int) -> tuple[int, ...]:
    """The cards of a set, sorted."""
    return tuple(card for card in range(CARDS) if bits >> card & 1)


@lru_cache(10_000)
def names_of(bits: int) -> tuple[str, ...]:
    """The cards of a set in notation, sorted."""
    return tuple(NAMES[card] for card in cards_of(bits))


@lru_cache(10_000)
def set_of(names: str) -> int:
    """The set of some cards in notation, such as 5s 6c 7s."""
    return sum(1 << NUMBERS[name.lower()] for name in names.split())


@lru_cache(10_000)
def _step(**form: str | int) -> Action:
    return Action(" ".join(map(str, form.values())), form)


@lru_cache(10_000)
def _drop(cards: tuple[int, ...]) -> Action:
    return _step(do="drop", cards=" ".join(NAMES[card] for card in cards))


def _read_card(name: str, deck: int) -> int | None:
    card = NUMBERS.get(name)
    return card if card is not None and deck >> card & 1 else None


def vocabulary(s: Any, who: int) -> Vocabulary:
    """What chance, or a seat, can say where the game stands."""
    deck = TRADITIONAL if s.traditional else TAROT
    if who == CHANCE:
        return Outcomes(deck, int(s.players), int(s.seat) if s.phase == Phase.DEAL else None)
    return Actions(deck, cards_of(int(s.hand[who])), cards_of(int(s.previous)))


class Actions:
    """What a player can say who has this hand, with this set on the table."""

    def __init__(self, deck: int, hand: tuple[int, ...], table: tuple[int, ...]) -> None:
        self.deck, self.hand, self.table = deck, hand, table

    def write(self, number: int) -> Action | None:
        """The action of that number; None for cards that are not there."""
        if number == CARAMBA:
            return _step(do="caramba")
        if number == TAKE_PILE:
            return _step(do="take", card="pile")
        if number > TAKE_PILE:
            place = number - TAKE
            return _step(do="take", card=NAMES[self.table[place]]) if self._lies(place) else None
        choice = number - DROP
        if choice >> len(self.hand):
            return None
        return _drop(tuple(card for place, card in enumerate(self.hand) if choice >> place & 1))

    def _lies(self, place: int) -> bool:
        return place < len(self.table)

    def read(self, text: str) -> tuple[Action, int | None] | None:
        """An action by its text; cards may be named in any order."""
        do, *names = text.split(" ")
        cards = {card for name in names if (card := _read_card(name, self.deck)) is not None}
        if text == "caramba":
            return _step(do="caramba"), CARAMBA
        if text == "take pile":
            return _step(do="take", card="pile"), TAKE_PILE
        if not names or len(cards) < len(names):
            return None
        if do == "drop":
            return _drop(tuple(sorted(cards))), self._choice(cards)
        if do == "take" and len(cards) == 1:
            (card,) = cards
            place = TAKE + self.table.index(card) if card in self.table else None
            return _step(do="take", card=NAMES[card]), place
        return None

    def _choice(self, cards: set[int]) -> int | None:
        """The number of a choice among the cards of the hand; None if some are not there."""
        if not cards <= set(self.hand):
            return None
        return DROP + sum(1 << self.hand.index(card) for card in cards)


class Outcomes:
    """What chance can say: who begins, or which card is dealt to a seat or drawn."""

    def __init__(self, deck: int, players: int, dealt_to: int | None) -> None:
        self.deck, self.players, self.dealt_to = deck, players, dealt_to

    def write(self, number: int) -> Action | None:
        """The outcome of that number; None for seats and cards that are not in the game."""
        if number < CARD:
            seat = number - FIRST
            return _step(do="first", seat=seat) if seat < self.players else None
        card = number - CARD
        return self._given(card) if self.deck >> card & 1 else None

    def _given(self, card: int) -> Action:
        if self.dealt_to is None:
            return _step(do="draw", card=NAMES[card])
        return _step(do="deal", seat=self.dealt_to, card=NAMES[card])

    def read(self, text: str) -> tuple[Action, int | None] | None:
        """An outcome by its text, even if it is not due now."""
        match text.split(" "):
            case ["first", seat] if seat in map(str, range(self.players)):
                return _step(do="first", seat=int(seat)), FIRST + int(seat)
            case ["deal", seat, name] if seat in map(str, range(self.players)):
                return self._read_given(name, _step(do="deal", seat=int(seat)))
            case ["draw", name]:
                return self._read_given(name, _step(do="draw"))
            case _:
                return None

    def _read_given(self, name: str, given: Action) -> tuple[Action, int | None] | None:
        card = _read_card(name, self.deck)
        if card is None:
            return None
        step = _step(**given.form, card=NAMES[card])
        return step, CARD + card if step == self._given(card) else None
