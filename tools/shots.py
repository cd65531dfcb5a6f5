"""Takes the pictures of the page in docs/pictures: .venv/bin/python tools/shots.py [NAME ...]."""

import asyncio
import json
import random
import sys
import tempfile
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.async_api import Browser, async_playwright

from serving import Server, hello, make_table, open_socket, random_move, say

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from browser_kit import FLAGS, find_browser

PICTURES = Path(__file__).resolve().parent.parent / "docs" / "pictures"
PHONE, DESKTOP = (360, 740), (1280, 800)


@dataclass(frozen=True)
class Shot:
    """A picture: of which game, after how many decisions of a person who plays at random."""

    name: str
    size: tuple[int, int]
    game: str | None = None
    decisions: int = 0
    phase: str = ""
    """Played on until this is asked."""
    players: int = 4
    language: str = "en"
    theme: str = "light"
    seed: int = 1


SHOTS = (
    Shot("home", DESKTOP),
    Shot("page-auction", DESKTOP, "auction", 12, "bids"),
    Shot("page-race", DESKTOP, "race", 4, "dice", players=5),
    Shot("page-cards", DESKTOP, "cards", 7, "discard"),
    Shot("phone-auction", PHONE, "auction", 9, "bids", players=3, language="fr"),
    Shot("phone-race", PHONE, "race", 4, "dice", theme="dark"),
    Shot("phone-cards", PHONE, "cards", 7, "take"),
)


async def main(names: list[str]) -> None:
    """Take the named pictures, or all."""
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder), "--pause", "0", "--window", "0.1")
        await server.start()
        async with async_playwright() as playwright:
            browser = await playwright.chromium.launch(
                executable_path=find_browser(), args=list(FLAGS)
            )
            for shot in SHOTS:
                if not names or shot.name in names:
                    await take(shot, server, browser)
        server.stop()


async def take(shot: Shot, server: Server, browser: Browser) -> None:
    """Take one picture."""
    width, height = shot.size
    context = await browser.new_context(
        viewport={"width": width, "height": height}, locale=shot.language
    )
    chosen = {
        "language": shot.language,
        "theme": shot.theme,
        "speed": "instant",
        "guide": False,
    }
    stored = json.dumps(json.dumps(chosen))
    await context.add_init_script(f"localStorage.setItem('caramba', {stored})")
    page = await context.new_page()
    path = await prepare(shot, server) if shot.game else "/"
    await page.goto(f"http://{server.address}{path}")
    await page.wait_for_timeout(1500)
    taken = Image.open(BytesIO(await page.screenshot()))
    # Flat colours: few are enough, and the file stays small.
    taken.convert("RGB").quantize(160, dither=Image.Dither.NONE).save(
        PICTURES / f"{shot.name}.png", optimize=True
    )
    await context.close()
    print(PICTURES / f"{shot.name}.png")


async def prepare(shot: Shot, server: Server) -> str:
    """Play so many decisions; the address of the seat."""
    assert shot.game
    rng = random.Random(shot.seed)
    table = await make_table(server, shot.game, 1, shot.players - 1)
    (token,) = table.tokens.values()
    decisions = 0
    async with open_socket(server, table.id, token) as socket:
        await hello(socket)
        async for frame in socket:
            news = json.loads(frame)
            if news["type"] != "news" or not (move := random_move(news, rng)):
                continue
            if decisions >= shot.decisions and shot.phase in ("", news["view"]["phase"]):
                break
            decisions += 1
            key = str(decisions)
            await say(socket, type="act", key=key, number=news["number"], action=move)
    return f"/t/{table.id}#seat={token}"


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1:]))
