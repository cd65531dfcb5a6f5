"""Playing in a plain terminal."""

import io
import re
import shlex
import signal
import sys
from pathlib import Path

import pexpect
import pytest

from caramba.bots.knowledge import Knowledge
from caramba.bots.levels import make_bot
from caramba.games import names
from caramba.games.errors import InvalidFile, InvalidSetup
from caramba.match import saved
from caramba.match.match import Match
from caramba.match.verify import verify
from caramba.terminal import start
from caramba.terminal.plain import PlainTable, in_ascii
from kit import Run, random_match

ROOT = Path(__file__).parent.parent
PROMPT = r"\]\r\n> "
"""The end of the choices and the prompt in a terminal; a line of the table may begin alike."""


class Person:
    """Types prepared lines, then leaves or goes on; remembers what was shown."""

    def __init__(self, *lines: str, goes_on: bool = False) -> None:
        self.lines, self.goes_on = list(lines), goes_on
        self.shown: list[str] = []
        self.match: Match | None = None

    def read(self, prompt: str) -> str:
        if self.lines:
            return self.lines.pop(0)
        if not self.goes_on or self.match is None:
            raise EOFError
        return self.match.legal()[0]

    @property
    def text(self) -> str:
        return "\n".join(self.shown)


def sit(person: Person, file: Path, language: str = "en", match: Match | None = None) -> PlainTable:
    match = match or Match("auction", players=3, seed=3, options={"max_turns": 3})
    person.match = match
    bots = {seat: make_bot("easy", seat) for seat in range(1, match.players)}
    return PlainTable(match, 0, language, file, bots, "", person.read, person.shown.append)


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("game", names())
def test_a_whole_game_can_be_played(tmp_path: Path, game: str, language: str) -> None:
    person, file = Person(goes_on=True), tmp_path / "game.jsonl"
    match = Match(game, players=3, seed=3)
    sit(person, file, language, match).run()
    assert match.result
    assert str(file) in person.shown[-1]
    assert verify(file).fair


def test_many_choices_are_shown_as_ranges(tmp_path: Path) -> None:
    person = Person("30", "40")
    table = sit(person, tmp_path / "game.jsonl", match=Match("race", players=4, seed=3))
    table.run()
    assert re.search(r"or type place and a number: [\d ]+-\d+", person.text)
    assert (0, "place 30") in table.match.steps


def test_a_hint_is_given_where_there_is_one(tmp_path: Path) -> None:
    person = Person("h")
    sit(person, tmp_path / "game.jsonl").run()
    assert "There are no hints in this game." in person.text
    person = Person("h", "place 7", "no", "h")
    race = Match("race", players=4, seed=3, options={"first": 0, "persuasion": False})
    sit(person, tmp_path / "game.jsonl", match=race).run()
    assert "Odds are given once the sombreros are on the track." in person.text
    assert "Exact odds for" in person.text


def test_a_step_can_be_typed_in_notation_or_by_number(tmp_path: Path) -> None:
    person = Person("bid g9 g", "99", "0", "pass")
    table = sit(person, tmp_path / "game.jsonl")
    table.run()
    assert "'bid g9 g' is not a step of this game" in person.text
    assert person.text.count("choose a number from 1 to") == 2


def test_a_refused_step_is_explained(tmp_path: Path) -> None:
    person = Person("stash g3")
    sit(person, tmp_path / "game.jsonl").run()
    assert "stash g3: that is not for this moment: Bids (A29)" in person.text


def test_help_table_choices_and_language(tmp_path: Path) -> None:
    person = Person("?", "t", "c", "", "l xx", "l fr", "t")
    sit(person, tmp_path / "game.jsonl").run()
    assert "Type the number of a choice" in person.text
    assert person.text.count("Centre: ") >= 2
    assert "choose a language: en, fr" in person.text
    assert person.shown[-1].startswith("Partie sauvegardée.")


def test_undo_goes_back_to_the_last_decision(tmp_path: Path) -> None:
    person = Person("u", "1", "u")
    table = sit(person, tmp_path / "game.jsonl")
    table.run()
    assert "there is nothing to undo" in person.text
    assert "Taken back." in person.text
    assert [who for who, _ in table.match.steps].count(0) == 0


def test_the_file_tells_of_every_undo_even_when_resumed(tmp_path: Path) -> None:
    file = tmp_path / "game.jsonl"
    sit(Person("1", "u", "q"), file).run()
    (first,) = Match.open(file).taken_back
    assert (first.seat, first.before > first.kept) == (0, True)
    sit(Person("1", "1", "u", "q"), file, match=Match.open(file)).run()
    assert len(Match.open(file).taken_back) == 2
    assert verify(file).taken_back == (2, 0, 0)


def test_a_copy_can_be_saved_and_a_bad_path_is_no_disaster(tmp_path: Path) -> None:
    copy = tmp_path / "copy.jsonl"
    person = Person(f"s {copy}", f"s {tmp_path}/none/x", "s")
    sit(person, tmp_path / "game.jsonl").run()
    assert Match.open(copy).players == 3
    assert "cannot write" in person.text


def test_nothing_is_overwritten_by_a_copy(tmp_path: Path) -> None:
    (tmp_path / "diary").write_text("dear diary")
    person = Person(f"s {tmp_path / 'diary'}", "9" * 5000, "quit")
    sit(person, tmp_path / "game.jsonl").run()
    assert "is there already; choose another name" in person.text
    assert (tmp_path / "diary").read_text() == "dear diary"
    assert person.text.count("? for help") == 3


def test_a_folder_that_disappears_does_not_end_the_game(tmp_path: Path) -> None:
    person = Person("1", f"s {tmp_path / 'copy'}")
    sit(person, tmp_path / "gone" / "game.jsonl").run()
    assert "Save it elsewhere with: s FILE" in person.text
    assert Match.open(tmp_path / "copy").steps


def test_leaving_saves_the_game_and_it_can_be_resumed(tmp_path: Path) -> None:
    file = tmp_path / "game.jsonl"
    person = Person("1", "1", "q")
    sit(person, file).run()
    assert person.shown[-1].endswith(f"caramba play --resume {file}")
    table = start.resume(Match.open(file), None, "en", file)
    assert table.seat == 0
    other = Person(goes_on=True)
    other.match, table.read, table.write_exactly = table.match, other.read, other.shown.append
    table.run()
    assert verify(file).fair
    assert table.match.result


def test_the_resumed_seat_is_the_one_no_bot_plays(tmp_path: Path) -> None:
    match = random_match("auction", 3, seed=1, steps=20)
    match.names = ("bot Ana", "Luc", "bot Zoe")
    assert start.resume(match, None, "en", tmp_path / "x").seat == 1
    assert start.resume(match, 2, "en", tmp_path / "x").seat == 2
    for seat in (5, -1, -2):
        with pytest.raises(InvalidSetup, match=f"there is no seat {seat}"):
            start.resume(match, seat, "en", tmp_path / "x")
    match.sealed = saved.Fair("00", [None] * 3)
    with pytest.raises(InvalidSetup, match="it can only be replayed"):
        start.resume(match, 1, "en", tmp_path / "x")


def test_a_new_game_is_kept_in_a_file_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    table = start.new(Match("auction", players=2).game, 2, 1, None, "5", {}, "en", None)
    assert table.autosave.parent == tmp_path / "caramba"
    assert table.match.names == ("bot Pancho", "Emiliano")
    other = start.new(table.match.game, 2, 1, None, "5", {}, "en", None)
    assert other.autosave != table.autosave
    with pytest.raises(InvalidFile, match="is there already"):
        start.new(table.match.game, 2, 1, None, "5", {}, "en", table.autosave)
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "file"))
    with pytest.raises(Exception, match="cannot keep games in"):
        start.new(table.match.game, 2, 1, None, "5", {}, "en", None)


def test_in_a_real_terminal(tmp_path: Path) -> None:
    """Typed at a terminal: help, an undo, a refusal, Ctrl-C; the game is kept."""
    file = tmp_path / "game.jsonl"
    arguments = ["-m", "caramba", "play", "auction", "--plain", "--lang", "en", "--seed", "3"]
    terminal = pexpect.spawn(
        sys.executable,
        [*arguments, "--save", str(file)],
        encoding="utf-8",
        timeout=120,
        # Whoever runs the tests in the background has them ignore Ctrl-C; a terminal does not.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    terminal.expect("for help")
    terminal.expect(PROMPT)
    terminal.sendline("?")
    terminal.expect("Type the number of a choice")
    terminal.sendline("manos")
    terminal.expect(r"\(A39\)")
    terminal.sendline("2")
    terminal.expect("Pancho bids")
    terminal.expect(PROMPT)
    terminal.sendline("u")
    terminal.expect("Taken back")
    terminal.expect(PROMPT)
    terminal.sendintr()
    terminal.expect("Go on with: .*caramba play --resume")
    terminal.expect(pexpect.EOF)
    terminal.close()
    assert terminal.exitstatus == 0
    assert Match.open(file).players == 4


@pytest.mark.parametrize("language", ["en", "fr"])
def test_plain_lines_are_ascii(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, language: str
) -> None:
    shown = {}
    for plain in ([], ["--plain"]):
        monkeypatch.setattr("sys.stdin", io.StringIO("?\nh\nq\n"))
        options = ["--seed", 3, "--players", 2, "--lang", language, "--name", "Zoë"]
        _, out, _ = run("play", "cards", *options, "--save", tmp_path / f"{plain}", *plain)
        shown[bool(plain)] = out
    assert not shown[False].isascii()
    assert shown[True].isascii()
    assert "?? ??" in shown[True], "hidden cards"
    assert "Zoe" in shown[True]
    suits = {"♠": "s", "♥": "h", "♦": "d", "♣": "c"}
    card, suit = re.findall(r"(\d+)([♠♥♦♣])", shown[False])[0]
    assert f"{card}{suits[suit]}" in shown[True]
    assert str(tmp_path) in shown[True].splitlines()[-1]


def test_the_file_of_a_plain_game_is_named_as_it_is(tmp_path: Path) -> None:
    person = Person("s " + str(tmp_path / "été.jsonl"), "q")
    table = sit(person, tmp_path / "Zoë.jsonl", "fr")
    table.letters = in_ascii
    table.run()
    assert person.shown[-1].endswith(shlex.quote(str(tmp_path / "Zoë.jsonl")))
    assert any(line.endswith(f"{tmp_path / 'été.jsonl'}.") for line in person.shown)


def test_every_letter_of_the_texts_has_a_plain_form() -> None:
    texts = (ROOT / "src/caramba/locale/fr.po").read_text()
    assert in_ascii(texts).count("?") == texts.count("?")
    assert in_ascii("« L’été… »\xa0: 5♠ × œil") == '" L\'ete... " : 5s x oeil'


def test_a_bot_that_fails_loses_nothing(tmp_path: Path) -> None:
    class Late:
        def choose(self, knowledge: Knowledge) -> int:
            raise ValueError("late")

    person, file = Person("1", "1", "1", "1"), tmp_path / "game.jsonl"
    match = Match("race", players=2, seed=3, options={"first": 0})
    lines = person.read, person.shown.append
    table = PlainTable(match, 0, "en", file, {1: Late()}, "late.py:Late", *lines)
    with pytest.raises(InvalidSetup, match="Late failed"):
        table.run()
    assert len(Match.open(file).steps) == 2
    assert person.shown[-1].endswith("game.jsonl --level late.py:Late")
