"""Names at a table: what can be seen and told apart is allowed, in any script."""

import re
import sys
import unicodedata

import pytest

from caramba.games.errors import InvalidFile
from caramba.language import languages, words
from caramba.match.match import DEFAULT_NAMES
from caramba.match.saved import MAX_NAME, check_names
from caramba.server.tables.names import PROTOTYPES, can_be_seen, check_name
from caramba.server.tables.refusal import Refusal

ALLOWED = [
    *("Ana", "José", "Zoë", "Nguyễn", "O'Neil", "O’Neil", "Zoé 2", "Jean-Luc", "J. R.", "x", "…?"),
    *(
        "李雷",
        "さくら",
        "김민준",
        "محمد",
        "مُحَمَّد",
        "דָּוִד",
        "Владимир",
        "Ελένη",
        "अनीता",
        "क्षितिज",
        "สมชาย",
        "བསྒྲུབས",
    ),
    *("🐴", "Ana 🎲", "l33t_Hugo", "x" * MAX_NAME),
]
ORDINARY = """
Luc Lucie Léa Chloé Camille Émile Émilie Manon Clément Gaëlle Noé
Ana Juan Iván María Mario Marta Dolores Diego Inés Íñigo Nuria
Lina Lena Jan Jana Tim Tom Wilma Vilma Jürgen Käthe Uli Mia
Ian Will William Bill Billy Adam Clara Daniel Danielle Emma Mark Milly
"""


def refused(name: str, *others: str) -> str:
    with pytest.raises(Refusal) as info:
        check_name(name, others)
    assert info.value.code == "invalid"
    return str(info.value)


@pytest.mark.parametrize("name", ALLOWED)
def test_names_of_all_kinds_are_allowed(name: str) -> None:
    assert check_name(name, DEFAULT_NAMES[1:4]) == name
    assert check_names([name], 1) == (name,)


def test_names_of_all_kinds_can_sit_at_one_table() -> None:
    for name in ALLOWED:
        check_name(name, [other for other in ALLOWED if other not in (name, "O'Neil", "O’Neil")])


def test_spaces_are_collapsed_and_accents_are_composed() -> None:
    assert check_name("  Ana \t\u00a0\u3000 Maria\n", ()) == "Ana Maria"
    assert check_name("Zoe\u0308", ()) == "Zoë"


@pytest.mark.parametrize("name", ["", " ", "\u3000\t"])
def test_a_name_is_something(name: str) -> None:
    assert refused(name) == "a name cannot be empty"


def test_a_name_is_not_long() -> None:
    assert refused("x" * (MAX_NAME + 1)) == "a name has at most 40 characters"


@pytest.mark.parametrize(
    "sign",
    [
        *("\u200b", "\u200c", "\u200d", "\ufeff", "\u2060", "\u00ad"),  # of no width
        *("\u202e", "\u202a", "\u2066", "\u2069", "\u200e", "\u200f", "\u061c"),  # directions
        *("\u0000", "\u001b", "\u007f", "\u0086", "\ud800", "\ue000", "\u0378"),
        *("\u115f", "\u1160", "\u3164", "\uffa0", "\u2800", "\u034f", "\u17b4", "\ufffc"),  # blank
        *("\ufe0f", "\ufe00", "\u180b", "\u180f", "\U000e0100", "\U000e0041", "\U000e0001"),
        *("\U0001d159", "\U00016fe4", "\U0001d173"),
        *("\u0345", "\u2d7f", "\U0001107f", "\U00011a47"),  # joiners
    ],
)
def test_nothing_is_hidden_in_a_name(sign: str) -> None:
    for name in (sign, f"A{sign}na", f"Ana{sign}"):
        assert refused(name) == "a name cannot have signs that are not seen or that turn it around"


def test_no_sign_without_a_picture_can_be_seen() -> None:
    for sign in map(chr, range(sys.maxunicode + 1)):
        without = unicodedata.category(sign) in ("Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp")
        name = unicodedata.name(sign, "")
        if without or re.search("HANGUL.* FILLER|VARIATION SELECTOR|JOINER$", name):
            assert not can_be_seen(sign), name


@pytest.mark.parametrize("name", ["A" + "\u0335" * 9, "Ana\u0301\u0302\u0303\u0304\u0305"])
def test_no_heaps_of_accents(name: str) -> None:
    assert refused(name) == "a name cannot have so many accents on one letter"


@pytest.mark.parametrize(
    "name", ["\u0301", "\u0301Ana", "Ana \u20dd", "Ana\u1039", "Ana\u05c5", "An\u0301\u17d2a"]
)
def test_no_accent_without_a_letter_that_can_have_it(name: str) -> None:
    assert refused(name) == "a name cannot have an accent without a letter"


@pytest.mark.parametrize(
    ("name", "other"),
    [
        *(("Ana", "Ana"), ("ana", "ANA"), (" Ana ", "Ana"), ("Zoe\u0308", "Zoë")),
        *(("Ａｎａ", "Ana"), ("𝓐𝓷𝓪", "Ana"), ("STRASSE", "Straße"), ("...", "…"), ("ﬁ", "FI")),
    ],
)
def test_no_two_have_one_name(name: str, other: str) -> None:
    assert refused(name, "Luc", other) == "somebody at this table has that name already"


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("Аna", "Ana"),  # Cyrillic
        ("аnа", "Ana"),
        ("Ηugo", "Hugo"),  # Greek
        ("Pau1", "Paul"),
        ("PauI", "Paul"),
        ("lan", "Ian"),
        ("0lga", "Olga"),
        ("Torn", "Tom"),
        ("Zоё", "Zoë"),
        ("Ɩuc", "luc"),
        ("O’Neil", "O'Neil"),
        ("ꓐob", "bob"),
        ("Lսc", "Luc"),  # Armenian
        ("Dοlores", "Dolores"),
        ("Mᴀria", "Maria"),  # small capitals
        ("ᴡɪʟᴍᴀ", "wilma"),
        ("Mar1a", "Maria"),
        ("Mar|a", "Maria"),
        ("Mar!a", "Maria"),
        ("Marla", "Maria"),
        ("Mari\u0307a", "Maria"),
        ("vvilma", "Wilma"),
        ("VVilma", "wilma"),
        ("aclam", "adam"),
        ("κate", "Kate"),
        ("кate", "Kate"),
        ("βen", "Ben"),
        ("εva", "Eva"),
        ("ηina", "Nina"),
        ("τοm", "Tom"),
        ("ωilma", "Wilma"),
        ("тoм", "Tom"),
        ("Ηugo W", "Hugo vv"),
        ("0lga κ", "Olga K"),
    ],
)
def test_no_two_look_alike(name: str, other: str) -> None:
    reason = f"that name looks like {other}, who is at this table"
    assert refused(name, "Hugo's friend", other) == reason
    assert refused(other, name) == f"that name looks like {name}, who is at this table"


@pytest.mark.parametrize(
    ("name", "other"),
    [
        *(("Ana", "Anna"), ("Zoe", "Zoë"), ("Luc", "Lucie"), ("José", "Jose"), ("Ian", "Jan")),
        *(("Lia", "Lea"), ("Tim", "Tom"), ("Vera", "Wera"), ("Guest 1", "Guest 11")),
    ],
)
def test_names_that_can_be_told_apart_can_both_be_there(name: str, other: str) -> None:
    assert check_name(name, [other]) == name


def test_ordinary_names_can_sit_at_one_table() -> None:
    names = ORDINARY.split()
    assert len(names) >= 40
    for name in names:
        assert check_name(name, [other for other in names if other != name]) == name


def test_the_table_of_look_alikes_points_one_way() -> None:
    assert len(PROTOTYPES) > 6000
    assert PROTOTYPES[ord("m")] == "rn"
    assert not {ord(sign) for other in PROTOTYPES.values() for sign in other} & set(PROTOTYPES)


def test_reasons_are_given_in_every_language() -> None:
    for name in ("", "x" * 99, "\u200b", "A" + "\u0335" * 9, "\u0301", "Ana", "Аna"):
        with pytest.raises(Refusal) as info:
            check_name(name, ["Ana"])
        texts = {info.value.text(words(language)) for language in languages()}
        assert len(texts) == len(languages())


def test_names_in_a_file_can_be_alike_but_not_hide_anything() -> None:
    assert check_names(["Ana", "Ana", "Аna"], 3)
    for sign in (
        "\u200b",
        "\u202e",
        "\u2066",
        "\u200d",
        "\ud800",
        "\ue000",
        "\u2028",
        "\U000e0041",
    ):
        with pytest.raises(InvalidFile, match="printable"):
            check_names([f"A{sign}na"], 1)
