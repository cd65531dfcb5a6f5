"""Tables on a real server: made, joined, played, left, and come back to."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from server_kit import Running, serving


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with serving(tmp_path_factory.mktemp("server")) as running:
        yield running


@pytest.mark.parametrize("game", ["auction", "race", "cards"])
def test_a_person_plays_with_bots_to_the_end(server: Running, game: str, tmp_path: Path) -> None:
    made = server.make(game, 1, 1)
    player = server.player(made["table"], made["token"])
    player.hear("news")
    turn = 0
    while not player.news["view"]["result"]:
        if player.my_turn:
            legal = player.news["view"]["legal"]
            answer = player.act(legal[turn % len(legal)]["text"])
            turn += 1
            if answer["number"] <= player.news["number"]:
                continue
        player.hear("news")
    assert player.table["status"] == "over"
    saved = server.get(f"/api/tables/{made['table']}/saved")
    assert saved.status_code == 200
