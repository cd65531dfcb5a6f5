"""The table of the Cards: what a discard brings, and what a call brought."""

import json
import re
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from browser_kit import DESKTOP, PHONE, Visitor, visiting
from gestures import choose, play_to_the_end, touches, way
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


OVERLAPPING = """() => [...document.querySelectorAll('.summary tbody tr')].filter((row) => {
  const box = (part) => row.querySelector(part).getBoundingClientRect();
  const [who, cards] = [box('.name'), box('.cards')];
  return who.width < 30 || who.right > cards.left;
}).length"""
"""How many names lie under cards."""


def test_a_summary_is_readable_on_the_narrowest_screen(browser: Browser, server: Running) -> None:
    with visiting(browser, server, {"width": 320, "height": 568}, "fr") as ana:
        call(ana)
        expect(ana.page.locator(".summary tbody tr")).to_have_count(2)
        assert ana.page.evaluate(OVERLAPPING) == 0
        ana.check_width()


def call(ana: Visitor) -> None:
    """Play on until one may call, and do."""
    to_a(ana, "caramba", call_limit=50, max_deals=2)
    ana.page.wait_for_timeout(RESTING)
    ana.page.locator('[data-act="caramba"]').click()


def test_a_summary_goes_when_play_goes_on(browser: Browser, server: Running) -> None:
    with visiting(browser, server, DESKTOP, speed="brisk") as ana:
        call(ana)
        summary = ana.page.get_by_role("region", name="Deal 1")
        expect(summary).to_be_visible()
        expect(summary).to_have_count(0, timeout=20_000)


def test_a_summary_goes_with_a_touch_anywhere(browser: Browser, server: Running) -> None:
    with visiting(browser, server, DESKTOP) as ana:
        call(ana)
        summary = ana.page.get_by_role("region", name="Deal 1")
        expect(summary).to_be_visible()
        summary.locator("p").first.click()
        expect(summary).to_be_visible()
        ana.page.mouse.click(300, 880)
        expect(summary).to_have_count(0)


def test_looking_back_a_deal_is_summed_up_where_it_ended(browser: Browser, server: Running) -> None:
    with visiting(browser, server, DESKTOP) as ana:
        call(ana)
        summary = ana.page.get_by_role("region", name="Deal 1")
        expect(summary).to_be_visible()
        told = [one for frame in ana.frames for one in json.loads(frame).get("events", ())]
        ended = next(one["step"] for one in told if one["kind"] == "caramba") + 1
        for step, there in ((ended, 1), (ended + 1, 0), (ended + 4, 0), (ended - 1, 0), (ended, 1)):
            ana.page.goto(f"{ana.page.url.split('/replay')[0]}/replay?step={step}")
            expect(ana.page.get_by_text(f"Step {step} of")).to_be_visible()
            expect(summary).to_have_count(there)


def test_who_listens_hears_what_the_deal_brought(browser: Browser, server: Running) -> None:
    with visiting(browser, server, DESKTOP) as ana:
        call(ana)
        expect(ana.page.get_by_role("region", name="Deal 1")).to_be_visible()
        score = ana.news["view"]["players"][0]["score"]
        button = ana.button("Play on")
        expect(button).to_have_accessible_description(re.compile(rf"You score .*total.* {score}\b"))


def test_the_end_tells_how_it_came_about(browser: Browser, server: Running) -> None:
    with visiting(browser, server, DESKTOP) as ana:
        made = ana.server.make("cards", 1, bots=1, options={"call_limit": 50, "max_deals": 2})
        ana.sit(made["table"], made["token"])
        play_to_the_end(ana, touches, Random(1))
        ending = ana.page.get_by_role("region", name="The result")
        expect(ending.get_by_text("The game, turn by turn")).to_be_visible()
        expect(ending.get_by_role("img", name="The course of the game")).to_be_visible()
        expect(ana.page.locator(".summary")).to_have_count(0)


def test_many_discards_push_nothing_off_a_phone(browser: Browser, server: Running) -> None:
    with visiting(browser, server, PHONE, "fr") as ana:
        made = ana.server.make("cards", 1, bots=3, options={"call_limit": 3})
        ana.sit(made["table"], made["token"])
        rng = Random(3)
        while len(ana.news.get("view", {}).get("older", ())) < 10:
            play_to_the_end(ana, touches, rng, decisions=1)
        expect(ana.page.locator("[data-busy=true]")).to_have_count(0)
        shelf = ana.page.locator(".shelf").bounding_box()
        scores = ana.page.locator(".shelf .scores").bounding_box()
        assert shelf
        assert scores
        assert scores["x"] + scores["width"] <= shelf["x"] + shelf["width"] + 1
