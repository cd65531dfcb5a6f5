"""Several people, bad networks, and people who only watch."""

import asyncio
import re
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from browser_kit import DESKTOP, PHONE, Visitor, visiting
from caramba.games.contract import SPECTATOR
from facts import SECRETIVE, facts
from gestures import choose, play_to_the_end, play_together, touches
from server_kit import Running, keep, play_on, serving, token_of
from twins import twins

sys.path.insert(0, str(Path(__file__).parent.parent.parent / "tools"))

from serving import Server

STILL: dict[str, Any] = {"pause": 1e9, "window": 1e9, "now": lambda: 1e6}
"""Nothing happens by itself, and time stands still."""


def test_two_people_play_and_talk(browser: Browser, server: Running) -> None:
    table, tokens = server.full("race", 2, options=facts("race").quick)
    with visiting(browser, server, DESKTOP) as ana, visiting(browser, server, PHONE, "fr") as luc:
        ana.sit(table, tokens[0])
        luc.sit(table, tokens[1])
        ana.page.get_by_label("Your message").fill("¡Hola!")
        ana.press("Send")
        luc.page.get_by_role("button", name="Tchat (1)").click()
        expect(luc.page.get_by_role("log", name="Tchat")).to_contain_text("¡Hola!")
        luc.press("Fermer")
        play_together((ana, luc), Random(1))
        for person in (ana, luc):
            expect(person.page.locator("section[aria-label] h2").first).to_be_visible()
        ana.press("Play again")
        ana.page.wait_for_url(lambda url: not url.endswith(table))
        luc.press("Rejoindre la partie suivante")
        for person, asked in ((ana, "What is asked"), (luc, "Ce qui est demandé")):
            expect(person.page.get_by_role("region", name=asked)).to_be_visible()


def test_taking_back_by_consent(browser: Browser, server: Running) -> None:
    table, tokens = server.full("cards", 2)
    with visiting(browser, server, DESKTOP) as ana, visiting(browser, server, DESKTOP) as luc:
        ana.sit(table, tokens[0])
        luc.sit(table, tokens[1])
        wait_for(lambda: ana.asked or luc.asked, ana, luc)
        first, second = (ana, luc) if ana.asked else (luc, ana)
        number = first.news["number"]
        choose(first, touches, Random(1))
        first.press("Take back")
        second.press("Agree")
        wait_for(lambda: first.news["number"] > number + 1, first, second)
        wait_for(lambda: first.asked, first, second)


def test_the_end_tells_who_took_something_back(browser: Browser, server: Running) -> None:
    table, tokens = server.full("cards", 2, options={**facts("cards").quick, "first": 0})
    ana, luc = server.all_players(table, tokens)
    play_on([ana, luc], steps=2)
    ana.say(type="take_back", key="k", number=ana.news["number"])
    luc.hear("news")
    luc.say(type="consent", wish=luc.news["table"]["undo"]["wish"], yes=True)
    assert ana.hear("accepted", "refused")["type"] == "accepted"
    play_on([ana, luc])
    with visiting(browser, server, PHONE) as zoe:
        zoe.open(f"/t/{table}")
        expect(zoe.page.get_by_text("Taken back: Ana 1 time.")).to_be_visible()


def test_a_table_without_take_backs_offers_none(browser: Browser, server: Running) -> None:
    with visiting(browser, server, DESKTOP) as ana:
        ana.open()
        ana.button("Choose opponents").first.click()
        ana.page.get_by_label("Steps may be taken back").uncheck()
        ana.press("Play")
        expect(ana.page.get_by_role("region", name="What is asked")).to_be_visible()
        expect(ana.button("Take back")).to_have_count(0)
        ana.press("Menu")
        expect(ana.button("Take back my last step")).to_have_count(0)


def test_a_bot_takes_over_and_gives_back(browser: Browser, server: Running) -> None:
    table, tokens = server.full("cards", 2)
    with visiting(browser, server, PHONE) as ana:
        ana.sit(table, tokens[0])
        ana.press("Menu")
        ana.check_axe()
        ana.press("Resign or leave …")
        ana.press("Leave it to a bot")
        ana.press("Play myself again")
        expect(ana.button("Play myself again")).to_have_count(0)


def test_who_is_away_for_a_moment_is_not_made_a_fuss_of(
    browser: Browser, page_folder: Path, tmp_path: Path
) -> None:
    with serving(tmp_path, page=page_folder, gone=10.0) as server:
        table, tokens = server.full("cards", 2)
        with visiting(browser, server, PHONE) as ana:
            ana.sit(table, tokens[0])
            expect(ana.page.get_by_role("region", name="What is asked")).to_be_visible()
            ana.page.wait_for_timeout(2000)
            expect(ana.page.get_by_text("Luc is not here.")).to_have_count(0)
            expect(ana.page.get_by_text(re.compile("A bot may play in [1-6] s"))).to_be_visible()
            expect(ana.button("Let a bot play")).to_have_count(0)
            ana.press("Let a bot play")
            expect(ana.page.get_by_text("Luc is not here.")).to_have_count(0)


def test_a_closed_game_is_told_as_such(browser: Browser, page_folder: Path, tmp_path: Path) -> None:
    match = twins("cards", 3, SPECTATOR, 30)[0]
    apart(keep, tmp_path, {"table": match}, status="over")
    with (
        serving(tmp_path, page=page_folder) as server,
        visiting(browser, server, PHONE) as ana,
    ):
        ana.sit("table", token_of(0))
        expect(ana.page.get_by_text("This game was closed")).to_be_visible()
        expect(ana.page.get_by_text("The game is over.")).to_be_visible()
        expect(ana.page.get_by_role("link", name="Download")).to_be_visible()
        ana.check_axe()
        ana.check_width()
        ana.page.get_by_role("link", name="Look back").click()
        expect(ana.page.get_by_text(re.compile("Step 0 of"))).to_be_visible()
        ana.page.go_back()
        ana.press("Play again")
        expect(ana.page.get_by_text("Invite friends")).to_be_visible()


def test_the_beginning_of_a_long_game_can_be_read(browser: Browser, server: Running) -> None:
    table, tokens = server.full("race", 3)
    play_on(server.all_players(table, tokens), steps=200)
    with visiting(browser, server, DESKTOP) as ana:
        ana.sit(table, tokens[0])
        log = ana.page.get_by_role("log", name="What happened")
        expect(log.locator("p").first).to_be_visible()
        assert ana.news["since"] > 0
        first = log.locator("p").first.inner_text()
        while ana.button("Earlier").count():
            many = log.locator("p").count()
            ana.button("Earlier").focus()
            top = log.locator("p").first.bounding_box()
            ana.page.keyboard.press("Enter")
            expect(log).not_to_have_attribute("aria-busy", "true")
            expect(log.locator("p")).not_to_have_count(many)
            again = log.locator("p").nth(log.locator("p").count() - many)
            box = again.bounding_box()
            assert top
            assert box
            assert abs(top["y"] - box["y"]) < 60, "what was read has moved"
        assert first not in log.locator("p").first.inner_text()
        expect(log).to_be_focused()
        ana.press("Settings")
        ana.page.get_by_text("Français").click()
        ana.page.keyboard.press("Escape")
        expect(ana.button("Plus tôt")).to_be_visible()


def test_a_touch_that_is_not_allowed_is_explained_with_the_rule(
    browser: Browser, server: Running
) -> None:
    table, tokens = server.full("cards", 2)
    with visiting(browser, server, PHONE) as ana, visiting(browser, server, PHONE) as luc:
        ana.sit(table, tokens[0])
        luc.sit(table, tokens[1])
        wait_for(lambda: ana.asked or luc.asked, ana, luc)
        first = ana if ana.asked else luc
        first.page.locator('[data-act="take pile"]').click(force=True)
        first.page.get_by_role("button", name=re.compile(r"^Rule C\d+")).click()
        expect(first.page.locator(".rules .asked")).to_be_in_viewport()


def test_a_reload_and_a_restart_in_mid_game(browser: Browser, tmp_path: Path) -> None:
    server = Server(tmp_path, "--pause", "0", "--window", "0.05")
    apart(asyncio.run, server.start())
    person: Any = server
    with visiting(browser, person, PHONE) as ana:
        ana.page.goto(f"http://{server.address}/")
        ana.button("Play now").first.click()
        rng = Random(1)
        play_to_the_end(ana, touches, rng, decisions=3)
        ana.page.reload()
        play_to_the_end(ana, touches, rng, decisions=3)
        steps = ana.news["steps"]
        server.kill()
        expect(ana.page.get_by_text("The line is lost")).to_be_visible()
        apart(asyncio.run, server.start())
        expect(ana.page.get_by_text("The line is lost")).to_have_count(0, timeout=20_000)
        play_to_the_end(ana, touches, rng, decisions=3)
        assert ana.news["steps"] > steps
        # That the server was away is in the browser's own log, and has to be.
        ana.complaints = [line for line in ana.complaints if "ERR_CONNECTION" not in line]
    server.stop()


@pytest.mark.parametrize("game", SECRETIVE)
def test_who_watches_sees_the_same_whatever_is_hidden(
    browser: Browser, page_folder: Path, tmp_path: Path, game: str
) -> None:
    pair = twins(game, 3, SPECTATOR, 32)
    seen = []
    for world, match in enumerate(pair):
        folder = tmp_path / str(world)
        folder.mkdir()
        apart(keep, folder, {"table": match})
        with (
            serving(folder, page=page_folder, **STILL) as server,
            visiting(browser, server, DESKTOP) as luc,
        ):
            luc.open("/t/table")
            expect(luc.page.get_by_text("You are watching")).to_be_visible()
            luc.page.wait_for_timeout(300)
            seen.append((dom(luc, server), luc.frames))
    assert seen[0] == seen[1]
    assert pair[0].state.tobytes() != pair[1].state.tobytes()
    assert "??" in "".join(seen[0][1])


def apart(work: Any, *given: Any, **named: Any) -> Any:
    """Do something in a thread of its own: the browser's conversation goes on in this one."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(work, *given, **named).result()


def dom(visitor: Visitor, server: Running) -> str:
    """All that the page holds."""
    return visitor.page.content().replace(server.address, "")


def wait_for(condition: Any, *people: Visitor) -> None:
    """Let time pass until something is so."""
    for _ in range(500):
        if condition():
            return
        for person in people:
            person.page.wait_for_timeout(10)
    raise AssertionError("it did not come to that")
