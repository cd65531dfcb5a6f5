"""The command line: what it prints, its exit codes, and one clear line for bad input."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from caramba import cli
from caramba.cli.options import default_language
from caramba.games import contract, names
from caramba.match.match import Match
from caramba.research.simulate import GameWriter
from kit import Run, random_match


def refused(answer: tuple[int, str, str]) -> str:
    code, out, err = answer
    assert (code, out) == (2, "")
    assert err.startswith("caramba: ")
    assert err.count("\n") == 1
    return err


def test_help_explains_everything(run: Run) -> None:
    code, out, _ = run("--help")
    assert code == 0
    for command in ("play", "simulate", "replay", "verify", "rules"):
        assert command in out


@pytest.mark.parametrize("command", cli.main.commands)
def test_every_command_has_help(run: Run, command: str) -> None:
    code, out, _ = run(command, "--help")
    assert code == 0
    assert "Usage: caramba" in out


def test_help_loads_neither_numba_nor_numpy() -> None:
    script = (
        "import sys; from caramba.cli import main; main(['--help'], standalone_mode=False);"
        "sys.exit(bool({'numba', 'numpy'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", script], capture_output=True).returncode == 0


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["fly"], "No such command 'fly'"),
        (["simulate", "poker"], "there is no game 'poker'; the games are auction"),
        (["rules", "poker"], "there is no game 'poker'; the games are auction"),
        (["simulate", "auction", "--players", "9"], "auction is for 2 to 4 players, not 9"),
        (["simulate", "auction", "--players", "two"], "'two' is not a valid integer"),
        (["simulate", "auction", "--games", "0"], "0 is not in the range 1<=x<=100000000"),
        (["simulate", "auction", "-o", "speed=9"], "auction has no option 'speed'; it has crates"),
        (["simulate", "auction", "-o", "max_turns"], "NAME=VALUE, not 'max_turns'"),
        (["simulate", "auction", "-o", "max_turns=x"], "a whole number from 1 to 10000, not 'x'"),
        (["simulate", "auction", "-o", "deck=g7,z1"], "'z1' is not written like 'g3a4'"),
        (["simulate", "race", "-o", "persuasion=maybe"], "true or false, not 'maybe'"),
        (["simulate", "race", "-o", "track=1,2"], "three whole numbers"),
        (["simulate", "race", "-o", "max_races=0"], "a whole number from 1 to 1000, not 0"),
        (["simulate", "auction", "--wings"], "No such option"),
        (["replay"], "Missing argument 'FILE'"),
        (["replay", "none.jsonl"], "cannot read none.jsonl: No such file or directory"),
        (["verify"], "Missing argument 'FILES...'"),
        (["rules", "auction", "--lang", "xx"], "'xx' is not one of"),
        (["play"], "name a game, or a file with --resume"),
        (["play", "auction", "--seat", "4"], "there is no seat 4; the seats are 0 to 3"),
        (["play", "auction", "--name", "\x1b[2J"], "printable characters"),
        (["play", "--resume", "none.jsonl"], "cannot read none.jsonl"),
        (["play", "--resume", "x", "--players", "3"], "has its players, names, seed and options"),
        (["play", "auction", "--save", "/dev/null"], "/dev/null is there already"),
        (["verify", "a\nb\x1b"], "cannot read a?b?: No such file"),
    ],
)
def test_bad_input_gets_one_line_and_exit_code_2(
    run: Run, arguments: list[str], reason: str
) -> None:
    assert reason in refused(run(*arguments))


# simulate


def test_simulate_reports_figures_as_json(run: Run) -> None:
    code, out, _ = run("simulate", "auction", "--players", 3, "--games", 20, "--seed", 5, "--json")
    figures = json.loads(out)
    assert code == 0
    assert (figures["game"], figures["players"], figures["games"]) == ("auction", 3, 20)
    assert figures["decisions"] > 1000
    assert figures["chance_steps"] > 500
    assert figures["seconds"] > 0
    assert len(figures["points"]) == 3
    assert sum(figures["wins"]) == pytest.approx(1, abs=0.01)
    assert sum(figures["ends"].values()) == 20


def test_simulate_is_repeatable_and_tells_people(run: Run) -> None:
    one, two = (run("simulate", "auction", "--games", 5, "--seed", 8)[1] for _ in range(2))
    same = [line for line in one.splitlines() if "playing took" not in line]
    assert same == [line for line in two.splitlines() if "playing took" not in line]
    for word in ("decisions", "chance steps", "mean points", "win share", "sack"):
        assert word in one


def test_simulate_chooses_a_seed_and_names_it(run: Run) -> None:
    figures = json.loads(run("simulate", "auction", "--games", 1, "--json")[1])
    again = run("simulate", "auction", "--games", 1, "--seed", figures["seed"], "--json")[1]
    assert json.loads(again)["points"] == figures["points"]


def test_simulate_saves_games_that_verify(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "games"
    options = ["--games", 3, "--seed", 5, "-o", "max_turns=2", "-o", "deck=g7,g7,a1d2"]
    code, out, _ = run("simulate", "auction", *options, "--save", folder)
    assert code == 0
    assert str(folder) in out
    files = sorted(folder.iterdir())
    assert [file.name for file in files] == [f"auction-00000{n}.jsonl" for n in (1, 2, 3)]
    assert run("verify", *files)[0] == 0
    assert Match.open(files[0]).options == {"max_turns": 2, "deck": ("g7", "g7", "a1d2")}


def test_simulate_does_not_overwrite_saved_games(run: Run, tmp_path: Path) -> None:
    arguments = ["simulate", "auction", "--games", 1, "--save", tmp_path]
    assert run(*arguments)[0] == 0
    assert "holds saved games already; choose another folder" in refused(run(*arguments))


def test_simulate_cannot_save_into_a_file(run: Run, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert "cannot save into" in refused(
        run("simulate", "auction", "--games", 1, "--save", tmp_path / "file")
    )


def test_simulate_that_is_stopped_says_how_far_it_came(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    really_write = GameWriter.write

    def interrupted(writer: GameWriter, number: int, log: list[tuple[int, int]]) -> None:
        if number == 3:
            raise KeyboardInterrupt
        really_write(writer, number, log)

    monkeypatch.setattr(GameWriter, "write", interrupted)
    code, out, err = run("simulate", "auction", "--games", 5, "--save", tmp_path)
    assert (code, out, err) == (130, "", "caramba: stopped after 2 of 5 games\n")
    assert len(list(tmp_path.iterdir())) == 2


def test_the_options_of_a_game_are_listed(run: Run) -> None:
    code, out, err = run("simulate", "cards", "-o", "help")
    assert (code, err) == (0, "")
    assert out.startswith("Options of cards")
    listed = [line.split()[0] for line in out.splitlines()[1:]]
    assert listed == [option.name for option in contract.load("cards").options]
    assert "deck" in listed
    assert "(default tarot)" in out


# replay, verify, rules


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "game.jsonl"
    random_match("auction", 2, seed=3).save(path)
    return path


def test_replay_tells_the_game_and_shows_the_table(run: Run, file: Path) -> None:
    code, out, _ = run("replay", file)
    assert code == 0
    assert "has the finest moustache and begins." in out.splitlines()[0]
    assert "The sack is empty and a good is missing: the game is over." in out


def test_replay_can_stop_at_a_step_and_take_a_seat(run: Run, file: Path) -> None:
    code, out, _ = run("replay", file, "--step", 12, "--seat", 1, "--lang", "en")
    assert code == 0
    assert "Pancho draws a card." in out
    assert "Emiliano draws a card." not in out
    assert "(you" in out
    assert "there is no step 9999" in refused(run("replay", file, "--step", 9999))
    assert "there is no seat 7" in refused(run("replay", file, "--seat", 7))
    assert "Emiliano draws a card." in run("replay", file, "--seat", -1, "--lang", "en")[1]


def test_replay_speaks_french(run: Run, file: Path) -> None:
    assert "la partie" in run("replay", file, "--lang", "fr")[1].lower()


def test_verify_says_yes_no_or_unreadable(run: Run, file: Path, tmp_path: Path) -> None:
    code, out, _ = run("verify", file)
    assert (code, "ok: finished game of auction" in out) == (0, True)
    lines = file.read_text().splitlines()
    wrong = tmp_path / "wrong.jsonl"
    wrong.write_text("\n".join([*lines[:-1], '{"result":{"points":[],"winners":[],"end":""}}']))
    code, out, _ = run("verify", file, wrong)
    assert code == 1
    assert f"{wrong}, line {len(lines)}: WRONG: the result is wrong" in out
    broken = tmp_path / "broken.jsonl"
    broken.write_bytes(b"\xff\n")
    code, out, err = run("verify", broken, file)
    assert (code, "ok" in out, "line 1: not" in err) == (2, True, True)


def test_verify_goes_on_after_a_game_it_does_not_know(run: Run, file: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.jsonl"
    other.write_text(file.read_text().replace('"auction"', '"poker"'))
    code, out, err = run("verify", other, file)
    assert (code, "ok" in out) == (2, True)
    assert "line 1: there is no game 'poker'" in err


def test_verify_answers_in_json(run: Run, file: Path) -> None:
    verdict = json.loads(run("verify", "--json", file)[1])
    assert verdict["good"] is True
    assert verdict["fair"] is False
    assert verdict["line"] is None
    assert verdict["taken_back"] == [0, 0]


@pytest.mark.parametrize("game", names())
@pytest.mark.parametrize("language", ["en", "fr"])
def test_rules_are_shown_in_both_languages(run: Run, game: str, language: str) -> None:
    code, out, _ = run("rules", game, "--lang", language)
    assert code == 0
    assert out.startswith("# Caramba")


def test_the_language_follows_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("LC_ALL", "LC_MESSAGES"):
        monkeypatch.delenv(variable, raising=False)
    for setting, language in {"fr_FR.UTF-8": "fr", "de_DE": "en", "C": "en", "": "en"}.items():
        monkeypatch.setenv("LANG", setting)
        assert default_language() == language


def test_replay_before_anything_was_dealt(run: Run, file: Path) -> None:
    assert "special card -" in run("replay", file, "--step", 0, "--lang", "en")[1]


def test_a_saved_game_can_be_piped_in(file: Path) -> None:
    command = f"cat {file} | {sys.executable} -m caramba verify /dev/stdin"
    done = subprocess.run(command, shell=True, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_full_disk_and_closed_streams_are_no_traceback(file: Path) -> None:
    command = f"{sys.executable} -m caramba"
    for redirected, code in ((f"replay {file} > /dev/full", 2), ("rules race >&-", 0)):
        done = subprocess.run(f"{command} {redirected}", shell=True, capture_output=True, text=True)
        assert done.returncode == code
        assert "Traceback" not in done.stderr


def test_a_closed_pipe_is_no_error(file: Path) -> None:
    command = f"{sys.executable} -m caramba replay {file} | head -1"
    done = subprocess.run(
        command, shell=True, capture_output=True, text=True, env={**os.environ, "LANG": "C"}
    )
    assert done.stderr == ""
    assert len(done.stdout.splitlines()) == 1


def test_compile_leaves_nothing_to_compile(run: Run) -> None:
    from caramba.games.contract import load
    from caramba.games.warm import is_warm

    assert run("compile")[0] == 0
    assert all(is_warm(load(name)) for name in names())
