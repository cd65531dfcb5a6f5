"""The Cards in words: the table, what happened, what one may do, and why not.

Everything here is made from a view or an event, so it can give away nothing that those
do not. `words` is the message catalogue; the English text is the key.
"""

from collections.abc import Iterable
from functools import lru_cache
from gettext import NullTranslations
from typing import Any

from caramba.games.cards.components import BLACK, DECKS, JOKERS, SUITS
from caramba.games.cards.view import SETS, CardsView, Player, brings
from caramba.games.contract import UNKNOWN, Action, Event, marked

COURT = {
    "J": marked("Jack"),
    "C": marked("Knight"),
    "Q": marked("Queen"),
    "K": marked("King"),
}
SYMBOLS = dict(zip(SUITS, "♠♥♦♣", strict=True))
SPECIAL = {
    "Xb": marked("black joker"),
    "Xr": marked("red joker"),
    UNKNOWN: UNKNOWN,
}
PHASES = {
    "first": marked("Drawing who begins"),
    "deal": marked("Dealing"),
    "discard": marked("Caramba, or a discard"),
    "take": marked("Taking a card"),
    "draw": marked("Drawing a card"),
    "over": marked("The game is over"),
}
FIRST_OF_ALL = {
    "discard": marked("first you discard, then you take a card"),
    "take": marked("you have discarded; now you take a card"),
}
HAPPENED = {
    "first": marked("{player} begins the first deal."),
    "new_deal": marked("Deal {deal}: five cards each, and {player} begins."),
    "deal": marked("{player} is dealt {card}."),
    "deal unseen": marked("{player} is dealt a card."),
    "drop": marked("{player} discards {cards}."),
    "drop pair": marked("{player} discards a pair: {cards}."),
    "drop three": marked("{player} discards three of a rank: {cards}."),
    "drop four": marked("{player} discards four of a rank: {cards}."),
    "drop run": marked("{player} discards a run: {cards}."),
    "take": marked("{player} takes {card} from the table."),
    "take pile": marked("{player} draws from the pile."),
    "draw": marked("{player} has drawn {card}."),
    "draw unseen": marked("Only {player} has seen it."),
    "shuffled": marked("The pile is empty: a new one is made of the discards, {many} cards."),
    "caramba": marked("Caramba! {player} calls with {points}."),
    "shown": marked("{player} shows {cards}: {points}."),
    "won": marked("{player} has fewer than all the others and wins the deal."),
    "failed": marked("Somebody has as few or fewer: {player} has failed."),
    "scores": marked("{player} scores {points}, which makes {total}."),
    "drops": marked("Exactly {exactly}: {player} drops to {total}."),
    "out": marked("{player} has {total} and is out of the game."),
    "void": marked("No call in {laps} laps: the deal is void."),
}
OVER = {
    "points": marked("A total is too high: the game is over, and the lowest wins."),
    "deals": marked("That was the last deal: the game is over, and the lowest total wins."),
    "alone": marked("Only one player is left: the game is over."),
}
CHOICES = {
    "drop": marked("discard {cards}"),
    "drop pair": marked("discard the pair {cards}"),
    "drop three": marked("discard three of a rank: {cards}"),
    "drop four": marked("discard four of a rank: {cards}"),
    "drop run": marked("discard the run {cards}"),
    "take": marked("take {card} from the table"),
    "take pile": marked("draw from the pile"),
}
SIZES = {1: "drop", 2: "drop pair", 3: "drop three", 4: "drop four"}
KINDS = {"run": "drop run", **dict(zip(SETS, SIZES.values(), strict=True))}
"""What a discard of so many cards of one rank is called."""


def card_text(card: str, words: NullTranslations) -> str:
    """A card by its short name: 5♠, Knight♥."""
    if card in SPECIAL:
        special = SPECIAL[card]
        return words.gettext(special)
    rank, suit = card[:-1], SYMBOLS[card[-1]]
    if rank in COURT:
        court = COURT[rank]
        return words.gettext(court) + suit
    return rank + suit


def cards_text(cards: Iterable[str], words: NullTranslations) -> str:
    """Cards in a row; a line for none."""
    return " ".join(card_text(card, words) for card in cards) or "-"


def points_text(points: int, words: NullTranslations) -> str:
    """A number of points."""
    return words.ngettext("{n} point", "{n} points", abs(points)).format(n=points)


# What one may do


def say(view: CardsView, action: Action, words: NullTranslations) -> str:
    """A choice in a short phrase."""
    match action.form["do"]:
        case "caramba":
            call = words.gettext("call Caramba with {points}")
            return call.format(points=points_text(view.players[view.actor or 0].points or 0, words))
        case "drop":
            return _drop(action, words, **brings(view, action))
        case _:
            return _take(str(action.form["card"]), words)


@lru_cache(10_000)
def _drop(action: Action, words: NullTranslations, kind: str, left: int) -> str:
    cards = cards_text(str(action.form["cards"]).split(), words)
    keep = words.gettext(" and keep {points}").format(points=points_text(left, words))
    return words.gettext(CHOICES[KINDS[kind]]).format(cards=cards) + keep


def _take(card: str, words: NullTranslations) -> str:
    choice = CHOICES["take pile" if card == "pile" else "take"]
    return words.gettext(choice).format(card=card if card == "pile" else card_text(card, words))


# What happened


def tell(event: Event, names: tuple[str, ...], words: NullTranslations) -> str:
    """An event in a sentence."""
    facts = event.facts
    if event.kind == "over":
        reason = OVER["alone" if facts["alone"] else facts["end"]]
        return words.gettext(reason)
    sentence = HAPPENED[_variant(event)]
    return words.gettext(sentence).format(
        **{**facts, **_in_words(facts, words)},
        player="" if event.seat is None else names[event.seat],
    )


def _in_words(facts: Any, words: NullTranslations) -> dict[str, str]:
    """Cards and points as people say them."""
    parts = {}
    if "card" in facts and facts["card"] != "pile":
        parts["card"] = card_text(str(facts["card"]), words)
    if "cards" in facts:
        parts["cards"] = cards_text(str(facts["cards"]).split(), words)
    if "points" in facts:
        parts["points"] = points_text(int(facts["points"]), words)
    return parts


def _variant(event: Event) -> str:
    """Which of several sentences fits."""
    if event.kind == "take" and event.facts["card"] == "pile":
        return "take pile"
    if event.kind in ("deal", "draw") and event.facts["card"] == UNKNOWN:
        return f"{event.kind} unseen"
    if event.kind == "drop":
        return "drop run" if event.facts["run"] else SIZES[event.facts["many"]]
    return event.kind


# The table


def describe(view: CardsView, names: tuple[str, ...], words: NullTranslations) -> str:
    """The table in plain lines."""
    lines = [_headline(view, words), *_table(view, words), ""]
    lines += [_player(view, seat, names[seat], words) for seat in range(len(names))]
    return "\n".join(lines)


def _headline(view: CardsView, words: NullTranslations) -> str:
    line = words.gettext("Deal {deal}, lap {lap}. {phase}.")
    return line.format(deal=view.deal, lap=view.lap, phase=words.gettext(PHASES[view.phase]))


def _table(view: CardsView, words: NullTranslations) -> list[str]:
    """The pile, and what has been discarded."""
    pile = words.ngettext("Pile: {n} card.", "Pile: {n} cards.", view.pile).format(n=view.pile)
    older = words.gettext("Discarded before: {cards}")
    previous = words.gettext("On the table: {cards}")
    lines = [
        pile,
        older.format(cards=cards_text(view.older, words)),
        previous.format(cards=cards_text(view.previous, words)),
    ]
    if view.laid:
        laid = words.gettext("Discarded just now: {cards}")
        lines.append(laid.format(cards=cards_text(view.laid, words)))
    return lines


def _player(view: CardsView, seat: int, name: str, words: NullTranslations) -> str:
    """One line a player: the total, and what may be seen of the hand."""
    player = view.players[seat]
    you = f" ({words.gettext('you')})" if seat == view.seat else ""
    marker = ">" if seat == view.actor else "-"
    total = words.gettext("total {n}").format(n=player.score)
    return f"{marker} " + words.gettext("{player}: {facts}").format(
        player=name + you, facts=f"{total} | {_hand(player, words)}"
    )


def _hand(player: Player, words: NullTranslations) -> str:
    if player.out:
        return words.gettext("out of the game")
    cards = cards_text(player.hand, words)
    if player.points is None or not player.hand:
        return cards
    return f"{cards} = {points_text(player.points, words)}"


# Why not

MOMENTS = {"caramba": ("discard", "C11"), "drop": ("discard", "C05"), "take": ("take", "C08")}
"""By action: the phase it belongs to, and the rule that says so."""


def why_not(view: CardsView, action: Action, words: NullTranslations) -> tuple[str, str]:
    """Why the seat to act may not do this now, and the rule that says so."""
    form = action.form
    phase, rule = MOMENTS[str(form["do"])]
    if view.phase != phase:
        return words.gettext(FIRST_OF_ALL[view.phase]), rule
    match form["do"]:
        case "caramba":
            return _why_no_call(view, words)
        case "drop":
            return _why_no_drop(view, str(form["cards"]).split(), words)
        case _:
            return _why_no_take(view, str(form["card"]), words)


def _why_no_call(view: CardsView, words: NullTranslations) -> tuple[str, str]:
    if view.lap == 1:
        return words.gettext("nobody may call before everybody has had a turn"), "C12"
    text = words.gettext("you have {points}, and may call with {limit} at most")
    points = view.players[view.seat].points or 0
    return text.format(points=points_text(points, words), limit=view.call_limit), "C11"


def _why_no_drop(view: CardsView, cards: list[str], words: NullTranslations) -> tuple[str, str]:
    missing = [card for card in cards if card not in view.players[view.seat].hand]
    if missing:
        text = words.gettext("you do not have {cards}")
        return text.format(cards=cards_text(missing, words)), "C05"
    plain = [card for card in cards if card not in JOKERS]
    if len(plain) < len(cards):
        reason = marked(
            "jokers make up to four of one rank, or a run of three or more in one suit that"
            " lacks no more ranks than there are jokers"
        )
        return words.gettext(reason), "C25"
    if len(cards) < 3 or len({card[:-1] for card in plain}) == 1:
        reason = marked("together one discards two to four of one rank, or a run of three or more")
        return words.gettext(reason), "C05"
    if view.deck != DECKS[0] and len({card[-1] for card in plain}) > 1:
        return words.gettext("a run is of one suit"), "C25"
    if len({BLACK[SUITS.index(card[-1])] for card in plain}) > 1:
        return words.gettext("a run is all black or all red"), "C06"
    return words.gettext("a run has no gaps, and no rank twice"), "C07"


def _why_no_take(view: CardsView, card: str, words: NullTranslations) -> tuple[str, str]:
    if not view.previous:
        return words.gettext("nothing lies on the table yet: draw from the pile"), "C03"
    if card in JOKERS and card in view.previous:
        return words.gettext("that joker fills a gap of the run"), "C25"
    if card in view.previous:
        return words.gettext("only the ends of a run can be taken"), "C22"
    text = words.gettext("{card} is not in the set that the previous player discarded")
    return text.format(card=card_text(card, words)), "C08"
