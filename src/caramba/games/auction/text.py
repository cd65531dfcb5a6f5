"""The Auction in words: the table, what happened, what one may do, and why not.

Everything here is made from a view or an event, so it can give away nothing that those
do not. `words` is the message catalogue; the English text is the key.
"""

from collections.abc import Sequence
from functools import lru_cache
from gettext import NullTranslations
from typing import Any

from caramba.games.auction.components import LETTERS
from caramba.games.auction.view import AuctionView, Band, Lot
from caramba.games.contract import UNKNOWN, Action, Event, marked

NAMES = {
    "g": marked("gold"),
    "a": marked("ammunition"),
    "d": marked("dynamite"),
    "manos": marked("Manos arriba"),
    "vuelta": marked("Estoy de vuelta"),
    "fuera": marked("Fuera"),
    "seguridad": marked("En seguridad"),
}
THE_GOOD = {
    "g": marked("the gold"),
    "a": marked("the ammunition"),
    "d": marked("the dynamite"),
}
PHASES = {
    "first": marked("Who begins?"),
    "specials": marked("Special cards"),
    "hands": marked("First hands"),
    "crates": marked("New crates"),
    "fuera": marked("Just before the bids"),
    "bids": marked("Bids"),
    "stash": marked("Stash"),
    "seguridad": marked("En seguridad"),
    "draw": marked("Draw"),
    "over": marked("The game is over"),
}
CHOICES = {
    "hold": marked("hold: no Fuera now"),
    "fuera": marked("Fuera: protect {good}"),
    "bid": marked("bid {card} on {good}, worth {value}"),
    "pass": marked("pass: no more bids this turn"),
    "manos": marked("Manos arriba: close the bids at once"),
    "vuelta": marked("Estoy de vuelta: take {card} back into hand"),
    "stash": marked("stash {crate}"),
    "keep": marked("keep every crate in play"),
    "seguridad": marked("En seguridad: stash crates of up to 6 in all"),
    "done": marked("done: no more crates"),
}
HAPPENED = {
    "first": marked("{player} has the finest moustache and begins."),
    "special": marked("{player} receives {card}."),
    "deal": marked("{player} draws {card}."),
    "crate": marked("Out of the sack comes {crate}."),
    "hold": marked("{player} keeps the special card for later."),
    "fuera": marked("{player} plays Fuera: {good} cannot be lost this turn."),
    "bid": marked("{player} bids {card} on {good}."),
    "pass": marked("{player} passes."),
    "nothing_left": marked("{player} has nothing left to play and passes."),
    "manos": marked("{player} plays Manos arriba: the bids are closed!"),
    "vuelta": marked("{player} plays Estoy de vuelta and takes {card} back into hand."),
    "won": marked("{player} wins {good} with {total} and takes {crates}."),
    "won nothing": marked("{player} wins {good} with {total}; there is no crate to take."),
    "tie": marked("{players} tie at {total}: nobody wins {good}."),
    "tie with crates": marked("{players} tie at {total} for {good}, back to the centre: {crates}."),
    "unwanted": marked("Nobody bids on {good}."),
    "stash": marked("{player} stashes {crate}."),
    "keep": marked("{player} keeps every crate in play."),
    "seguridad": marked("{player} plays En seguridad: up to 6 in value go to safety."),
    "done": marked("{player} has finished stashing."),
    "rebuilt": marked("{player} shuffles the discards into a new pile."),
    "turn": marked("Turn {turn}: {player} is first player."),
}
OVER = {
    "sack": marked("The sack is empty and a good is missing: the game is over."),
    "turns": marked("That was the last turn: the game is over."),
}


def say(view: AuctionView, action: Action, words: NullTranslations) -> str:
    """A choice in a short phrase."""
    return _phrase(action, words)


@lru_cache(10_000)
def _phrase(action: Action, words: NullTranslations) -> str:
    form = action.form
    parts = {**form, "good": _the_good(form.get("good"), words), "value": _value(form)}
    return words.gettext(CHOICES[str(form["do"])]).format(**parts)


def _value(form: Any) -> str:
    """What a card is worth for the good it is bid on: g3a4 on a is 4."""
    card, good = form.get("card", ""), form.get("good", "")
    return card[card.index(good) + 1] if card and good else ""


def _the_good(letter: Any, words: NullTranslations) -> str:
    return words.gettext(THE_GOOD[letter]) if letter else ""


# What happened


def tell(event: Event, names: tuple[str, ...], words: NullTranslations) -> str:
    """An event in a sentence."""
    facts = event.facts
    if event.kind == "over":
        reason = OVER[facts["end"]]
        return words.gettext(reason)
    sentence = HAPPENED[_variant(event)]
    return words.gettext(sentence).format(
        player="" if event.seat is None else names[event.seat],
        players=_all_of([names[seat] for seat in facts.get("seats", ())], words),
        card=_card(event, words),
        good=_the_good(facts.get("good"), words),
        crate=facts.get("crate"),
        crates=_list(facts.get("crates", ())),
        total=facts.get("total"),
        turn=facts.get("turn"),
    )


def recount(events: Sequence[Event], names: tuple[str, ...], words: NullTranslations) -> str:
    """The loot of a turn in a line: what everybody won, then what nobody did."""
    won = [event for event in events if event.kind == "won"]
    winners = dict.fromkeys(event.seat for event in won if event.seat is not None)
    wins = {seat: [_win(event, words) for event in won if event.seat == seat] for seat in winners}
    sentence = words.gettext("{player} wins {wins}.")
    lines = [
        sentence.format(player=names[seat], wins=_all_of(each, words))
        for seat, each in wins.items()
    ]
    return " ".join([*lines, *(tell(event, names, words) for event in events if event not in won)])


def _win(event: Event, words: NullTranslations) -> str:
    facts = event.facts
    text = marked("{good} with {total} ({crates})")
    crates = _list(facts["crates"]) or words.gettext("no crate")
    good = _the_good(facts["good"], words)
    return words.gettext(text).format(good=good, total=facts["total"], crates=crates)


def _variant(event: Event) -> str:
    """Which of two sentences fits."""
    if event.kind == "tie" and event.facts["crates"]:
        return "tie with crates"
    if event.kind == "won" and not event.facts["crates"]:
        return "won nothing"
    return event.kind


def _card(event: Event, words: NullTranslations) -> str:
    card = event.facts.get("card", "")
    if card == UNKNOWN and event.kind == "special":
        return words.gettext("a special card")
    if card == UNKNOWN:
        return words.gettext("a card")
    return words.gettext(NAMES[card]) if card in NAMES else card


def _all_of(names: list[str], words: NullTranslations) -> str:
    """Pancho, Dolores and Emiliano."""
    groups = [", ".join(names[:-1]), *names[-1:]] if names[1:] else names
    return words.gettext(" and ").join(groups)


def _list(pieces: Sequence[str]) -> str:
    return " ".join(pieces)


# The table


def describe(view: AuctionView, names: tuple[str, ...], words: NullTranslations) -> str:
    """The table in plain lines."""
    lines = [_headline(view, names, words), _middle(view, words)]
    for seat, band in enumerate(view.bands):
        lines += ["", _player_line(view, seat, names[seat], words)]
        lines += ["    " + _goods_line(band, words), "    " + _cards_line(view, band, words)]
    return "\n".join(lines)


def _headline(view: AuctionView, names: tuple[str, ...], words: NullTranslations) -> str:
    phase = words.gettext(PHASES[view.phase])
    if view.first is None or not view.turn:
        return phase
    line = words.gettext("Turn {turn}. {phase}. First player: {player}.")
    return line.format(turn=view.turn, phase=phase, player=names[view.first])


def _middle(view: AuctionView, words: NullTranslations) -> str:
    line = words.gettext("Centre: {centre}. Left in the sack: {sack}. Special cards gone: {gone}.")
    gone = ", ".join(words.gettext(NAMES[special]) for special in view.gone)
    centre = _list(view.centre) or words.gettext("nothing")
    return line.format(centre=centre, sack=len(view.sack), gone=gone or words.gettext("none"))


def _player_line(view: AuctionView, seat: int, name: str, words: NullTranslations) -> str:
    notes = []
    if seat == view.seat:
        notes.append(words.gettext("you"))
    if view.bands[seat].passed:
        notes.append(words.gettext("has passed"))
    if view.bands[seat].points is not None:
        points = view.bands[seat].points or 0
        notes.append(words.ngettext("{n} point", "{n} points", points).format(n=points))
    marker = ">" if seat == view.actor else "-"
    return f"{marker} {name}" + (f" ({', '.join(notes)})" if notes else "")


def _goods_line(band: Band, words: NullTranslations) -> str:
    return " | ".join(_lot(letter, band.lots[letter], words) for letter in LETTERS)


def _lot(letter: str, lot: Lot, words: NullTranslations) -> str:
    """For example: gold 10 = g7 + crate g3."""
    text = f"{words.gettext(NAMES[letter])} {lot.total}"
    shown = [_list(lot.bids)] if lot.bids else []
    if lot.crates:
        crates = words.ngettext("crate {crates}", "crates {crates}", len(lot.crates))
        shown.append(crates.format(crates=_list(lot.crates)))
    if shown:
        text += " = " + " + ".join(shown)
    if lot.protected:
        text += " " + words.gettext("(protected by Fuera)")
    return text


def _cards_line(view: AuctionView, band: Band, words: NullTranslations) -> str:
    line = words.gettext("hand {hand} | special card {special} | stash {stash} | pile {pile}")
    text = line.format(
        hand=_with_unknown(band.hand, words),
        special=_special(view, band.special, words),
        stash=_with_unknown(band.stash, words),
        pile=band.pile,
    )
    if band.discards:
        text += " | " + words.gettext("discards {cards}").format(cards=_list(band.discards))
    return text


def _with_unknown(pieces: tuple[str, ...], words: NullTranslations) -> str:
    """5 (g3a4 d7 and 3 unseen)."""
    known = [piece for piece in pieces if piece != UNKNOWN]
    unseen = len(pieces) - len(known)
    if not known:
        return str(len(pieces))
    if unseen:
        known.append(words.ngettext("and {n} unseen", "and {n} unseen", unseen).format(n=unseen))
    return f"{len(pieces)} ({_list(known)})"


def _special(view: AuctionView, special: str | None, words: NullTranslations) -> str:
    if special is None and view.phase in ("first", "specials"):
        return "-"
    if special is None:
        return words.gettext("played")
    return words.gettext("unseen") if special == UNKNOWN else words.gettext(NAMES[special])


# Why not

MOMENTS = {
    "hold": (("fuera",), "A14"),
    "fuera": (("fuera",), "A14"),
    "bid": (("bids",), "A16"),
    "pass": (("bids",), "A16"),
    "manos": (("bids",), "A39"),
    "vuelta": (("bids",), "A40"),
    "stash": (("stash", "seguridad"), "A29"),
    "keep": (("stash",), "A29"),
    "seguridad": (("stash",), "A43"),
    "done": (("seguridad",), "A43"),
}
"""By action: the phases it belongs to, and the rule that says so."""


def why_not(view: AuctionView, action: Action, words: NullTranslations) -> tuple[str, str]:
    """Why the seat to act may not do this now, and the rule that says so."""
    phases, rule = MOMENTS[str(action.form["do"])]
    if view.phase not in phases:
        text = words.gettext("that is not for this moment: {phase}")
        return text.format(phase=words.gettext(PHASES[view.phase])), rule
    reason, rule = _refusal(view.bands[view.seat], action.form)
    parts = {**action.form, "good": _the_good(action.form.get("good"), words)}
    return words.gettext(reason).format(**parts, left=view.safe_left), rule


def _refusal(own: Band, form: Any) -> tuple[str, str]:
    """Why an action is refused in its own phase."""
    match form["do"]:
        case "fuera" if own.special != "fuera":
            return marked("you do not hold Fuera"), "A14"
        case "fuera":
            return marked("Fuera protects crates in play, and you have none of {good}"), "A14"
        case "bid" if form["good"] not in form["card"]:
            return marked("that card does not show {good}"), "A17"
        case "bid":
            return marked("you have no {card} in hand"), "A17"
        case "pass":
            return marked("the first player must play a card on the first turn of bids"), "A21"
        case "manos" if own.special != "manos":
            return marked("you do not hold Manos arriba"), "A39"
        case "manos":
            return marked("Manos arriba cannot be played in the first round of bids"), "A39"
        case "vuelta" if own.special != "vuelta":
            return marked("you do not hold Estoy de vuelta"), "A40"
        case "vuelta":
            return marked("there is no {card} in your discards"), "A40"
        case "stash" if form["crate"] in own.lots[form["crate"][0]].crates:
            return marked("En seguridad can stash only {left} more in value"), "A43"
        case "stash":
            return marked("you have no crate {crate} in play"), "A29"
        case _:
            return marked("you do not hold En seguridad"), "A43"
