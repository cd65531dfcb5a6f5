"""The table of the Race: the odds, as the server works them out."""

from random import Random

from playwright.sync_api import Browser, Locator, expect

from browser_kit import PHONE, Visitor, visiting
from gestures import choose, touches
from server_kit import Running


def to_the_dice(ana: Visitor) -> None:
    """Play at a new table until the number of dice is asked, and it is a choice."""
    made = ana.server.make("race", 1, bots=3)
    ana.sit(made["table"], made["token"])
    while not (ana.asked and len(ana.news["view"]["costs"]) > 1):
        if ana.asked:
            choose(ana, touches, Random(1))
        ana.page.wait_for_timeout(20)
    expect(ana.button("Odds")).to_be_visible()


def odds_of(ana: Visitor) -> Locator:
    """What is told of them."""
    return ana.page.get_by_role("group", name="Exact odds of this turn")


def test_the_odds_are_asked_of_the_server_once(browser: Browser, server: Running) -> None:
    with visiting(browser, server, PHONE) as ana:
        to_the_dice(ana)
        asked = []
        ana.page.on("request", lambda one: asked.append(one.url) if "/odds" in one.url else None)
        ana.press("Odds")
        ways = odds_of(ana).get_by_role("button")
        expect(ways).to_have_count(len(ana.news["view"]["costs"]))
        expect(ways.first).to_have_attribute("aria-pressed", "true")
        ana.press("Odds")
        expect(odds_of(ana)).to_have_count(0)
        ana.press("Odds")
        expect(ways).to_have_count(len(ana.news["view"]["costs"]))
        assert len(asked) == 1


def test_it_is_told_why_there_are_no_odds(browser: Browser, server: Running) -> None:
    refusal = {"code": "missing", "reason": "there are no odds for this"}
    with visiting(browser, server, PHONE) as ana:
        to_the_dice(ana)
        ana.page.route("**/odds", lambda route: route.fulfill(status=404, json=refusal))
        ana.press("Odds")
        expect(odds_of(ana).get_by_role("alert")).to_have_text("there are no odds for this")
        ana.page.unroute("**/odds")
        ana.press("Odds")
        ana.press("Odds")
        expect(odds_of(ana).get_by_role("button").first).to_be_visible()
        ana.complaints.clear()  # the browser's own, about the 404
