"""The benchmark: figures that fit together, peers that may fail, and what is written."""

import json
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import tiny
from caramba.games import cache, names
from caramba.games.contract import load
from caramba.research import bench, bench_report
from caramba.research.bench import US, Bench
from caramba.research.doors import Loop, Sample
from caramba.research.peers import install
from caramba.research.peers.process import HERE, PEERS, Peer
from kit import Run

DOORS = [
    "compiled loop",
    "compiled loop, 2 threads",
    "batch of 1",
    "batch of 3",
    "batch of 8",
    "batch of 8, 2 threads",
    "single",
    "match",
]
RIVALS = tuple(peer for peer in PEERS if (peer.name, peer.game) == bench.RIVAL)
ANSWERS = """
import json, sys
assert sys.argv[1].endswith("serve.py")
print(json.dumps({"version": "9.9"}), flush=True)
for line in sys.stdin:
    answer = {"decisions": 50, "chance_steps": 25, "seconds": float(line)}
    print(json.dumps(answer), flush=True)
"""


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "SIZES", (1, 3, 8))
    monkeypatch.setattr(bench, "USUAL", 3)
    monkeypatch.setattr(bench, "WITH_THREADS", (8,))


@pytest.fixture
def run(run: Run) -> Run:
    """Runs `bench`."""
    return lambda *arguments: run("bench", *arguments)


def short(*arguments: object) -> list[object]:
    return ["--games", "tiny", "--repeats", 2, "--seconds", 0.001, *arguments]


def interpreter(folder: Path, program: str) -> Path:
    """Something that is started like a Python, and runs this instead."""
    (folder / "program.py").write_text(program)
    python = folder / "python"
    python.write_text(f'#!/bin/sh\nexec {sys.executable} {folder / "program.py"} "$@"\n')
    python.chmod(0o755)
    return python


@pytest.fixture
def only_peers() -> Iterator[Callable[..., dict[str, Any]]]:
    """Figures of peers with that interpreter, and none of ours."""
    made: list[Bench] = []
    before = signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # as the command line has it

    def measured(python: Path, *peers: Peer, missing: dict[str, str] | None = None) -> Any:
        made.append(Bench([], 2, 0.001))
        made[0].add_peers(python, missing or {}, peers)
        made[0].warm(lambda done, total: None)
        made[0].measure(lambda done, total: None)
        return made[0].figures()

    yield measured
    made[0].close()
    signal.signal(signal.SIGPIPE, before)


# What is measured


def test_every_door_is_measured_with_several_numbers_of_players(run: Run) -> None:
    code, out, _ = run(*short("--json"))
    figures = json.loads(out)
    assert code == 0
    assert (figures["repeats"], figures["seconds"]) == (2, 0.001)
    assert figures["machine"].keys() == {"cpu", "cores", "system", "load"}
    assert {"python", "numpy", "numba"} <= figures["versions"].keys()
    found = [(m["players"], m["door"]) for m in figures["measurements"]]
    assert found == [(players, door) for players in (2, 3) for door in DOORS]
    for m in figures["measurements"]:
        assert (m["who"], m["game"], m["failed"]) == (US, "tiny", None)
        check_rates(m)


def check_rates(m: dict[str, Any]) -> None:
    """Rates are those of the samples, and steps are decisions and chance steps."""
    assert len(m["samples"]) == 2
    rates = sorted(sample["decisions"] / sample["seconds"] for sample in m["samples"])
    decisions = m["decisions_per_second"]
    assert [decisions["min"], decisions["max"]] == pytest.approx(rates, rel=0.01)
    assert decisions["median"] == pytest.approx(sum(rates) / 2, rel=0.01)
    inside = m["door"].startswith("batch")
    assert all((sample["chance_steps"] is None) == inside for sample in m["samples"])
    assert (m["steps_per_second"] is None) == inside
    if not inside:
        chance = m["chance_steps_per_second"]["median"]
        total = m["steps_per_second"]["median"]
        assert total == pytest.approx(decisions["median"] + chance, rel=0.01)


def test_whole_games_are_counted_as_the_game_has_them() -> None:
    """In the made-up game everybody is dealt a card, and swaps it or stays."""
    loop = Loop(tiny.GAME, 3)
    decisions, chance_steps = loop.play_units(10)
    assert decisions == 30
    assert 30 <= chance_steps <= 60


def test_numbers_of_players_are_the_fewest_four_and_the_most() -> None:
    assert bench.player_counts(tiny.GAME) == [2, 3]
    for name in names():
        game = load(name)
        counts = bench.player_counts(game)
        assert counts == sorted(set(counts))
        assert {game.players[0], game.players[-1]} <= set(counts) <= set(game.players)
        assert 4 in counts


def test_ratios_are_medians_of_the_ratios_in_each_repeat() -> None:
    above, below = (
        bench.Measurement(US, "tiny", 2, door, None, [Sample(n, 0, 1.0) for n in counts])
        for door, counts in (("single", (10, 90, 40)), ("match", (10, 30, 10)))
    )
    assert bench.quotients(above, below, "steps") == [1, 3, 4]
    assert bench.summary([1, 4, 3]) == {"median": 3, "min": 1, "max": 4}
    assert bench.quotients(above, None, "steps") == []
    below.failed = "broken"
    assert bench.quotients(above, below, "steps") == []


# What is written


def test_the_table_and_the_files_are_written(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "new" / "folder"
    code, out, _ = run(*short("--output", folder))
    assert code == 0
    for words in ("decisions/s", "batch of 8, 2 threads", "match / single", "2 times 0.001 s"):
        assert words in out
    figures = json.loads((folder / "bench.json").read_text())
    assert len(figures["measurements"]) == 2 * len(DOORS)
    page = (folder / "bench.md").read_text()
    assert page.startswith("# Speed of random play\n")
    for words in ("## Ratios", "| tiny | 3 | match |", str(figures["machine"]["cpu"])):
        assert words in page
    titles = {ratio["ratio"] for ratio in figures["ratios"]}
    assert titles == {title for title, *_ in bench.comparisons() if "OpenSpiel" not in title}


def test_the_picture_is_drawn(run: Run, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    run(*short("--output", tmp_path))
    assert (tmp_path / "bench.png").read_bytes().startswith(b"\x89PNG")
    assert "(bench.png)" in (tmp_path / "bench.md").read_text()


def test_without_matplotlib_one_line_says_so(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    code, _, err = run(*short("--output", tmp_path))
    assert code == 0
    assert "no picture without matplotlib" in err
    assert not (tmp_path / "bench.png").exists()
    assert "bench.png" not in (tmp_path / "bench.md").read_text()


# The command


def test_it_explains_itself(run: Run) -> None:
    code, out, _ = run("--help")
    assert code == 0
    for words in ("--peers", "--games NAMES", "--repeats N", "--seconds S", "--output FOLDER"):
        assert words in out


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["--games", "poker"], "there is no game 'poker'"),
        (["--games", ""], "there is no game ''"),
        (["--repeats", 0], "0 is not in the range"),
        (["--seconds", 0], "0.0 is not in the range"),
        (["--seconds", "nan"], "the seconds must be a number"),
        (["--seconds", "long"], "'long' is not a valid float"),
        (["--output", "/dev/null"], "cannot write into /dev/null: File exists"),
        (["--wings"], "No such option"),
    ],
)
def test_bad_input_gets_one_line(run: Run, arguments: list[object], reason: str) -> None:
    code, out, err = run(*arguments)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert reason in err


def test_an_interrupt_is_no_traceback(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Bench, "measure", interrupt)
    code, out, err = run(*short())
    assert (code, out) == (130, "")
    assert "Traceback" not in err


# Peers


def test_peers_are_asked_and_compared(tmp_path: Path) -> None:
    measured = Bench([tiny.GAME], 2, 0.001)
    measured.add_peers(interpreter(tmp_path, ANSWERS), {}, RIVALS)
    measured.warm(lambda done, total: None)
    measured.measure(lambda done, total: None)
    figures = measured.figures()
    measured.close()
    assert figures["versions"]["OpenSpiel"] == "9.9"
    for m in figures["measurements"][-2:]:
        assert m["failed"] is None
        assert m["steps_per_second"]["median"] == 75_000
    titles = dict.fromkeys(ratio["ratio"] for ratio in figures["ratios"])
    assert list(titles) == [title for title, *_ in bench.comparisons()]
    assert "OpenSpiel crazy_eights" in bench_report.page(figures, False)


@pytest.mark.parametrize(
    ("program", "reason"),
    [
        ("import sys; sys.exit('no such thing here')", "no such thing here"),
        ("import sys; sys.exit(7)", "it ended with exit code 7"),
        ("import os; os.abort()", "it was ended by signal 6"),
        ("print('hello')", "it answered 'hello'"),
        (
            """import os; os.close(0); print('{"version": "1"}')""",
            "it ended with exit code 0",
        ),
    ],
)
def test_a_peer_that_fails_is_reported(
    only_peers: Callable[..., dict[str, Any]], tmp_path: Path, program: str, reason: str
) -> None:
    figures = only_peers(interpreter(tmp_path, program), RIVALS[0])
    (m,) = figures["measurements"]
    assert m["failed"] == reason
    assert m["decisions_per_second"] is None
    assert f"failed: {reason}" in bench_report.text(figures)
    assert f"failed: {reason}" in bench_report.page(figures, False)


def test_an_interpreter_that_is_not_there_is_reported(
    only_peers: Callable[..., dict[str, Any]], tmp_path: Path
) -> None:
    (m,) = only_peers(tmp_path / "none", RIVALS[0])["measurements"]
    assert m["failed"] == f"{tmp_path / 'none'}: No such file or directory"


def test_a_peer_that_is_not_installed_is_reported(
    only_peers: Callable[..., dict[str, Any]],
) -> None:
    figures = only_peers(Path("none"), *RIVALS, missing={"OpenSpiel": "no network"})
    assert [m["failed"] for m in figures["measurements"]] == ["no network", "no network"]


def test_a_peer_without_its_package_says_so(only_peers: Callable[..., dict[str, Any]]) -> None:
    peer = Peer("Nobody", "python", "nothing", 2, "play_nothing")
    (m,) = only_peers(Path(sys.executable), peer)["measurements"]
    assert m["failed"] == "ModuleNotFoundError: No module named 'play_nothing'"


def test_the_script_of_the_peers_answers_in_lines(tmp_path: Path) -> None:
    program = (
        "import time\n"
        "PACKAGE = 'numpy'\n"
        "def python(game):\n"
        "    print('noise', game)\n"
        "    return lambda units: (time.sleep(units / 1000) or 2 * units, None)\n"
    )
    (tmp_path / "play_fake.py").write_text(program)
    done = subprocess.run(
        [sys.executable, HERE / "serve.py", "play_fake", "python", "a game"],
        input="0.001\n0.001\n",
        capture_output=True,
        text=True,
        env={"PYTHONPATH": str(tmp_path)},
    )
    ready, *answers = map(json.loads, done.stdout.splitlines())
    assert ready.keys() == {"version"}
    assert [answer["chance_steps"] for answer in answers] == [None, None]
    assert all(answer["decisions"] > 0 < answer["seconds"] for answer in answers)
    assert "noise a game" in done.stderr


def test_scripts_of_the_peers_know_nothing_of_ours() -> None:
    scripts = [HERE / "serve.py", *HERE.glob("play_*.py")]
    assert {peer.module for peer in PEERS} == {script.stem for script in scripts[1:]}
    for script in scripts:
        assert "import caramba" not in script.read_text()
        assert "from caramba" not in script.read_text()


# Installing them


@pytest.fixture
def environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> install.Environment:
    """One whose pip is the program that `pip` is told to be."""
    monkeypatch.setattr(install.Environment, "_make", lambda self, tell: "")
    made = install.Environment(tmp_path / "peers")
    made.claim()
    made.python.parent.mkdir(parents=True)
    return made


def test_what_is_complete_is_not_installed_again(environment: install.Environment) -> None:
    told: list[str] = []
    interpreter(environment.python.parent, "print('Collecting', *__import__('sys').argv[-1:])")
    assert environment.prepare(told.append) == {}
    assert environment.complete() == install.PACKAGES.keys()
    assert "OpenSpiel: Collecting open-spiel" in told
    interpreter(environment.python.parent, "import sys; sys.exit(1)")
    assert environment.prepare(told.append) == {}
    environment.stamp.write_text('{"pins": "others", "complete": ["Pgx"]}')
    assert environment.complete() == set()


def test_without_a_network_there_is_one_line(environment: install.Environment) -> None:
    told: list[str] = []
    program = "import sys; print('WARNING: NewConnectionError'); sys.exit(1)"
    interpreter(environment.python.parent, program)
    assert environment.prepare(told.append) == dict.fromkeys(install.PACKAGES, install.NO_NETWORK)
    assert len(told) == 1
    assert "the package registry cannot be reached; going on without" in told[0]


def test_what_can_be_installed_is_installed(environment: install.Environment) -> None:
    told: list[str] = []
    program = "import sys; 'jax' in sys.argv and sys.exit('ERROR: no jax here')"
    interpreter(environment.python.parent, program)
    assert environment.prepare(told.append) == {"Pgx": "not installed, no jax here"}
    assert environment.complete() == install.PACKAGES.keys() - {"Pgx"}
    assert told == ["Pgx: not installed, no jax here; going on without"]


def test_a_place_that_cannot_be_used_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    told: list[str] = []
    missing = install.Environment(tmp_path / "file" / "peers").prepare(told.append)
    assert missing.keys() == install.PACKAGES.keys()
    assert "cannot keep peers in" in told[0]


def test_a_folder_of_somebody_else_is_not_emptied(tmp_path: Path) -> None:
    (tmp_path / "peers").mkdir()
    (tmp_path / "peers" / "letter.txt").touch()
    told: list[str] = []
    missing = install.Environment(tmp_path / "peers").prepare(told.append)
    assert missing.keys() == install.PACKAGES.keys()
    assert "there is something else in it; going on without them" in told[0]
    assert [path.name for path in (tmp_path / "peers").iterdir()] == ["letter.txt"]


def letter_in(folder: Path) -> Path:
    """A folder of Luc's, with something that he wants to keep."""
    folder.mkdir()
    (folder / "letter.txt").touch()
    return folder / "letter.txt"


def refused(peers: Path) -> bool:
    told: list[str] = []
    missing = install.Environment(peers).prepare(told.append)
    assert missing.keys() == install.PACKAGES.keys()
    return "there is something else in it; going on without them" in told[0]


def test_nothing_is_emptied_through_a_link(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(install.Environment, "_install", lambda *_: install.NO_NETWORK)
    letter = letter_in(tmp_path / "of Luc")
    peers = install.Environment(tmp_path / "peers")
    peers.claim()
    shutil.rmtree(peers.made)
    peers.made.symlink_to(letter.parent)
    assert refused(peers.folder)
    assert letter.exists()


def test_an_environment_that_we_did_not_make_is_not_emptied(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(install.Environment, "_install", lambda *_: install.NO_NETWORK)
    peers = install.Environment(tmp_path / "peers")
    peers.claim()
    shutil.rmtree(peers.made)
    letter = letter_in(peers.made)
    assert refused(peers.folder)
    assert letter.exists()


def test_only_the_marker_that_we_write_makes_a_folder_ours(tmp_path: Path) -> None:
    letter = letter_in(tmp_path / "peers")
    (tmp_path / "peers" / cache.MARKER).write_text("of Luc")
    assert refused(tmp_path / "peers")
    assert letter.exists()


def test_an_environment_of_ours_is_made_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also if the last time was broken off."""
    monkeypatch.setattr(install.Environment, "_install", lambda *_: install.NO_NETWORK)
    peers = install.Environment(tmp_path / "peers")
    peers.claim()
    letter_in(peers.made / "old")
    (peers.made / "old.txt").touch()
    (peers.made / "lib64").symlink_to("old")
    assert set(peers.prepare(print).values()) == {install.NO_NETWORK}
    assert not list(peers.made.glob("old*"))
    subprocess.run([peers.python, "-m", "pip", "--version"], check=True, capture_output=True)
    assert peers.claim().exists(), "and it is still ours"


def test_every_package_has_one_version() -> None:
    pins = dict(line.split("==") for line in install.PINS.read_text().split())
    known = {name.lower() for name in pins}
    assert all(package in known for packages in install.PACKAGES.values() for package in packages)
    assert {peer.name for peer in PEERS} == install.PACKAGES.keys()
