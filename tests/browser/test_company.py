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


def test_a_bot_says_that_it_gets_ready(browser: Browser, tmp_path: Path, page_folder: Path) -> None:
    ready: set[str] = set()
    with serving(tmp_path, page=page_folder, compiled=ready.__contains__) as server:
        seats = [{"kind": "person"}, {"kind": "bot", "level": "hard"}]
        made = server.make("race", 1, seats=seats, options={"first": 1})
        with visiting(browser, server, PHONE, "fr") as ana:
            ana.sit(made["table"], made["token"])
            status = ana.page.get_by_role("region", name="Ce qui est demandé")
            expect(status).to_contain_text("se prépare : les règles sont encore")
            ready.add("race")
            expect(status).not_to_contain_text("se prépare")


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
        luc.until(lambda: ana.asked or luc.asked)
        first, second = (ana, luc) if ana.asked else (luc, ana)
        number = first.news["number"]
        choose(first, touches, Random(1))
        second.until(lambda: second.news["number"] > number)
        question = first.page.get_by_role("region", name="What is asked")
        table_seen = first.page.get_by_label("The table", exact=True)
        place, event = table_seen.bounding_box(), second.news["events"][0]["text"]
        first.press("Take back")
        expect(question).to_contain_text("You have asked to take something back")
        assert table_seen.bounding_box() == place
        asking = f"asks to take back the last move. Back to before this: {event}"
        expect(second.page.get_by_text(asking)).to_be_visible()
        second.press("Agree")
        second.until(lambda: first.news["number"] > number + 1)
        second.until(lambda: first.asked)


def test_who_is_asked_about_a_take_back_reads_that_and_a_note_goes(
    browser: Browser, server: Running
) -> None:
    table, tokens = server.full("cards", 2, options={"first": 0})
    with visiting(browser, server, DESKTOP) as ana, visiting(browser, server, DESKTOP) as luc:
        ana.sit(table, tokens[0])
        luc.sit(table, tokens[1])
        play_to_the_end(ana, touches, Random(1), decisions=2)
        luc.until(lambda: luc.asked)
        ana.press("Take back")
        question = luc.page.get_by_role("region", name="What is asked")
        expect(question).to_contain_text("Ana asks to take something back: do you agree?")
        luc.press("Decline")
        expect(question).not_to_contain_text("take something back")
        ana.press("Take back")
        note = ana.page.locator(".refusal")
        expect(note).to_be_visible()
        play_to_the_end(luc, touches, Random(1), decisions=2)
        ana.until(lambda: ana.asked)
        expect(note).to_have_count(0)


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
        expect(ana.page.get_by_text(re.compile("Step [1-9][0-9]* of"))).to_be_visible()
        ana.page.go_back()
        ana.press("Play again")
        expect(ana.page.get_by_text("Invite friends")).to_be_visible()


def test_the_beginning_of_a_long_game_can_be_read(browser: Browser, server: Running) -> None:
    table, tokens = server.full("cards", 3)
    play_on(server.all_players(table, tokens), steps=200)
    with visiting(browser, server, DESKTOP) as ana:
        ana.sit(table, tokens[0])
        log = ana.page.get_by_role("log", name="What happened")
        expect(log.locator("p").first).to_be_visible()
        assert ana.news["since"] > 0
        first = log.locator("p").first.text_content() or ""
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
        assert first not in (log.locator("p").first.text_content() or "")
        expect(log).to_be_focused()
        ana.press("Settings")
        ana.page.get_by_text("Français").click()
        ana.page.keyboard.press("Escape")
        expect(ana.button("Plus tôt")).to_be_visible()


def test_the_score_sheet_has_every_deal_also_after_a_reload(
    browser: Browser, server: Running
) -> None:
    table, tokens = server.full("cards", 2, options={"max_laps": 3, "end_score": 500})
    play_on(server.all_players(table, tokens), steps=420)
    with visiting(browser, server, DESKTOP) as ana:
        ana.sit(table, tokens[0])
        rows = ana.page.get_by_role("region", name="Deal by deal").locator("tbody tr")
        assert ana.news["since"] > 0
        expect(rows).to_have_count(ana.news["view"]["deal"] - 1)
        ana.open(f"/t/{table}/replay?step={ana.news['steps']}")
        expect(rows).to_have_count(ana.news["view"]["deal"] - 1)


def test_a_long_log_is_drawn_in_part(browser: Browser, server: Running) -> None:
    table, tokens = server.full("auction", 3)
    play_on(server.all_players(table, tokens), steps=190)
    with visiting(browser, server, DESKTOP) as ana:
        ana.sit(table, tokens[0])
        log = ana.page.get_by_role("log", name="What happened")
        expect(log.locator("p")).to_have_count(40)
        below = "(list) => list.scrollHeight - list.scrollTop - list.clientHeight"
        expect(log.locator("p").last).to_be_in_viewport(ratio=0.9)
        assert log.evaluate(below) < 2, "the last line is cut"


def places(ana: Visitor) -> list[Any]:
    """Where the table is on phones of several widths."""
    table, found = ana.page.get_by_label("La table", exact=True), []
    for width, height in ((320, 568), (390, 844), (360, 740)):
        ana.page.set_viewport_size({"width": width, "height": height})
        found.append(table.bounding_box())
    return found


def test_chat_moves_nothing_and_stays_read(browser: Browser, server: Running) -> None:
    table, tokens = server.full("cards", 2)
    with visiting(browser, server, PHONE, "fr") as ana:
        ana.sit(table, tokens[0])
        expect(ana.button("Tchat")).to_be_visible()
        before, luc = places(ana), server.player(table, tokens[1])
        luc.say(type="say", text="Hello!")
        expect(ana.button("Tchat (1)")).to_be_visible()
        assert places(ana) == before
        ana.check_axe()
        ana.press("Tchat (1)")
        expect(ana.page.get_by_text("Hello!")).to_be_visible()
        ana.page.keyboard.press("Escape")
        ana.press("Menu")
        ana.page.get_by_role("link", name="Revoir").click()
        ana.page.get_by_role("link", name=re.compile("La table|Reprendre|À vous")).click()
        expect(ana.button("Tchat")).to_be_visible()
        ana.page.reload()
        expect(ana.button("Tchat")).to_be_visible()


def test_who_watches_is_told_who_reads_their_chat(browser: Browser, server: Running) -> None:
    made = server.make("cards", 2)
    told = "Only those who watch read what you write here."
    with visiting(browser, server, PHONE) as ana:
        ana.open(f"/t/{made['table']}")
        expect(ana.page.get_by_text(told)).to_be_visible()
        ana.sit(made["table"], made["token"])
        ana.page.reload()  # only what follows the # has changed
        expect(ana.page.get_by_label("Your message")).to_be_visible()
        expect(ana.page.get_by_text(told)).to_have_count(0)


def test_a_touch_that_is_not_allowed_is_explained_with_the_rule(
    browser: Browser, server: Running
) -> None:
    table, tokens = server.full("cards", 2)
    with visiting(browser, server, PHONE) as ana, visiting(browser, server, PHONE) as luc:
        ana.sit(table, tokens[0])
        luc.sit(table, tokens[1])
        luc.until(lambda: ana.asked or luc.asked)
        first = ana if ana.asked else luc
        first.page.locator('[data-act="take pile"]').click(force=True)
        expect(first.page.get_by_role("alert")).to_have_text(
            re.compile(r"^\s*First you discard, then you take a card\.\s+Rule C08\s*$")
        )
        first.page.get_by_role("button", name=re.compile(r"^Rule C\d+")).click()
        expect(first.page.locator(".rules .asked")).to_be_in_viewport()
        first.page.keyboard.press("Escape")
        first.page.locator("[data-raise]").first.click()
        expect(first.page.get_by_text("First you discard")).to_have_count(0)


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
        ana.complaints = [line for line in ana.complaints if not line.startswith("WebSocket")]
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


def test_a_question_from_others_lies_above_everything(browser: Browser, server: Running) -> None:
    table, tokens = server.full("cards", 2)
    with (
        visiting(browser, server, PHONE, guide=True) as ana,
        visiting(browser, server, PHONE) as luc,
    ):
        ana.sit(table, tokens[0])
        luc.sit(table, tokens[1])
        luc.until(lambda: ana.asked or luc.asked)
        if ana.asked:
            play_to_the_end(ana, touches, Random(1), decisions=2)
            luc.until(lambda: luc.asked)
        play_to_the_end(luc, touches, Random(1), decisions=1)
        steps = luc.news["steps"]
        ana.press("Menu")
        luc.press("Menu")
        luc.press("Take back my last step")
        agree = ana.button("Agree")
        expect(agree).to_be_enabled()
        box = agree.bounding_box()
        assert box
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        top = ana.page.evaluate(f"document.elementFromPoint({x}, {y}).textContent.trim()")
        assert top == "Agree"
        ana.page.keyboard.press("Escape")
        expect(agree).to_be_visible()
        agree.dblclick()
        luc.until(lambda: luc.news["steps"] < steps)
        ana.page.wait_for_timeout(600)
        expect(agree).to_have_count(0)
        assert luc.news["steps"] == steps - 1, "the second tap did nothing"


def test_taking_back_is_offered_to_who_has_done_something(
    browser: Browser, server: Running
) -> None:
    table, tokens = server.full("cards", 2)
    with visiting(browser, server, DESKTOP) as ana, visiting(browser, server, PHONE) as luc:
        ana.sit(table, tokens[0])
        luc.sit(table, tokens[1])
        luc.until(lambda: ana.asked or luc.asked)
        expect(ana.button("Take back")).to_have_count(0)
        luc.press("Menu")
        expect(luc.button("Take back my last step")).to_have_count(0)
        luc.page.keyboard.press("Escape")
        for person in (ana, luc) if ana.asked else (luc, ana):
            play_to_the_end(person, touches, Random(1), decisions=1)
            luc.until(lambda: ana.asked or luc.asked)
            play_to_the_end(person, touches, Random(1), decisions=1)
        expect(ana.button("Take back")).to_be_visible()
        luc.press("Menu")
        expect(luc.button("Take back my last step")).to_be_visible()


def test_a_player_with_the_name_of_a_piece_is_written_as_a_player(
    browser: Browser, server: Running
) -> None:
    made = server.make("auction", 1, bots=1, name="g3")
    with visiting(browser, server, DESKTOP) as ana:
        ana.sit(made["table"], made["token"])
        play_to_the_end(ana, touches, Random(1), decisions=3)
        log = ana.page.get_by_role("log", name="What happened")
        expect(log.get_by_text(re.compile(r"^g3 (bids|passes|lays)")).first).to_be_visible()
        assert log.locator("svg").count(), "and pieces are still drawn"
