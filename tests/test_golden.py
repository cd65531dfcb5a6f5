"""Recorded games: under the rules of their version they can be played again, step by step."""

from pathlib import Path

import msgspec
import pytest

from caramba.games import contract, names
from caramba.match import saved
from caramba.match.match import Match
from caramba.match.verify import verify
from facts import facts

GOLDEN = sorted((Path(__file__).parent / "golden").glob("*.jsonl"))


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_a_recorded_game_is_finished_and_by_the_rules(path: Path) -> None:
    verdict = verify(path)
    assert verdict.good, verdict.message
    assert verdict.message.startswith("finished game")


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_all_of_a_recorded_game_can_be_sent(path: Path) -> None:
    match = Match.open(path)
    for seat in (contract.SPECTATOR, contract.REFEREE):
        assert msgspec.json.encode([event for _, event in match.events(seat)])
        assert msgspec.json.encode(match.view(seat))


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_a_recorded_game_is_called_by_what_is_in_it(path: Path) -> None:
    content = saved.read(path)
    assert content.result
    name = f"{content.header.game}-{content.header.players}-{content.result.end}"
    assert path.stem.startswith(name)


@pytest.mark.parametrize("name", names())
def test_every_end_is_recorded_for_few_and_for_many_players(name: str) -> None:
    ends = contract.load(name).ends
    wanted = {f"{name}-{number}-{end}" for number in facts(name).recorded for end in ends}
    assert wanted <= {path.stem for path in GOLDEN}
