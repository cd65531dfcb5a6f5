"""Dealing together: every device promises, then reveals, and checks it in the end."""

from random import Random

from playwright.sync_api import Browser, expect

from browser_kit import DESKTOP, INSECURE, PHONE, Visitor, visiting
from facts import facts
from gestures import play_together
from server_kit import Running

PEOPLE = [{"kind": "person"}, {"kind": "person"}]


def test_two_devices_deal_fairly_where_there_is_no_https(browser: Browser, server: Running) -> None:
    with (
        visiting(browser, server, DESKTOP, name="Ana") as ana,
        visiting(browser, server, PHONE, name="Luc") as luc,
    ):
        over_plain_http(ana, "/")
        table = ana.make("cards", seats=PEOPLE, name="Ana", options=facts("cards").quick)
        for person in (ana, luc):
            over_plain_http(person, f"/t/{table}")
            assert not person.page.evaluate("isSecureContext")
        luc.press("Sit here")
        play_together((ana, luc), Random(1))
        for person in (ana, luc):
            expect(person.page.locator("summary", has_text="Was it dealt")).to_contain_text("Yes.")
            person.page.locator("summary", has_text="Was it dealt").click()
            expect(person.page.get_by_text("What this device mixed in was used.")).to_be_visible()
        shares = server.get(f"/api/tables/{table}").json()["entropy"]
        assert len({*shares} - {None}) == 2


def test_a_reload_in_the_middle_of_the_deal(browser: Browser, server: Running) -> None:
    """Luc comes late: until then Ana is told what is missing, and her share stays the same."""
    with (
        visiting(browser, server, DESKTOP, name="Ana") as ana,
        visiting(browser, server, PHONE) as luc,
    ):
        ana.open()
        table = ana.make("race", seats=PEOPLE, name="Ana")
        ana.open(f"/t/{table}")
        token = server.sit(table, "Luc", mixes=True)["token"]
        expect(ana.page.get_by_text("Dealing …")).to_be_visible()
        expect(ana.page.get_by_text("Waiting for Luc")).to_be_visible()
        ana.check_axe()
        promise = promised(server, table)
        ana.page.reload()
        expect(ana.page.get_by_text("Waiting for Luc")).to_be_visible()
        assert promised(server, table) == promise
        luc.sit(table, token)
        for person in (ana, luc):
            expect(person.page.get_by_role("region", name="What is asked")).to_be_visible()


def test_nobody_has_to_wait_for_ever(browser: Browser, server: Running) -> None:
    with visiting(browser, server, PHONE, "fr") as ana:
        ana.open()
        table = ana.make("race", seats=PEOPLE, name="Ana")
        ana.open(f"/t/{table}")
        server.sit(table, "Luc", mixes=True)
        expect(ana.page.get_by_text("On attend Luc")).to_be_visible()
        ana.check_width()
        ana.press("Se lever")
        expect(ana.button("S’asseoir ici")).to_be_visible()


def promised(server: Running, table: str) -> str:
    """What the first seat has promised."""
    return str(server.get(f"/api/tables/{table}").json()["seats"][0]["promise"])


def over_plain_http(visitor: Visitor, path: str) -> None:
    """Go to the page as somebody in the same network does."""
    port = visitor.server.address.split(":")[1]
    visitor.page.goto(f"http://{INSECURE}:{port}{path}")
    expect(visitor.page.locator("main")).to_be_visible()
