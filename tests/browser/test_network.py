"""Bad networks: a lost line is noticed, told and mended; nothing is done twice or forgotten."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, expect

from browser_kit import DESKTOP, PHONE, Visitor, visiting
from gestures import is_there
from proxy import Proxy, bad_network
from server_kit import Running, serving

SILENCE, RETURN, AT_ONCE = 15_000, 3_000, 1_500
"""Milliseconds in which silence is noticed, the line is back, the browser's word is heeded."""
COUNTING = """
window.sockets = [];
window.most = 0;
window.WebSocket = class extends WebSocket {
  constructor(...given) {
    super(...given);
    window.sockets.push(this);
    const open = window.sockets.filter((socket) => socket.readyState <= WebSocket.OPEN);
    window.most = Math.max(window.most, open.length);
  }
};
"""
"""How many sockets the page has had, and how many at once."""
NOT_OURS = re.compile("WebSocket connection to|ERR_|closed before")
"""What a browser logs by itself when there is no network."""


@contextmanager
def far_away(
    browser: Browser, server: Running, size: dict[str, int] = PHONE
) -> Iterator[tuple[Visitor, Proxy]]:
    """Ana, and the network between her and the server."""
    with bad_network(server.address) as network:
        person: Any = network
        with visiting(browser, person, size) as ana:
            ana.page.add_init_script(COUNTING)
            yield ana, network
            ana.complaints = [line for line in ana.complaints if not NOT_OURS.search(line)]


def sit(ana: Visitor, server: Running) -> str:
    """Ana sits alone with Luc, who is not here; the first step is hers. The name of the table."""
    table, tokens = server.full("cards", 2, options={"first": 0})
    ana.sit(table, tokens[0])
    expect(ana.page.get_by_role("region", name="What is asked")).to_be_visible()
    return table


def banner(ana: Visitor) -> Locator:
    return ana.page.get_by_text("The line is lost")


def fire(ana: Visitor, *events: str) -> None:
    """The browser says something."""
    for event in events:
        where = "document" if event == "visibilitychange" else "window"
        ana.page.evaluate(f"{where}.dispatchEvent(new Event('{event}'))")


def drop_a_card(ana: Visitor) -> None:
    """Ana's first step."""
    action = next(one for one in ana.news["view"]["legal"] if one["form"]["do"] == "drop")
    card = action["form"]["cards"]
    for selector in (f'[data-raise="{card}"]', f'[data-act="{action["text"]}"]'):
        ana.until(lambda selector=selector: is_there(ana, selector))  # type: ignore[misc]
        ana.page.locator(selector).first.click()


@pytest.mark.parametrize("trouble", [Proxy.freeze, Proxy.drop])
def test_a_step_into_a_silent_network_is_taken_once_when_it_is_back(
    browser: Browser, server: Running, trouble: Callable[[Proxy], None]
) -> None:
    with far_away(browser, server) as (ana, network):
        table = sit(ana, server)
        number = ana.news["number"]
        trouble(network)
        drop_a_card(ana)
        expect(ana.page.get_by_text("On its way")).to_be_visible()
        expect(banner(ana)).to_be_in_viewport(timeout=SILENCE)
        expect(ana.page.get_by_text("On its way")).to_have_count(0)
        expect(ana.page.get_by_text("Not sent yet")).to_be_visible()
        network.heal()
        expect(banner(ana)).to_have_count(0, timeout=RETURN)
        ana.until(lambda: ana.news["number"] > number)
        assert [entry["who"] for entry in server.log(table)[number:]] == [0]
        assert ana.page.evaluate("window.most") == 1


@pytest.mark.parametrize("trouble", [Proxy.freeze, Proxy.drop])
def test_a_network_that_is_long_silent_is_back_at_once(
    browser: Browser, server: Running, trouble: Callable[[Proxy], None]
) -> None:
    with far_away(browser, server) as (ana, network):
        sit(ana, server)
        trouble(network)
        expect(banner(ana)).to_be_visible(timeout=SILENCE)
        ana.page.wait_for_timeout(12_000)
        expect(banner(ana)).to_be_visible()
        network.heal()
        expect(banner(ana)).to_have_count(0, timeout=RETURN)
        assert ana.page.evaluate("window.most") == 1


def test_a_network_that_is_cut_is_noticed_at_once_and_back_at_once(
    browser: Browser, server: Running
) -> None:
    with far_away(browser, server) as (ana, network):
        sit(ana, server)
        network.cut()
        expect(banner(ana)).to_be_visible(timeout=AT_ONCE)
        ana.page.wait_for_timeout(12_000)
        network.heal()
        expect(banner(ana)).to_have_count(0, timeout=RETURN)
        assert ana.page.evaluate("window.most") == 1


def test_a_slow_network_is_no_lost_one(browser: Browser, server: Running) -> None:
    with far_away(browser, server) as (ana, network):
        sit(ana, server)
        number = ana.news["number"]
        network.delay(1.0)
        drop_a_card(ana)
        for _ in range(28):
            ana.page.wait_for_timeout(500)
            expect(banner(ana)).to_have_count(0)
        assert ana.news["number"] > number
        assert ana.page.evaluate("window.sockets.length") == 1


def test_the_browsers_word_that_it_is_offline_is_believed(
    browser: Browser, server: Running
) -> None:
    with far_away(browser, server) as (ana, network):
        sit(ana, server)
        network.freeze()
        ana.page.context.set_offline(True)
        expect(banner(ana)).to_be_visible(timeout=AT_ONCE)
        ana.page.wait_for_timeout(4_000)
        expect(banner(ana)).to_be_visible()
        network.heal()
        ana.page.context.set_offline(False)
        expect(banner(ana)).to_have_count(0, timeout=RETURN)
        assert ana.page.evaluate("window.most") == 1


def test_a_step_that_is_taken_while_the_line_is_lost_is_sent_when_it_is_back(
    browser: Browser, server: Running
) -> None:
    with far_away(browser, server, DESKTOP) as (ana, _):
        sit(ana, server)
        asked = ana.page.get_by_role("region", name="What is asked")
        place = asked.bounding_box()
        ana.page.context.set_offline(True)
        expect(banner(ana)).to_be_visible(timeout=AT_ONCE)
        assert asked.bounding_box() == place, "the banner moves what one is asked"
        steps = ana.news["steps"]
        drop_a_card(ana)
        expect(ana.page.get_by_text("what you did will be sent again")).to_be_visible()
        expect(asked.locator(".doors")).to_have_attribute("inert", "")
        ana.page.context.set_offline(False)
        expect(banner(ana)).to_have_count(0, timeout=RETURN)
        expect(ana.page.get_by_text("take", exact=False).first).to_be_visible()
        ana.until(lambda: ana.news["steps"] == steps + 1)


def test_whatever_the_browser_says_there_is_one_socket(browser: Browser, server: Running) -> None:
    with far_away(browser, server) as (ana, network):
        sit(ana, server)
        network.drop()
        fire(ana, "offline")
        expect(banner(ana)).to_be_visible(timeout=AT_ONCE)
        ana.page.wait_for_timeout(1_500)
        fire(ana, "online", "visibilitychange", "online", "focus")
        network.heal()
        fire(ana, "online", "visibilitychange")
        expect(banner(ana)).to_have_count(0, timeout=RETURN)
        ana.page.wait_for_timeout(1_000)
        assert ana.page.evaluate("window.most") == 1
        assert ana.page.evaluate("window.sockets.filter((s) => s.readyState === 1).length") == 1
        assert not [line for line in ana.complaints if not NOT_OURS.search(line)]


def test_a_line_that_died_while_nobody_looked_is_noticed_by_who_comes_back(
    browser: Browser, server: Running
) -> None:
    with far_away(browser, server) as (ana, network):
        sit(ana, server)
        network.drop()
        network.heal()
        fire(ana, "visibilitychange")
        ana.until(lambda: ana.page.evaluate("window.sockets[1]?.readyState") == 1)
        expect(banner(ana)).to_have_count(0)
        assert ana.page.evaluate("window.most") == 1


def test_what_is_said_while_the_line_is_lost_is_said_once_when_it_is_back(
    browser: Browser, server: Running
) -> None:
    with far_away(browser, server, DESKTOP) as (ana, network):
        table = sit(ana, server)
        chat = ana.page.get_by_role("log", name="Chat")
        network.drop()
        say(ana, "Can you hear me?")
        fire(ana, "offline")
        expect(banner(ana)).to_be_visible()
        say(ana, "No?")
        expect(chat.get_by_text("Not sent yet: Can you hear me?")).to_be_visible()
        expect(chat.get_by_text("Not sent yet: No?")).to_be_visible()
        network.heal()
        expect(chat.get_by_text("Ana: No?")).to_be_visible()
        expect(chat.get_by_text("Not sent yet")).to_have_count(0)
        network.cut()
        network.heal()
        expect(banner(ana)).to_have_count(0)
        ana.page.wait_for_timeout(1_000)
        lines = [line.text for line in server.host.awake.tables[table].said]
        assert lines == ["Can you hear me?", "No?"]
        expect(chat.locator("p")).to_have_count(2)


def test_a_line_of_chat_that_is_refused_is_handed_back_and_the_step_goes_on(
    browser: Browser, page_folder: Path, tmp_path: Path
) -> None:
    with serving(tmp_path, page=page_folder, chat_a_minute=1) as server:
        table, tokens = server.full("cards", 2, options={"first": 0})
        with visiting(browser, server, DESKTOP) as ana:
            ana.sit(table, tokens[0])
            expect(ana.page.get_by_role("region", name="What is asked")).to_be_visible()
            say(ana, "hola")
            expect(ana.page.get_by_role("log", name="Chat")).to_contain_text("hola")
            say(ana, "amigos")
            expect(ana.page.get_by_label("Your message")).to_have_value("amigos")
            number = ana.news["number"]
            drop_a_card(ana)
            ana.until(lambda: ana.news["number"] > number)


def say(ana: Visitor, text: str) -> None:
    ana.page.get_by_label("Your message").fill(text)
    ana.press("Send")
