"""The Race: silver for one die more, quickly offered and quickly refused."""

import re
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from browser_kit import DESKTOP, PHONE, Visitor, visiting
from gestures import choose, touches
from server_kit import Player, Running, serving

MISMATCH = "label-content-name-mismatch"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, page_folder: Path) -> Iterator[Running]:
    """A server that waits for an answer long enough for a browser."""
    with serving(tmp_path_factory.mktemp("server"), page=page_folder, window=6.0) as running:
        yield running


def asked(ana: Visitor, phase: str) -> bool:
    return ana.asked and ana.news["view"]["phase"] == phase


def to_the_offers(ana: Visitor) -> None:
    """Sit down against bots and play until an offer can be made."""
    made = ana.server.make("race", 1, bots=2)
    ana.sit(made["table"], made["token"])
    play_until(ana, "offers")
    expect(ana.page.get_by_role("group", name="Your offer")).to_be_visible()


def play_until(ana: Visitor, phase: str) -> None:
    while not asked(ana, phase):
        if ana.asked:
            choose(ana, touches, Random(1))
        ana.page.wait_for_timeout(20)


def question(page: Page) -> Locator:
    return page.get_by_role("region", name="What is asked")


def test_one_touch_offers(browser: Browser, server: Running) -> None:
    with visiting(browser, server, PHONE) as ana:
        to_the_offers(ana)
        expect(question(ana.page).get_by_role("timer")).to_have_count(0)
        ana.button("Offer 2 silver").click()
        table = server.table(ana.table["id"])
        ana.until(lambda: "offer 2" in [text for _, text in table.match.steps])


def test_one_touch_is_never_again_and_one_is_again(browser: Browser, server: Running) -> None:
    with visiting(browser, server, PHONE) as ana:
        to_the_offers(ana)
        number = ana.news["number"]
        expect(ana.page.get_by_role("switch", name="Offers")).to_have_count(0)
        ana.button("Do not ask me again").click()
        switch = ana.page.get_by_role("switch", name="Offers")
        expect(switch).to_be_visible()
        ana.until(lambda: ana.news["number"] > number)  # that was an answer, too
        switch.click()
        expect(switch).to_have_count(0)
        play_until(ana, "offers")


def test_who_wants_no_ambush_is_asked_for_none(browser: Browser, server: Running) -> None:
    with visiting(browser, server, PHONE) as ana:
        made = ana.server.make("race", 1, bots=1)
        ana.sit(made["table"], made["token"])
        play_until(ana, "round_ambush")
        ana.button("Do not ask me again").click()
        switch = ana.page.get_by_role("switch", name="Ambushes", exact=True)
        expect(switch).to_be_visible()
        expect(ana.page.get_by_text("Ambushes: you are not asked any more.")).to_be_visible()
        seat = server.table(made["table"]).places[0]
        assert [seat.ask[name] for name in ("round_ambush", "turn_ambush")] == [False, False]
        switch.click()
        expect(switch).to_have_count(0)


SILENT = "Offers: you are not asked any more. The switch brings the question back."


def test_who_says_nothing_twice_is_told_that_they_are_not_asked_again(
    browser: Browser, tmp_path: Path, page_folder: Path
) -> None:
    with (
        serving(tmp_path, page=page_folder, window=0.6) as server,
        visiting(browser, server, PHONE, guide=True) as ana,
    ):
        table, tokens = server.full("race", 2)
        luc = server.player(table, tokens[1])
        ana.sit(table, tokens[0])
        together(ana, luc, "offers")
        expect(question(ana.page).get_by_role("timer")).to_have_text(re.compile(r"0:0\d"))
        tip = ana.page.get_by_role("complementary", name="How it works")
        expect(tip).to_contain_text(re.compile("^\\s*Silence is a no"))
        number, told = ana.news["number"], ana.page.get_by_text(SILENT)
        while ana.news["number"] == number:
            ana.page.wait_for_timeout(20)
        expect(told).to_have_count(0)
        together(ana, luc, "offers")
        expect(told).to_be_in_viewport(timeout=8_000)
        expect(ana.page.get_by_role("switch", name="Offers")).to_be_visible()


def together(ana: Visitor, luc: Player, phase: str) -> None:
    """Play until Ana is asked this; Luc answers whatever he is asked."""
    while not asked(ana, phase):
        luc.ping()
        if luc.my_turn:
            legal = [action["text"] for action in luc.news["view"]["legal"]]
            luc.act("no" if "no" in legal else legal[0])
        if ana.asked and not asked(ana, phase):
            choose(ana, touches, Random(1))
        ana.page.wait_for_timeout(20)


def test_everybody_sees_who_is_about_to_roll_and_who_is_asked(
    browser: Browser, server: Running
) -> None:
    table, tokens = server.full("race", 3)
    zoe, hugo = (server.player(table, token) for token in tokens[1:])
    with visiting(browser, server, PHONE) as ana:
        ana.sit(table, tokens[0])
        while True:
            for other in (zoe, hugo):
                other.ping()
            if asked(ana, "offers"):
                ana.page.locator("[data-act=no]").click()
            elif ana.asked:
                choose(ana, touches, Random(1))
            for other in (zoe, hugo):
                if other.my_turn and other.news["view"]["phase"] == "offers":
                    expect(question(ana.page)).to_contain_text("about to roll")
                    expect(question(ana.page)).to_contain_text("may offer silver")
                    return
                if other.my_turn:
                    legal = [action["text"] for action in other.news["view"]["legal"]]
                    other.act("no" if "no" in legal else legal[0])
                    other.ping()
            ana.page.wait_for_timeout(20)


def test_the_offer_is_explained_and_says_what_it_shows(browser: Browser, server: Running) -> None:
    with visiting(browser, server, DESKTOP, guide=True) as ana:
        to_the_offers(ana)
        tip = ana.page.get_by_role("complementary", name="How it works")
        expect(tip).to_contain_text(re.compile("^\\s*You may offer .* silver for one die more"))
        ana.check_axe()
        found = ana.page.evaluate(f"axe.run(document, {{runOnly: ['{MISMATCH}']}})")
        assert not found["violations"], found["violations"]
