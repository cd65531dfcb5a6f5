"""Two servers whose tables differ only in what a viewer may not know send that viewer the same
bytes: on connecting, on coming back, on looking back, and when they refuse something.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from caramba.games.contract import SPECTATOR
from caramba.match.match import Match
from caramba.server.tables import showing
from facts import SECRETIVE, facts
from server_kit import Player, Running, keep, serving, token_of
from twins import twins

PLAYERS = 3
STEPS = 32
VIEWERS = (*range(PLAYERS), SPECTATOR)
STILL: dict[str, Any] = {"pause": 1e9, "window": 1e9, "now": lambda: 1e6}
"""Nothing happens by itself, and time stands still."""
ATTEMPTS = 25

Pair = tuple[Match, Match]


@pytest.fixture(scope="module")
def pairs() -> dict[str, Pair]:
    """By name of a table: two matches that its viewer cannot tell apart."""
    return {
        f"{game}{viewer}": twins(game, PLAYERS, viewer, STEPS)
        for game in SECRETIVE
        for viewer in VIEWERS
    }


@pytest.fixture(scope="module")
def servers(
    pairs: dict[str, Pair], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[list[Running]]:
    folders = [tmp_path_factory.mktemp(f"world{world}") for world in range(2)]
    for world, folder in enumerate(folders):
        keep(folder, {name: pair[world] for name, pair in pairs.items()})
    with serving(folders[0], **STILL) as one, serving(folders[1], **STILL) as two:
        yield [one, two]


def token(viewer: int) -> str | None:
    return None if viewer == SPECTATOR else token_of(viewer)


def everything(server: Running, name: str, viewer: int, match: Match) -> list[str]:
    """All that a viewer can get out of a server."""
    steps = len(match.steps)
    heard = [connected(server, name, viewer, have) for have in (None, 0, steps - 5, steps, 10**6)]
    looks = ["", "/saved", *(f"/replay?step={step}" for step in range(0, steps + 2, 3))]
    looks += [f"/replay?step={steps}&seat={seat}" for seat in range(PLAYERS + 1)]
    looks += ["/replay?everything=true"]
    answers = [server.get(f"/api/tables/{name}{path}", token(viewer)) for path in looks]
    heard += [[f"{answer.status_code} {answer.text}"] for answer in answers]
    return [frame for frames in heard for frame in frames] + refusals(server, name, viewer, match)


def connected(server: Running, name: str, viewer: int, have: int | None) -> list[str]:
    player = server.player(name, token(viewer), have=have, language="fr")
    player.hear("news")
    return left(player)


def refusals(server: Running, name: str, viewer: int, match: Match) -> list[str]:
    """What a viewer is told who tries things that are not allowed."""
    player = server.player(name, token(viewer))
    number = player.hear("news")["number"]
    allowed = {action["text"] for action in player.news["view"]["legal"]} | {"hold"}
    attempts = sorted({*facts(match.game.name).tries(match)} - allowed)
    for attempt in Random(0).sample(attempts, min(ATTEMPTS, len(attempts))):
        player.act(attempt, key="k")
    player.send("garbage")
    player.act("pass", key="k", number=number + 1)
    player.send(json.dumps({"type": "consent", "key": "k", "wish": number, "yes": True}))
    return left(player)


def left(player: Player) -> list[str]:
    """All frames, after which the player leaves."""
    player.ping()
    player.close()
    return player.frames


@pytest.mark.parametrize("viewer", VIEWERS)
@pytest.mark.parametrize("game", SECRETIVE)
def test_nobody_can_tell_two_worlds_apart(
    servers: list[Running], pairs: dict[str, Pair], game: str, viewer: int
) -> None:
    name = f"{game}{viewer}"
    one, two = (everything(server, name, viewer, pairs[name][0]) for server in servers)
    assert one == two
    assert len(one) > 40


@pytest.mark.parametrize("game", SECRETIVE)
def test_the_two_worlds_are_not_the_same(
    servers: list[Running], pairs: dict[str, Pair], game: str
) -> None:
    for viewer in VIEWERS:
        name = f"{game}{viewer}"
        for server in servers:
            server.get(f"/api/tables/{name}")
        one, two = (server.table(name).match for server in servers)
        assert one.state.tobytes() == pairs[name][0].state.tobytes()
        assert one.state.tobytes() != two.state.tobytes()
        assert one.steps != two.steps


@pytest.mark.parametrize("game", SECRETIVE)
def test_a_planted_leak_is_caught(
    servers: list[Running],
    pairs: dict[str, Pair],
    game: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    honest = showing.show_news

    def leaky(table: Any, *rest: Any) -> Any:
        news = honest(table, *rest)
        news.phrases = [table.match.state.tobytes().hex()]
        return news

    monkeypatch.setattr(showing, "show_news", leaky)
    one, two = (connected(server, f"{game}0", 0, None) for server in servers)
    assert one != two


def test_the_seed_is_not_told_before_the_end(servers: list[Running]) -> None:
    player = servers[0].player("cards0", token_of(0))
    player.hear("news")
    seed = (b"s" * 32).hex()
    assert not any(seed in frame for frame in player.frames)
    assert player.table["seed"] is None


def test_the_log_of_the_server_holds_no_secrets(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Even where something fails: only where it was, not what there was."""

    def fail(*_: Any) -> None:
        raise ValueError("the hand of Ana is g3a4")

    with serving(tmp_path) as server:
        table, tokens = server.full("auction", 2)
        players = server.all_players(table, tokens)
        monkeypatch.setattr(showing, "show_table", fail)
        answer = server.get(f"/api/tables/{table}")
        players[0].say(type="standing", ask={"fuera": False})
        assert players[0].hear("refused")["code"] == "invalid"
    assert (answer.status_code, "Ana" in answer.text) == (500, False)
    printed = "".join(capfd.readouterr())
    assert "ValueError" in printed
    assert "g3a4" not in printed
    assert "Traceback" not in printed
