"""Builders for tests of the Auction."""

from collections.abc import Mapping
from typing import Any

from caramba.games.contract import CHANCE, SPECTATOR
from caramba.match.match import Match
from facts import Facts

SPECIALS = ("manos", "vuelta", "fuera", "seguridad")
MANY = 500
"""More answers than any of these tests needs: nobody is asked for ever."""


def auction(
    players: int = 4,
    *,
    first: int = 0,
    specials: tuple[str, ...] = SPECIALS,
    hands: dict[int, str] | None = None,
    crates: str = "g3 a2 d2",
    **options: Any,
) -> Match:
    """An auction at its first bid: given specials by seat, cards in given hands, new crates.

    Hands are filled up to four with the first cards that are left; `hands` names the
    cards that a seat has for sure, such as {0: "g7 a7"}.
    """
    match = Match("auction", players=players, seed=1, options={"first": first, **options})
    match.play(f"first {first}")
    for seat, special in enumerate(specials[:players]):
        match.play(f"special {seat} {special}")
    for seat in range(players):
        wanted = (hands or {}).get(seat, "").split()
        while any(step.startswith(f"deal {seat} ") for step in match.chances()):
            step = f"deal {seat} {wanted.pop(0)}" if wanted else next(iter(match.chances()))
            match.play(step)
    return draw_crates(match, crates)


def with_sack(players: int, crates: str) -> Match:
    """Before the first crate is drawn from a sack of these; everything else as it comes."""
    match = Match("auction", players=players, options={"first": 0, "crates": crates.split()})
    return take_first(match, "first", "specials", "hands")


def whole_sack(players: int, crates: str) -> Match:
    """At the first bid, with all crates of a small sack in the centre, in this order."""
    return draw_crates(with_sack(players, crates), crates)


def draw_crates(match: Match, crates: str) -> Match:
    """Draw these crates, which must be just those that a new turn needs."""
    for crate in crates.split():
        match.play(f"crate {crate}")
    assert match.actor != CHANCE, f"more crates are due: {match.chances()}"
    return match


def take_first(match: Match, *phases: str) -> Match:
    """Let chance give the first thing it can while one of these phases lasts."""
    while match.view(SPECTATOR).phase in phases:
        match.play(next(iter(match.chances())))
    return match


def draw_cards(match: Match) -> Match:
    """Everybody draws the first cards of the pile, in the order of the deck."""
    return take_first(match, "draw")


def next_turn(match: Match, crates: str = "") -> Match:
    """Nobody does anything more this turn; then these crates come out of the sack."""
    return draw_crates(draw_cards(say_no(match)), crates)


def answer(match: Match, *words: str) -> Match:
    """Whoever is asked gives the first of these answers that is allowed, while one is."""
    for _ in range(MANY):
        allowed = [word for word in words if word in match.legal()]
        if not allowed:
            return match
        match.play(allowed[0])
    raise AssertionError(f"somebody is asked for ever: {match.legal()}")


def hold(match: Match) -> Match:
    """Nobody plays Fuera."""
    return answer(match, "hold")


def all_pass(match: Match) -> Match:
    """Everybody who is asked for a bid passes."""
    return answer(match, "pass")


def say_no(match: Match) -> Match:
    """Hold, pass and keep until the next draw or the end."""
    return answer(match, "hold", "pass", "keep", "done")


def end(match: Match) -> str | None:
    """Why the game is over; None while it goes on."""
    return match.result.end if match.result else None


def in_play(match: Match) -> list[tuple[str, ...]]:
    """Every player's crates in play."""
    bands = match.view(SPECTATOR).bands
    return [sum((band.lots[good].crates for good in "gad"), ()) for band in bands]


def told(match: Match, kind: str) -> list[int | None]:
    """Who was named in events of a kind."""
    return [event.seat for _, event in match.events(SPECTATOR) if event.kind == kind]


# What all tests must know


def pieces(s: Any) -> list[int]:
    """The bag of all cards of each band, and of all crates."""
    cards = s.pile + s.hand + s.discard + s.bid.sum(axis=1)
    crates = s.sack + s.centre + s.in_play.sum() + s.stash.sum()
    return [*cards.tolist(), int(crates)]


def raised(form: Mapping[str, Any]) -> list[str]:
    """A card is raised before its good is touched, and Estoy de vuelta shows the discards first."""
    first = {"bid": form.get("card"), "vuelta": "vuelta"}.get(form["do"])
    return [str(first)] if first else []


FACTS = Facts(
    points=range(73),
    conserved=pieces,
    short={},
    quick={"max_turns": 2},
    options={
        "first": 1,
        "max_turns": 3,
        "deck": ["g7"] * 9 + ["a7"] * 2 + ["a2d5"] * 4,
        "crates": ["d4"] * 2 + ["g2"] * 15 + ["a3"] * 6,
    },
    recorded=range(2, 5),
    draws=(0, 2, 9, 22),
    uneven={
        "deck": ["g7"] * 9 + ["a7"] * 2 + ["a2d5"] * 4,
        "crates": ["d4"] * 2 + ["g2"] * 15 + ["a3"] * 6,
    },
    hidden_after=30,
    raised=raised,
)
