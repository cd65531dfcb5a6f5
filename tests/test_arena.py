"""The arena: duplicate deals, rotated seats, files that can be gone on with, honest figures."""

import json
import re
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from caramba.bots import arena as arena_module
from caramba.bots import arena_report
from caramba.bots.arena import Arena, ArenaSettings, Played, Round, play_round
from caramba.bots.bot_game import LATE, BotGame
from caramba.bots.standings import figures, interval, tables
from caramba.bots.workers import Cluster, Processes
from caramba.games.compiled import IS_COMPILED
from caramba.games.contract import Result
from caramba.games.errors import InvalidFile, InvalidSetup
from caramba.match.verify import verify
from kit import Run

ROOT = Path(__file__).parent.parent


def settings(**changes: object) -> ArenaSettings:
    chosen: dict[str, object] = {
        "game": "race",
        "rules": 1,
        "players": 2,
        "options": {"max_races": 1},
        "bots": ["easy", "random"],
        "games": 4,
        "seed": 5,
    }
    return ArenaSettings(**{**chosen, **changes})  # type: ignore[arg-type]


class Here:
    """Plays in this process."""

    def play_all(self, chosen, rounds):  # type: ignore[no-untyped-def]
        return (play_round(chosen, which) for which in rounds)


def quiet(done: int, total: int) -> None:
    pass


def without_times(games: list[Played]) -> list[tuple[object, ...]]:
    return sorted((g.deal, g.seating, tuple(g.points), tuple(g.winners), g.end) for g in games)


# Who meets whom


def test_as_many_bots_as_seats_play_together_and_rotate() -> None:
    chosen = settings(players=3, bots=["easy", "medium", "random"])
    assert chosen.seatings() == [
        ("easy", "medium", "random"),
        ("medium", "random", "easy"),
        ("random", "easy", "medium"),
    ]
    assert [settings(players=3, bots=["easy"], games=n).deals() for n in (1, 3, 4)] == [1, 1, 2]


def test_more_bots_than_seats_meet_in_every_choice() -> None:
    chosen = settings(bots=["easy", "medium", "random"])
    assert chosen.lineups() == [("easy", "medium"), ("easy", "random"), ("medium", "random")]
    assert len(chosen.rounds()) == 6


def test_fewer_bots_than_seats_are_filled_up_with_the_last() -> None:
    assert settings(players=4).lineups() == [("easy", "random", "random", "random")]


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"game": "chess"}, "there is no game 'chess'"),
        ({"players": 9}, "race is for 2 to 6 players, not 9"),
        ({"options": {"wings": 2}}, "race has no option 'wings'"),
        ({"bots": []}, "name 1 to 20 bots"),
        ({"limit": 0}, "a decision has more than 0 and at most 86400 seconds"),
        ({"limit": float("nan")}, "a decision has more than 0 and at most 86400 seconds"),
        ({"bots": ["clever"]}, "there is no level 'clever'"),
        ({"bots": ["easy", "random", "easy"]}, "'easy' is named twice"),
    ],
)
def test_what_cannot_be_played_is_refused(changes: dict[str, object], reason: str) -> None:
    with pytest.raises(InvalidSetup, match=reason):
        arena_module.check(settings(**changes))


# Games and files


def test_a_game_depends_on_its_round_alone() -> None:
    rounds = Round(0, 1), Round(0, 1), Round(1, 1)
    first, again, other = (without_times([play_round(settings(), which)]) for which in rounds)
    assert first == again != other


def test_all_seatings_of_a_deal_have_the_same_chance_stream(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    streams = []
    really_play = BotGame.to_the_end

    def watched(table: BotGame, chance: np.ndarray) -> Result:
        streams.append(int(chance[0]))
        return really_play(table, chance)

    monkeypatch.setattr(BotGame, "to_the_end", watched)
    for which in settings(games=4).rounds():
        play_round(settings(), which)
    assert streams[0] == streams[1] != streams[2] == streams[3]


def test_an_arena_that_was_stopped_goes_on_and_loses_nothing(tmp_path: Path) -> None:
    whole = Arena.new(settings(games=8), tmp_path / "whole")
    whole.run(Here(), quiet)
    assert len(whole.games) == 8
    assert not whole.left()

    lines = whole.file.read_bytes().splitlines(keepends=True)
    (tmp_path / "cut").write_bytes(b"".join(lines[:4]) + lines[4][:10])
    cut = Arena.resume(tmp_path / "cut")
    assert (len(cut.games), len(cut.left())) == (3, 5)
    cut.run(Here(), quiet)
    assert without_times(cut.games) == without_times(whole.games)
    assert without_times(Arena.resume(tmp_path / "cut").games) == without_times(whole.games)


def test_an_arena_goes_on_in_another_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = (
        "from caramba.bots.levels import make_bot\ndef own(seed): return make_bot('easy', seed)"
    )
    (tmp_path / "bots.py").write_text(program)
    monkeypatch.chdir(tmp_path)
    begun = Arena.new(settings(bots=["bots.py:own", "random"], games=2), tmp_path / "arena")
    with pytest.raises(InvalidSetup, match="named twice"):
        Arena.new(settings(bots=["bots.py:own", "./bots.py:own"]), tmp_path / "other")
    monkeypatch.chdir("/")
    resumed = Arena.resume(begun.file, [f"{tmp_path}/bots.py:own"])
    resumed.run(Here(), quiet)
    assert f"{tmp_path}/bots.py:own" in resumed.settings.bots
    assert re.search(r"^bots\.py:own ", arena_report.text(figures(resumed)), re.MULTILINE)


@pytest.fixture
def foreign(tmp_path: Path) -> Path:
    """Somebody's arena, whose bot leaves a trace wherever it is loaded."""
    (tmp_path / "zoe.py").write_text(
        "from pathlib import Path\n"
        "from caramba.bots.levels import make_bot\n"
        "Path(__file__).with_name('trace').touch()\n"
        "def own(seed): return make_bot('easy', seed)\n"
    )
    begun = Arena.new(settings(bots=[f"{tmp_path}/zoe.py:own", "random"]), tmp_path / "arena")
    (tmp_path / "trace").unlink()
    sys.modules.pop(f"{tmp_path}/zoe.py")
    return begun.file


@pytest.mark.parametrize("given", [[], ["--bots", "random"], ["--bots", "random,easy"]])
def test_somebody_elses_arena_runs_no_code(run: Run, foreign: Path, given: list[str]) -> None:
    code, out, err = run("arena", "--resume", foreign, *given)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert f"caramba arena --resume {foreign} --bots {foreign.parent}/zoe.py:own\n" in err
    assert not foreign.with_name("trace").exists()


def test_bots_that_are_not_in_an_arena_do_not_enter_it(run: Run, foreign: Path) -> None:
    names = f"{foreign.parent}/zoe.py:own,easy"
    code, _, err = run("arena", "--resume", foreign, "--bots", names)
    assert (code, err.count("\n")) == (2, 1)
    assert not foreign.with_name("trace").exists()


def test_the_line_that_tells_how_to_go_on_names_the_bots(
    run: Run, foreign: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Arena, "run", lambda *_: None)
    code, _, err = run("arena", "--resume", foreign, "--bots", f"{foreign.parent}/zoe.py:own")
    assert code == 130
    assert f"arena --resume {foreign} --bots {foreign.parent}/zoe.py:own\n" in err


def test_bots_are_shown_with_their_folders_where_files_are_called_the_same() -> None:
    names = ["/new/bot.py:Bot", "/old/bot.py:Bot", "easy"]
    assert list(arena_report.shown_names(names).values()) == names
    assert list(arena_report.shown_names(names[1:]).values()) == ["bot.py:Bot", "easy"]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "line 1: not a line of an arena"),
        (b"{}\n", "line 1: not a line of an arena"),
        (msgspec.json.encode(settings(rules=9)) + b"\n", "line 1: of another version"),
        (msgspec.json.encode(settings()) + b"\n{}\n", "line 2: not a line of an arena"),
        (b"\xff\n", "line 1: not a line of an arena"),
    ],
)
def test_a_file_that_is_no_arena_is_refused(tmp_path: Path, content: bytes, reason: str) -> None:
    (tmp_path / "file").write_bytes(content)
    with pytest.raises(InvalidFile, match=reason):
        Arena.resume(tmp_path / "file")


@pytest.mark.parametrize(
    "change",
    [
        {"winners": []},
        {"winners": [7]},
        {"seating": 9},
        {"deal": -3},
        {"points": [1, 2, 3]},
        {"end": "boredom"},
        {"end": LATE, "winners": [0, 1]},
        {"deal": 1},  # which is there already
    ],
)
def test_a_game_that_cannot_be_is_refused(tmp_path: Path, change: dict[str, object]) -> None:
    contest = Arena.new(settings(), tmp_path / "arena")
    contest.run(Here(), quiet)
    lines = contest.file.read_bytes().splitlines()
    lines[1] = json.dumps({**json.loads(lines[1]), **change}).encode()
    contest.file.write_bytes(b"\n".join(lines) + b"\n")
    with pytest.raises(InvalidFile, match=r"line \d: not a game of this arena"):
        Arena.resume(contest.file)


def test_files_that_cannot_be_used_are_said(tmp_path: Path) -> None:
    Arena.new(settings(), tmp_path / "there")
    with pytest.raises(InvalidFile, match="is there already; go on with --resume"):
        Arena.new(settings(), tmp_path / "there")
    with pytest.raises(InvalidFile, match=r"cannot write .*: No such file"):
        Arena.new(settings(), tmp_path / "no" / "folder")
    with pytest.raises(InvalidFile, match=r"cannot read .*: No such file"):
        Arena.resume(tmp_path / "nothing")


@pytest.mark.skipif(not IS_COMPILED, reason="processes and clusters start slowly enough")
def test_processes_play_the_same_games(tmp_path: Path) -> None:
    here, there = (Arena.new(settings(games=6), tmp_path / name) for name in ("here", "there"))
    here.run(Here(), quiet)
    there.run(Processes(2), quiet)
    assert without_times(here.games) == without_times(there.games)


@pytest.mark.skipif(not IS_COMPILED, reason="processes and clusters start slowly enough")
@pytest.mark.filterwarnings("ignore")
def test_a_ray_cluster_plays_the_same_games(tmp_path: Path) -> None:
    from ray.cluster_utils import Cluster as LocalRay

    node = {"num_cpus": 2, "include_dashboard": False}
    ray: Any = LocalRay(initialize_head=True, head_node_args=node)
    try:
        here, there = (Arena.new(settings(games=6), tmp_path / name) for name in ("here", "there"))
        here.run(Here(), quiet)
        there.run(Cluster(ray.address), quiet)
    finally:
        ray.shutdown()
    assert without_times(here.games) == without_times(there.games)


# Bots that do not answer

STUBBORN = """
import itertools, time
from caramba.bots.levels import make_bot

class Sleepy:
    def __init__(self, seed): pass
    def choose(self, knowledge): time.sleep(1000)

class Busy(Sleepy):
    def choose(self, knowledge):
        while True:
            try: knowledge.legal
            except Exception: pass

class Deaf(Sleepy):
    def choose(self, knowledge): return sum(itertools.repeat(0))

class Late(Sleepy):
    def choose(self, knowledge):
        try: time.sleep(1000)
        except BaseException: return knowledge.legal[0]

class Unborn(Sleepy):
    def __init__(self, seed): time.sleep(1000)
"""


@pytest.fixture
def stubborn(tmp_path: Path) -> Path:
    (tmp_path / "hugo.py").write_text(STUBBORN)
    return tmp_path / "hugo.py"


@pytest.mark.timeout(20)
@pytest.mark.parametrize("who", ["Sleepy", "Busy", "Late"])
def test_a_bot_that_does_not_answer_forfeits_its_game(
    stubborn: Path, tmp_path: Path, who: str
) -> None:
    bots = [f"{stubborn}:{who}", "random"]
    contest = Arena.new(settings(bots=bots, games=2, limit=0.1), tmp_path / "arena")
    contest.run(Here(), quiet)
    assert [(game.end, game.winners) for game in contest.games] == [(LATE, [1]), (LATE, [0])]
    assert max(contest.games[0].milliseconds[0]) >= 100
    found = figures(Arena.resume(contest.file, bots[:1]))
    by_name = {one["name"]: (one["late"], one["share"][0]) for one in found["standings"]}
    assert by_name == {bots[0]: (2, 0), "random": (0, 1)}
    assert found["limit"] == 0.1
    text = arena_report.text(found)
    assert "at most 0.1 s a decision" in text
    assert re.search(rf"^hugo.py:{who} .* 2$", text, re.MULTILINE)


@pytest.mark.timeout(20)
def test_a_bot_that_is_never_made_is_named(stubborn: Path) -> None:
    chosen = settings(bots=[f"{stubborn}:Unborn", "random"], limit=0.1)
    with pytest.raises(InvalidSetup, match=r"hugo\.py:Unborn' made no bot within 0\.1 s"):
        play_round(chosen, Round(0, 0))


@pytest.mark.timeout(20)
def test_outside_of_the_main_thread_a_late_answer_does_not_count(tmp_path: Path) -> None:
    (tmp_path / "luc.py").write_text(
        STUBBORN + "class Slow(Sleepy):\n"
        "    def choose(self, knowledge): time.sleep(0.2); return knowledge.legal[0]\n"
    )
    chosen = settings(bots=[f"{tmp_path}/luc.py:Slow", "random"], limit=0.1)
    with ThreadPoolExecutor(1) as thread:
        assert thread.submit(play_round, chosen, Round(0, 0)).result().end == LATE


def test_a_limit_leaves_other_alarms_as_they_were(stubborn: Path) -> None:
    before = signal.getsignal(signal.SIGALRM), signal.getitimer(signal.ITIMER_REAL)[1]
    play_round(settings(bots=[f"{stubborn}:Sleepy", "random"], limit=0.1), Round(0, 0))
    assert (signal.getsignal(signal.SIGALRM), signal.getitimer(signal.ITIMER_REAL)[1]) == before


@pytest.mark.skipif(not IS_COMPILED, reason="processes and clusters start slowly enough")
@pytest.mark.timeout(120)
def test_a_bot_that_cannot_be_interrupted_ends_its_process(stubborn: Path, tmp_path: Path) -> None:
    bots = ["--bots", f"{stubborn}:Deaf,random", "--limit", 0.1, "--processes", 1]
    arguments = small(*bots, "--games", 2, "--save", tmp_path / "arena")
    command = [sys.executable, "-m", "caramba", "arena", *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (2, "")
    assert "more than 0.1 s and cannot be interrupted" in done.stderr.splitlines()[-1]
    assert re.search(r"hugo\.py.* in choose", done.stderr)


def test_arenas_from_before_there_was_a_limit_can_be_read(tmp_path: Path) -> None:
    old = json.loads(msgspec.json.encode(settings()))
    del old["limit"]
    (tmp_path / "arena").write_text(json.dumps(old) + "\n")
    assert Arena.resume(tmp_path / "arena").settings == settings()


# Figures


def played(deal: int, seating: int, winners: list[int], ms: float = 1.0) -> Played:
    return Played(deal, seating, [3, 1], winners, "races", [[ms], [2.0]])


def test_figures_are_what_they_should_be() -> None:
    games = [
        played(0, 0, [0]),  # easy, random
        played(0, 1, [1]),  # random, easy
        played(1, 0, [0, 1]),
        played(1, 1, [0]),
    ]
    contest = Arena(settings(), Path("x"), games)
    found = figures(contest)
    easy = next(one for one in found["standings"] if one["name"] == "easy")
    assert easy["share"][0] == pytest.approx((1 + 1 + 0.5 + 0) / 4)
    assert easy["points"][0] == 2
    assert easy["median_ms"] == 1.5
    assert found["played"] == 4
    (table,) = tables(contest)
    assert table["share"]["random"][0] == pytest.approx(0.375)


def test_an_interval_counts_a_deal_once() -> None:
    mean, low, high = interval({0: [1, 1, 1, 1], 1: [0, 0, 0, 0], 2: [1, 0], 3: [0.5]})
    assert mean == 0.5
    assert low is not None
    assert high is not None
    # Means of deals 1, 0, 0.5, 0.5: standard deviation 0.4082, error 0.2041.
    assert low == pytest.approx(0.0999, abs=1e-3)
    assert high == pytest.approx(0.9001, abs=1e-3)
    assert interval({0: [1.0]}) == (1.0, None, None)


def test_the_better_bot_is_rated_higher() -> None:
    games = [played(deal, seating, [seating]) for deal in range(10) for seating in (0, 1)]
    best, worst = figures(Arena(settings(games=20), Path("x"), games))["standings"]
    assert (best["name"], worst["name"]) == ("easy", "random")
    assert best["rating"] > 25 > worst["rating"]


def test_the_report_and_the_picture(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    contest = Arena.new(settings(bots=["easy", "medium", "random"], games=12), tmp_path / "a")
    contest.run(Here(), quiet)
    found = figures(contest)
    text = arena_report.text(found)
    assert re.search(r"medium +\d+\.\d%", text)
    assert "easy - random: easy " in text
    assert arena_report.draw(found, tmp_path / "a.png")
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")
    with pytest.raises(InvalidFile, match="a picture is a file"):
        arena_report.check_picture(tmp_path / "a.doc")
    with pytest.raises(InvalidFile, match="there is no folder"):
        arena_report.check_picture(tmp_path / "no" / "a.png")


# The command line


def small(*more: object) -> list[object]:
    return ["race", "-o", "max_races=1", "--players", 2, "--seed", 5, *more]


@pytest.mark.skipif(not IS_COMPILED, reason="processes and clusters start slowly enough")
def test_an_arena_on_the_command_line(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "arena.jsonl"
    more = ["--bots", "easy,random", "--games", 4, "--processes", 1, "--save", file, "--json"]
    code, out, _ = run("arena", *small(*more, "--plot", tmp_path / "a.png"))
    assert code == 0
    assert json.loads(out)["played"] == 4
    assert (tmp_path / "a.png").exists()
    code, again, _ = run("arena", "--resume", file)
    assert code == 0
    assert "easy" in again


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ([], "name a game and --bots"),
        (["race"], "name a game and --bots"),
        (["race", "--bots", "clever"], "there is no level 'clever'"),
        (["race", "--bots", "easy", "--resume", "x"], "has its settings already"),
        (["--resume", "x", "--games", 8], "has its settings already"),
        (["race", "--bots", "easy", "--save", "/"], "cannot write /: Is a directory"),
        (["race", "--bots", "easy,easy"], "'easy' is named twice"),
        (["race", "--bots", "easy", "--ray", ""], "name the address of a cluster, or local"),
        (["--resume", "/no/such/file"], "cannot read /no/such/file"),
        (["race", "--bots", "easy", "--plot", "a.doc", "--save", "/dev/null"], "a picture is"),
    ],
)
def test_bad_input_gets_one_line(run: Run, arguments: list[object], reason: str) -> None:
    code, out, err = run("arena", *arguments)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert reason in err


def test_an_arena_that_cannot_be_played_leaves_no_file(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert run("arena", "race", "--bots", "nosuch.py:x", "--games", 2)[0] == 2
    assert not list(tmp_path.rglob("*.jsonl"))


def test_simulations_with_bots(run: Run, tmp_path: Path) -> None:
    more = ["--games", 3, "--bots", "medium,random", "--save", tmp_path / "games", "--json"]
    code, out, _ = run("simulate", *small(*more))
    assert code == 0
    found = json.loads(out)
    assert sum(found["wins"]) == pytest.approx(1)
    assert found["decisions"] > 0
    files = sorted((tmp_path / "games").iterdir())
    assert len(files) == 3
    assert all(verify(file).good for file in files)
    assert json.loads(run("simulate", *small(*more[:4], "--json"))[1])["wins"] == found["wins"]


def test_levels_are_described_in_both_languages(run: Run) -> None:
    assert "medium" in run("play", "race", "--level", "help", "--lang", "en")[1]
    assert "facile" in run("play", "race", "--level", "help", "--lang", "fr")[1]
    assert "crates of your own" in run("play", "race", "--level", "help", "--lang", "en")[1]
    code, _, err = run("play", "race", "--level", "clever")
    assert code == 2
    assert "there is no level 'clever'" in err


def test_the_bot_of_the_guide_plays(run: Run, tmp_path: Path) -> None:
    """The code in docs/bots.md, saved and entered as the guide says."""
    (program,) = re.findall(r"```python\n(.*?)```", (ROOT / "docs/bots.md").read_text(), re.DOTALL)
    assert len([line for line in program.splitlines() if line.strip()]) <= 24
    (tmp_path / "thrifty.py").write_text(program)
    name = f"{tmp_path / 'thrifty.py'}:Thrifty"
    more = ["-o", "max_deals=1", "--games", 2, "--seed", 1, "--players", 2, "--json"]
    code, out, _ = run("simulate", "cards", "--bots", f"{name},random", *more)
    assert code == 0
    assert json.loads(out)["wins"][0] >= 0.5
