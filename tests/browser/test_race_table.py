"""The table of the Race: the odds, as the server works them out, and how a race ended."""

import re
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, expect

from browser_kit import DESKTOP, PHONE, Visitor, visiting
from gestures import choose, touches, wait
from server_kit import Running, play_on, serving

SIZES = {
    "phone": {"width": 390, "height": 844},
    "small phone": {"width": 360, "height": 740},
    "sideways": {"width": 844, "height": 390},
    "narrow": {"width": 320, "height": 568},
}


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
        expect(ways.last).to_have_attribute("aria-pressed", "true")
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
        expect(odds_of(ana).get_by_role("alert")).to_have_text("There are no odds for this.")
        ana.page.unroute("**/odds")
        ana.press("Odds")
        ana.press("Odds")
        expect(odds_of(ana).get_by_role("button").first).to_be_visible()
        ana.complaints.clear()  # the browser's own, about the 404


WRAPPED = """(sheet) => [...sheet.querySelectorAll('.name, tbody .number')].filter((one) => {
  const range = document.createRange();
  range.selectNodeContents(one);
  return new Set([...range.getClientRects()].map(({ bottom }) => Math.round(bottom / 9))).size > 1;
}).map((one) => one.textContent)"""
"""What takes two lines."""


def test_a_race_that_is_over_is_summed_up(browser: Browser, server: Running) -> None:
    made = server.make("race", 2, options={"max_races": 2})
    table, tokens = made["table"], [made["token"]]
    tokens.append(server.sit(table, "Maximiliano")["token"])
    with visiting(browser, server, SIZES["phone"], "fr") as ana:
        ana.sit(table, tokens[0])
        expect(ana.page.get_by_label("La table")).to_be_visible()
        players = server.all_players(table, tokens)
        while players[0].news["view"]["race"] == 1:
            play_on(players, steps=12)
            ana.page.wait_for_timeout(1)
        summary = ana.page.get_by_role("dialog", name="Course 1 terminée")
        expect(summary).to_be_visible(timeout=30_000)
        won = next(event for event in told(server, table) if event["kind"] == "race_won")
        name = ("Vous", "Maximiliano")[won["seat"]]
        assert not summary.evaluate(WRAPPED), "a name and an amount have one line each"
        for size in (SIZES["narrow"], PHONE, SIZES["phone"]):
            ana.page.set_viewport_size(size)  # type: ignore[arg-type]
            assert summary.evaluate("(one) => one.scrollWidth <= one.clientWidth"), size
        row = summary.get_by_role("row").filter(has_text=name)
        expect(row).to_contain_text(f"+{won['facts']['silver']}")
        silver = [
            int(row.locator("td").last.inner_text()) for row in summary.locator("tbody tr").all()
        ]
        assert silver == sorted(silver, reverse=True)
        ana.check_axe()
        summary.get_by_role("button", name="Continuer").click()
        expect(summary).to_have_count(0)
        while not players[0].news["view"]["result"]:
            play_on(players, steps=12)
            ana.page.wait_for_timeout(1)
        check_end(ana)


LETTERS = """(chart) => parseFloat(getComputedStyle(chart.querySelector('text')).fontSize)
  * chart.getScreenCTM().a"""
"""How large the words of a picture are, in px of the screen."""


def check_end(ana: Visitor) -> None:
    """The Race counts silver, from what everybody began with."""
    end = ana.page.get_by_role("region", name="Le résultat")
    expect(end).to_contain_text("argent", timeout=30_000)
    expect(end.locator(".reason")).to_have_text(re.compile("la partie est finie"))
    expect(end.locator(".story > li > a").first).to_have_text("Course 1")
    expect(end).not_to_contain_text(re.compile("point", re.IGNORECASE))
    chart = end.get_by_role("img", name="Le cours de la partie")
    expect(chart.locator("path[stroke-dasharray]").first).to_have_attribute(
        "d", re.compile(r"^M[^L]+L[^L]+L[^L]+$")
    )
    assert chart.evaluate(LETTERS) >= 14
    boxes = [box for text in chart.locator(".axis, .number").all() if (box := text.bounding_box())]
    below = sorted((box["x"], box["width"]) for box in boxes if box["y"] > boxes[0]["y"] + 50)
    assert len(below) == 3
    for (x, width), (other, _) in pairwise(below):
        assert x + width < other


def test_a_digit_rolls_so_many_dice_and_is_shown(browser: Browser, server: Running) -> None:
    with visiting(browser, server, DESKTOP) as ana:
        to_the_dice(ana)
        number = ana.news["number"]
        roll = ana.page.locator("[data-act='dice 1']")
        assert roll.evaluate("(one) => getComputedStyle(one, '::after').content")[:3] == '"1"'
        expect(roll).to_have_attribute("aria-disabled", "false")
        ana.page.keyboard.press("1")
        assert wait(ana, lambda: False, number), "something was rolled"
        steps = server.table(ana.table["id"]).match.steps
        assert steps[number] == (0, "dice 1")


UNSEEN = """() => ['header', '.tip', '.sign', '.dice', '.track', '.ways', '[data-act]', '.asked']
  .flatMap((one) => [...document.querySelectorAll(one)])
  .filter((one) => {
    const { top, bottom, height } = one.getBoundingClientRect();
    return height && (top < -1 || bottom > innerHeight + 1);
  })
  .map((one) => `${one.className || one.tagName} ${Math.round(one.getBoundingClientRect().top)}`)"""
"""What is not on the screen, or only in part."""


@pytest.mark.parametrize(
    ("size", "guide"),
    [
        ("narrow", False),
        *((size, True) for size in SIZES if size != "narrow"),
        *(pytest.param(size, False, marks=pytest.mark.long) for size in SIZES if size != "narrow"),
    ],
)
def test_every_question_is_on_the_screen_as_a_whole(
    browser: Browser, server: Running, size: str, guide: bool
) -> None:
    met = set()
    with visiting(browser, server, SIZES[size], "fr", guide=guide) as ana:
        made = ana.server.make("race", 1, bots=2)
        ana.sit(made["table"], made["token"])
        for _ in range(9):
            ana.until(lambda: ana.asked)
            phase = ana.news["view"]["phase"]
            met.add(phase)
            check_whole(ana, f"{phase}")
            if (odds := ana.button("Proba")).count():
                odds.click()
                check_whole(ana, f"{phase}, odds")
                odds.click()
            choose(ana, touches, Random(1))
    assert met > {"place", "round_ambush", "offers"}


BESIDE = """() => [...document.querySelectorAll('.status .button')].filter((one) => {
  const { right } = one.closest('.status').getBoundingClientRect();
  return one.getBoundingClientRect().right > right - 4;
}).map((one) => one.textContent.trim())"""
"""Answers that stick out of the question."""

SILVER = """() => [...document.querySelectorAll('.purses .you .silver, .own')].some((one) => {
  const { left, top, bottom, width, height } = one.getBoundingClientRect();
  return height && [top + 2, bottom - 2].every((y) =>
    one.contains(document.elementFromPoint(left + width / 2, y)));
})"""
"""Whether one sees the own silver."""

UNDER_TIP = """() => [...document.querySelectorAll('header .button')].filter((one) => {
  const tip = document.querySelector('.tip .bubble, .tip.bubble');
  return tip && tip.getBoundingClientRect().top < one.getBoundingClientRect().bottom - 0.5;
}).length"""
"""How much of the masthead an explanation lies on."""


def check_whole(ana: Visitor, when: str) -> None:
    """Nothing of the page is off the screen once it stands still, and one's own silver is seen."""
    expect(ana.page.locator("[data-busy=true]")).to_have_count(0)
    ana.page.wait_for_timeout(150)
    assert not (found := ana.page.evaluate(UNSEEN)), f"{when}: {found}"
    assert not (found := ana.page.evaluate(BESIDE)), f"{when}: {found}"
    if when.startswith(("dice", "offers", "answer")):
        assert ana.page.evaluate(SILVER), f"{when}: the own silver"
    size = ana.page.viewport_size
    if size and (size["height"] > 700 or size["width"] > 640):  # on small phones it makes way
        assert not ana.page.evaluate(UNDER_TIP), f"{when}: the masthead"
    assert ana.page.evaluate("scrollY") <= 2, when  # lines of text are not whole pixels high


def test_who_is_offered_silver_sees_how_much_they_have_on_the_smallest_phone(
    browser: Browser, tmp_path: Path, page_folder: Path
) -> None:
    with (
        serving(tmp_path, page=page_folder, window=6.0) as server,
        visiting(browser, server, SIZES["narrow"], "fr") as ana,
    ):
        table, tokens = server.full("race", 2)
        luc = server.player(table, tokens[1])
        ana.sit(table, tokens[0])
        while not (ana.asked and ana.news["view"]["phase"] == "answer"):
            luc.ping()
            if luc.my_turn:
                legal = [action["text"] for action in luc.news["view"]["legal"]]
                wanted = [text for text in ("offer 1", "no") if text in legal]
                luc.act([*wanted, legal[0]][0])
            if ana.asked and ana.news["view"]["phase"] != "answer":
                choose(ana, touches, Random(1))
            ana.page.wait_for_timeout(20)
        check_whole(ana, "answer")


CUT = """() => {
  const labels = [...document.querySelectorAll('.chance:not(.into) span')];
  const boxes = labels.map((one) => [one.innerText, one.getBoundingClientRect()]);
  return boxes.flatMap(([text, box], at) => boxes.slice(at + 1)
    .filter(([, other]) => Math.min(box.right, other.right) - Math.max(box.left, other.left) > 4
      && Math.min(box.bottom, other.bottom) - Math.max(box.top, other.top) > 4)
    .map(([other]) => `${text} and ${other}`));
}"""
"""Odds on the track that cover each other by more than their borders."""


@pytest.mark.parametrize("size", ["small phone", "phone", "sideways"])
def test_the_odds_on_the_track_do_not_cover_each_other(
    browser: Browser, server: Running, size: str
) -> None:
    with visiting(browser, server, SIZES[size], "fr", guide=True) as ana:
        made = ana.server.make("race", 1, bots=2)
        ana.sit(made["table"], made["token"])
        for _ in range(6):
            while not (ana.asked and ana.button("Proba").count()):
                choose(ana, touches, Random(1)) if ana.asked else ana.page.wait_for_timeout(20)
            expect(ana.page.locator("[data-busy=true]")).to_have_count(0)
            ana.press("Proba")
            expect(ana.page.locator(".chance").first).to_be_visible()
            ana.page.wait_for_timeout(250)
            assert not (cut := ana.page.evaluate(CUT)), cut
            board = ana.page.get_by_label("La piste").bounding_box()
            assert board
            assert board["height"] >= 240
            ana.press("Proba")
            choose(ana, touches, Random(1))


@pytest.mark.parametrize("size", ["phone", "narrow", "sideways"])
def test_the_track_stays_as_it_is_while_odds_come_and_go(
    browser: Browser, server: Running, size: str
) -> None:
    seen = set()
    with visiting(browser, server, SIZES[size], "fr", guide=True) as ana:
        made = ana.server.make("race", 1, bots=2)
        ana.sit(made["table"], made["token"])
        for _ in range(14):
            ana.until(lambda: ana.asked)
            expect(ana.page.locator("[data-busy=true]")).to_have_count(0)
            if ana.page.locator(".odds[aria-expanded=false]").count():
                ana.press("Proba")
                expect(ana.page.locator(".chance").first).to_be_visible()
            seen.add(str(ana.page.get_by_label("La piste").bounding_box()))
            choose(ana, touches, Random(1))
    assert len(seen) == 1, seen


FLIGHTS = """() => {
  window.flights = [];
  const { animate } = Element.prototype;
  Element.prototype.animate = function (frames, timing) {
    const what = this.dataset.piece ?? (this.closest('.band') ? 'in line' : '');
    const [, , down] = /translate\\((\\S+)px, (\\S+)px\\)/.exec(JSON.stringify(frames)) ?? [];
    if (what && down) window.flights.push([what, Number(down)]);
    return animate.call(this, frames, timing);
  };
}"""
"""Notes what flies, and how far down."""


def test_nothing_flies_because_an_explanation_moves_the_table(
    browser: Browser, server: Running
) -> None:
    with visiting(browser, server, SIZES["phone"], "fr", guide=True, speed="relaxed") as ana:
        made = ana.server.make("race", 1, bots=2)
        ana.sit(made["table"], made["token"])
        ana.page.evaluate(FLIGHTS)
        while not ana.news or ana.news["view"]["phase"] in ("first", "place"):
            if ana.asked:
                choose(ana, touches, Random(1))
            ana.page.wait_for_timeout(20)
        tip = ana.page.get_by_role("complementary", name="Comment ça marche")
        expect(tip).to_contain_text("embuscade")
        ana.page.wait_for_timeout(500)
        flown = ana.page.evaluate("window.flights")
        pieces = [what for what, _ in flown if what != "in line"]
        assert sorted(pieces) == sorted({what for what in pieces if "hat" in what}), "placed once"
        assert not [far for what, far in flown if what == "in line" and abs(far) > 1]


def told(server: Running, table: str) -> list[dict[str, Any]]:
    """All that everybody was told."""
    steps = server.get(f"/api/tables/{table}/replay?step=0").json()["of"]
    events: list[dict[str, Any]] = []
    for until in range(steps, 0, -200):
        events = server.get(f"/api/tables/{table}/log?until={until}").json()["events"] + events
    return events
