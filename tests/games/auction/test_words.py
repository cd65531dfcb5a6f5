"""The Auction in words."""

from auction_kit import auction, next_turn
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
