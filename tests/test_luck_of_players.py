"""The luck of who decides by lot, taken out like that of chance."""

from collections.abc import Iterator, Mapping
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from caramba.bots.bot_game import BotGame
from caramba.bots.knowledge import Bot, Knowledge
from caramba.bots.levels import make_bot
from caramba.bots.network.kept import read
from caramba.bots.network.luck import LOTS, Luck
from caramba.games import generic
from caramba.games.chance import streams
from caramba.games.contract import CHANCE, OVER, check_options, load
from caramba.games.errors import InvalidSetup
from facts import facts
from judge_kit import some_judge
from tiny import GAME as TINY

Log = tuple[tuple[int, int], ...]
Others = Mapping[int, list[int]]


def all_games(
    state: np.ndarray,
    swaps: tuple[float, float, float],
    likely: float = 1.0,
    log: Log = (),
    others: Others | None = None,
) -> Iterator[tuple[float, Log, Others]]:
    """Every tiny game of two who draw lots, and draw once more: how likely, and what was drawn.

    How often they swap a card depends on how high it is.
    """
    others = others or {}
    who = int(generic.actor_of(state))
    if who == OVER:
        yield likely, log, others
        return
    ways = [(first_card(state) + card, 1 / 3, others) for card in range(3)]
    if who != CHANCE:
        swap = swaps[state[0].card[who] - 1]
        odds = (1 - swap, swap)
        ways = [
            (number, odds[number] * odds[again], {**others, len(log): [again]})
            for number, again in product(range(2), repeat=2)
        ]
    for number, part, drawn in ways:
        after = state.copy()
        generic.apply_to(after, number)
        yield from all_games(after, swaps, likely * part, (*log, (who, number)), drawn)


def first_card(state: np.ndarray) -> int:
    """The number of the first card that chance may deal."""
    return 3 * (int(state[0].turn) % 2)


@pytest.mark.parametrize("swaps", [(0.5, 0.5, 0.5), (0.9, 0.6, 0.2)])
def test_luck_of_players_is_nothing_on_average_over_all_games_there_can_be(
    tmp_path: Path, swaps: tuple[float, float, float]
) -> None:
    luck, start = Luck(TINY, *read(some_judge(tmp_path, TINY))), TINY.setup(2, {})
    likely, logs, others = zip(*all_games(start, swaps), strict=True)
    assert sum(likely) == pytest.approx(1)
    given, of_chance = (
        np.array(
            [luck.of(start, log, 2, drawn) for log, drawn in zip(logs, all_drawn, strict=True)]
        )
        for all_drawn in (others, [None] * len(logs))
    )
    assert np.abs(given - of_chance).max() > 0.1
    assert likely @ given == pytest.approx([0, 0], abs=1e-5)
    assert likely @ (given - of_chance) == pytest.approx([0, 0], abs=1e-5)
    assert given.sum(1) == pytest.approx(0, abs=1e-5)


def test_who_draws_well_is_told_so(tmp_path: Path) -> None:
    """Who has the highest card already has been lucky not to swap it, if it might have."""
    luck, start = Luck(TINY, *read(some_judge(tmp_path, TINY))), TINY.setup(2, {})
    log = [(CHANCE, 0), (CHANCE, 5), (0, 0), (1, 0)]
    kept = luck.of(start, log, 2, {3: [1]})[1] - luck.of(start, log, 2)[1]
    # Else it would have had 1, 2 or 3, against 1: half a victory, or a whole one.
    assert kept == pytest.approx(1 / 6, abs=1e-5)


def race_between(names: tuple[str, str], seed: int, lots: int) -> BotGame:
    game = load("race")
    start = game.setup(2, check_options(game, 2, facts("race").short))
    bots = [make_bot(name, seed + seat) for seat, name in enumerate(names)]
    table = BotGame(game, start, bots, lots=lots)
    table.to_the_end(streams(seed, 1)[0])
    return table


def test_luck_of_players_in_many_games_is_nothing_on_average(tmp_path: Path) -> None:
    game = load("race")
    luck = Luck(game, *read(some_judge(tmp_path, game)))
    start = game.setup(2, check_options(game, 2, facts("race").short))
    found = []
    for seed in range(150):
        table = race_between(("random", "easy"), 10 * seed, LOTS)
        with_lots, without = (luck.of(start, table.log, 2, o)[0] for o in (table.others, None))
        found.append(with_lots - without)
    assert np.std(found) > 0.01
    assert abs(np.mean(found)) < 4 * np.std(found) / len(found) ** 0.5


@pytest.mark.parametrize("level", ["random", "easy", "medium"])
def test_drawing_again_changes_no_decision(level: str) -> None:
    for seed in range(5):
        judged, plain = (race_between((level, "random"), seed, lots) for lots in (LOTS, 0))
        assert judged.log == plain.log
        assert list(map(len, judged.seconds)) == list(map(len, plain.seconds))
        assert judged.others
        assert not plain.others


@pytest.mark.parametrize("level", ["random", "easy", "medium"])
def test_what_is_drawn_again_is_drawn_alike(level: str) -> None:
    game, varied = load("race"), 0
    for seed in range(12):
        knowledge = some_decision(seed)
        bot = make_bot(level, seed)
        first, again = (
            np.bincount([draw(knowledge) for _ in range(400)], minlength=game.actions) / 400
            for draw in (bot.choose, bot.again)  # type: ignore[attr-defined]
        )
        varied += first.max() < 1
        assert np.abs(first - again).max() < 4.5 * (0.5 / 400) ** 0.5
    assert varied or level == "medium"


def some_decision(seed: int) -> Knowledge:
    """What somebody knows in the middle of a race."""
    table = race_between(("random", "random"), seed, 0)
    places = [place for place, (who, _) in enumerate(table.log) if who != CHANCE]
    middle = places[len(places) // 2]
    game = load("race")
    state = game.setup(2, check_options(game, 2, facts("race").short))
    for _, number in table.log[:middle]:
        generic.apply_to(state, number)
    return Knowledge(game, state, table.log[middle][0], 2)


class First:
    """Has nothing to do with lots."""

    def choose(self, knowledge: Knowledge) -> int:
        return knowledge.legal[0]


class Sure(First):
    again = First.choose


class Doubtful(First):
    def again(self, knowledge: Knowledge) -> int:
        return knowledge.legal[1]


class Wild(First):
    def again(self, knowledge: Knowledge) -> int:
        return 99


@pytest.mark.parametrize(("bot", "many"), [(First(), 0), (Sure(), 0), (Doubtful(), 2)])
def test_only_who_may_do_something_else_is_judged(bot: Bot, many: int) -> None:
    table = BotGame(TINY, TINY.setup(2, {}), [bot, bot], lots=3)
    table.to_the_end(streams(1, 1)[0])
    assert len(table.others) == many
    assert all(table.log[place][0] != CHANCE for place in table.others)
    assert all(drawn == [1, 1, 1] for drawn in table.others.values())


def test_what_cannot_be_done_cannot_be_drawn_again() -> None:
    table = BotGame(TINY, TINY.setup(2, {}), [Wild(), Wild()], lots=1)
    with pytest.raises(InvalidSetup, match=r"Wild chose 99, which is no legal number"):
        table.to_the_end(streams(1, 1)[0])
