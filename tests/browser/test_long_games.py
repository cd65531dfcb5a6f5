"""Games of standard length: from the first question to the last step of looking back."""

import re
from random import Random

import pytest
from playwright.sync_api import Browser, expect

from browser_kit import DESKTOP, PHONE, Visitor, visiting
from caramba.games import names
from caramba.games.contract import load
from gestures import play_to_the_end, touches
from server_kit import Running

pytestmark = [pytest.mark.long, pytest.mark.timeout(1800)]
GAMES = pytest.mark.parametrize("game", names())


@GAMES
def test_three_at_a_table_on_a_phone_in_french(
    browser: Browser, server: Running, game: str
) -> None:
    with visiting(browser, server, PHONE, "fr") as ana:
        table = play(ana, game, bots=2)
        expect(ana.page.get_by_role("region", name="Le résultat")).to_be_visible()
        look_back(ana, table, on="Tour suivant")


@GAMES
def test_a_full_table_on_a_desktop_in_english(browser: Browser, server: Running, game: str) -> None:
    with visiting(browser, server, DESKTOP) as ana:
        table = play(ana, game, bots=load(game).players[-1] - 1)
        expect(ana.page.get_by_role("region", name="The result")).to_be_visible()
        look_back(ana, table, on="Turn on")


def play(ana: Visitor, game: str, bots: int) -> str:
    """A whole game of standard length against bots; the name of its table."""
    made = ana.server.make(game, 1, bots=bots)
    ana.sit(made["table"], made["token"])
    play_to_the_end(ana, look_and_touch, Random(7))
    ana.check_axe()
    ana.check_width()
    return str(made["table"])


def look_and_touch(ana: Visitor, selector: str) -> None:
    """Touch something; what sums up a deal of many players lies over it until it is put away."""
    put_away(ana)
    touches(ana, selector)


def put_away(ana: Visitor) -> None:
    """Have read how a deal went."""
    for summary in ana.page.locator(".over button").all():
        summary.click()


def look_back(ana: Visitor, table: str, on: str) -> None:
    """From the first step to the last, turn by turn, without standing still."""
    ana.open(f"/t/{table}/replay?step=0")
    while ana.button(on).is_enabled():
        go_on(ana, on)
    of = re.search(r"step=(\d+)", ana.page.url)
    assert of
    assert int(of.group(1)) == ana.server.get(f"/api/tables/{table}/replay?step=0").json()["of"]


def go_on(ana: Visitor, on: str) -> None:
    """Press a button that leads to another step."""
    put_away(ana)
    before = ana.page.url
    ana.press(on)
    ana.page.wait_for_url(lambda url: url != before)
