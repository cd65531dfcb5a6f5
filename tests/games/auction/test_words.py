"""The Auction in words."""

from auction_kit import auction, next_turn
from caramba.games.contract import Event
from caramba.language import words
from caramba.match.match import Match
from kit import play


def table(match: Match, seat: int, language: str = "en") -> str:
    return match.game.describe(match.view(seat), match.names, words(language))


def test_the_table_shows_what_is_known_and_how_much_is_not() -> None:
    match = auction(2, hands={1: "g2a5"})
    next_turn(play(match, "bid g7 g", "bid g2a5 g", "pass", "pass"))
    assert "gold 3 = crate g3" in table(match, 1)
    assert "hand 6 (g2a5 and 5 unseen) | special card unseen" in table(match, 0)
    assert "et 5 cachées" in table(match, 0, "fr")


def test_the_table_shows_what_fuera_protects() -> None:
    match = auction(2, specials=("fuera", "manos"))
    play(next_turn(play(match, "bid g7 g")), "fuera g")
    assert "gold 3 = crate g3 (protected by Fuera)" in table(match, 1)
    assert "(sous la protection de Fuera)" in table(match, 1, "fr")


def test_before_the_deal_nobody_has_played_a_special_card() -> None:
    assert "special card -" in table(Match("auction", players=2), 0)


LOOT = (
    Event("won", 1, {"good": "g", "total": 12, "crates": ["g3", "g4"], "discards": []}),
    Event("tie", None, {"good": "a", "total": 5, "crates": [], "seats": [0, 2]}),
    Event("won", 1, {"good": "d", "total": 4, "crates": [], "discards": []}),
)


def test_the_loot_of_a_turn_is_gathered_and_nothing_of_it_lost() -> None:
    match = Match("auction", players=3, names=["Ana", "Luc", "Zoë"])
    assert match.game.recount
    assert match.game.recount(LOOT, match.names, words("en")) == (
        "Luc wins the gold with 12 (g3 g4) and the dynamite with 4 (no crate)."
        " Ana and Zoë tie at 5: nobody wins the ammunition."
    )
    assert match.game.recount(LOOT, match.names, words("fr")).startswith(
        "Luc remporte l’or avec 12 (g3 g4) et la dynamite avec 4 (aucune caisse)."
    )


def test_who_wins_one_thing_wins_just_that() -> None:
    match = Match("auction", players=3, names=["Ana", "Luc", "Zoë"])
    assert match.game.recount
    told = match.game.recount(LOOT[:1], match.names, words("en"))
    assert told == "Luc wins the gold with 12 (g3 g4)."


def test_who_keeps_a_special_card_is_said_to_keep_that() -> None:
    match = Match("auction", players=2, names=["Ana", "Luc"])
    told = match.game.tell(Event("hold", 0, {}), match.names, words("en"))
    assert told == "Ana keeps the special card for later."
