"""A game that the page has no folder for: it is on the home page, and is played to its end."""

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import Browser, expect

import tiny
from browser_kit import DESKTOP, PHONE, ROOT, visiting
from caramba.games import names
from caramba.server.http import games
from caramba.warmup import prepare
from gestures import keys, play_to_the_end, touches
from server_kit import Running, serving

NAME = tiny.GAME.name


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, page_folder: Path) -> Iterator[Running]:
    """A server that knows the made-up game beside the others."""
    prepare(tiny.GAME, for_bots=True, advance=lambda done, total: None)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(games, "names", lambda: (*names(), NAME))
        with serving(tmp_path_factory.mktemp("server"), page=page_folder) as running:
            yield running


def test_a_game_that_is_not_drawn_is_played_to_its_end(browser: Browser, server: Running) -> None:
    assert not list((ROOT / "web" / "src").rglob(f"*{NAME}*"))
    with visiting(browser, server, PHONE) as ana:
        ana.open("/")
        tile = ana.page.get_by_role("listitem").filter(has_text=NAME)
        expect(tile.get_by_role("heading")).to_have_text(NAME)
        ana.check_axe()
        tile.get_by_role("button", name="Play now").click()
        expect(ana.page.get_by_role("heading", name=NAME, level=1)).to_be_attached()
        expect(ana.page.get_by_role("term")).to_have_text("cards")
        ana.check_axe()
        play_to_the_end(ana, touches, Random(1))
        expect(ana.page.get_by_role("region", name="The result")).to_be_visible()
        ana.check_width()
        ana.check_axe()


def test_it_is_played_by_keyboard_too(browser: Browser, server: Running) -> None:
    with visiting(browser, server, DESKTOP, "fr", theme="dark") as ana:
        made = server.make(NAME, 1, bots=1)
        ana.sit(made["table"], made["token"])
        play_to_the_end(ana, keys, Random(2))
        expect(ana.page.get_by_role("region", name="Le résultat")).to_be_visible()
        log = ana.page.get_by_role("log").first
        expect(log).to_contain_text("Ana: ")
        ana.check_axe()


def test_what_nobody_knows_is_called_by_its_name(browser: Browser, server: Running) -> None:
    with visiting(browser, server, DESKTOP) as ana:
        ana.open("/rules/poker")
        expect(ana.page).to_have_title("poker - Rules")
        expect(ana.page.get_by_role("alert")).to_have_text("The rules cannot be reached just now.")
        ana.complaints.clear()  # a browser tells of every answer 404
