"""The Race in words: the track as a picture, and choices with their prices."""

import pytest

from caramba.games.contract import SPECTATOR
from caramba.language import words
from caramba.match.match import Match
from kit import play
from race_kit import race, stay, turn


def choices(match: Match, language: str = "en") -> list[str]:
    assert match.actor is not None
    view = match.view(match.actor)
    return [match.game.say(view, action, words(language)) for action in view.legal]


def started(**options: object) -> Match:
    given = {"first": 0, "track": [2, 2, 2], **options}
    return Match("race", players=4, seed=1, options=given)


def test_choices_name_space_and_ground() -> None:
    match = play(started(), "first 0")
    assert choices(match)[0] == "put the sombrero on 1 (stone)"
    assert choices(match)[-1] == "put the sombrero on 6 (earth)"
    play(match, "place 6", "place 4", "place 2", "place 1")
    assert choices(match) == [
        "no ambush now",
        "lay an ambush on 3 (gravel)",
        "lay an ambush on 5 (earth)",
    ]


def test_choices_name_prices_and_offers() -> None:
    match = play(started(), "first 0", "place 6", "place 4", "place 2", "place 1")
    play(match, "no", "no", "no", "no")
    assert choices(match) == ["roll 1 die"]
    play(match, "dice 1")
    assert choices(match)[:2] == ["offer nothing", "offer 1 silver"]
    play(match, "offer 3", "no", "no")
    assert choices(match) == ["accept nothing", "accept 3 silver from B: one die more"]
    assert choices(match, "fr")[0] == "ne rien accepter"
    play(match, "no", "die 0", "no")
    assert choices(match) == ["roll 1 die for 1 silver", "roll 2 dice"]


def test_the_track_is_a_picture() -> None:
    match = play(started(persuasion=False), "first 0", "place 6", "place 4", "place 2", "place 1")
    play(match, "ambush 3", "no", "no", "no")
    shown = match.game.describe(match.view(0), match.names, words("en"))
    assert [line.split() for line in shown.splitlines()[1:7]] == [
        ["stone", "1", "2"],
        ["D", "C"],
        ["gravel", "3", "4"],
        ["xA", "B"],
        ["earth", "5", "6"],
        [".", "A"],
    ]
    assert "Mina de Plata: -" in shown
    assert "> A Pancho (you): 30 silver | A on 6: 1 die | 0 ambushes in hand" in shown


def test_a_long_track_goes_over_several_lines() -> None:
    match = Match("race", players=4, options={"track": [40, 0, 0]})
    shown = match.game.describe(match.view(0), match.names, words("en"))
    assert shown.count("stone") == 3


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "Ana rolls 1 die and pays 3 silver for 2 dice fewer."),
        ("fr", "Ana lance 1 dé et paie 3 pièces d’argent pour 2 dés de moins."),
    ],
)
def test_who_pays_for_rolling_fewer_dice_pays_no_other_player(language: str, sentence: str) -> None:
    match = turn(stay(race(3, "1 2 3 4 5 6"), 2), dice=1)
    *_, event = (event for _, event in match.events(SPECTATOR) if event.kind == "dice")
    assert match.game.tell(event, ("Zoe", "Ana", "Hugo"), words(language)) == sentence
