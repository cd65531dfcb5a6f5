"""The table of the Auction: it works nothing out by itself, and shows one thing after the other."""

import json
import re
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Browser, Route, WebSocketRoute, expect

from browser_kit import DESKTOP, PHONE, Visitor, visiting
from gestures import choose, touches, wait
from server_kit import Running, play_on

LOW = {"width": 844, "height": 390}
RISING = 300
"""Milliseconds that a card takes to lie still."""
GOODS = {"g": "gold", "a": "ammunition", "d": "dynamite"}


def begin(ana: Visitor, bots: int = 2) -> None:
    """Sit down at a new table against bots, until there is a bid to be made."""
    made = ana.server.make("auction", 1, bots=bots)
    ana.sit(made["table"], made["token"])
    while not bids(ana):
        choose(ana, touches, Random(1)) if ana.asked else ana.page.wait_for_timeout(20)
    expect(ana.page.locator("[data-busy=true]")).to_have_count(0)


def bids(ana: Visitor) -> list[dict[str, Any]]:
    """What may be bid, and what comes of each."""
    news = ana.news or {"view": {"legal": []}, "brings": []}
    legal = zip(news["view"]["legal"], news["brings"], strict=True)
    return [{**action["form"], **brings} for action, brings in legal if brings]


def test_a_good_that_a_card_does_not_show_is_refused_by_the_server(
    browser: Browser, server: Running
) -> None:
    with visiting(browser, server, PHONE) as ana:
        begin(ana)
        card = bids(ana)[0]["card"]
        other = next(good for good in GOODS if good not in card)
        raised = ana.page.locator(f'[data-raise="{card}"]').first
        raised.click()
        ana.page.get_by_role("button", name=re.compile(f"^{GOODS[other]}, ")).click(force=True)
        expect(ana.page.get_by_role("alert")).to_contain_text(
            f"That card does not show the {GOODS[other]}"
        )
        expect(ana.page.get_by_role("alert").get_by_role("button")).to_have_text("Rule A17")
        expect(raised).to_have_attribute("aria-pressed", "true")


def test_a_raised_card_shows_what_the_server_says_that_it_makes(
    browser: Browser, server: Running
) -> None:
    with visiting(browser, server, DESKTOP) as ana:
        begin(ana)
        bid = bids(ana)[-1]
        ana.page.locator(f'[data-raise="{bid["card"]}"]').first.click()
        offer = ana.page.locator(f'[data-act="bid {bid["card"]} {bid["good"]}"]')
        expect(offer).to_have_accessible_name(
            re.compile(f"^Bid {bid['value']} here, for {bid['total']}: ")
        )


def rivalled(ana: Visitor) -> dict[str, Any]:
    """Play until a bid can be made on a good for which somebody else has bid."""
    while True:
        leads = ana.news["view"]["leads"] if ana.asked else {}
        for bid in bids(ana):
            if any(leads.get(bid["good"], {"seats": []})["seats"]):  # seat 0 is the own one
                expect(ana.page.locator("[data-busy=true]")).to_have_count(0)
                return bid
        choose(ana, touches, Random(1)) if ana.asked else ana.page.wait_for_timeout(20)


@pytest.mark.parametrize("size", [PHONE, LOW, DESKTOP], ids=["phone", "low", "desktop"])
def test_a_raised_card_stands_beside_what_is_to_be_beaten(
    browser: Browser, server: Running, size: dict[str, int]
) -> None:
    with visiting(browser, server, size) as ana:
        begin(ana)
        bid = rivalled(ana)
        total = ana.news["view"]["leads"][bid["good"]]["total"]
        ana.page.locator(f'[data-raise="{bid["card"]}"]').first.click()
        stall = ana.page.locator(f'[data-act="bid {bid["card"]} {bid["good"]}"]')
        expect(stall.locator(".tally b")).to_have_text(str(total))
        means, mark = (
            ("you would lead", "★")
            if bid["total"] > total
            else ("a tie, which wins nothing", "=")
            if bid["total"] == total
            else ("less than that of others", "↓")
        )
        expect(stall.locator(".offer")).to_contain_text(mark)
        expect(stall).to_have_accessible_name(re.compile(f"for {bid['total']}: {means}"))
        inside = "(it) => it.scrollWidth <= it.clientWidth"
        assert stall.evaluate(inside), "both are seen as a whole"
        for sign in ana.page.locator(".sign span").all():
            assert sign.evaluate(inside), "and so is the name of each good"


def test_with_a_raised_card_digits_are_goods_first(browser: Browser, server: Running) -> None:
    with visiting(browser, server, DESKTOP) as ana:
        begin(ana)
        bid = rivalled(ana)
        card = bid["card"]
        goods = [good for good in GOODS if f"bid {card} {good}" in texts(ana)]
        ana.page.locator(f'[data-raise="{card}"]').first.click()
        keys = [
            ana.page.locator(f'[data-key="{at}"]').get_attribute("data-act")
            for at in range(1, len(goods) + 2)
        ]
        assert keys == [*(f"bid {card} {good}" for good in goods), "pass"]
        number = ana.news["number"]
        ana.page.keyboard.press("1")
        assert wait(ana, lambda: False, number)
        assert server.table(ana.table["id"]).match.steps[number] == (0, keys[0])


def texts(ana: Visitor) -> list[str]:
    """What may be done."""
    return [action["text"] for action in ana.news["view"]["legal"]]


def test_goods_are_settled_one_after_the_other(browser: Browser, server: Running) -> None:
    with visiting(browser, server, DESKTOP, speed="brisk") as ana:
        begin(ana, bots=1)
        ana.page.evaluate(WATCH)
        while len(seen := ana.page.evaluate("window.seen")) < len(GOODS):
            choose(ana, touches, Random(3)) if ana.asked else ana.page.wait_for_timeout(20)
        assert seen[:3] == [["gold", 1], ["ammunition", 2], ["dynamite", 3]]


WATCH = """() => {
  window.seen = [];
  const look = () => {
    const settling = document.querySelector(".stall.settling .sign")?.innerText.trim();
    const verdicts = document.querySelectorAll(".verdict").length;
    if (settling && window.seen.at(-1)?.[0] !== settling) window.seen.push([settling, verdicts]);
    requestAnimationFrame(look);
  };
  look();
}"""
"""Notes, frame by frame, which good is being settled, and how many of them have been."""


SECOND_VALUE = """() => [...document.querySelectorAll('.hand [data-raise]')].filter((card) => {
  const { left, bottom, width } = card.querySelector('.face').getBoundingClientRect();
  return !card.contains(document.elementFromPoint(left + 0.3 * width, bottom - 0.25 * width));
}).map((card) => card.dataset.raise)"""
"""Cards whose lower end, with its value, is under another card."""


def test_both_values_of_every_card_are_seen(browser: Browser, server: Running) -> None:
    with visiting(browser, server, PHONE) as ana:
        begin(ana)
        while len(ana.news["view"]["bands"][0]["hand"]) < 12:
            if ana.asked:
                view, waiting = ana.news["view"], ("pass", "keep", "hold")
                view["legal"] = [one for one in view["legal"] if one["text"] in waiting] or view[
                    "legal"
                ]
                choose(ana, touches, Random(1))
            ana.page.wait_for_timeout(20)
        while not bids(ana):
            choose(ana, touches, Random(1)) if ana.asked else ana.page.wait_for_timeout(20)
        expect(ana.page.locator("[data-busy=true]")).to_have_count(0)
        ana.page.wait_for_timeout(RISING)
        assert not ana.page.evaluate(SECOND_VALUE)


def test_a_crate_to_be_stashed_is_named_in_words(browser: Browser, server: Running) -> None:
    with visiting(browser, server, PHONE) as ana:
        begin(ana)
        while ana.news["view"]["phase"] != "stash" or not ana.asked:
            choose(ana, touches, Random(1)) if ana.asked else ana.page.wait_for_timeout(20)
        doors = ana.page.locator("[data-part=question] [data-act^=stash]")
        expect(doors.first).to_have_accessible_name(
            re.compile(r"^Stash (gold|ammunition|dynamite) \d$")
        )


def test_a_raised_card_lies_over_everything(browser: Browser, server: Running) -> None:
    with visiting(browser, server, LOW) as ana:
        begin(ana)
        card = ana.page.locator(f'[data-raise="{bids(ana)[0]["card"]}"]').first
        card.click()
        ana.page.wait_for_timeout(RISING)
        assert card.locator(".face").evaluate(
            """(face) => {
              const { left, top, width } = face.getBoundingClientRect();
              return face.contains(document.elementFromPoint(left + width / 2, top + 6));
            }"""
        )


def test_a_special_card_offers_only_what_can_be_done(browser: Browser, server: Running) -> None:
    with visiting(browser, server, PHONE) as ana:
        while True:
            begin(ana)
            if ana.news["view"]["bands"][0]["special"] in ("fuera", "seguridad"):
                break
        ana.page.get_by_role("button", name=re.compile("^Your special card")).click()
        sheet = ana.page.get_by_role("dialog")
        expect(sheet.get_by_text("You cannot play it now.")).to_be_visible()
        expect(sheet.get_by_role("button")).to_have_count(1)


def test_the_first_explanation_is_the_goal_and_stays_when_something_is_refused(
    browser: Browser, server: Running
) -> None:
    with visiting(browser, server, PHONE, guide=True) as ana:
        begin(ana)
        tip = ana.page.get_by_role("complementary", name="How it works")
        expect(tip).to_contain_text("only stashed crates count")
        card = bids(ana)[0]["card"]
        other = next(good for good in GOODS if good not in card)
        ana.page.locator(f'[data-raise="{card}"]').first.click()
        ana.page.get_by_role("button", name=re.compile(f"^{GOODS[other]}, ")).click(force=True)
        expect(ana.page.get_by_role("alert")).to_be_visible()
        expect(tip).to_contain_text("only stashed crates count")


ZOOMED = {"width": 720, "height": 450}
SMALL = {"width": 320, "height": 568}
TALL = {"width": 390, "height": 844}
CARDS = ["g7", "a5g2", "d3a4", "g3d4", "a2g5", "d7", "a7", "g2d5", "g3a4", "d2g5", "a4d3", "g5"]


def lot(bids: list[str], crates: list[str], total: int) -> dict[str, Any]:
    """What lies before a player for one good."""
    bonus = max((int(crate[1]) for crate in crates), default=0)
    return {"bids": bids, "crates": crates, "bonus": bonus, "total": total, "protected": False}


def laden(view: dict[str, Any], hand: int) -> None:
    """Much lies on the table, everybody else has passed, and one holds so many cards."""
    for band in view["bands"]:
        band["lots"] = {
            "g": lot(["g7", "g3a4"], ["g2", "g3"], 13),
            "a": lot(["a5g2"], [], 5),
            "d": lot(["d4g3"], ["d3", "d2", "d4"], 15),
        }
        band["passed"] = True
    view["bands"][0] |= {"hand": CARDS[:hand], "passed": False}
    view["leads"] = {
        "g": {"total": 13, "seats": list(range(len(view["bands"])))},
        "a": {"total": 5, "seats": [1]},
        "d": {"total": 15, "seats": [0]},
    }


def load_table(ana: Visitor, players: int, hand: int) -> None:
    """Sit down at a table that is shown as if the game had come far."""

    def shown(text: str | bytes) -> str:
        message = json.loads(text)
        if message["type"] == "news":
            laden(message["view"], hand)
        return json.dumps(message)

    def listen(socket: WebSocketRoute) -> None:
        socket.connect_to_server().on_message(lambda text: socket.send(shown(text)))

    ana.page.route_web_socket(re.compile("/api/"), listen)
    made = ana.server.make("auction", 1, bots=players - 1)
    ana.sit(made["table"], made["token"])
    expect(ana.page.locator(".hand [data-raise]")).to_have_count(hand)


def look(ana: Visitor, size: dict[str, int]) -> None:
    """Look at it on a screen of this size, once nothing moves."""
    ana.page.set_viewport_size(size)  # type: ignore[arg-type]
    ana.page.evaluate("document.fonts.ready.then(() => null)")
    ana.page.wait_for_timeout(RISING)


UNREAD = """() => {
  const seen = (piece, x, y) => {
    const { left, top, width, height } = piece.getBoundingClientRect();
    return piece.contains(document.elementFromPoint(left + x * width, top + y * height));
  };
  return [...document.querySelectorAll('.lot')].flatMap((lot) => {
    const { right } = lot.getBoundingClientRect();
    const out = (piece) => piece.getBoundingClientRect().right > right + 3;
    const isBelow = lot.classList.contains('below');
    const cards = [...lot.querySelectorAll('.card')].filter((card) =>
      out(card) || !seen(card, 0.19, isBelow ? 0.16 : 0.84));
    const crates = [...lot.querySelectorAll('.crate')].filter((crate) =>
      out(crate) || !seen(crate, 0.73, 0.4));
    const totals = [...lot.querySelectorAll('.total')].filter((total) => {
      const box = total.querySelector('b').getBoundingClientRect();
      const sign = total.querySelector('i')?.getBoundingClientRect();
      const ends = [box.top + 3, box.bottom - 4].flatMap((y) =>
        [box.left + 2, box.right - 2].map((x) => document.elementFromPoint(x, y)));
      const isUnder = sign && sign.right > box.left + 2 && sign.bottom > box.top + 3
        && sign.top < box.bottom - 3;
      return isUnder || ends.some((found) => !total.contains(found));
    });
    return [...cards, ...crates, ...totals].map((one) =>
      `${lot.dataset.good} ${one.className} ${one.textContent.trim()}`);
  });
}"""
"""Pieces before players that leave their lane or whose value is hidden, and totals that are."""

BEYOND = """() => [...document.querySelectorAll('.place')].flatMap((place) => {
  const plate = place.querySelector('.plate').getBoundingClientRect();
  const isBelow = place.classList.contains('below');
  return [...place.querySelectorAll('.lot .card')].filter((card) => {
    const { left, width } = card.getBoundingClientRect();
    const y = isBelow ? plate.bottom + 1 : plate.top - 1;
    const there = document.elementsFromPoint(left + width / 2, y);
    return there.some((one) => one !== card && card.contains(one));
  });
}).length"""
"""How many cards come out on the far side of a plate."""


@pytest.mark.parametrize("players", [2, 3, 4])
def test_what_is_bid_stays_in_its_lane_and_can_be_read(
    browser: Browser, server: Running, players: int
) -> None:
    with visiting(browser, server, PHONE) as ana:
        load_table(ana, players, 4)
        for size in (PHONE, TALL, LOW, ZOOMED, DESKTOP, SMALL):
            look(ana, size)
            assert not ana.page.evaluate(BEYOND), size
            assert not (found := ana.page.evaluate(UNREAD)), (size, found)


def test_names_are_whole_beside_the_word_that_they_passed(
    browser: Browser, server: Running
) -> None:
    with visiting(browser, server, DESKTOP) as ana:
        load_table(ana, 4, 7)
        for size in (DESKTOP, {"width": 1280, "height": 800}, PHONE):
            look(ana, size)
            expect(ana.page.locator(".stamp")).to_have_count(3)
            for name in ana.page.locator(".plate .name").all():
                assert name.evaluate("(it) => it.scrollWidth <= it.clientWidth"), size


LEANING = """() => {
  const table = document.querySelector('.auction').getBoundingClientRect();
  return [...document.querySelectorAll('.hand .face')].filter((face) => {
    const { left, right, bottom } = face.getBoundingClientRect();
    return left < table.left || right > table.right || bottom > innerHeight + 1;
  }).length;
}"""
"""How many cards of the hand are cut off at an edge."""

PUSHED = """() => {
  const plate = document.querySelector('.place.below .plate').getBoundingClientRect();
  return [...document.querySelectorAll('.hand .face')]
    .some((face) => face.getBoundingClientRect().top < plate.bottom - 4);
}"""
"""Whether the hand lies over the own plate."""


@pytest.mark.parametrize(
    ("players", "cards", "guide"), [(3, 12, False), (3, 12, True), (4, 12, False), (4, 7, False)]
)
def test_a_large_hand_is_seen_as_a_whole_and_covers_nothing(
    browser: Browser, server: Running, players: int, cards: int, guide: bool
) -> None:
    with visiting(browser, server, PHONE, guide=guide) as ana:
        load_table(ana, players, cards)
        ana.page.add_style_tag(content=".special { display: none }")  # not everybody has one
        for size in (PHONE, TALL, LOW, ZOOMED, DESKTOP):
            look(ana, size)
            assert not ana.page.evaluate(PUSHED), size
            assert not ana.page.evaluate(LEANING), size
            assert not ana.page.evaluate(SECOND_VALUE), size
            high = ana.page.evaluate("document.documentElement.scrollHeight")
            assert high <= size["height"], f"{high - size['height']} px are below {size}"


OVER_KEYS = """() => {
  const { top } = document.querySelector('[data-part=question]').getBoundingClientRect();
  return [...document.querySelectorAll('.rivals .lot, .rivals .total, .rivals .total i')]
    .filter((one) => one.getBoundingClientRect().bottom > top + 1).length;
}"""
"""How much of what rivals have is under or over what is asked."""


@pytest.mark.parametrize("players", [2, 3, 4])
def test_whoever_looks_back_without_a_seat_sees_all_lots_on_a_low_screen(
    browser: Browser, server: Running, players: int
) -> None:
    table, tokens = server.full("auction", players)
    seated = server.all_players(table, tokens)
    play_on(seated)
    with visiting(browser, server, LOW) as ana:

        def shown(route: Route) -> None:
            answer = route.fetch()
            news = answer.json()
            laden(news["view"], 5)
            for band in news["view"]["bands"]:
                band["hand"] = CARDS[:5]
            route.fulfill(response=answer, json=news)

        ana.page.route(re.compile("/api/.*/replay"), shown)
        ana.open(f"/t/{table}/replay?step=40")
        expect(ana.page.get_by_text("Step 40 of")).to_be_visible()
        for size in (LOW, ZOOMED):
            look(ana, size)
            assert not ana.page.evaluate(OVER_KEYS), size
            assert not (found := ana.page.evaluate(UNREAD)), (size, found)
