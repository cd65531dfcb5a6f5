"""What is where on the screen: all that a decision needs is to be seen, and nothing covers it."""

from random import Random
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from browser_kit import DESKTOP, PHONE, Visitor, visiting
from caramba.games import names
from caramba.games.contract import load
from gestures import choose, play_to_the_end, touches
from server_kit import Running

LANDSCAPE = {"width": 844, "height": 390}
ZOOMED = {"width": 720, "height": 450}
"""A desktop of 1440 by 900, at 200 %."""
SMALL = {"width": 320, "height": 568}
NARROW = {"width": 320, "height": 640}

GAMES = pytest.mark.parametrize("game", names())
TABLES = pytest.mark.parametrize("most", [False, True], ids=["two", "largest"])

HIDDEN = """() => {
  const touched = ':is([data-act], [data-raise]):not([aria-disabled=true])';
  return [...document.querySelectorAll(touched)].flatMap((one) => {
    const { left, top, width, height } = one.getBoundingClientRect();
    const isThere = [0.15, 0.5, 0.85].some((x) => [0.3, 0.5, 0.8].some((y) => {
      const found = document.elementFromPoint(left + x * width, top + y * height);
      return found && (one.contains(found) || found.contains(one));
    }));
    const isInside = top >= 0 && top + height <= innerHeight;
    return isThere && isInside ? [] : [one.dataset.act ?? one.dataset.raise];
  });
}"""
"""What may be touched and cannot be, because it is off the screen or under something else."""

COVERED = """() => [...document.querySelectorAll('.hand [data-raise]')].filter((card) => {
  const { left, top, width, height } = card.getBoundingClientRect();
  const found = document.elementFromPoint(left + 0.15 * width, top + 0.2 * height);
  return !card.contains(found) || top + 0.9 * height > innerHeight;
}).map((card) => card.dataset.raise)"""
"""Cards of the hand whose rank is not to be seen."""

CLIPPED = """() => [...document.querySelectorAll('body *')].filter((one) => {
  const style = getComputedStyle(one);
  const isCut = ['hidden', 'clip'].includes(style.overflowX) && style.textOverflow === 'ellipsis';
  return isCut && one.clientWidth > 1 && one.scrollWidth > one.clientWidth + 1;
}).map((one) => one.textContent.trim())"""
"""Texts that end in dots."""

UNDER_DIGITS = """() => [...document.querySelectorAll('button[data-key]')].filter((one) => {
  const digit = getComputedStyle(one, '::after');
  const { left, top } = one.getBoundingClientRect();
  const right = left + one.clientLeft + parseFloat(digit.left) + parseFloat(digit.width);
  const bottom = top + one.clientTop + parseFloat(digit.top) + parseFloat(digit.height);
  const words = document.createRange();
  words.selectNodeContents(one);
  const isUnder = (line) => line.left < right - 1 && line.top + 0.2 * line.height < bottom;
  return digit.content !== 'none' && [...words.getClientRects()].some(isUnder);
}).map((one) => one.textContent.trim())"""
"""Answers whose words are under the digit that stands for them."""


def begin(ana: Visitor, game: str, players: int, **options: Any) -> None:
    """Sit down at a new table against bots."""
    made = ana.server.make(game, 1, bots=players - 1, **options)
    ana.sit(made["table"], made["token"])


def still(ana: Visitor, size: dict[str, int]) -> None:
    """Look at it on a screen of this size, once nothing moves."""
    ana.page.set_viewport_size(size)  # type: ignore[arg-type]
    expect(ana.page.locator("[data-busy=true]")).to_have_count(0)
    if (summed_up := ana.page.get_by_role("button", name="Continuer")).count():
        summed_up.click()
    ana.page.evaluate("scrollTo(0, 0)")
    ana.page.evaluate("document.fonts.ready.then(() => null)")
    ana.page.wait_for_timeout(250)


def check_screen(ana: Visitor, size: dict[str, int], when: str) -> None:
    """Everything is on the screen, and what may be touched can be."""
    high = ana.page.evaluate("document.documentElement.scrollHeight")
    assert high <= size["height"], f"{when}: {high - size['height']} px are below {size}"
    ana.check_width()
    assert not (found := ana.page.evaluate(HIDDEN)), f"{when} {size}: {found}"


@TABLES
@GAMES
def test_a_low_screen_shows_all_that_a_decision_needs(
    browser: Browser, server: Running, game: str, most: bool
) -> None:
    rng = Random(8)
    with visiting(browser, server, LANDSCAPE, "fr") as ana:
        begin(ana, game, load(game).players[-1 if most else 0])
        for number in range(8):
            ana.until(lambda: ana.asked or ana.over)
            for size in (LANDSCAPE, ZOOMED):
                still(ana, size)
                if ana.asked:
                    check_screen(ana, size, f"decision {number}, {ana.news['view']['phase']}")
            if ana.asked:  # and the table has not answered meanwhile
                choose(ana, touches, rng)


@GAMES
def test_the_digit_of_an_answer_covers_none_of_its_words(
    browser: Browser, server: Running, game: str
) -> None:
    rng = Random(5)
    with visiting(browser, server, DESKTOP, "fr") as ana:  # a finger would not see digits
        begin(ana, game, 3)
        for number in range(8):
            ana.until(lambda: ana.asked or ana.over)
            for size in (LANDSCAPE, ZOOMED, DESKTOP):
                still(ana, size)
                found = ana.page.evaluate(UNDER_DIGITS)
                assert not found, f"decision {number} {size}: {found}"
            if ana.asked:
                choose(ana, touches, rng)


def test_a_table_can_be_made_without_scrolling_on_a_low_screen(
    browser: Browser, server: Running
) -> None:
    with visiting(browser, server, LANDSCAPE) as ana:
        ana.open()
        ana.button("Choose opponents").first.click()
        sheet = ana.page.get_by_role("dialog")
        expect(sheet.get_by_role("button", name="Play", exact=True)).to_be_in_viewport(ratio=1)


LONGEST = (
    "les jokers complètent jusqu’à quatre cartes de même rang, ou une suite d’au moins trois dans"
    " une couleur, à laquelle ne manquent pas plus de rangs qu’il n’y a de jokers"
)
"""A reason, in French."""

SHOW = "(it, text) => it.replaceChildren(text, ...it.querySelectorAll('button'))"


@TABLES
def test_a_refusal_covers_no_card(browser: Browser, server: Running, most: bool) -> None:
    with visiting(browser, server, LANDSCAPE, "fr") as ana:
        begin(ana, "cards", 8 if most else 3)
        ana.until(lambda: ana.asked)
        for size in (LANDSCAPE, ZOOMED, PHONE, SMALL):
            still(ana, size)
            ana.page.locator('[data-act="take pile"]').click(force=True)
            refusal = ana.page.locator(".refusal")
            expect(refusal).to_be_visible()
            for text in (refusal.text_content(), LONGEST):
                refusal.evaluate(SHOW, text)
                ana.page.wait_for_timeout(250)
                assert not ana.page.evaluate(COVERED), (size, text)
            ana.page.locator(".plate").last.click()


REFUSED = {
    "auction": "document.querySelector('.stall').click()",
    "cards": """document.querySelector('[data-act="take pile"]').click()""",
    "race": "document.querySelector('[data-space][aria-disabled=true]').click()",
}
"""By game: touches what is not allowed; somebody else begins, since in the Race the first may place
a sombrero anywhere."""

PLACES = """() => ['hand', 'table', 'question']
  .map((part) => document.querySelector(`[data-part=${part}]`)).filter(Boolean)
  .map((part) => JSON.stringify(part.getBoundingClientRect()))"""
"""Where everything is."""

READABLE = """() => {
  const [why, question] = ['.refusal', '.status .words']
    .map((one) => document.querySelector(one).getBoundingClientRect());
  return why.bottom <= question.top + 1;
}"""
"""Whether what is asked can be read beside the reason."""


@GAMES
def test_a_refusal_moves_nothing_and_leaves_the_question(
    browser: Browser, server: Running, game: str
) -> None:
    with visiting(browser, server, PHONE, "fr") as ana:
        begin(ana, game, 3, options={"first": 1})
        ana.until(lambda: ana.asked)
        for size in (SMALL, PHONE, LANDSCAPE, DESKTOP):
            still(ana, size)
            places = ana.page.evaluate(PLACES)
            ana.page.evaluate(REFUSED[game])
            refusal = ana.page.locator(".refusal")
            expect(refusal).to_be_visible()
            assert ana.page.evaluate(PLACES) == places, size
            assert ana.page.evaluate(READABLE), size
            refusal.evaluate(SHOW, LONGEST)
            assert ana.page.evaluate(PLACES) == places, size
            assert ana.page.evaluate(READABLE), size
            ana.page.mouse.click(2, 2)
            expect(refusal).to_have_count(0)


@TABLES
@GAMES
def test_a_lost_line_covers_nothing(
    browser: Browser, server: Running, game: str, most: bool
) -> None:
    with visiting(browser, server, PHONE, "fr") as ana:
        begin(ana, game, load(game).players[-1 if most else 0])
        table = ana.page.get_by_label("La table", exact=True)
        expect(table).to_be_visible()
        ana.page.context.set_offline(True)
        lost = ana.page.get_by_text("Connexion perdue")
        for size in (NARROW, PHONE, LANDSCAPE, ZOOMED, DESKTOP):
            still(ana, size)
            expect(lost).to_be_in_viewport(ratio=1)
            above, below = ana.page.locator(".line p").bounding_box(), table.bounding_box()
            assert above
            assert below
            assert above["y"] + above["height"] <= below["y"], size
            ana.button("Menu").click(trial=True)
        ana.complaints.clear()  # the browser's own log tells that there is no network


@pytest.mark.parametrize("guide", [False, True], ids=["knows", "learns"])
@pytest.mark.parametrize(("game", "players"), [("auction", 3), ("auction", 4), ("cards", 3)])
def test_question_and_hand_are_on_the_screen_together(
    browser: Browser, server: Running, game: str, players: int, guide: bool
) -> None:
    with visiting(browser, server, SMALL, "fr", guide=guide) as ana:
        begin(ana, game, players)
        ana.until(lambda: ana.asked)
        for size in (SMALL, {"width": 390, "height": 664}, PHONE, LANDSCAPE):
            ana.page.set_viewport_size(size)  # type: ignore[arg-type]
            expect(ana.page.locator("[data-busy=true]")).to_have_count(0)
            ana.page.wait_for_timeout(250)
            expect(ana.page.locator("[data-part=question]")).to_be_in_viewport(ratio=0.99)
            assert not ana.page.evaluate(COVERED), size


@GAMES
def test_looking_back_on_a_low_screen(browser: Browser, server: Running, game: str) -> None:
    with visiting(browser, server, LANDSCAPE) as ana:
        begin(ana, game, load(game).players[-1])
        play_to_the_end(ana, touches, Random(3), decisions=4)
        ana.page.goto(f"{ana.page.url}/replay?step=14")
        expect(ana.page.get_by_text("Step 14 of")).to_be_visible()
        for size in (LANDSCAPE, ZOOMED):
            still_looking(ana, size)


def still_looking(ana: Visitor, size: dict[str, int]) -> None:
    """Everything is on the screen, the keys among it."""
    ana.page.set_viewport_size(size)  # type: ignore[arg-type]
    ana.page.wait_for_timeout(250)
    check_screen(ana, size, "looking back")
    expect(ana.page.get_by_role("group", name="Step by step")).to_be_in_viewport(ratio=1)


@TABLES
@GAMES
def test_an_explanation_covers_nothing_of_the_table(
    browser: Browser, server: Running, game: str, most: bool
) -> None:
    with visiting(browser, server, PHONE, "fr", guide=True) as ana:
        begin(ana, game, load(game).players[-1 if most else 0])
        tip = ana.page.locator("aside.tip")
        for size in (PHONE, {"width": 390, "height": 844}, LANDSCAPE, ZOOMED):
            ana.page.set_viewport_size(size)  # type: ignore[arg-type]
            expect(tip).to_be_visible()
            ana.page.wait_for_timeout(250)
            above, below = (
                tip.bounding_box(),
                ana.page.get_by_label("La table", exact=True).bounding_box(),
            )
            assert above
            assert below
            assert above["height"] <= size["height"] / 5, size
            expect(ana.button("Menu")).to_be_in_viewport(ratio=1)
            assert above["y"] + above["height"] <= below["y"] + 1, size
            ana.check_width()
            high = ana.page.evaluate("document.documentElement.scrollHeight")
            assert high <= size["height"] + 12, f"{high - size['height']} px are below {size}"


HEAPS: list[tuple[str, dict[str, Any]]] = [(game, {}) for game in names()]
HEAPS += [
    ("auction", {"crates": [good] * 8 + others})
    for good, *others in (["g3", "a2", "d2"], ["d3", "g2", "a2"])
]
"""What may lie on the table: crates are drawn until there is one of each good, mostly of one."""


@pytest.mark.parametrize(("game", "options"), HEAPS)
def test_the_first_explanation_fits_a_small_screen(
    browser: Browser, server: Running, game: str, options: dict[str, Any]
) -> None:
    with visiting(browser, server, SMALL, "fr", guide=True) as ana:
        begin(ana, game, 3, options=options)
        expect(ana.page.locator("aside.tip button").last).to_be_visible()
        ana.page.evaluate("document.fonts.ready.then(() => null)")
        ana.page.wait_for_timeout(250)
        high = ana.page.evaluate("document.documentElement.scrollHeight")
        assert high <= SMALL["height"] + 12, f"{high - SMALL['height']} px are below"


def test_a_hand_among_many_is_as_large_as_any(browser: Browser, server: Running) -> None:
    with visiting(browser, server, DESKTOP) as ana:
        begin(ana, "cards", 8)
        still(ana, DESKTOP)
        check_screen(ana, DESKTOP, "eight at a table")
        card = ana.page.locator(".hand [data-raise]").first.bounding_box()
        assert card
        assert card["width"] >= 110


@GAMES
def test_the_table_stays_as_it_is_when_an_explanation_goes(
    browser: Browser, server: Running, game: str
) -> None:
    with visiting(browser, server, PHONE, guide=True) as ana:
        begin(ana, game, 3)
        table = ana.page.get_by_label("The table", exact=True)
        understood = ana.button("Got it")
        expect(understood).to_be_visible()
        before = None
        while understood.count():
            ana.page.wait_for_timeout(250)
            before = table.bounding_box()
            understood.click()
        ana.page.wait_for_timeout(250)
        assert table.bounding_box() == before


@GAMES
def test_the_table_stays_where_it_is_while_explanations_come_and_go(
    browser: Browser, server: Running, game: str
) -> None:
    sizes = (SMALL, PHONE, LANDSCAPE)
    tops: list[set[float]] = [set() for _ in sizes]
    with visiting(browser, server, SMALL, "fr", guide=True) as ana:
        begin(ana, game, 3, options={"first": 0} if game != "auction" else {})
        table = ana.page.get_by_label("La table", exact=True)
        for decision in range(5):
            ana.until(lambda: ana.asked)
            if decision % 2 and (understood := ana.button("Compris")).count():
                understood.click()
            for size, seen in zip(sizes, tops, strict=True):
                still(ana, size)
                box = table.bounding_box()
                assert box
                seen.add(box["y"])
                assert not ana.page.evaluate(COVERED), (size, decision)
                high = ana.page.evaluate("document.documentElement.scrollHeight")
                assert high <= size["height"], f"{size}: {high} px, decision {decision}"
            choose(ana, touches, Random(5))
    assert [len(seen) for seen in tops] == [1, 1, 1], tops


@GAMES
def test_nothing_is_cut_off_on_the_narrowest_screen(
    browser: Browser, server: Running, game: str
) -> None:
    with visiting(browser, server, NARROW, "fr") as ana:
        begin(ana, game, load(game).players[-1])
        play_to_the_end(ana, touches, Random(4), decisions=2)
        ana.check_width()
        seats = {seat["name"] for seat in ana.table["seats"]}
        cut = [text for text in ana.page.evaluate(CLIPPED) if text not in seats]
        assert not cut, "names may be shortened, but nothing else"


@pytest.mark.parametrize("game", ["auction", "cards"])
def test_nothing_jumps_when_a_text_wraps(browser: Browser, server: Running, game: str) -> None:
    with visiting(browser, server, PHONE) as ana:
        begin(ana, game, 3)
        still(ana, PHONE)
        hand = ana.page.get_by_label("Your hand")
        tops = []
        for text in ("Short.", "A question that is so long that it takes a second line."):
            ana.page.evaluate(f"document.querySelector('.status strong').textContent = '{text}'")
            box = hand.bounding_box()
            assert box
            tops.append(box["y"])
        assert tops[0] == tops[1]


STAMPED = """() => [...document.querySelectorAll('.plate:has(.stamp)')].map((plate) => {
  const stamp = plate.querySelector('.stamp').getBoundingClientRect();
  const figures = [...plate.querySelectorAll('.count')].map((one) => one.getBoundingClientRect());
  return figures.length > 2 && figures.every(({ left }) => left >= stamp.right - 2);
})"""
"""By player who has passed: whether all figures are beside the stamp."""


def test_a_stamp_covers_no_figures(browser: Browser, server: Running) -> None:
    with visiting(browser, server, PHONE) as ana:
        begin(ana, "auction", 4)
        rng, stamped = Random(2), list[bool]()
        while not stamped and not ana.over:
            play_to_the_end(ana, touches, rng, decisions=1)
            stamped = ana.page.evaluate(STAMPED)
        assert stamped
        assert all(stamped)


@GAMES
def test_a_long_log_does_not_make_the_page_longer(
    browser: Browser, server: Running, game: str
) -> None:
    with visiting(browser, server, DESKTOP) as ana:
        begin(ana, game, 3)
        play_to_the_end(ana, touches, Random(4), decisions=9)
        still(ana, DESKTOP)
        high = ana.page.evaluate("document.documentElement.scrollHeight")
        assert high <= DESKTOP["height"], f"{high - DESKTOP['height']} px"
        log = ana.page.get_by_role("log", name="What happened").bounding_box()
        assert log
        assert log["height"] > DESKTOP["height"] / 2, "it has the room that there is"
