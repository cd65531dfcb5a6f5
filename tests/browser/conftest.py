"""A browser, and a server that shows it the page."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

from browser_kit import FLAGS, find_browser
from caramba.games import names
from caramba.games.contract import load
from caramba.server.settings import built_page
from caramba.warmup import prepare
from server_kit import Running, serving


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    found = find_browser()
    assert found, "there is no Chromium; on Debian: apt-get install chromium-headless-shell"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=list(FLAGS))
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def page_folder() -> Path:
    folder = built_page()
    assert folder, "the page is not built; ./test builds it"
    return folder


@pytest.fixture(scope="session")
def compiled() -> None:
    """Nobody waits for the compiler while a test counts the seconds."""
    for name in names():
        prepare(load(name), for_bots=True, advance=lambda done, total: None)


@pytest.fixture(scope="module")
def server(
    tmp_path_factory: pytest.TempPathFactory, page_folder: Path, compiled: None
) -> Iterator[Running]:
    with serving(tmp_path_factory.mktemp("server"), page=page_folder) as running:
        yield running
