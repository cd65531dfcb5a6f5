"""People with a real browser: what they see and press, and what their page complains about."""

import json
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Locator, Page, WebSocket, expect

from server_kit import Running

ROOT = Path(__file__).parent.parent
AXE = ROOT / "web" / "node_modules" / "axe-core" / "axe.min.js"
INSECURE = "caramba.test"
"""A name for this machine of which browsers think as of any other in a network without https."""
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-quic",
    f"--host-resolver-rules=MAP {INSECURE} 127.0.0.1",
)
SHELL = "chromium-headless-shell"
"""Chromium without windows: a page of it is open in a fraction of the time."""
NAMES = (SHELL, "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")

PATIENCE = 1500
"""How many times a visitor looks whether something has come true, every 10 ms."""

PHONE = {"width": 360, "height": 740}
TABLET = {"width": 820, "height": 1180}
DESKTOP = {"width": 1440, "height": 900}


def find_browser() -> str | None:
    """A Chromium of this machine."""
    return next((path for name in NAMES if (path := shutil.which(name))), None)


class Visitor:
    """Somebody who looks at the page."""

    def __init__(self, context: BrowserContext, server: Running) -> None:
        self.server = server
        self.page: Page = context.new_page()
        self.complaints: list[str] = []
        self.frames: list[str] = []
        self.news: dict[str, Any] = {}
        self.table: dict[str, Any] = {}
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("console", self._console)
        self.page.on("websocket", self._socket)

    def _console(self, message: Any) -> None:
        if message.type in ("error", "warning"):
            self.complaints.append(message.text)

    def _socket(self, socket: WebSocket) -> None:
        socket.on("framereceived", self._frame)

    def _frame(self, frame: str | bytes) -> None:
        text = frame if isinstance(frame, str) else frame.decode()
        self.frames.append(text)
        message = json.loads(text)
        self.table = message.get("table") or self.table
        if message["type"] == "news":
            self.news = message

    def open(self, path: str = "/") -> None:
        """Go to an address of the page."""
        self.page.goto(f"http://{self.server.address}{path}")
        expect(self.page.locator("main")).to_be_visible()

    def sit(self, table: str, token: str) -> None:
        """Take a seat by its link."""
        self.open(f"/t/{table}#seat={token}")

    def make(self, game: str, **more: Any) -> str:
        """Make a table and sit down, as the page does, but with any options; its name."""
        body = json.dumps({"game": game, "mixes": True, **more})
        made = self.page.evaluate(
            """(body) => fetch("/api/tables", {method: "POST", body,
               headers: {"Content-Type": "application/json"}}).then((answer) => answer.json())""",
            body,
        )
        return str(made["table"])

    def button(self, name: str) -> Locator:
        """A button by its name."""
        return self.page.get_by_role("button", name=name, exact=True)

    def press(self, name: str) -> None:
        """Press a button."""
        self.button(name).click()

    @property
    def over(self) -> bool:
        """Whether the game is."""
        return bool(self.news and self.news["view"]["result"])

    @property
    def asked(self) -> bool:
        """Whether it is this visitor's turn."""
        return bool(self.news and self.news["view"]["legal"])

    def until(self, condition: Callable[[], bool]) -> None:
        """Let time pass until something is so."""
        for _ in range(PATIENCE):
            if condition():
                return
            self.page.wait_for_timeout(10)
        raise AssertionError(f"it did not come to that; last heard: {self.frames[-2:]}")

    def check_width(self) -> None:
        """Nothing is wider than the screen."""
        wide = self.page.evaluate(
            "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        )
        assert wide <= 0, f"{self.page.url} is {wide} px too wide"

    def check_axe(self) -> None:
        """Anybody can use what is shown: axe finds nothing."""
        if not self.page.evaluate("typeof axe === 'object'"):
            self.page.evaluate(AXE.read_text())
        found = self.page.evaluate("axe.run(document, {resultTypes: ['violations']})")
        assert not found["violations"], "\n".join(map(describe, found["violations"]))


def describe(violation: dict[str, Any]) -> str:
    """A violation in a line."""
    where = [node["target"] for node in violation["nodes"][:3]]
    why = violation["nodes"][0].get("failureSummary", "")
    return f"{violation['id']}: {violation['help']} {where} {why}"


@contextmanager
def visiting(
    browser: Browser, server: Running, size: dict[str, int], language: str = "en", **chosen: Any
) -> Iterator[Visitor]:
    """Somebody with a screen of this size; their page has nothing to complain about in the end."""
    settings = {"language": language, "speed": "instant", "guide": False, **chosen}
    context = browser.new_context(
        viewport=size,  # type: ignore[arg-type]
        locale=language,
        color_scheme=chosen.get("theme", "light"),
        has_touch=size["width"] < 1000,
    )
    stored = json.dumps(json.dumps(settings))
    context.add_init_script(
        f"if (!localStorage.getItem('caramba')) localStorage.setItem('caramba', {stored})"
    )
    context.set_default_timeout(15_000)
    visitor = Visitor(context, server)
    yield visitor
    context.close()
    assert not visitor.complaints, visitor.complaints
