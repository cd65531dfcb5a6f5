"""Whole games on a real server: played by people and bots, to an end that can be verified."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from caramba.games import names
from caramba.match.verify import verify
from facts import facts
from server_kit import Running, play_on, serving


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with serving(tmp_path_factory.mktemp("server")) as running:
        yield running


@pytest.mark.parametrize("game", names())
def test_people_and_a_bot_play_to_the_end(server: Running, game: str, tmp_path: Path) -> None:
    table, tokens = server.full(game, 2, bots=1, options=facts(game).quick)
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


@pytest.mark.parametrize("game", names())
def test_bots_play_among_themselves(server: Running, game: str) -> None:
    made = server.make(game, 0, 3, options=facts(game).quick, name=None)
    assert (made["seat"], made["token"]) == (None, None)
    watcher = server.player(made["table"])
    watcher.hear("news")
    while not watcher.news["view"]["result"]:
        watcher.hear("news")
    assert watcher.table["status"] == "over"
