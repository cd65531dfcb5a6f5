"""Every page but the tables: what is there, that it fits, and that anybody can use it."""

import re
from itertools import cycle

import pytest
from playwright.sync_api import Browser, expect

from browser_kit import DESKTOP, PHONE, TABLET, visiting
from caramba.games import names
from caramba.games.contract import load
from facts import facts
from server_kit import Running, play_on
from test_rule_ids import rule_ids

SIZES = pytest.mark.parametrize(
    "size", [PHONE, TABLET, DESKTOP], ids=["phone", "tablet", "desktop"]
)
THEMES = pytest.mark.parametrize("theme", ["light", "dark"])


@SIZES
@THEMES
def test_home(browser: Browser, server: Running, size: dict[str, int], theme: str) -> None:
    with visiting(browser, server, size, theme=theme) as ana:
        ana.open()
        expect(ana.page.locator("html")).to_have_attribute("data-theme", theme)
        assert ana.button("Play now").count() == len(names())
        ana.check_width()
        ana.check_axe()


@SIZES
def test_settings_and_new_tables(browser: Browser, server: Running, size: dict[str, int]) -> None:
    with visiting(browser, server, size) as ana:
        ana.open()
        ana.press("Settings")
        ana.check_axe()
        ana.page.get_by_text("Français").click()
        expect(ana.page.get_by_role("dialog", name="Réglages")).to_be_visible()
        ana.page.keyboard.press("Escape")
        ana.button("Avec des amis").first.click()
        ana.check_axe()
        ana.check_width()


def test_two_taps_to_a_game(browser: Browser, server: Running) -> None:
    with visiting(browser, server, PHONE) as ana:
        ana.open()
        ana.button("Play now").first.tap()
        expect(ana.page.get_by_role("region", name="What is asked")).to_be_visible()


def test_friends_join_by_link_and_by_code(browser: Browser, server: Running) -> None:
    with (
        visiting(browser, server, DESKTOP, name="Ana") as ana,
        visiting(browser, server, PHONE, name="Luc") as luc,
    ):
        ana.open()
        ana.button("With friends").nth(1).click()
        ana.page.get_by_role("group", name="Players", exact=True).get_by_text(
            "2", exact=True
        ).click()
        ana.press("Make the table")
        expect(ana.page.get_by_role("img", name="The link as a QR code")).to_be_visible()
        ana.check_axe()
        code = ana.page.locator(".code").inner_text()
        assert re.fullmatch(r"[A-Z0-9]{6}", code)
        luc.open()
        luc.page.get_by_label("Join by code").fill(code.lower())
        luc.press("Join")
        expect(luc.button("Sit here")).to_be_visible()
        luc.check_axe()
        luc.check_width()
        luc.press("Sit here")
        for person in (ana, luc):
            expect(person.page.get_by_role("region", name="What is asked")).to_be_visible()


def test_who_comes_to_a_table_sees_what_is_played_there(browser: Browser, server: Running) -> None:
    made = server.make(
        "cards", 2, bots=1, clock={"move": 90}, take_backs=False, options={"max_deals": 4}
    )
    with visiting(browser, server, PHONE) as luc, visiting(browser, server, DESKTOP) as ana:
        luc.open(f"/t/{made['table']}")
        bot = luc.page.get_by_role("listitem").filter(has=luc.page.get_by_label("bot", exact=True))
        expect(bot).to_have_count(1)
        expect(bot).to_contain_text("easy")
        terms = luc.page.get_by_role("region", name="What is agreed")
        for text in ("90 seconds a decision", "Nothing is taken back", "max deals: 4"):
            expect(terms).to_contain_text(text)
        luc.press("Rules")
        expect(luc.page.get_by_role("dialog")).to_be_visible()
        luc.page.keyboard.press("Escape")
        ana.sit(made["table"], made["token"])
        ana.page.get_by_label("Your message").fill("Hola")
        ana.press("Send")
        expect(luc.page.get_by_role("log", name="Chat")).to_contain_text("Hola")
        luc.check_width()
        luc.check_axe()


@pytest.mark.parametrize("place", ["0.0.0.0", "127.0.0.1"])
def test_the_link_is_one_that_others_can_reach(
    browser: Browser, server: Running, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever plays on the machine itself may call it by a name that no other machine knows."""
    server.app.state.place = place
    monkeypatch.setattr("caramba.server.http.reaching.own_address", lambda: "192.0.2.7")
    made = server.make("cards", 2)
    with visiting(browser, server, PHONE) as ana:
        ana.sit(made["table"], made["token"])
        link = ana.page.get_by_role("region", name="Invite friends").get_by_role("link")
        port = server.address.partition(":")[2]
        warning = ana.page.get_by_text("Only this machine can open this address")
        if place == "0.0.0.0":
            expect(link).to_have_text(f"http://192.0.2.7:{port}/t/{made['table']}")
            expect(warning).to_have_count(0)
        else:
            expect(link).to_have_text(f"http://{server.address}/t/{made['table']}")
            expect(warning).to_be_visible()
        ana.check_width()


def test_guests_without_a_name_can_sit_together(browser: Browser, server: Running) -> None:
    with visiting(browser, server, PHONE) as ana, visiting(browser, server, PHONE) as luc:
        ana.open()
        ana.button("With friends").nth(1).click()
        ana.press("Make the table")
        expect(ana.page.get_by_text("Invite friends")).to_be_visible()
        luc.open(ana.page.url.removeprefix(f"http://{server.address}"))
        luc.press("Sit here")
        expect(luc.page.get_by_role("region", name="What is asked")).to_be_visible()
        expect(luc.page.get_by_text("Guest 2").first).to_be_visible()


def test_a_name_that_is_taken_is_explained_where_it_was_written(
    browser: Browser, server: Running
) -> None:
    table = server.make("cards", 2)["table"]
    with visiting(browser, server, PHONE, name="ana") as luc:
        luc.open(f"/t/{table}")
        luc.press("Sit here")
        field = luc.page.get_by_label("Your name")
        expect(field).to_be_focused()
        expect(field).to_have_accessible_description(re.compile("has that name already"))
        luc.check_axe()
        field.fill("Luc")
        luc.press("Sit here")
        expect(luc.page.get_by_role("region", name="What is asked")).to_be_visible()
        luc.complaints.clear()  # the browser itself notes that something was refused
    with visiting(browser, server, PHONE, name="A\u200bna") as zoe:
        zoe.open()
        zoe.button("With friends").first.click()
        zoe.press("Make the table")
        expect(zoe.page.get_by_label("Your name")).to_be_focused()
        zoe.complaints.clear()


def test_a_wrong_code_is_explained(browser: Browser, server: Running) -> None:
    with visiting(browser, server, PHONE) as ana:
        ana.open()
        ana.page.get_by_label("Join by code").fill("XXXXXX")
        ana.press("Join")
        expect(ana.page.get_by_role("alert").filter(has_text="code")).to_be_visible()
        ana.complaints.clear()  # the browser itself notes that there is no such table


@SIZES
@THEMES
@pytest.mark.parametrize(("locale", "says"), [("en", "Nothing here"), ("fr", "Rien ici")])
def test_an_unknown_address_shows_the_way_home(
    browser: Browser, server: Running, size: dict[str, int], theme: str, locale: str, says: str
) -> None:
    with visiting(browser, server, size, theme=theme, language=locale) as ana:
        ana.open("/nowhere/at/all")
        expect(ana.page.get_by_role("heading", name=says)).to_be_visible()
        ana.check_width()
        ana.check_axe()
        ana.page.locator("main a").click()
        expect(ana.page).to_have_url(f"http://{server.address}/")
        expect(ana.page.get_by_role("heading", name=says)).to_be_hidden()
        ana.complaints.clear()  # the browser itself notes the 404


def test_a_table_that_cannot_be_fetched_can_be_tried_again(
    browser: Browser, server: Running
) -> None:
    with visiting(browser, server, DESKTOP) as ana:
        ana.page.route("**/assets/*Table*", lambda route: route.abort())
        ana.open()
        ana.button("Play now").first.click()
        expect(ana.page.get_by_text("The table could not be fetched.")).to_be_visible()
        ana.page.unroute("**/assets/*Table*")
        ana.press("Load the page again")
        expect(ana.page.get_by_role("region", name="What is asked")).to_be_visible()
        expect(ana.page.get_by_text("The table could not be fetched.")).to_be_hidden()
        ana.complaints.clear()  # the browser itself notes what was not fetched


def test_a_table_that_is_not_there_is_explained(browser: Browser, server: Running) -> None:
    with visiting(browser, server, PHONE) as ana:
        ana.page.goto(f"http://{server.address}/t/nowhere")
        expect(ana.page.get_by_role("link", name="Home", exact=True)).to_be_visible()
        expect(ana.page.get_by_role("alert")).to_have_text(re.compile(r"^[A-Z][^.]+\.$"))
        panel = ana.page.locator(".panel").bounding_box()
        assert panel
        assert panel["x"] >= 4, "there is room beside it"
        ana.complaints.clear()


@pytest.mark.parametrize("game", names())
def test_rules(browser: Browser, server: Running, game: str) -> None:
    first = rule_ids((load(game).folder / "RULES.md").read_text())[0]
    with visiting(browser, server, PHONE) as ana:
        ana.open(f"/rules/{game}?rule={first}")
        expect(ana.page.locator(f"#{first}")).to_be_in_viewport()
        ana.check_axe()
        for size in (PHONE, TABLET, DESKTOP):
            ana.page.set_viewport_size(size)  # type: ignore[arg-type]
            ana.check_width()


@pytest.mark.parametrize(("game", "size"), [*zip(names(), cycle((PHONE, DESKTOP)))])
def test_looking_back(browser: Browser, server: Running, game: str, size: dict[str, int]) -> None:
    table, tokens = server.full(game, 2, options=facts(game).quick)
    play_on(server.all_players(table, tokens))
    with visiting(browser, server, size) as ana:
        ana.sit(table, tokens[0])
        expect(ana.page.get_by_role("region", name="The result")).to_be_visible()
        if (chart := ana.page.get_by_role("img", name=re.compile("over time"))).count():
            for counted in ("points", {"auction": "turn", "race": "race", "cards": "deal"}[game]):
                expect(chart.locator("text").filter(has_text=counted)).to_have_count(1)
        ana.check_width()
        ana.check_axe()
        ana.page.get_by_role("link", name="Look back").click()
        expect(ana.page.get_by_text(re.compile("Step [1-9][0-9]* of"))).to_be_visible()
        for _ in range(3):
            ana.press("Step on")
        ana.press("Turn on")
        ana.page.wait_for_url(re.compile(r"step=\d+"))
        ana.check_width()
        ana.check_axe()
        address = ana.page.url.removeprefix(f"http://{server.address}")
        step = re.search(r"step=(\d+)", address)
    with visiting(browser, server, size) as luc:
        luc.open(address)
        assert step
        expect(luc.page.get_by_text(f"Step {step.group(1)} of")).to_be_visible()


NUMBERED = """() => [...document.querySelectorAll('.primer figure')].map((figure) => {
  const { left } = figure.getBoundingClientRect();
  const number = getComputedStyle(figure, '::before');
  const end = left + parseFloat(number.left) + parseFloat(number.width);
  const drawn = [...figure.querySelectorAll('.picture > *, .picture .art')];
  return drawn.every((one) => one.getBoundingClientRect().left >= end);
})"""
"""By picture of the rules: whether all of it is beside its number."""


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_the_number_of_a_picture_covers_nothing_of_it(
    browser: Browser, server: Running, size: dict[str, int]
) -> None:
    with visiting(browser, server, size) as ana:
        ana.open("/rules/cards")
        expect(ana.page.locator(".primer figure").first).to_be_visible()
        assert ana.page.evaluate(NUMBERED) == [True] * 6
