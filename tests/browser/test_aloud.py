"""Without eyes, and without a mouse: what is said aloud, and keys that lead where one wants."""

import re
from random import Random

import pytest
from playwright.sync_api import Browser, expect

from browser_kit import DESKTOP, PHONE, Visitor, visiting
from caramba.games import names
from gestures import choose, has_focus, touches
from server_kit import Running

GAMES = pytest.mark.parametrize("game", names())


def begin(ana: Visitor, game: str, steps: int) -> None:
    """Sit down against a bot, and take so many steps; then it is one's turn again."""
    made = ana.server.make(game, 1, bots=1)
    ana.sit(made["table"], made["token"])
    for _ in range(steps):
        wait(ana)
        choose(ana, touches, Random(1))
    wait(ana)
    expect(ana.page.locator("[data-busy=true]")).to_have_count(0)


def wait(ana: Visitor) -> None:
    ana.until(lambda: ana.asked)


@GAMES
@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_what_matters_since_my_last_turn_is_said_once(
    browser: Browser, server: Running, game: str, size: dict[str, int]
) -> None:
    with visiting(browser, server, size) as ana:
        begin(ana, game, 4)
        region = ana.page.locator("[data-part=question] [role=status]")
        expect(region).to_have_count(1)
        expect(region).to_have_text(re.compile(r"Your turn\. \S"))
        assert len(region.inner_text()) < 400
        for log in ana.page.get_by_role("log", name="What happened").all():
            expect(log).to_have_attribute("aria-live", "off")


@GAMES
def test_one_key_leads_to_each_part(browser: Browser, server: Running, game: str) -> None:
    with visiting(browser, server, DESKTOP) as ana:
        begin(ana, game, 2)
        parts = {"t": "table", "q": "question"} | ({} if game == "race" else {"h": "hand"})
        for key, part in parts.items():
            ana.page.keyboard.press(key)
            assert has_focus(ana, f"[data-part={part}], [data-part={part}] *"), part
        ana.page.keyboard.press("?")
        expect(ana.page.get_by_role("dialog", name="Keys")).to_contain_text("the question")
        ana.page.keyboard.press("Escape")
        ana.page.get_by_label("Your message").fill("")
        ana.page.get_by_label("Your message").press("t")
        expect(ana.page.get_by_label("Your message")).to_have_value("t")


@GAMES
def test_the_question_begins_with_its_answers_and_not_with_an_explanation(
    browser: Browser, server: Running, game: str
) -> None:
    with visiting(browser, server, DESKTOP, guide=True) as ana:
        made = ana.server.make(game, 1, bots=1)
        ana.sit(made["table"], made["token"])
        wait(ana)
        while not ana.page.locator(ANSWER).count():
            choose(ana, touches, Random(1))
            wait(ana)
            expect(ana.page.locator("[data-busy=true]")).to_have_count(0)
        expect(ana.button("Got it")).to_be_visible()
        ana.page.keyboard.press("q")
        assert has_focus(ana, ANSWER)


ANSWER = "[data-part=question] .doors button:not([aria-disabled=true])"


def test_a_digit_is_a_choice(browser: Browser, server: Running) -> None:
    with visiting(browser, server, DESKTOP) as ana:
        begin(ana, "race", 0)
        while ana.news["view"]["phase"] != "dice" or not ana.asked:
            if ana.asked:
                choose(ana, touches, Random(1))
            ana.page.wait_for_timeout(20)
        expect(ana.page.locator("[data-busy=true]")).to_have_count(0)
        number = ana.news["number"]
        ana.page.keyboard.press("1")
        ana.until(lambda: ana.news["number"] > number)


def test_a_card_is_drawn_by_a_digit(browser: Browser, server: Running) -> None:
    with visiting(browser, server, DESKTOP) as ana:
        begin(ana, "cards", 1)
        assert ana.news["view"]["phase"] == "take"
        number = ana.news["number"]
        ana.page.keyboard.press("1")
        ana.until(lambda: ana.news["number"] > number)
        assert server.table(ana.table["id"]).match.steps[number] == (0, "take pile")


DIGITS = """() => {
  const doors = document.querySelector('[data-part=question] .doors');
  doors.replaceChildren(...Array.from({ length: 11 }, () => document.createElement('button')));
  return new Promise(requestAnimationFrame).then(() =>
    [...doors.children].map((one) => getComputedStyle(one, '::after').content.match(/\\d+/)?.[0]));
}"""
"""What eleven choices show."""


def test_a_choice_shows_a_digit_only_if_it_has_one(browser: Browser, server: Running) -> None:
    with visiting(browser, server, DESKTOP) as ana:
        begin(ana, "cards", 0)
        expect(ana.page.locator("[data-part=question] .doors")).to_be_attached()
        assert ana.page.evaluate(DIGITS) == [*"123456789", None, None]


@pytest.mark.parametrize("game", [0, 1, 2])
def test_by_keyboard_the_first_question_has_the_focus_too(
    browser: Browser, server: Running, game: int
) -> None:
    with visiting(browser, server, DESKTOP, guide=True) as ana:
        ana.open()
        ana.button("Play now").nth(game).focus()
        ana.page.keyboard.press("Enter")
        ana.until(lambda: ana.asked)
        expect(ana.page.locator("[data-part=question]")).to_be_focused()
