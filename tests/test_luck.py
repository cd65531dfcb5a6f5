"""Luck, taken out of results: without favour, and by questions that settle themselves."""

import json
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from caramba.bots.arena import Arena, ArenaSettings, Played
from caramba.bots.network.kept import read
from caramba.bots.network.luck import Luck
from caramba.bots.settling import FEWEST, Question, error_at_all_times
from caramba.games import generic
from caramba.games.chance import streams
from caramba.games.contract import CHANCE, OVER, Game, check_options, load
from caramba.games.errors import InvalidFile, InvalidSetup
from facts import facts
from judge_kit import some_judge
from kit import Run
from tiny import GAME as TINY


def lines_of_play(
    state: np.ndarray, chance: float, log: list[tuple[int, int]]
) -> list[tuple[float, list[tuple[int, int]], list[float]]]:
    """Every game there can be between players who take everything alike: chance, log, shares."""
    who = int(generic.actor_of(state))
    if who == OVER:
        _, winners = generic.outcome_of(state, np.zeros(2, np.int64))
        won = [winners >> p & 1 for p in range(2)]
        return [(chance, log, [one / sum(won) for one in won])]
    first, many = 0, 2
    if who == CHANCE:
        weights = np.zeros(3, np.int64)
        first, many = map(int, generic.chances_of(state, weights))
    found = []
    for number in range(first, first + many):
        after = state.copy()
        generic.apply_to(after, number)
        found += lines_of_play(after, chance / many, [*log, (who, number)])
    return found


def test_luck_is_nothing_on_average_over_all_games_there_can_be(tmp_path: Path) -> None:
    luck = Luck(TINY, *read(some_judge(tmp_path, TINY)))
    start = TINY.setup(2, {})
    games = lines_of_play(start, 1.0, [])
    assert sum(chance for chance, _, _ in games) == pytest.approx(1)
    given = np.array([luck.of(start, log, 2) for _, log, _ in games])
    chances = np.array([chance for chance, _, _ in games])
    assert np.abs(given).max() > 0.1
    assert chances @ given == pytest.approx([0, 0], abs=1e-5)
    assert given.sum(1) == pytest.approx(0, abs=1e-5)


def test_a_seat_that_was_lucky_is_told_so(tmp_path: Path) -> None:
    """The last card decides, and what it decides is judged exactly."""
    luck = Luck(TINY, *read(some_judge(tmp_path, TINY)))
    before = [(CHANCE, 1), (CHANCE, 4), (0, 0), (1, 1)]
    start = TINY.setup(2, {})
    best, worst = (luck.of(start, [*before, (CHANCE, card)], 2) for card in (5, 3))
    assert best[1] - worst[1] == pytest.approx(1, abs=1e-5)


def test_luck_of_random_games_is_nothing_on_average(tmp_path: Path) -> None:
    game = load("race")
    luck = Luck(game, *read(some_judge(tmp_path, game)))
    start = game.setup(2, check_options(game, 2, facts("race").short))
    found = np.array([luck.of(start, log, 2)[0] for log in random_games(game, start, 300)])
    assert abs(found.mean()) < 4 * found.std() / len(found) ** 0.5


def random_games(game: Game, start: np.ndarray, many: int) -> Any:
    from caramba.games.playout import Playout

    playout = Playout(game, start, 2)
    return [playout.record(rng) for rng in streams(6, many)]


# Questions that settle themselves


def test_who_looks_after_every_deal_is_seldom_misled() -> None:
    """A usual interval would mislead far more often than once in twenty times."""
    rng = np.random.default_rng(5)
    looks = [FEWEST, 30, 45, 70, 100, 150, 220, 330, 500, 750, 1100]
    misled = usual = 0
    for _ in range(400):
        values = rng.choice([-1.0, 0.0, 1.0], max(looks))
        means = [abs(values[:n].mean()) for n in looks]
        misled += any(m > error_at_all_times(values[:n]) for m, n in zip(means, looks, strict=True))
        errors = [1.96 * values[:n].std() / n**0.5 for n in looks]
        usual += any(m > error for m, error in zip(means, errors, strict=True))
    assert misled <= 20 < usual


def an_arena(better: float, deals: int) -> Arena:
    settings = ArenaSettings(
        game="race", rules=1, players=2, options={}, bots=["hard", "easy"], games=2 * deals, seed=1
    )
    rng = np.random.default_rng(1)
    games = [
        Played(deal, turn, [1, 0], [int(rng.random() > better) ^ turn], "broke", [[], []])
        for deal in range(deals)
        for turn in range(2)
    ]
    return Arena(settings, Path("none"), games)


@pytest.mark.parametrize(
    ("better", "deals", "answer"),
    [(0.9, 60, True), (0.1, 60, False), (0.5, 60, None), (0.9, 9, None)],
)
def test_a_question_is_settled_once_it_is_beyond_doubt(
    better: float, deals: int, answer: bool | None
) -> None:
    assert asked(an_arena(better, deals)).answer is answer


def test_luck_that_is_taken_out_settles_a_question_sooner() -> None:
    """Either wins as often in these few games; without luck, the one would win 55 of 100."""
    arena, rng = an_arena(0.5, 60), np.random.default_rng(2)
    for place, game in enumerate(arena.games):
        skill = 0.05 + rng.normal(0, 0.1)
        shares = [0.5 + skill, 0.5 - skill] if game.seating == 0 else [0.5 - skill, 0.5 + skill]
        luck = [game.share(seat) - share for seat, share in enumerate(shares)]
        arena.games[place] = msgspec.structs.replace(game, luck=luck)
    plain = [msgspec.structs.replace(game, luck=None) for game in arena.games]
    assert asked(arena).answer is True
    assert asked(Arena(arena.settings, arena.file, plain)).answer is None


@pytest.mark.parametrize("text", ["hard", "hard>", "hard>hard", "hard>medium", ">"])
def test_what_is_no_question_is_refused(text: str) -> None:
    settings = an_arena(0.5, 1).settings
    with pytest.raises(InvalidSetup, match="such as 'hard>medium'"):
        Question(text, settings)


def test_deals_count_only_when_all_before_them_are_finished() -> None:
    arena = an_arena(0.9, 60)
    late = arena.games.pop(41)
    question = asked(arena)
    assert len(question.differences) == 20
    question.hear(late)
    assert len(question.differences) == 60


def asked(arena: Arena) -> Question:
    question = Question("hard > easy", arena.settings)
    for game in arena.games:
        question.hear(game)
    return question


def test_bots_of_a_file_are_asked_for_as_they_were_named(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("first.py").write_text(
        "class First:\n    def __init__(self, seed): pass\n"
        "    def choose(self, knowledge): return knowledge.legal[0]\n"
    )
    mine = ("arena", *RACE, "--bots", "first.py:First,medium", "--games", 2, "--save", "kept")
    assert run(*mine, "--until", "first.py:First>hard")[0] == 2
    assert not Path("kept").exists()
    code, _, err = run(*mine, "--until", "first.py:First>medium")
    assert code == 1
    assert "not told apart" in err


# The command

RACE = ("race", "--players", 2, "-o", "max_races=1", "--seed", 3)


def test_an_arena_takes_luck_out_and_ends_when_it_is_settled(run: Run, tmp_path: Path) -> None:
    judge = some_judge(tmp_path, load("race"), sure=0.5)
    arena = ("arena", *RACE, "--bots", "medium,random", "--games", 2000, "--judge", judge)
    code, out, err = run(*arena, "--until", "medium>random", "--save", tmp_path / "a", "--json")
    assert code == 0
    assert "settled: medium is better" in err
    found = json.loads(out)
    assert 2 * FEWEST <= found["played"] < 2000
    for one in found["standings"]:
        assert one["adjusted"][0] == pytest.approx(one["share"][0], abs=0.3)
        assert one["saves"] is not None
    code, _, err = run(*arena, "--until", "random>medium", "--save", tmp_path / "b")
    assert code == 1
    assert "settled: medium is better" in err
    short = (*arena[:-4], "--games", 4, "--judge", judge)
    code, out, err = run(*short, "--until", "medium>random", "--save", tmp_path / "c")
    assert code == 1
    assert "not told apart by 4 games" in err
    assert "luck taken out" in out


def test_arenas_are_merged(run: Run, tmp_path: Path) -> None:
    files = []
    for seed in (1, 2):
        files.append(tmp_path / f"{seed}")
        shared = ("arena", "race", "--players", 2, "-o", "max_races=1", "--bots", "easy,random")
        assert run(*shared, "--games", 6, "--seed", seed, "--save", files[-1])[0] == 0
    merged = [part for file in files for part in ("--merge", file)]
    code, out, _ = run("arena", *merged, "--json")
    assert code == 0
    both = json.loads(out)
    assert both["played"] == 12
    assert both["standings"][0]["seats"] == 12
    assert run("arena", *merged, *merged[:2])[0] == 2
    other = msgspec.json.decode(files[0].read_bytes().splitlines()[0])
    other["options"], other["seed"] = {"max_races": 2}, 7
    (tmp_path / "other").write_bytes(msgspec.json.encode(other) + b"\n")
    code, _, err = run("arena", *merged, "--merge", tmp_path / "other")
    assert code == 2
    assert "something else" in err
    with pytest.raises(InvalidFile, match="cannot read"):
        Arena.merged([tmp_path / "nowhere"])


def test_a_judge_of_another_game_is_refused(run: Run, tmp_path: Path) -> None:
    judge = some_judge(tmp_path, TINY)
    code, _, err = run("arena", *RACE, "--bots", "easy,random", "--games", 2, "--judge", judge)
    assert code == 2
    assert "has learned tiny" in err
