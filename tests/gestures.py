"""How a person takes a step on the page: what is touched, one thing after the other."""

import json
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from random import Random
from typing import Any

from playwright.sync_api import Error as NotTouched

from browser_kit import Visitor
from facts import facts

Touch = Callable[[Visitor, str], None]


def way(game: str, action: dict[str, Any]) -> list[str]:
    """What is touched for an action: pieces that are raised first, then what acts."""
    raised = facts(game).raised(action["form"]) or []
    return [*(f'[data-raise="{piece}"]' for piece in raised), f'[data-act="{action["text"]}"]']


def touches(visitor: Visitor, selector: str) -> None:
    """By a finger or a mouse."""
    visitor.page.locator(selector).first.click(timeout=3000)


def keys(visitor: Visitor, selector: str) -> None:
    """By the keyboard: Tab until it has the focus, then Enter."""
    for _ in range(200):
        if has_focus(visitor, selector):
            return visitor.page.keyboard.press("Enter")
        visitor.page.keyboard.press(next_key(visitor, selector))
    raise AssertionError(f"the keyboard never comes to {selector}")


def next_key(visitor: Visitor, selector: str) -> str:
    """Tab goes from one thing to the next, but arrows go along the track."""
    page = visitor.page
    wanted = page.locator(f"[data-space]{selector}")
    if not (has_focus(visitor, "[data-space]") and wanted.count()):
        return "Tab"
    here = page.evaluate("Number(document.activeElement.dataset.space)")
    return "ArrowRight" if here < int(wanted.get_attribute("data-space") or 0) else "ArrowLeft"


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


def play_together(people: Sequence[Visitor], rng: Random) -> None:
    """Let all of them take random steps, each when asked, until the game is over."""
    while not all(person.over for person in people):
        for person in people:
            if person.asked and not person.over:
                choose(person, touches, rng)
            person.page.wait_for_timeout(10)


def choose(visitor: Visitor, touch: Touch, rng: Random) -> None:
    """Take a random step, and wait until it is done."""
    number = visitor.news["number"]
    game, legal = visitor.table["game"], visitor.news["view"]["legal"]
    action = rng.choice([one for one in legal if facts(game).raised(one["form"]) is not None])
    for selector in way(game, action):
        # Some questions the table answers by itself: then nothing is there to be touched.
        if wait(visitor, partial(is_touched, visitor, touch, selector), number):
            return
    assert wait(visitor, lambda: False, number), f"nothing came of {action['text']}"


def go_on(visitor: Visitor) -> None:
    """Put away what sums up a race, or the like, and lies over the table."""
    summary = visitor.page.locator("dialog [data-go-on]")
    if summary.count():
        summary.click()


def is_touched(visitor: Visitor, touch: Touch, selector: str) -> bool:
    """Whether something was touched: not if it is gone, or something came to lie over it."""
    if is_there(visitor, selector):
        with suppress(NotTouched):
            touch(visitor, selector)
            return True
        # On a busy machine a click may come through after all: a second would undo the first.
        return bool(visitor.page.locator(f"{selector}[aria-pressed=true]").count())
    return False


def is_there(visitor: Visitor, selector: str) -> bool:
    """Whether something can be touched, and nothing moves.

    What has come over the line may not be on the screen yet: a busy page hears of it later.
    """
    page = visitor.page
    go_on(visitor)
    shown = page.locator(f'[data-number="{visitor.news["number"]}"]')
    ready = shown.locator(f"{selector}:not([aria-disabled=true])")
    return bool(ready.count()) and not page.locator("[data-busy=true]").count()


def wait(visitor: Visitor, until: Callable[[], bool], number: int) -> bool:
    """Let time pass until something is so, or the game has gone on: whether it has."""
    for _ in range(750):
        if visitor.news["number"] != number:
            return True
        if until():
            return False
        visitor.page.wait_for_timeout(20)
    return False
