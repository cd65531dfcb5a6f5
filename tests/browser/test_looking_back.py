"""Looking back: every step is shown as it was at the table, by the same path as the game itself."""

import re
from itertools import takewhile
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from browser_kit import DESKTOP, PHONE, Visitor, visiting
from caramba.games import names
from facts import facts
from server_kit import GUESTS, Running, play_on

SEATS = ("Ana", *GUESTS[:3])


def finished(server: Running, game: str, people: int = 2, **options: Any) -> str:
    """The name of a table where people have played to the end, without much thought."""
    table, tokens = server.full(game, people, options=options)
    play_on(server.all_players(table, tokens))
    return table


def news(server: Running, table: str, step: int) -> dict[str, Any]:
    """How it was after so many steps."""
    answer = server.get(f"/api/tables/{table}/replay?step={step}&everything=true")
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def last_told(found: dict[str, Any]) -> list[dict[str, Any]]:
    """What the last step brought."""
    return [told for told in found["events"] if told["step"] == found["steps"] - 1]


def turn_on(ana: Visitor, server: Running, table: str) -> dict[str, Any]:
    """Go to the next turn; the news of that step."""
    before = ana.page.url
    ana.press("Turn on")
    ana.page.wait_for_url(lambda url: url != before)
    step = re.search(r"step=(\d+)", ana.page.url)
    assert step
    return news(server, table, int(step.group(1)))


def test_each_deal_of_the_cards_has_its_number_and_everybodys_totals(
    browser: Browser, server: Running
) -> None:
    table = finished(server, "cards", max_deals=4, max_laps=3, call_limit=50)
    with visiting(browser, server, DESKTOP) as ana:
        ana.open(f"/t/{table}/replay")
        found = news(server, table, 0)
        while not found["view"]["result"]:
            found = turn_on(ana, server, table)
            view = found["view"]
            expect(ana.page.get_by_text(re.compile(rf"^Deal {view['deal']}, "))).to_be_visible()
            over = view["deal"] - (0 if view["result"] else 1)
            rows = ana.page.get_by_role("region", name="Deal by deal").locator("tbody tr")
            expect(rows).to_have_count(over)
            for at in range(over):
                expect(rows.nth(at).get_by_role("rowheader")).to_have_text(str(over - at))
            for seat, name in enumerate(SEATS[:2]):
                score = view["players"][seat]["score"]
                total = ana.page.get_by_role("list", name="Totals").get_by_role("listitem")
                expect(total.filter(has_text=name)).to_have_text(
                    re.compile(rf"{name}\s*{score}\s*$")
                )


def test_all_dice_of_a_roll_are_shown(browser: Browser, server: Running) -> None:
    table = finished(server, "race", max_races=1)
    rolls = []
    for step in range(1, news(server, table, 0)["of"]):
        found = news(server, table, step)
        moved = any(told["kind"] == "move" for told in last_told(found))
        if moved and not found["view"]["dice"] and len(faces := last_roll(found["events"])) > 1:
            rolls.append((step, faces))
    assert rolls, "nobody rolled several dice"
    with visiting(browser, server, PHONE) as ana:
        for step, faces in rolls[:3]:
            ana.open(f"/t/{table}/replay?step={step - 1}")
            ana.press("Step on")
            shown = re.compile(rf"Rolled: (.*; )?{', '.join(map(str, faces))}$")
            expect(ana.page.get_by_role("img", name=shown)).to_be_visible()


def last_roll(events: list[dict[str, Any]]) -> list[int]:
    """What the dice showed that fell last."""
    after = takewhile(lambda told: told["kind"] != "die", reversed(events))
    fell = events[: len(events) - len(list(after))]
    last = takewhile(lambda told: told["kind"] == "die", reversed(fell))
    return [told["facts"]["shows"] for told in last][::-1]


@pytest.mark.parametrize("game", ["race", "cards"])
def test_a_step_tells_what_it_brought_and_nothing_else(
    browser: Browser, server: Running, game: str
) -> None:
    table = finished(server, game, **facts(game).quick)
    first = news(server, table, 0)["of"] // 2
    with visiting(browser, server, PHONE) as ana:
        ana.open(f"/t/{table}/replay?step={first}")
        for step in range(first, first + 4):
            if step > first:
                ana.press("Step on")
            expect(ana.page.get_by_text(f"Step {step} of")).to_be_visible()
            texts = [told["text"] for told in last_told(news(server, table, step))]
            expect(ana.page.locator(".told")).to_have_text(" ".join(texts))


@pytest.mark.parametrize("game", names())
def test_the_result_names_the_best_first(browser: Browser, server: Running, game: str) -> None:
    table = finished(server, game, people=4, **facts(game).quick)
    view = news(server, table, news(server, table, 0)["of"])["view"]
    with visiting(browser, server, PHONE) as ana:
        ana.open(f"/t/{table}")
        lines = ana.page.get_by_role("region", name="The result").locator(".parts .name")
        expect(lines).to_have_count(4)
        places = dict(zip(SEATS, view["places"], strict=True))
        assert [places[name] for name in lines.all_inner_texts()] == sorted(view["places"])
