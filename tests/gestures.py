"""How a person takes a step on the page: what is touched, one thing after the other."""

import json
from collections.abc import Callable
from random import Random
from typing import Any

from browser_kit import Visitor

SHORT: dict[str, dict[str, Any]] = {
    "auction": {"max_turns": 2},
    "race": {"max_races": 1},
    "cards": {"max_deals": 1, "max_laps": 4},
}
"""Games that do not take long."""

Touch = Callable[[Visitor, str], None]


def way(action: dict[str, Any]) -> list[str]:
    """What is touched for an action: cards or spaces that are raised first, then what acts."""
    text, form = action["text"], action["form"]
    raised: list[str] = []
    if form["do"] == "bid":
        raised = [form["card"]]
    elif form["do"] == "vuelta":
        raised = ["vuelta"]
    elif form["do"] == "drop":
        raised = str(form["cards"]).split()
    elif form["do"] in ("place", "ambush"):
        raised = [str(form["space"])]
    return [*(f'[data-raise="{thing}"]' for thing in raised), f'[data-act="{text}"]']


def touches(visitor: Visitor, selector: str) -> None:
    """By a finger or a mouse."""
    visitor.page.locator(selector).first.click()


def keys(visitor: Visitor, selector: str) -> None:
    """By the keyboard: Tab until it has the focus, then Enter."""
    page = visitor.page
    for _ in range(200):
        if has_focus(visitor, selector):
            return page.keyboard.press("Enter")
        on_track = has_focus(visitor, "[data-space]") and visitor.page.locator(
            f"[data-space]{selector}"
        ).count()
        page.keyboard.press("ArrowRight" if on_track else "Tab")
    raise AssertionError(f"the keyboard never comes to {selector}")


def has_focus(visitor: Visitor, selector: str) -> bool:
    """Whether the keyboard is at it."""
    wanted = json.dumps(selector)
    return bool(visitor.page.evaluate(f"document.activeElement?.matches({wanted})"))


def play_to_the_end(
    visitor: Visitor, touch: Touch, rng: Random, decisions: int | None = None
) -> None:
    """Take random steps whenever asked, until the game is over or so many were taken."""
    taken = 0
    while not visitor.over and taken != decisions:
        if not visitor.asked:
            visitor.page.wait_for_timeout(20)
            continue
        choose(visitor, touch, rng)
        taken += 1


def choose(visitor: Visitor, touch: Touch, rng: Random) -> None:
    """Take a random step, and wait until it is done."""
    number = visitor.news["number"]
    action = rng.choice(visitor.news["view"]["legal"])
    if action["form"]["do"] == "offer":
        action = visitor.news["view"]["legal"][0]  # amounts are set on a slider: the first will do
    for selector in way(action):
        # Some questions the table answers by itself: then nothing is there to be touched.
        if wait(visitor, lambda s=selector: visitor.page.locator(f":not([data-busy=true]) {s}").count(), number):  # type: ignore[misc]
            return
        touch(visitor, selector)
    assert wait(visitor, lambda: 0, number), f"nothing came of {action['text']}"


def wait(visitor: Visitor, until: Callable[[], int], number: int) -> bool:
    """Let time pass until something is so, or the game has gone on: whether it has."""
    for _ in range(750):
        if visitor.news["number"] != number:
            return True
        if until():
            return False
        visitor.page.wait_for_timeout(20)
    return False
