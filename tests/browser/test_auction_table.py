"""The table of the Auction: it works nothing out by itself, and shows one thing after the other."""

import re
from random import Random
from typing import Any

from playwright.sync_api import Browser, expect

from browser_kit import DESKTOP, PHONE, Visitor, visiting
from gestures import choose, touches
from server_kit import Running

GOODS = {"g": "gold", "a": "ammunition", "d": "dynamite"}


def begin(ana: Visitor, bots: int = 2) -> None:
    """Sit down at a new table against bots, until there is a bid to be made."""
    made = ana.server.make("auction", 1, bots=bots)
    ana.sit(made["table"], made["token"])
    while not bids(ana):
        choose(ana, touches, Random(1)) if ana.asked else ana.page.wait_for_timeout(20)
    expect(ana.page.locator("[data-busy=true]")).to_have_count(0)


def bids(ana: Visitor) -> list[dict[str, Any]]:
    """What may be bid, and what comes of each."""
    news = ana.news or {"view": {"legal": []}, "brings": []}
    legal = zip(news["view"]["legal"], news["brings"], strict=True)
    return [{**action["form"], **brings} for action, brings in legal if brings]


def test_a_good_that_a_card_does_not_show_is_refused_by_the_server(
    browser: Browser, server: Running
) -> None:
    with visiting(browser, server, PHONE) as ana:
        begin(ana)
        card = bids(ana)[0]["card"]
        other = next(good for good in GOODS if good not in card)
        raised = ana.page.locator(f'[data-raise="{card}"]').first
        raised.click()
        ana.page.get_by_role("button", name=re.compile(f"^{GOODS[other]}, ")).click(force=True)
        expect(ana.page.get_by_role("alert")).to_contain_text(f"bid {card} {other}: ")
        expect(ana.page.get_by_role("alert").get_by_role("button")).to_have_text("Rule A17")
        expect(raised).to_have_attribute("aria-pressed", "true")


def test_a_raised_card_shows_what_the_server_says_that_it_makes(
    browser: Browser, server: Running
) -> None:
    with visiting(browser, server, DESKTOP) as ana:
        begin(ana)
        bid = bids(ana)[-1]
        ana.page.locator(f'[data-raise="{bid["card"]}"]').first.click()
        offer = ana.page.locator(f'[data-act="bid {bid["card"]} {bid["good"]}"]')
        expect(offer).to_have_accessible_name(
            re.compile(f"^Bid {bid['value']} here, for {bid['total']}\\.")
        )


def test_goods_are_settled_one_after_the_other(browser: Browser, server: Running) -> None:
    with visiting(browser, server, DESKTOP, speed="brisk") as ana:
        begin(ana, bots=1)
        ana.page.evaluate(WATCH)
        while len(seen := ana.page.evaluate("window.seen")) < len(GOODS):
            choose(ana, touches, Random(3)) if ana.asked else ana.page.wait_for_timeout(20)
        assert seen[:3] == [["gold", 1], ["ammunition", 2], ["dynamite", 3]]


WATCH = """() => {
  window.seen = [];
  const look = () => {
    const settling = document.querySelector(".stall.settling .sign")?.innerText.trim();
    const verdicts = document.querySelectorAll(".verdict").length;
    if (settling && window.seen.at(-1)?.[0] !== settling) window.seen.push([settling, verdicts]);
    requestAnimationFrame(look);
  };
  look();
}"""
"""Notes, frame by frame, which good is being settled, and how many of them have been."""
