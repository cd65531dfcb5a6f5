"""The Race in words: the track as a picture, what happened, what one may do, and why not.

Everything here is made from a view or an event. `words` is the message catalogue; the
English text is the key.
"""

from collections.abc import Mapping
from functools import lru_cache
from gettext import NullTranslations
from typing import Any

from caramba.games.contract import Action, Event, marked
from caramba.games.race.components import ZONES as ZONE_NAMES
from caramba.games.race.odds import MINE, TurnOdds, odds
from caramba.games.race.view import RaceView

ZONES = {"stone": marked("stone"), "gravel": marked("gravel"), "earth": marked("earth")}
PHASES = {
    "first": marked("Drawing who places first"),
    "place": marked("Placing the sombreros"),
    "round_ambush": marked("Start of a round: ambushes"),
    "turn_ambush": marked("Before the turn: an ambush"),
    "dice": marked("Choosing the dice"),
    "offers": marked("Offers for one die more"),
    "answer": marked("Answering the offers"),
    "roll": marked("The dice"),
    "over": marked("The game is over"),
}
HAPPENED = {
    "first": marked("{player} rolls highest and places first."),
    "place": marked("{player} places a sombrero on {space}."),
    "ambush": marked("{player} lays an ambush on {space}."),
    "dice": marked("{player} rolls {dice}."),
    "dice bought": marked("{player} rolls {dice} and pays {silver} for {fewer} fewer."),
    "offer": marked("{player} offers {silver} for one die more."),
    "accept": marked("{player} accepts {silver} from {giver}: one die more."),
    "decline": marked("{player} accepts no offer."),
    "die": marked("{player} rolls a {shows}."),
    "move": marked("{player} goes from {start} to {space}."),
    "stay": marked("{player} stays on {space}."),
    "ambushed": marked("Ambush on {space}! {player} rolls {dice} again."),
    "welcome": marked("{giver} is on {space} already and gives {player} {silver}: one more die."),
    "welcome poor": marked("{giver} is on {space} already, with nothing to give: one more die."),
    "welcome self": marked("{player} meets the own sombrero on {space}: one more die."),
    "arrive": marked("{player} falls into the mine, number {arrival}, and pays {silver}."),
    "bankrupt": marked("{player} cannot pay in full and is bankrupt in this race."),
    "race_won": marked("{player} has stayed out of the mine and takes the pot: {silver}!"),
    "race": marked("Race {race}: prices, gifts and fees are multiplied by {race}."),
}
OVER = {
    "bankrupt": marked("Somebody went bankrupt without winning the race: that ends the game."),
    "broke": marked("Someone has no silver left to race with: the game is over."),
    "races": marked("That was the last race: the game is over."),
}
CHOICES = {
    "place": marked("put the sombrero on {space} ({zone})"),
    "ambush": marked("lay an ambush on {space} ({zone})"),
    "offer": marked("offer {silver}"),
    "accept": marked("accept {silver} from {giver}: one die more"),
}
NOES = {
    "round_ambush": marked("no ambush now"),
    "turn_ambush": marked("no ambush now"),
    "offers": marked("offer nothing"),
    "answer": marked("accept nothing"),
}
CELL = 5
ROW = 15
"""Spaces in a line of the picture at most."""


def silver_text(silver: Any, words: NullTranslations) -> str:
    """An amount of money."""
    return words.ngettext("{n} silver", "{n} silver", int(silver)).format(n=silver)


def dice_text(dice: Any, words: NullTranslations) -> str:
    """A number of dice."""
    return words.ngettext("{n} die", "{n} dice", int(dice)).format(n=dice)


def zone_text(zones: tuple[int, ...], space: int, words: NullTranslations) -> str:
    """What the ground of a space is."""
    return words.gettext(ZONES[ZONE_NAMES[sum(space > last for last in zones)]])


def say(view: RaceView, action: Action, words: NullTranslations) -> str:
    """A choice in a short phrase."""
    form = action.form
    match form["do"]:
        case "no":
            no = NOES[view.phase]
            return words.gettext(no)
        case "dice":
            return _say_dice(int(form["dice"]), view.prices[int(form["dice"])], words)
        case "accept":
            giver = int(form["seat"])
            return _accept(giver, view.offers[giver], words)
        case _:
            return _phrase(action, view.zones, words)


def _say_dice(dice: int, silver: int, words: NullTranslations) -> str:
    rolled = words.gettext("roll {dice}").format(dice=dice_text(dice, words))
    if not silver:
        return rolled
    return rolled + words.gettext(" for {silver}").format(silver=silver_text(silver, words))


def _accept(giver: int, silver: int, words: NullTranslations) -> str:
    choice = CHOICES["accept"]
    return words.gettext(choice).format(giver=letter(giver), silver=silver_text(silver, words))


@lru_cache(10_000)
def _phrase(action: Action, zones: tuple[int, ...], words: NullTranslations) -> str:
    form, choice = action.form, CHOICES[str(action.form["do"])]
    if form["do"] == "offer":
        return words.gettext(choice).format(silver=silver_text(form["silver"], words))
    space = int(form["space"])
    return words.gettext(choice).format(space=space, zone=zone_text(zones, space, words))


def letter(seat: int) -> str:
    """How a player's sombreros are marked on the track: A for the first seat."""
    return "ABCDEF"[seat]


# What happened


def tell(event: Event, names: tuple[str, ...], words: NullTranslations) -> str:
    """An event in a sentence."""
    facts = event.facts
    if event.kind == "over":
        reason = OVER[facts["end"]]
        return words.gettext(reason)
    parts = {
        **facts,
        "player": "" if event.seat is None else names[event.seat],
        "giver": names[facts["giver"]] if "giver" in facts else "",
        "silver": silver_text(facts.get("silver", 0), words),
        "dice": dice_text(facts.get("dice", 0), words),
        "fewer": dice_text(facts.get("fewer", 0), words),
    }
    sentence = HAPPENED[_variant(event)]
    return words.gettext(sentence).format(**parts)


def _variant(event: Event) -> str:
    """Which of two sentences fits."""
    facts = event.facts
    if event.kind == "dice" and facts["silver"]:
        return "dice bought"
    if event.kind == "move" and facts["start"] == facts["space"]:
        return "stay"
    if event.kind == "welcome" and facts["giver"] == event.seat:
        return "welcome self"
    if event.kind == "welcome" and not facts["silver"]:
        return "welcome poor"
    return event.kind


# The table


def describe(view: RaceView, names: tuple[str, ...], words: NullTranslations) -> str:
    """The table in plain lines, with the track as a picture."""
    lines = [_headline(view, words), *_track(view, words), ""]
    lines += [_player(view, seat, names[seat], words) for seat in range(len(names))]
    if view.phase not in ("first", "over"):
        lines += ["", _turn(view, names, words)]
    return "\n".join(lines)


def _headline(view: RaceView, words: NullTranslations) -> str:
    phase = words.gettext(PHASES[view.phase])
    line = words.gettext("Race {race}. {phase}. In the pot: {silver}.")
    return line.format(race=view.race, phase=phase, silver=silver_text(view.pot, words))


def _track(view: RaceView, words: NullTranslations) -> list[str]:
    """Zone by zone: a line of numbers, and one of what stands there."""
    marks = _marks(view)
    width = max(len(words.gettext(zone)) for zone in ZONES.values()) + 1
    lines = []
    start = 1
    for name, last in zip(ZONE_NAMES, view.zones, strict=True):
        zone = ZONES[name]
        title = words.gettext(zone)
        for row in range(start, last + 1, ROW):
            spaces = range(row, min(row + ROW, last + 1))
            lines.append(f"{title:{width}}" + "".join(f"{space:{CELL}}" for space in spaces))
            shown = "".join(f"{marks.get(space, '.'):>{CELL}}" for space in spaces)
            lines.append(" " * width + shown)
        start = last + 1
    return [*lines, _mine(view, words)]


def _marks(view: RaceView) -> dict[int, str]:
    """By space: a sombrero as A1, an ambush as x and its owner."""
    marks = {token.space: f"x{letter(token.seat)}" for token in view.ambushes if token.space}
    for number, hat in enumerate(view.hats):
        if hat.space:
            marks[hat.space] = _hat_name(view, number)
    return marks


def _hat_name(view: RaceView, number: int) -> str:
    """A, or A1 and A2 where everybody has two."""
    seat = view.hats[number].seat
    each = sum(hat.seat == seat for hat in view.hats)
    return letter(seat) if each == 1 else f"{letter(seat)}{number % each + 1}"


def _mine(view: RaceView, words: NullTranslations) -> str:
    arrived = sorted((hat.arrival, n) for n, hat in enumerate(view.hats) if hat.arrival)
    inside = " ".join(_hat_name(view, number) for _, number in arrived)
    return words.gettext("Mina de Plata: {hats}").format(hats=inside or "-")


def _player(view: RaceView, seat: int, name: str, words: NullTranslations) -> str:
    """One line a player: money, sombreros with their dice, tokens in hand."""
    notes = [silver_text(view.money[seat], words)]
    if seat in view.bankrupt:
        notes.append(words.gettext("bankrupt"))
    for number, hat in enumerate(view.hats):
        if hat.seat == seat and hat.rank:
            place = words.gettext("{hat} on {space}: {dice}")
            dice = dice_text(hat.rank, words)
            notes.append(place.format(hat=_hat_name(view, number), space=hat.space, dice=dice))
    held = sum(token.seat == seat and not token.space for token in view.ambushes)
    notes.append(words.ngettext("{n} ambush in hand", "{n} ambushes in hand", held).format(n=held))
    you = f" ({words.gettext('you')})" if seat == view.seat else ""
    marker = ">" if seat == view.actor else "-"
    return f"{marker} {letter(seat)} " + words.gettext("{player}: {facts}").format(
        player=name + you, facts=" | ".join(notes)
    )


def _turn(view: RaceView, names: tuple[str, ...], words: NullTranslations) -> str:
    """Whose sombrero it is, and what dice cost."""
    order = " ".join(_hat_name(view, number) for number in view.order)
    if view.phase == "place":
        return words.gettext("Still to be placed, in this order: {hats}").format(hats=order)
    line = words.gettext("Still to move in this round, in this order: {hats}").format(hats=order)
    if view.prices:
        prices = ", ".join(_say_dice(dice, p, words) for dice, p in view.prices.items())
        line += "\n" + words.gettext("{player} may: {prices}").format(
            player=names[view.hats[view.order[0]].seat], prices=prices
        )
    for seat, silver in view.offers.items():
        offer = words.gettext("{player} offers {silver} for one die more.")
        line += "\n" + offer.format(player=names[seat], silver=silver_text(silver, words))
    return line


# Odds


def hint(view: RaceView, words: NullTranslations) -> str:
    """The exact odds of each number of dice for the sombrero in turn."""
    if view.mover is None:
        return words.gettext("Odds are given once the sombreros are on the track.")
    title = words.gettext("Exact odds for {hat}:").format(hat=_hat_name(view, view.mover))
    return "\n".join([title, *(_odds(turn, words) for turn in odds(view))])


def _odds(turn: TurnOdds, words: NullTranslations) -> str:
    line = words.gettext("  {dice}: mine {mine}, else {mean} spaces on average; silver {gain}")
    return line.format(
        dice=dice_text(turn.dice, words),
        mine=f"{turn.ends.get(MINE, 0.0):.1%}",
        mean=f"{turn.ahead:.1f}",
        gain=f"{turn.gain:+.2f}",
    )


# Why not

MOMENTS = {
    "place": (("place",), "R06"),
    "ambush": (("round_ambush", "turn_ambush"), "R11"),
    "dice": (("dice",), "R10"),
    "offer": (("offers",), "R18"),
    "accept": (("answer",), "R18"),
    "no": (("round_ambush", "turn_ambush", "offers", "answer"), "R07"),
}
"""By action: the phases it belongs to, and the rule that says so."""


def why_not(view: RaceView, action: Action, words: NullTranslations) -> tuple[str, str]:
    """Why the seat to act may not do this now, and the rule that says so."""
    form: Mapping[str, Any] = action.form
    phases, rule = MOMENTS[str(form["do"])]
    if view.phase not in phases:
        text = words.gettext("that is not for this moment: {phase}")
        return text.format(phase=words.gettext(PHASES[view.phase])), rule
    reason = _refusal(view, form)
    return words.gettext(reason).format(money=view.money[view.seat]), rule


def _refusal(view: RaceView, form: Mapping[str, Any]) -> str:
    """Why an action is refused in its own phase."""
    match form["do"]:
        case "place":
            return marked("there is a sombrero on that space already")
        case "ambush":
            return marked("an ambush needs a space without sombrero or ambush")
        case "dice" if form["dice"] > (view.hats[view.order[0]].rank or 0):
            return marked("a sombrero rolls at most as many dice as its rank")
        case "dice":
            return marked("you cannot pay for so many dice to be left out")
        case "offer":
            return marked("you have only {money} silver to offer")
        case _:
            return marked("that player has offered nothing")
