"""Networks: honest about what they see, right in what they work out, and able to learn."""

import signal
from collections.abc import Iterator
from dataclasses import replace
from itertools import count, pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from caramba.bots import advice
from caramba.bots.advice import advice_on, features, fits, foresee, way
from caramba.bots.bot_game import BotGame
from caramba.bots.budget import Budget
from caramba.bots.compiled import compiled
from caramba.bots.knowledge import Bot, Knowledge
from caramba.bots.levels import make_bot, takes_long
from caramba.bots.network import champion, descent, network, player, sheet
from caramba.bots.network.champion import (
    Desk,
    desk_for,
    judge_all,
    judge_anew,
    judge_rest,
    sight,
    stroll,
    width_of_features,
    write,
)
from caramba.bots.network.kept import Origin, keep, read
from caramba.bots.network.lookahead import LookAhead
from caramba.bots.network.player import Champion, champions_of, network_for
from caramba.bots.network.training import Plan, Progress, Training
from caramba.games import generic, masks, names
from caramba.games.chance import streams
from caramba.games.compiled import IS_COMPILED
from caramba.games.contract import CHANCE, Game, check_options, game_of, load
from caramba.games.errors import InvalidFile, InvalidSetup
from caramba.games.race.actions import DIE
from caramba.games.race.state import Phase
from kit import Run
from test_bots import FEW, decisions, start_of
from test_contract import every_table
from tiny import GAME as TINY

# The sheet


def test_a_feature_has_the_same_number_whatever_is_noted_before_it() -> None:
    page = sheet.blank(1)[0]
    sheet.yes(page, False)
    sheet.one_of(page, 2, 4)
    sheet.at_least(page, 2, 3)
    sheet.each_of(page, 0b101, 3)
    sheet.skip(page, 10)
    sheet.yes(page, True)
    assert sheet.yeses(page) == [3, 5, 6, 8, 10, 21]
    assert page[sheet.NEXT] == 22


@pytest.mark.parametrize(("value", "place"), [(-3, 0), (0, 0), (3, 3), (9, 3)])
def test_the_first_and_last_value_stand_for_all_beyond(value: int, place: int) -> None:
    page = sheet.blank(1)[0]
    sheet.one_of(page, value, 4)
    assert sheet.yeses(page) == [place]


@pytest.mark.parametrize(
    ("value", "place"),
    [(-1.0, [0]), (0.0, []), (0.5, [1]), (3.0, [3]), (8.0, [8]), (9.0, [9]), (1e6, [15])],
)
def test_a_number_is_noted_by_how_large_it_is(value: float, place: list[int]) -> None:
    page = sheet.blank(1)[0]
    sheet.scaled(page, value)
    assert sheet.yeses(page) == place


def test_two_kinds_of_tables_share_no_feature() -> None:
    pages = sheet.blank(2)
    for other, page in enumerate(pages):
        sheet.yes(page, True)
        many, begun = page[sheet.YESES], page[sheet.NEXT]
        sheet.one_of(page, 1, 4)
        sheet.set_apart(page, many, begun, other)
        sheet.yes(page, True)
    assert [sheet.yeses(page) for page in pages] == [[0, 2, 9], [0, 6, 9]]


# Honesty


@compiled
def note(states, seat, action, worlds, page):  # type: ignore[no-untyped-def]
    write(states[0], seat, action, worlds, page)


def noted(game: Game, who: int, state: np.ndarray, players: int) -> Iterator[list[float]]:
    """What a seat would know after each of its actions, and after all that chance may do then."""
    page, worlds = sheet.blank(1)[0], np.repeat(state, 2)
    for action in Knowledge(game, state, who, players).legal:
        note(state, who, action, worlds, page)
        yield [0, int(page[sheet.GUESS]), *sheet.yeses(page)]
        for number in count():
            weight = note_way(state, who, action, number, worlds, page)
            if weight < 0:
                break
            yield [weight, int(page[sheet.GUESS]), *sheet.yeses(page)]


@compiled
def note_way(states, seat, action, number, worlds, page):  # type: ignore[no-untyped-def]
    worlds[0] = states[0]
    foresee(worlds[0], action)
    weight = way(worlds[0], seat, number)
    sheet.clear(page)
    if weight > 0:
        features(worlds[0], seat, page)
    return weight


@every_table
def test_a_network_sees_the_same_in_every_world_that_its_seat_cannot_tell_apart(
    name: str, players: int
) -> None:
    game, rng = load(name), streams(8, 1)[0]
    width = width_of_features(start_of(game, players))
    for who, state in decisions(game, players, 4, FEW):
        other = state.copy()
        generic.resample_for(other, who, rng)
        seen = list(noted(game, who, state, players))
        assert seen == list(noted(game, who, other, players))
        assert all(one[-1] < width for one in seen)


@compiled
def peep(states, seat, page):  # type: ignore[no-untyped-def]
    """What no feature may be: a card in the hand of somebody else."""
    sheet.clear(page)
    sheet.each_of(page, int(states[0].hand[1 - seat]), 58)


def test_a_feature_of_a_hidden_card_would_be_caught() -> None:
    game, rng, page = load("cards"), streams(9, 1)[0], sheet.blank(2)
    differ = 0
    for who, state in decisions(game, 2, 4, FEW):
        other = state.copy()
        generic.resample_for(other, who, rng)
        for world, one in zip((state, other), page, strict=True):
            peep(world, who, one)
        differ += sheet.yeses(page[0]) != sheet.yeses(page[1])
    assert differ


# Own steps that follow each other


def test_a_discard_is_judged_by_the_best_card_to_take_after_it() -> None:
    game = load("cards")
    width = width_of_features(start_of(game, 2))
    _, weights = some_network(width)
    several = 0
    for who, state in decisions(game, 2, 2, FEW):
        desk = desk_for(state, game, width)
        found = values_of(state, who, weights, desk)
        for action in found:
            after = state.copy()
            foreseen(after, action)
            if generic.actor_of(after) == who:
                following = values_of(after, who, weights, desk)
                assert found[action] == pytest.approx(max(following.values()), abs=1e-4)
                several += len(following) > 1
    assert several


def values_of(
    state: np.ndarray, who: int, weights: network.Weights, desk: Desk
) -> dict[int, float]:
    """What a network says of everything that a seat can do."""
    mask = Knowledge(game_of(state.dtype), state, who, 2).mask
    many = all_judged(state, who, mask, weights, desk)
    return dict(zip(desk.actions[:many].tolist(), desk.values[:many].tolist(), strict=True))


@compiled
def all_judged(states, seat, mask, weights, desk):  # type: ignore[no-untyped-def]
    return judge_all(states[0], seat, mask, weights, desk)


@compiled
def foreseen(states, action):  # type: ignore[no-untyped-def]
    foresee(states[0], action)


# Chance after an own step


def test_dice_are_judged_by_all_that_they_may_show() -> None:
    game = load("race")
    table = game.setup(2, check_options(game, 2, {"persuasion": False}))
    width = width_of_features(table)
    _, weights = some_network(width)
    desk, several = desk_for(table, game, width), 0
    for who, state in decisions_from(game, table, 40):
        for action, value in values_of(state, who, weights, desk).items():
            after = state.copy()
            generic.apply_to(after, action)
            if state[0].phase == Phase.DICE:
                mean = mean_over_dice(after, int(after[0].dice), who, weights, desk)
                assert value == pytest.approx(mean, abs=1e-4)
                several += 1
    assert several > 20


def decisions_from(game: Game, table: np.ndarray, many: int) -> Iterator[tuple[int, np.ndarray]]:
    """The first decisions of a game in which everything is done at random."""
    rng, mask, state = streams(6, 1)[0], np.zeros(game.actions // 64 + 1, np.uint64), table.copy()
    while many:
        before = state.copy()
        who = stroll(state, rng, mask)
        if who >= 0:
            many -= 1
            yield who, before


def mean_over_dice(
    state: np.ndarray, dice: int, who: int, weights: network.Weights, desk: Desk
) -> float:
    """What a network says of a table on which so many dice are to be rolled, face by face."""
    if dice == 0:
        return standing(state, who, weights, desk)
    total = 0.0
    for face in range(6):
        after = state.copy()
        generic.apply_to(after, DIE + face)
        total += mean_over_dice(after, dice - 1, who, weights, desk) / 6
    return total


def standing(state: np.ndarray, who: int, weights: network.Weights, desk: Desk) -> float:
    """What a network says of a table as it is; after the first stage, what advice says."""
    return float(judged_alone(state, who, weights, desk))


@compiled
def judged_alone(states, seat, weights, desk):  # type: ignore[no-untyped-def]
    judge_anew(states[0], seat, weights, desk)
    return judge_rest(states[0], 1, seat, weights, desk)


# The network


def some_network(features: int = 50) -> tuple[np.ndarray, network.Weights]:
    theta = network.fresh(features, 10, np.random.default_rng(1))
    return theta, network.weights_in(theta, features)


def some_sheets(many: int, features: int = 50) -> np.ndarray:
    rng, pages = np.random.default_rng(2), sheet.blank(many)
    for page in pages:
        chosen = rng.permutation(features)[: rng.integers(5, 15)]
        page[sheet.YESES] = len(chosen)
        page[sheet.HEAD : sheet.HEAD + len(chosen)] = chosen
    return pages


def judged(weights: network.Weights, page: np.ndarray) -> float:
    """The same by NumPy, as one would write it down."""
    rows = weights.rows[page[sheet.HEAD : sheet.HEAD + page[sheet.YESES]]]
    wide = np.maximum(rows.sum(0) + weights.wide, 0)
    narrow = np.maximum(weights.across @ wide + weights.narrow, 0)
    return float(narrow @ weights.out[:-1] + weights.out[-1])


def test_the_network_works_out_what_it_should_also_by_changes() -> None:
    _, weights = some_network()
    sums, narrow = np.zeros(network.WIDE, np.float32), np.zeros(network.NARROW, np.float32)
    marks, pages = np.zeros(50, np.int8), some_sheets(20)
    network.sum_rows(weights, pages[0], sums)
    for before, after in pairwise(pages):
        network.change_rows(weights, before, after, marks, sums)
        answer = network.judge_sums(weights, sums, narrow)
        assert answer == pytest.approx(judged(weights, after), abs=1e-4)
        assert not marks.any()


def test_slopes_are_those_of_the_squared_error() -> None:
    theta, weights = some_network()
    pages, targets = some_sheets(8), np.linspace(-1, 1, 8, dtype=np.float32)

    exact = theta.astype(np.float64)

    def half_square() -> float:
        now = network.weights_in(exact, 50)
        return sum(
            (judged(now, p) - float(t)) ** 2 / 2 for p, t in zip(pages, targets, strict=True)
        )

    slopes = np.zeros_like(theta)
    found = network.weights_in(slopes, 50)
    descent.add_slopes(weights, pages, targets, np.arange(8), found, descent.bench())
    step = 1e-6
    for place in np.argsort(-abs(slopes))[:1000:50]:
        exact[place] += step
        above = half_square()
        exact[place] -= 2 * step
        below = half_square()
        exact[place] += step
        assert slopes[place] == pytest.approx((above - below) / (2 * step), rel=0.01)


# Learning


def plan(**more: Any) -> Plan:
    return Plan(TINY, [2, 3], decisions=200_000, seed=3, threads=2, **more)


def test_a_game_without_features_is_learned_from_its_observation(tmp_path: Path) -> None:
    training = Training(plan())
    before = training.measure(400)
    for _ in training.rounds():
        pass
    after = training.measure(400)
    assert all(late > 1.15 > early for early, late in zip(before, after, strict=True))


def test_who_goes_on_comes_to_the_same_as_who_never_stopped(tmp_path: Path) -> None:
    whole = Training(plan())
    rounds = whole.rounds()
    for _ in range(2):
        next(rounds)
    whole.progress.save(tmp_path / "kept.npz")
    again = Training(plan(), Progress.open(tmp_path / "kept.npz"))
    next(rounds)
    next(again.rounds())
    assert whole.progress.theta.tobytes() == again.progress.theta.tobytes()
    assert whole.progress.mean.tobytes() == again.progress.mean.tobytes()
    assert whole.progress.decisions == again.progress.decisions


def test_training_makes_a_network_that_plays(run: Run, tmp_path: Path) -> None:
    once = ("--decisions", "60000", "--threads", "1", "--folder", tmp_path)
    code, printed, _ = run("train", "tiny", *once)
    assert code == 0
    assert printed.splitlines()[0].split()[:3] == ["decisions", "minutes", "error"]
    _, origin = read(tmp_path / "tiny.npz")
    assert origin.game == "tiny"
    assert origin.decisions >= 60_000
    assert (tmp_path / "tiny.png").exists()
    code, _, complaint = run("train", "tiny", *once)
    assert code == 2
    assert "--resume" in complaint
    code, printed, _ = run("train", "tiny", *once[2:], "--decisions", "90000", "--resume")
    assert code == 0
    assert read(tmp_path / "tiny.npz")[1].decisions >= 90_000
    state = TINY.setup(2, {})
    for card in (0, 4):
        generic.apply_to(state, card)
    bot = make_bot(str(tmp_path / "tiny.npz"), 1)
    assert bot.choose(Knowledge(TINY, state, 0, 2)) == 1  # the lowest card is swapped
    who, cards = next(decisions(load("race"), 2, 1, 1))
    champion = Champion(file=tmp_path / "tiny.npz")
    knowledge = Knowledge(load("race"), cards, who, 2)
    with pytest.raises(InvalidSetup, match="has learned tiny"):
        champion.choose(knowledge)


def test_a_judge_learns_by_watching_and_does_not_play(run: Run, tmp_path: Path) -> None:
    once = ("--threads", "1", "--folder", tmp_path)
    assert run("train", "tiny", *once, "--decisions", "40000")[0] == 0
    watched = ("--judge", tmp_path / "tiny.npz", "--decisions", "40000")
    code, printed, _ = run("train", "tiny", *once, *watched)
    assert code == 0
    assert printed.splitlines()[0].split() == ["decisions", "minutes", "error"]
    judge = tmp_path / "tiny.judge.npz"
    player, origin = (read(file)[1] for file in (tmp_path / "tiny.npz", judge))
    assert origin.judges
    assert origin.features == 2 * player.features
    with pytest.raises(InvalidSetup, match="has learned to judge, and cannot play"):
        make_bot(str(judge), 1)
    with pytest.raises(InvalidSetup, match="has learned to play, and cannot judge"):
        network_for(TINY, tmp_path / "tiny.npz", judges=True)
    code, _, said = run("train", "tiny", *once, "--judge", judge, "--decisions", "1")
    assert code == 2
    assert "cannot play" in said


def test_who_goes_on_does_so_with_the_same_plan(run: Run, tmp_path: Path) -> None:
    once = ("train", "tiny", "--threads", 1, "--folder", tmp_path, "--decisions")
    code, _, said = run(*once, 20_000, "--resume")
    assert code == 2
    assert "to go on with" in said
    assert run(*once, 20_000)[0] == 0
    code, _, said = run(*once, 50_000, "--resume", "--players", 2)
    assert code == 2
    assert "begun with tiny, players 2,3, seed 0" in said
    (tmp_path / "tiny.training.npz").write_bytes(b"PK")
    code, _, said = run(*once, 50_000, "--resume")
    assert code == 2
    assert "cannot go on" in said


def test_ctrl_c_ends_after_a_whole_round_and_twice_at_once(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    learn, interrupts = Training.learn, 1

    def interrupted(training: Training, played: list[int]) -> float:
        for _ in range(interrupts):
            signal.raise_signal(signal.SIGINT)
        return learn(training, played)

    monkeypatch.setattr(Training, "learn", interrupted)
    once = ("train", "tiny", "--threads", 1, "--folder", tmp_path, "--decisions", 10**9)
    code, _, said = run(*once)
    assert code == 130
    assert "go on with --resume" in said
    kept = Progress.open(tmp_path / "tiny.training.npz")
    assert kept.rounds == len(kept.curve) == 1
    interrupts = 2
    assert run(*once, "--resume")[0] == 130
    assert Progress.open(tmp_path / "tiny.training.npz").rounds == 1


def test_a_network_of_other_features_is_refused(tmp_path: Path) -> None:
    origin = Origin("tiny", 1, [2], [{}], 7, "", *(0,) * 3, 0.0, *("",) * 3, [])
    keep(tmp_path / "old.npz", network.fresh(7, 3, np.random.default_rng(1)), origin)
    with pytest.raises(InvalidSetup, match="other features"):
        make_bot(str(tmp_path / "old.npz"), 0)


def test_features_are_known_by_what_they_say_of_a_game() -> None:
    seen = {name: sight(load(name)) for name in names()}
    assert len(set(seen.values())) == len(seen)
    assert all(sight(load(name)) == seen[name] for name in seen)
    game = load("cards")
    magnified = replace(advice_on(game), scale=1.0)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(champion, "advice_on", lambda _: magnified)
        assert sight(game) != seen["cards"]


def test_a_sheet_that_is_full_takes_no_more() -> None:
    page = sheet.blank(1)[0]
    sheet.at_least(page, 10 * sheet.MOST, 10 * sheet.MOST)
    assert page[sheet.YESES] == sheet.MOST
    assert page[sheet.NEXT] == 10 * sheet.MOST


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("tiny",), "say how long"),
        (("nothing", "--hours", "1"), "nothing"),
        (("tiny", "--hours", "0"), "--hours"),
        (("tiny", "--players", "two", "--hours", "1"), "such as 2,4"),
        (("tiny", "--players", "9", "--hours", "1"), "9"),
    ],
)
def test_what_cannot_be_learned_is_refused(run: Run, arguments: Any, complaint: str) -> None:
    code, _, said = run("train", *arguments)
    assert code == 2
    assert complaint in said


@pytest.mark.parametrize("content", [b"nothing", b"", b"PK"])
def test_a_file_that_is_no_network_is_refused(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "bad.npz"
    file.write_bytes(content)
    with pytest.raises(InvalidFile, match="not a network"):
        read(file)


# What was learned


@compiled
def is_learned(states):  # type: ignore[no-untyped-def]
    return fits(states[0])


@every_table
def test_what_was_learned_with_is_known_to_fit(name: str, players: int) -> None:
    game = load(name)
    for options in advice_on(game).variants:
        assert is_learned(game.setup(players, check_options(game, players, options))), options


OTHERS: dict[str, tuple[dict[str, Any], ...]] = {
    "auction": ({"deck": ("g1", "a1", "d1") * 4}, {"crates": ("g1", "a1", "d1")}),
    "race": ({"track": (3, 3, 3)}, {"track": (20, 20, 20)}),
    "cards": (
        {"call_limit": 0},
        {"penalty": 0},
        {"end_score": 1000},
        {"max_laps": 2},
        {"max_deals": 1},
    ),
}


@pytest.mark.parametrize("name", OTHERS)
def test_what_was_not_learned_is_played_by_rules(name: str) -> None:
    game = load(name)
    for options in OTHERS[name]:
        assert not is_learned(game.setup(2, check_options(game, 2, options))), options


# Champions

CHAMPIONS = {
    "auction": [[2, 3, 4]],
    "cards": [[2], [2, 3, 4, 5, 6, 7, 8]],
    "race": [[2, 3, 4, 5, 6]],
}
"""The numbers of players that the networks of each game have learned to play with."""


@pytest.mark.parametrize("name", CHAMPIONS)
def test_champions_come_with_the_game_and_tell_how_they_were_made(name: str) -> None:
    game = load(name)
    origins = [network_for(game, file)[1] for file in champions_of(game)]
    assert [origin.players for origin in origins] == CHAMPIONS[name]
    for origin in origins:
        assert origin.command.startswith(f"caramba train {name} ")
        assert origin.commit
        assert origin.seconds > 60
        assert origin.curve[-1][0] == origin.decisions


def test_all_networks_together_are_small() -> None:
    files = Path(advice.__file__).parent.rglob("*.npz")
    assert 0 < sum(file.stat().st_size for file in files) < 3_000_000


@pytest.mark.skipif(not IS_COMPILED, reason="too slow uncompiled")
@pytest.mark.parametrize("name", CHAMPIONS)
def test_a_champion_beats_good_players_by_rules(name: str) -> None:
    """By far, in a few games; the arena measures by how much."""
    game, won = load(name), 0.0
    start = game.setup(2, check_options(game, 2, {}))
    for deal in range(20):
        for seat in range(2):
            bots = [make_bot("medium", deal), make_bot("medium", deal)]
            bots[seat] = make_bot("hard", deal)
            result = BotGame(game, start, bots).to_the_end(streams(deal, 1)[0])
            won += (seat in result.winners) / len(result.winners)
    assert won >= 25, "of 40"


def first_decision(name: str, players: int, options: dict[str, Any]) -> Knowledge:
    """What the first to act knows then."""
    game, luck = load(name), streams(1, 1)[0]
    start = game.setup(players, check_options(game, players, options))
    while (who := int(generic.actor_of(start))) == CHANCE:
        generic.apply_to(start, generic.draw_for(start, luck))
    return Knowledge(game, start, who, players)


@pytest.fixture
def rules_asked(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Grows by one whenever a player by rules takes the place of a network."""
    asked: list[int] = []

    def note(world: np.ndarray, mask: np.ndarray, rng: np.ndarray) -> int:
        asked.append(1)
        return int(masks.nth(mask, 0))

    monkeypatch.setattr(player, "by_rules", note)
    return asked


OWN_CRATES = {"crates": ("g1", "a1", "d1") * 4}


@pytest.mark.parametrize(
    ("name", "players", "options", "learned"),
    [
        ("auction", 2, {}, True),
        ("auction", 4, {"max_turns": 6}, True),
        ("auction", 2, OWN_CRATES, False),
    ],
)
def test_rules_take_the_place_of_a_network_where_it_has_not_learned_to_play(
    name: str, players: int, options: dict[str, Any], learned: bool, rules_asked: list[int]
) -> None:
    knowledge = first_decision(name, players, options)
    for bot in (Champion(), LookAhead(Budget(simulations=20))):
        rules_asked.clear()
        assert bot.choose(knowledge) in knowledge.legal
        assert len(rules_asked) == (not learned)
    assert not takes_long("medium", knowledge)
    assert not takes_long("hard", knowledge)
    assert takes_long("expert", knowledge) == learned


# Looking ahead


AHEAD = [name for name in names() if advice_on(load(name)).looks_ahead]


@pytest.mark.skipif(not IS_COMPILED, reason="too slow uncompiled")
@pytest.mark.parametrize("name", AHEAD)
def test_who_looks_ahead_beats_the_network_alone(name: str) -> None:
    """With a few worlds; the arena measures by how much."""
    game, won = load(name), 0.0
    start = game.setup(2, check_options(game, 2, {}))
    for deal in range(6):
        for seat in range(2):
            bots: list[Bot] = [Champion(deal), Champion(deal)]
            bots[seat] = LookAhead(Budget(simulations=400), deal)
            result = BotGame(game, start, bots).to_the_end(streams(deal, 1)[0])
            won += (seat in result.winners) / len(result.winners)
    assert won >= 7, "of 12"


def test_with_more_players_than_it_has_learned_rules_take_the_place_of_a_network(
    tmp_path: Path, rules_asked: list[int]
) -> None:
    game = load("auction")
    width = width_of_features(start_of(game, 2))
    made = Origin("auction", 1, [3], [{}], width, sight(game), *(0,) * 3, 0.0, *("",) * 3, [])
    keep(tmp_path / "three.npz", network.fresh(width, 60, np.random.default_rng(1)), made)
    for players in (2, 3):
        rules_asked.clear()
        Champion(file=tmp_path / "three.npz").choose(first_decision("auction", players, {}))
        assert len(rules_asked) == (players != 3)
