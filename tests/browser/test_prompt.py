"""The prompt tells the truth: what is asked, what is on its way, and nothing before it is seen."""

import re
from random import Random
from typing import Any

from playwright.sync_api import Browser, Locator, expect

from browser_kit import DESKTOP, PHONE, Visitor, visiting
from gestures import choose, touches
from server_kit import Running

TOLD_WHILE_HOPPING = """() => new Promise((resolve) => {
  const early = [];
  const end = performance.now() + 25000;
  const look = () => {
    const hopping = document.getAnimations().some(
      ({ effect }) => effect.target?.matches(".hat") && effect.getKeyframes().length > 2,
    );
    const told = document.querySelector("[data-busy]")?.innerText ?? "";
    if (hopping) early.push(told);
    const isDone = early.length && !hopping;
    performance.now() < end && !isDone ? requestAnimationFrame(look) : resolve(early);
  };
  look();
})"""


def asks(ana: Visitor) -> Locator:
    return ana.page.get_by_role("region", name=re.compile("What is asked|Look back"))


def until(ana: Visitor, phase: str, rng: Random) -> None:
    while not (ana.asked and ana.news["view"]["phase"] == phase):
        if ana.asked:
            choose(ana, touches, rng)
        ana.page.wait_for_timeout(20)


def sit(ana: Visitor, game: str, bots: int, **options: Any) -> None:
    made = ana.server.make(game, 1, bots=bots, options=options)
    ana.sit(made["table"], made["token"])


def test_where_a_sombrero_stops_is_not_told_while_it_hops(
    browser: Browser, server: Running
) -> None:
    with visiting(browser, server, DESKTOP) as ana:
        sit(ana, "race", bots=1)
        until(ana, "dice", Random(1))
        choose(ana, touches, Random(1))
        until(ana, "dice", Random(1))
        ana.open(f"/t/{ana.table['id']}/replay?step=0")
        ana.page.evaluate(
            "localStorage.setItem('caramba', JSON.stringify({language: 'en', speed: 'relaxed'}))"
        )
        ana.page.reload()
        ana.press("Let it run")
        told = ana.page.evaluate(TOLD_WHILE_HOPPING)
        assert told, "a sombrero hopped"
        assert not [text for text in told if "goes from" in text]


def test_the_call_is_gone_while_the_hands_are_shown(browser: Browser, server: Running) -> None:
    with visiting(browser, server, DESKTOP, speed="relaxed") as ana:
        sit(ana, "cards", 1, call_limit=50)
        while not any(
            one["text"] == "caramba" for one in ana.news.get("view", {}).get("legal", ())
        ):
            if ana.asked:
                choose(ana, touches, Random(1))
            ana.page.wait_for_timeout(20)
        call = ana.page.locator('[data-act="caramba"]')
        expect(ana.page.locator("[data-busy=true]")).to_have_count(0)
        call.click()
        expect(ana.page.locator(".celebration")).to_be_visible()
        expect(ana.page.locator(".celebration .scrap")).to_have_count(0)
        expect(call).to_have_count(0)
        expect(asks(ana)).not_to_contain_text(re.compile("Call|On its way|caramba", re.I))
        expect(ana.page.get_by_role("region", name="Deal 1")).to_be_visible()
        expect(call).to_have_count(0)


def test_what_is_on_its_way_is_drawn_and_not_spelled(browser: Browser, server: Running) -> None:
    with visiting(browser, server, PHONE) as ana:
        sit(ana, "auction", 1)
        until(ana, "bids", Random(1))
        bid = next(one for one in ana.news["view"]["legal"] if one["form"]["do"] == "bid")
        ana.page.locator(f'[data-raise="{bid["form"]["card"]}"]').first.click()
        seen = ana.page.evaluate(
            """(act) => new Promise((resolve) => {
              const seen = [];
              new MutationObserver(() => seen.push(document.querySelector("[data-busy]").innerText))
                .observe(document.body, {subtree: true, childList: true, characterData: true});
              document.querySelector(`[data-act="${act}"]`).click();
              setTimeout(() => resolve(seen), 400);
            })""",
            bid["text"],
        )
        on_its_way = [text for text in seen if "On its way" in text]
        assert on_its_way
        assert not [text for text in on_its_way if re.search(r"\b[gad]\d", text)]


def test_there_are_no_odds_while_placing(browser: Browser, server: Running) -> None:
    with visiting(browser, server, DESKTOP) as ana:
        sit(ana, "race", 1, first=0)
        asked = []
        ana.page.on("request", lambda one: asked.append(one.url) if "/odds" in one.url else None)
        until(ana, "dice", Random(1))
        ana.press("Odds")
        expect(ana.page.get_by_role("group", name="Exact odds of this turn")).to_be_visible()
        while ana.news["view"]["race"] == 1:
            if ana.asked:
                choose(ana, touches, Random(2))
            ana.page.wait_for_timeout(10)
            assert ana.news["steps"] < 900
        until(ana, "place", Random(1))
        before = len(asked)
        ana.page.wait_for_timeout(300)
        assert len(asked) == before
        assert not ana.page.get_by_text("100%").count()


def test_a_reason_begins_with_a_capital(browser: Browser, server: Running) -> None:
    with visiting(browser, server, PHONE) as ana:
        sit(ana, "race", 1)
        until(ana, "round_ambush", Random(1))
        expect(ana.page.locator("[data-busy=true]")).to_have_count(0)
        ana.page.locator('[data-space][aria-disabled="true"]').first.dispatch_event("click")
        reason = ana.page.get_by_role("alert").inner_text()
        assert reason[0].isupper(), reason
