"""Looking back: every step is shown as it was at the table, by the same path as the game itself."""

import re
from itertools import takewhile
from typing import Any

import pytest
from playwright.sync_api import Browser, Route, expect

from browser_kit import DESKTOP, PHONE, Visitor, visiting
from caramba.games import names
from facts import facts
from server_kit import GUESTS, Player, Running, play_on

SEATS = ("Ana", *GUESTS[:3])
LANDSCAPE = {"width": 844, "height": 390}


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


SCREENS = pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
PARTS = {
    "auction": ("group", "The centre"),
    "race": ("region", "The track"),
    "cards": ("region", "Your hand"),
}
"""By game: something of the table that has its place on the screen."""


def box(ana: Visitor, role: Any, name: str) -> dict[str, float]:
    """Where something is on the screen, in whole pixels."""
    found = ana.page.get_by_role(role, name=name, exact=True).bounding_box()
    assert found, f"there is no {name}"
    return {side: round(found[side]) for side in ("x", "y", "width", "height")}


@SCREENS
@pytest.mark.parametrize("game", names())
def test_the_table_is_laid_out_as_in_play_and_all_of_it_is_on_the_screen(
    browser: Browser, server: Running, game: str, size: dict[str, int]
) -> None:
    table, tokens = server.full(game, 3)
    players = server.all_players(table, tokens)
    play_on(players, steps=6)
    step = players[0].news["steps"]
    asked = players[0].news["view"]["actor"]  # the one whose question takes most room
    with visiting(browser, server, size) as ana:
        ana.sit(table, tokens[asked])
        expect(ana.page.get_by_role("region", name="What is asked")).to_be_visible()
        in_play = box(ana, *PARTS[game])
        ana.open(f"/t/{table}/replay?step={step}")
        expect(ana.page.get_by_text(f"Step {step} of")).to_be_visible()
        looked_back = box(ana, *PARTS[game])
        assert [looked_back[side] for side in ("x", "width")] == [
            in_play[side] for side in ("x", "width")
        ]
        assert abs(looked_back["height"] - in_play["height"]) < 2
        high = ana.page.evaluate("document.documentElement.scrollHeight")
        assert high <= size["height"], f"{high - size['height']} px are below the screen"
        assert box(ana, "group", "Step by step")["height"] <= 96


@pytest.mark.parametrize("game", ["auction", "cards"])
def test_who_plays_sees_the_own_hand_looking_back(
    browser: Browser, server: Running, game: str
) -> None:
    table, tokens = server.full(game, 2)
    players = server.all_players(table, tokens)
    play_on(players, steps=4)
    step = players[0].news["steps"]
    view = server.get(f"/api/tables/{table}/replay?step={step}", tokens[0]).json()["view"]
    hand = (view.get("bands") or view.get("players"))[0]["hand"]
    with visiting(browser, server, PHONE) as ana:
        ana.sit(table, tokens[0])
        expect(ana.page.locator("[data-raise]").first).to_be_visible()
        ana.open(f"/t/{table}/replay?step={step}")
        for card in hand:
            expect(ana.page.locator(f'[data-raise="{card}"]').first).to_be_visible()
        expect(ana.page.locator("[data-act]:not([aria-disabled=true])")).to_have_count(0)


def test_one_turn_on_also_before_the_end_and_at_once(browser: Browser, server: Running) -> None:
    """Where each turn begins is known without the story, which is told after the end only."""
    table, tokens = server.full("cards", 2)
    play_on(server.all_players(table, tokens), steps=9)
    told = server.get(f"/api/tables/{table}/log?until=20").json()["events"]
    drops = [event["step"] + 1 for event in told if event["kind"] == "drop"]
    with visiting(browser, server, PHONE) as ana:
        ana.open(f"/t/{table}/replay?step={drops[0] - 1}")
        for step in drops[:3]:
            ana.press("Turn on")
            expect(ana.page.get_by_text(f"Step {step} of")).to_be_visible()
        ana.press("Turn back")
        expect(ana.page.get_by_text(f"Step {drops[1]} of")).to_be_visible()


@SCREENS
def test_a_line_of_the_story_leads_to_its_step(
    browser: Browser, server: Running, size: dict[str, int]
) -> None:
    table = finished(server, "auction", **facts("auction").quick)
    chapters = server.get(f"/api/tables/{table}/story").json()
    lines = [line for chapter in chapters for line in chapter["decided"]]
    with visiting(browser, server, size) as ana:
        ana.open(f"/t/{table}/replay")
        expect(ana.page.get_by_text(re.compile("^Step [1-9]"))).to_be_visible()  # the first turn
        for at in (len(lines) - 1, 0):
            if size is PHONE:
                ana.press("Story")
            ana.page.locator(".story a.line").nth(at).click()
            expect(ana.page.get_by_text(f"Step {lines[at]['step'] + 1} of")).to_be_visible()
        ana.open(f"/t/{table}")
        ana.page.get_by_text("The game, turn by turn").click()
        ana.page.locator(".story a.line").nth(1).click()
        expect(ana.page.get_by_text(f"Step {lines[1]['step'] + 1} of")).to_be_visible()


def test_an_answer_that_comes_late_does_not_lead_back(browser: Browser, server: Running) -> None:
    table, tokens = server.full("cards", 2)
    held: list[Route] = []
    with visiting(browser, server, PHONE) as ana:
        ana.sit(table, tokens[0])
        ana.page.route(f"**/api/tables/{table}/replay*", lambda route: held.append(route))
        ana.press("Menu")
        ana.page.get_by_role("link", name="Look back").click()
        while not held:
            ana.page.wait_for_timeout(20)
        ana.page.get_by_role(
            "link", name=re.compile("The table|Back to the game|Your turn")
        ).click()
        expect(ana.button("Menu")).to_be_visible()
        held[0].continue_()
        ana.page.wait_for_timeout(500)
        expect(ana.button("Menu")).to_be_visible()
        assert ana.page.url.endswith(f"/t/{table}")


def test_who_looks_back_in_the_middle_begins_at_the_present_and_is_told_when_the_others_wait(
    browser: Browser, server: Running
) -> None:
    table, tokens = server.full("cards", 2)
    people = server.all_players(table, tokens)
    play_on(people, steps=30)
    with visiting(browser, server, PHONE) as ana:
        ana.sit(table, tokens[0])
        expect(ana.button("Menu")).to_be_visible()
        play_until(people, ana, asked=False)
        ana.press("Menu")
        ana.page.get_by_role("link", name="Look back").click()
        steps = ana.news["steps"]
        expect(ana.page.get_by_text(f"Step {steps} of {steps}")).to_be_visible()
        expect(ana.page.get_by_role("link", name="Your turn")).to_have_count(0)
        play_until(people, ana, asked=True)
        expect(ana.page.get_by_text("The others wait for you.")).to_be_attached()
        assert ana.page.title().startswith("Your turn")
        ana.check_axe()
        ana.page.get_by_role("link", name="Your turn").click()
        expect(ana.page.get_by_role("region", name="What is asked")).to_be_visible()


def play_until(people: list[Player], ana: Visitor, asked: bool) -> None:
    """Let them take steps until it is Ana's turn, or not."""
    while ana.asked != asked:
        play_on(people, steps=ana.news["steps"] + 1)
        ana.page.wait_for_timeout(200)


FREE = """(group) => [...group.querySelectorAll('button, input')].every((one) => {
  const { left, top, width, height } = one.getBoundingClientRect();
  const found = document.elementFromPoint(left + width / 2, top + height / 2);
  return one === found || one.contains(found);
})"""
"""Whether nothing lies over the keys."""


@pytest.mark.parametrize("size", [PHONE, LANDSCAPE, DESKTOP], ids=["phone", "low", "desktop"])
def test_the_summary_of_a_deal_leaves_the_keys_free(
    browser: Browser, server: Running, size: dict[str, int]
) -> None:
    table = finished(server, "cards", people=4, max_deals=2, max_laps=3, call_limit=50)
    told = news(server, table, news(server, table, 0)["of"])["events"]
    step = next(line["step"] for line in told if line["facts"].get("deal", 1) > 1)
    with visiting(browser, server, size) as ana:
        ana.open(f"/t/{table}/replay?step={step}")
        ana.press("Step on")
        summary = ana.page.locator(".summary")
        expect(summary).to_be_visible()
        keys = ana.page.get_by_role("group", name="Step by step")
        assert keys.evaluate(FREE)
        expect(summary.get_by_role("button")).to_be_visible()


def test_what_a_step_brought_has_four_lines_where_there_is_room(
    browser: Browser, server: Running
) -> None:
    table = finished(server, "cards", **facts("cards").quick)
    with visiting(browser, server, {"width": 390, "height": 844}, "fr") as ana:
        ana.open(f"/t/{table}/replay?step=1")
        told = ana.page.locator(".told")
        expect(told).not_to_be_empty()
        assert (
            told.evaluate("(it) => it.clientHeight / parseFloat(getComputedStyle(it).lineHeight)")
            >= 4
        )
        high = ana.page.evaluate("document.documentElement.scrollHeight")
        assert high <= 844, f"{high - 844} px are below the screen"


def test_after_the_last_step_is_the_last_and_the_masthead_fits_the_smallest_phone(
    browser: Browser, server: Running
) -> None:
    table = finished(server, "race", max_races=1)
    last = news(server, table, 0)["of"]
    with visiting(browser, server, {"width": 320, "height": 568}, "fr") as ana:
        ana.open(f"/t/{table}/replay?step=9999")
        expect(ana.page.get_by_text(f"Coup {last} sur {last}")).to_be_visible()
        expect(ana.button("Récit")).to_be_visible()
        ana.check_width()
        ana.complaints.clear()  # the browser's own, about the step that there is not
