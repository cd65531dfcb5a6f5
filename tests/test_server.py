"""Whole games on a real server: played by people and bots, to an end that can be verified."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from caramba.match.verify import verify
from server_kit import Running, play_on, serving

SHORT: dict[str, dict[str, Any]] = {
    "auction": {"max_turns": 4},
    "race": {"max_races": 1},
    "cards": {"max_deals": 1, "max_laps": 4},
}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with serving(tmp_path_factory.mktemp("server")) as running:
        yield running


@pytest.mark.parametrize("game", SHORT)
def test_people_and_a_bot_play_to_the_end(server: Running, game: str, tmp_path: Path) -> None:
    table, tokens = server.full(game, 2, bots=1, options=SHORT[game])
    players = server.all_players(table, tokens)
    watcher = server.player(table)
    watcher.hear("news")
    commitment, seed = players[0].table["commitment"], players[0].table["seed"]
    assert (len(commitment), seed) == (64, None)
    play_on([*players, watcher])
    assert players[0].table["status"] == "over"
    saved = tmp_path / "game.jsonl"
    saved.write_bytes(server.get(f"/api/tables/{table}/saved").content)
    verdict = verify(saved)
    assert (verdict.good, verdict.fair) == (True, True)
    assert players[0].table["seed"] in saved.read_text()
    assert commitment in saved.read_text()


@pytest.mark.parametrize("game", SHORT)
def test_bots_play_among_themselves(server: Running, game: str) -> None:
    made = server.make(game, 0, 3, options=SHORT[game], name=None)
    assert (made["seat"], made["token"]) == (None, None)
    watcher = server.player(made["table"])
    watcher.hear("news")
    while not watcher.news["view"]["result"]:
        watcher.hear("news")
    assert watcher.table["status"] == "over"
