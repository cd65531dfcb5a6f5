"""What a whole game costs the page, in Chromium: time of its main thread, long tasks, elements.

Run it from the checkout: .venv/bin/python bench/page.py [--beside FOLDER] [--games a,b]
[--repeats 3] [--phone] [--json]. A person who plays at random sits against three easy bots, at a
table as anybody makes it, and looks at it in brisk play; bots pause for half their usual time, so
that as much is played as in relaxed play. With --beside, another checkout, in which its own
`./caramba` has run once, plays in turn with this one: each with its own server.

Seconds are processor time of the main thread, as Chromium counts it (threadTicks), which depends
little on what else the machine does; `process` is that of all threads of the renderer, also those
that paint. Long tasks take over 50 ms by the clock, and depend on the machine. Games differ in
length: seconds are also given for 1,000 steps.
"""

import asyncio
import json
import random
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from typing import Any

import click
from playwright.async_api import Browser, Page, WebSocket, async_playwright

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
sys.path.insert(0, str(Path(__file__).parent.parent / "tools"))

from browser_kit import DESKTOP, FLAGS, PHONE, find_browser
from serving import Message, Server, make_table

ROOT = Path(__file__).resolve().parent.parent
BOTS = 3
PAUSE = 0.3
CHOSEN = {"language": "en", "speed": "brisk", "sound": False, "guide": False}
LISTEN = """
window.long = [];
new PerformanceObserver((list) => long.push(...list.getEntries().map((task) => task.duration)))
  .observe({type: "longtask", buffered: true});
window.WebSocket = class extends WebSocket {
  constructor(...where) { super(...where); window.line = this; }
};
"""
IS_STILL = "document.querySelector('[data-busy]')?.dataset.busy === 'false'"
METRICS = ("TaskDuration", "ScriptDuration", "LayoutDuration", "RecalcStyleDuration")


class Checkout(Server):
    """The server of a checkout, run by its own Python."""

    def __init__(self, root: Path, folder: Path) -> None:
        super().__init__(folder, "--pause", str(PAUSE), "--window", "0.5")
        self._command[0] = str(root / ".venv" / "bin" / "python")


@dataclass
class Cost:
    """Of one game: seconds of processor time, and numbers."""

    steps: int
    minutes: float
    task: float
    script: float
    layout: float
    style: float
    process: float
    long_tasks: int
    long_seconds: float
    elements: int

    @property
    def each(self) -> float:
        """Seconds of the main thread for 1,000 steps."""
        return 1000 * self.task / self.steps


class Person:
    """Plays at random, on the line of the page, whenever the page stands still."""

    def __init__(self, page: Page, seed: int) -> None:
        self.page, self.rng = page, random.Random(seed)
        self.news: Message = {}
        self.answered = -1
        page.on("websocket", self._listen)

    def _listen(self, socket: WebSocket) -> None:
        socket.on("framereceived", self._hear)

    def _hear(self, frame: str | bytes) -> None:
        message = json.loads(frame)
        if message["type"] == "news":
            self.news = message

    async def play(self) -> None:
        """Until the game is over, and all of it is shown."""
        while not (self.news and self.news["view"]["result"]):
            await asyncio.sleep(0.1)
            if self._is_asked() and await self.page.evaluate(IS_STILL) and self._is_asked():
                await self._act()
        await self.page.wait_for_timeout(3000)

    def _is_asked(self) -> bool:
        return bool(self.news and self.news["view"]["legal"]) and (
            self.news["number"] != self.answered
        )

    async def _act(self) -> None:
        number, legal = self.news["number"], self.news["view"]["legal"]
        self.answered = number
        action = self.rng.choice(legal)["text"]
        said = {"type": "act", "key": f"bench-{number}", "number": number, "action": action}
        await self.page.evaluate("(said) => line.send(JSON.stringify(said))", said)


async def measure(root: Path, game: str, seed: int, size: dict[str, int]) -> Cost:
    """One game, with a server and a browser of its own."""
    with tempfile.TemporaryDirectory() as folder:
        server = Checkout(root, Path(folder))
        await server.start()
        try:
            async with async_playwright() as playwright:
                browser = await playwright.chromium.launch(
                    executable_path=find_browser(), args=list(FLAGS)
                )
                return await play(server, browser, game, seed, size)
        finally:
            server.stop()


async def play(
    server: Server, browser: Browser, game: str, seed: int, size: dict[str, int]
) -> Cost:
    """Play it, and count."""
    table = await make_table(server, game, 1, BOTS)
    (token,) = table.tokens.values()
    context = await browser.new_context(viewport=size)  # type: ignore[arg-type]
    stored = json.dumps(json.dumps(CHOSEN))
    await context.add_init_script(f"localStorage.setItem('caramba', {stored}); {LISTEN}")
    page = await context.new_page()
    person = Person(page, seed)
    counting = await context.new_cdp_session(page)
    await counting.send("Performance.enable", {"timeDomain": "threadTicks"})
    started = time.monotonic()
    await page.goto(f"http://{server.address}/t/{table.id}#seat={token}")
    await person.play()
    minutes = (time.monotonic() - started) / 60
    return await count(browser, page, counting, person.news["steps"], minutes)


async def count(browser: Browser, page: Page, counting: Any, steps: int, minutes: float) -> Cost:
    """What the game has cost so far."""
    told = (await counting.send("Performance.getMetrics"))["metrics"]
    metrics = {metric["name"]: metric["value"] for metric in told}
    task, script, layout, style = (metrics[name] for name in METRICS)
    whole = await browser.new_browser_cdp_session()
    processes = (await whole.send("SystemInfo.getProcessInfo"))["processInfo"]
    process = max(one["cpuTime"] for one in processes if one["type"] == "renderer")
    tasks = await page.evaluate("long")
    elements = await page.evaluate("document.querySelectorAll('*').length")
    return Cost(
        steps,
        minutes,
        task,
        script,
        layout,
        style,
        process,
        len(tasks),
        sum(tasks) / 1000,
        elements,
    )


def middle(costs: Sequence[Cost]) -> dict[str, float]:
    """The median of everything."""
    values = [{**asdict(cost), "each": cost.each} for cost in costs]
    return {name: median(value[name] for value in values) for name in values[0]}


COLUMNS = {
    "steps": "steps",
    "task": "main thread s",
    "each": "for 1,000 steps",
    "script": "script s",
    "layout": "layout s",
    "style": "style s",
    "process": "process s",
    "long_tasks": "long tasks",
    "long_seconds": "of s",
    "elements": "elements",
}


def report(found: dict[tuple[str, str], list[Cost]]) -> None:
    """A line for each game and checkout."""
    print("| game | | " + " | ".join(COLUMNS.values()) + " |")
    print("| --- | --- |" + " ---: |" * len(COLUMNS))
    for (game, name), costs in found.items():
        line = middle(costs)
        figures = (f"{line[column]:,.4g}" for column in COLUMNS)
        print(f"| {game} | {name} | " + " | ".join(figures) + " |")


@click.command()
@click.option("--beside", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--games", default="auction,race,cards", show_default=True)
@click.option("--repeats", type=click.IntRange(1), default=3, show_default=True)
@click.option("--phone", is_flag=True, help="On a phone rather than a desktop.")
@click.option("--json", "as_json", is_flag=True)
def main(beside: Path | None, games: str, repeats: int, phone: bool, as_json: bool) -> None:
    """Measure, and report."""
    checkouts = {**({"beside": beside.resolve()} if beside else {}), "here": ROOT}
    found: dict[tuple[str, str], list[Cost]] = {}
    for seed in range(repeats):
        for game in games.split(","):
            for name, root in checkouts.items():
                cost = asyncio.run(measure(root, game, seed, PHONE if phone else DESKTOP))
                found.setdefault((game, name), []).append(cost)
                print(json.dumps({"game": game, "checkout": name, **asdict(cost)}), file=sys.stderr)
    if as_json:
        print(json.dumps([[*key, asdict(cost)] for key, costs in found.items() for cost in costs]))
    else:
        report(found)


if __name__ == "__main__":
    main()
