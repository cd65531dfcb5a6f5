"""While the rules are being compiled: bots that look ahead get ready, and all else goes on."""

import asyncio
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import pytest

from caramba.games import names
from caramba.games.errors import InvalidSetup
from caramba.match.match import Match
from caramba.server.host import uncompiled
from caramba.server.host.thinking import Thinkers
from server_kit import Running, play_on, serving


class Compiled:
    """What has been compiled so far."""

    def __init__(self) -> None:
        self.games: set[str] = set()

    def __call__(self, game: str) -> bool:
        return game in self.games


@pytest.fixture
def compiled() -> Compiled:
    return Compiled()


@pytest.fixture
def server(tmp_path: Path, compiled: Compiled) -> Iterator[Running]:
    with serving(tmp_path, compiled=compiled) as running:
        yield running


@pytest.mark.parametrize("game", names())
def test_bots_that_do_not_look_ahead_play_a_whole_game(server: Running, game: str) -> None:
    made = server.make(game, 1, bots=1)
    [ana] = server.all_players(made["table"], [made["token"]])
    play_on([ana])
    assert ana.news["view"]["result"]
    assert not ana.table["preparing"]


def test_bots_that_look_ahead_say_that_they_get_ready(server: Running, compiled: Compiled) -> None:
    seats = [{"kind": "person"}, {"kind": "bot", "level": "hard"}]
    made = server.make("race", 1, seats=seats, options={"first": 1})
    [ana] = server.all_players(made["table"], [made["token"]])
    while not ana.table["preparing"]:
        ana.hear("table", "news")
    waiting = ana.news
    assert waiting["view"]["actor"] == 1
    ana.ping()
    assert ana.news is waiting, "nobody plays for it meanwhile"
    compiled.games.add("race")
    while ana.table["preparing"]:
        ana.hear("table", "news")
    ana.wait_for(waiting["number"] + 1)


def test_a_seat_that_gets_ready_keeps_nobody_from_anything(server: Running) -> None:
    seats = [{"kind": "person"}, {"kind": "bot", "level": "expert"}]
    made = server.make("race", 1, seats=seats, options={"first": 1})
    [ana] = server.all_players(made["table"], [made["token"]])
    while not ana.table["preparing"]:
        ana.hear("table", "news")
    ana.say(type="say", text="hola")
    assert ana.hear("said")["text"] == "hola"
    again = server.player(made["table"], made["token"])
    assert again.welcome["table"]["preparing"]


@pytest.fixture
def thinkers(compiled: Compiled) -> Iterator[Thinkers]:
    thinkers = Thinkers(1, compiled)
    yield thinkers
    thinkers.close()


def ask(thinkers: Thinkers) -> bool:
    """Whether a bot knows what to do."""
    match = Match("race", players=2, seed=1, options={"first": 0})
    match.deal()

    async def think() -> str:
        return await thinkers.think(match, 0, "medium", "payer", "table")

    return asyncio.run(think()) in match.legal()


def test_once_all_is_compiled_nobody_plays_uncompiled(
    thinkers: Thinkers, compiled: Compiled
) -> None:
    before = thinkers.uncompiled.is_running
    assert ask(thinkers)
    compiled.games.update(names())
    assert ask(thinkers)
    assert (before, thinkers.uncompiled.is_running) == (True, False)


def test_a_bot_that_was_killed_is_asked_once_more(thinkers: Thinkers) -> None:
    assert ask(thinkers)
    process = thinkers.uncompiled.start()
    process.kill()
    process.wait()
    assert ask(thinkers)


def test_a_bot_that_fails_again_has_failed(thinkers: Thinkers) -> None:
    with pytest.raises(InvalidSetup, match="failed"):
        thinkers.uncompiled.choose("race", b"no state", 0, 2, "medium")
    assert ask(thinkers)


def test_a_bot_that_is_stuck_is_asked_once_more(
    thinkers: Thinkers, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert ask(thinkers)
    stuck = thinkers.uncompiled.start()
    stuck.send_signal(signal.SIGSTOP)
    monkeypatch.setattr(uncompiled, "PATIENCE", 5.0)
    assert ask(thinkers)
    assert stuck.poll() == -signal.SIGKILL


@pytest.mark.parametrize("asked", [False, True])
def test_a_bot_that_is_stuck_keeps_nobody_from_closing(compiled: Compiled, asked: bool) -> None:
    thinkers = Thinkers(1, compiled)
    assert ask(thinkers)
    thinkers.uncompiled.start().send_signal(signal.SIGSTOP)
    asking = Thread(target=ask_in_vain, args=[thinkers])
    if asked:
        asking.start()
        time.sleep(0.2)
    begin = time.monotonic()
    thinkers.close()
    assert time.monotonic() - begin < 5
    if asked:
        asking.join()


def ask_in_vain(thinkers: Thinkers) -> None:
    with pytest.raises(InvalidSetup):
        ask(thinkers)
