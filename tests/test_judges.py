"""Who judges the luck of an arena: the judge that came with the game, another, or nobody."""

import json
from pathlib import Path
from typing import Any

import pytest

from caramba.bots.arena import Arena
from caramba.bots.network import luck
from caramba.games.contract import load
from caramba.games.errors import InvalidFile, InvalidSetup
from judge_kit import Here, some_judge
from kit import Run

RACE = ("arena", "race", "-o", "max_races=1", "--seed", 3, "--games", 4, "--bots", "easy,random")


@pytest.fixture(autouse=True)
def in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("caramba.bots.workers.Processes", Here)


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A judge as if it had come with the game."""
    return comes_along(some_judge(tmp_path, load("race"), sure=0.5), monkeypatch)


def comes_along(file: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(luck, "own_judge", lambda game: file if file.exists() else None)
    return file


def figures(run: Run, *arguments: object) -> tuple[dict[str, Any], str]:
    code, out, err = run(*arguments, "--json")
    assert code == 0
    return json.loads(out), err


def is_judged(found: dict[str, Any]) -> bool:
    return all("adjusted" in one for one in found["standings"])


def test_the_judge_that_came_with_the_game_is_used_unless_told(run: Run, own: Path) -> None:
    found, err = figures(run, *RACE, "--players", 2)
    assert found["judge"] == "own"
    assert is_judged(found)
    assert "luck" not in err
    named, _ = figures(run, *RACE, "--players", 2, "--judge", own)
    assert named["judge"] == str(own)
    assert [one["adjusted"] for one in named["standings"]] == [
        one["adjusted"] for one in found["standings"]
    ]
    nobody, _ = figures(run, *RACE, "--players", 2, "--judge", "none")
    assert nobody["judge"] is None
    assert not is_judged(nobody)
    assert [one["share"] for one in nobody["standings"]] == [
        one["share"] for one in found["standings"]
    ]


def test_where_it_has_not_learned_to_judge_no_luck_is_taken_out(
    run: Run, own: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found, err = figures(run, *RACE, "--players", 3)
    assert not is_judged(found)
    assert "no luck is taken out" in err
    assert "has learned to judge 2 players, not 3" in err
    for named in (own, "own"):
        code, _, err = run(*RACE, "--players", 3, "--judge", named)
        assert code == 2
        assert "has learned to judge 2 players, not 3" in err
    (tmp_path / "old").mkdir()
    old = comes_along(some_judge(tmp_path / "old", load("race"), sees="else"), monkeypatch)
    found, err = figures(run, *RACE, "--players", 2)
    assert not is_judged(found)
    assert "no luck is taken out" in err
    assert "other features" in err
    assert run(*RACE, "--players", 2, "--judge", old)[0] == 2


def test_a_game_without_a_judge_has_none(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    comes_along(tmp_path / "nowhere", monkeypatch)
    found, err = figures(run, *RACE, "--players", 2)
    assert not is_judged(found)
    assert "luck" not in err
    code, _, err = run(*RACE, "--players", 2, "--judge", "own")
    assert code == 2
    assert "no judge of luck came with race" in err


def test_with_other_options_it_judges_all_the_same(run: Run, own: Path) -> None:
    found, _ = figures(run, *RACE, "--players", 2, "-o", "track=3,3,3")
    assert is_judged(found)


def test_an_arena_goes_on_with_the_judge_it_began_with(run: Run, own: Path, tmp_path: Path) -> None:
    judged, plain = tmp_path / "judged", tmp_path / "plain"
    assert run(*RACE, "--players", 2, "--save", judged)[0] == 0
    assert run(*RACE, "--players", 2, "--save", plain, "--judge", "none")[0] == 0
    for file in (judged, plain):
        lines = file.read_bytes().splitlines(keepends=True)
        file.write_bytes(b"".join(lines[:-2]))
        again, _ = figures(run, "arena", "--resume", file)
        assert again["played"] == 4
        assert is_judged(again) == (file == judged)
    seeded = json.loads(plain.read_bytes().splitlines()[0]) | {"seed": 4}
    plain.write_text(json.dumps(seeded) + "\n")
    code, _, err = run("arena", "--merge", judged, "--merge", plain)
    assert code == 2
    assert "something else" in err
    own.unlink()
    with pytest.raises(InvalidSetup, match="no judge of luck came with race"):
        Arena.resume(judged)
    assert is_judged(figures(run, "arena", "--merge", judged)[0])


def test_a_file_in_which_luck_is_missing_or_too_much_is_refused(
    run: Run, own: Path, tmp_path: Path
) -> None:
    file = tmp_path / "arena"
    assert run(*RACE, "--players", 2, "--save", file)[0] == 0
    head, first, *_ = file.read_bytes().splitlines()
    for judge, given in (("own", None), ("own", [0.5]), (None, [0.1, -0.1])):
        settings, game = json.loads(head) | {"judge": judge}, json.loads(first) | {"luck": given}
        file.write_text(f"{json.dumps(settings)}\n{json.dumps(game)}\n")
        with pytest.raises(InvalidFile, match="line 2: not a game of this arena"):
            Arena.read(file)


def test_the_report_tells_what_luck_is(run: Run, own: Path) -> None:
    code, out, _ = run(*RACE, "--players", 2)
    assert code == 0
    assert "luck taken out" in out
    assert "x fewer games" in out
    assert "It is nothing on average" in out
    assert "luck" not in run(*RACE, "--players", 2, "--judge", "none")[1]
