"""The table of the Cards: what a discard brings, and what a call brought."""

from random import Random
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from browser_kit import DESKTOP, Visitor, visiting
from gestures import choose, touches, way
from server_kit import Running

RESTING = 400
"""Milliseconds after an action in which another tap means nothing."""


def to_a(ana: Visitor, what: str, **options: Any) -> dict[str, Any]:
    """Play at a new table until one may do this; the action."""
    made = ana.server.make("cards", 1, bots=1, options=options)
    ana.sit(made["table"], made["token"])
    while True:
        found = [
            one for one in ana.news.get("view", {}).get("legal", ()) if one["form"]["do"] == what
        ]
        if found:
            return dict(found[0])
        if ana.asked:
            choose(ana, touches, Random(1))
        ana.page.wait_for_timeout(20)


def test_the_button_tells_what_would_be_left(browser: Browser, server: Running) -> None:
    with visiting(browser, server, DESKTOP) as ana:
        action = to_a(ana, "drop")
        brings = ana.news["brings"][ana.news["view"]["legal"].index(action)]
        for selector in way("cards", action)[:-1]:
            ana.page.locator(selector).click()
        button = ana.page.locator(f'[data-act="{action["text"]}"]')
        expect(button).to_contain_text(f"{brings['left']} point")


@pytest.mark.parametrize("speed", ["instant", "brisk"])
def test_a_call_is_summed_up_until_that_is_put_away(
    browser: Browser, server: Running, speed: str
) -> None:
    with visiting(browser, server, DESKTOP, speed=speed) as ana:
        to_a(ana, "caramba", call_limit=50, max_deals=2)
        summary = ana.page.get_by_role("region", name="Deal 1")
        ana.page.wait_for_timeout(RESTING)
        ana.page.locator('[data-act="caramba"]').click()
        rows = summary.locator("tbody tr")
        expect(rows).to_have_count(2)
        for player in ana.news["view"]["players"]:
            expect(
                rows.locator("td:last-child").filter(has_text=str(player["score"]))
            ).not_to_have_count(0)
        ana.press("Play on")
        expect(summary).to_have_count(0)
        expect(ana.page.get_by_text("Deal 2, ")).to_be_visible()
