"""Whole games on the page: by touch and by keyboard, in two languages, on a phone and a desktop."""

from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import Browser, expect

from browser_kit import DESKTOP, PHONE, TABLET, Visitor, visiting
from caramba.games import names
from caramba.games.contract import load
from facts import facts
from gestures import keys, play_to_the_end, touches
from server_kit import Running, serving

PASSING = "(movement) => movement.effect.getComputedTiming().endTime !== Infinity"
"""A movement that ends: some things glow as long as they may be touched."""

LATE = """
  const own = Object.getOwnPropertyDescriptor(WebSocket.prototype, "onmessage");
  const later = (hear) => hear && ((event) => setTimeout(() => hear(event), 150));
  Object.defineProperty(WebSocket.prototype, "onmessage", {
    set(hear) { own.set.call(this, later(hear)); },
  });
"""
"""A device that is so busy that its page hears everything late."""

GAMES = pytest.mark.parametrize("game", names())


@GAMES
def test_a_whole_game_in_french_on_a_phone(browser: Browser, server: Running, game: str) -> None:
    with visiting(browser, server, PHONE, "fr") as ana:
        begin(ana, game, bots=2)
        ana.check_axe()
        play_to_the_end(ana, touches, Random(1))
        expect(ana.page.get_by_role("region", name="Le résultat")).to_be_visible()
        ana.check_width()


@GAMES
def test_a_whole_game_in_english_on_a_desktop(browser: Browser, server: Running, game: str) -> None:
    with visiting(browser, server, DESKTOP, guide=True, theme="dark") as ana:
        begin(ana, game, bots=1)
        ana.check_axe()
        play_to_the_end(ana, touches, Random(2))
        expect(ana.page.get_by_role("region", name="The result")).to_be_visible()
        ana.check_axe()


@GAMES
def test_what_happens_can_be_followed(browser: Browser, server: Running, game: str) -> None:
    with visiting(browser, server, PHONE, speed="brisk") as ana:
        begin(ana, game, bots=1)
        play_to_the_end(ana, touches, Random(6), decisions=3)
        expect(ana.page.locator("[data-busy=true]")).to_have_count(0, timeout=30_000)
        # What moved has come to rest, and nothing that flew was left behind.
        for _ in range(300):
            moving = ana.page.evaluate(f"document.getAnimations().filter({PASSING}).length")
            if not moving:
                break
            ana.page.wait_for_timeout(20)
        assert not moving
        expect(ana.page.locator("body > [inert]")).to_have_count(0)


@GAMES
def test_a_whole_game_by_keyboard_alone(browser: Browser, server: Running, game: str) -> None:
    with visiting(browser, server, DESKTOP) as ana:
        begin(ana, game, bots=1)
        play_to_the_end(ana, keys, Random(3))
        expect(ana.page.get_by_role("region", name="The result")).to_be_visible()


@GAMES
def test_anybody_can_use_a_table_in_the_middle_of_a_game(
    browser: Browser, server: Running, game: str
) -> None:
    with visiting(browser, server, TABLET) as ana:
        begin(ana, game, bots=2)
        play_to_the_end(ana, touches, Random(4), decisions=5)
        for size, theme in ((PHONE, "dark"), (TABLET, "light"), (DESKTOP, "dark")):
            ana.page.set_viewport_size(size)  # type: ignore[arg-type]
            ana.page.evaluate(f"document.documentElement.dataset.theme = '{theme}'")
            ana.check_width()
            ana.check_axe()


@GAMES
def test_the_largest_table_fits_a_phone(browser: Browser, server: Running, game: str) -> None:
    most = load(game).players[-1]
    with visiting(browser, server, PHONE, "fr") as ana:
        begin(ana, game, bots=most - 1)
        play_to_the_end(ana, touches, Random(5), decisions=2)
        ana.check_width()
        ana.check_axe()


@GAMES
def test_a_busy_device(
    browser: Browser, page_folder: Path, compiled: None, tmp_path: Path, game: str
) -> None:
    with (
        serving(tmp_path, page=page_folder, pause=0.4) as server,
        visiting(browser, server, PHONE) as ana,
    ):
        ana.page.add_init_script(LATE)
        begin(ana, game, bots=1)
        play_to_the_end(ana, touches, Random(1), decisions=5)


def begin(ana: Visitor, game: str, bots: int) -> None:
    """Sit down at a new table against bots."""
    made = ana.server.make(game, 1, bots=bots, options=facts(game).quick)
    ana.sit(made["table"], made["token"])
