"""What the page for the browser gets: its files, all texts, and the rules to be linked to."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from caramba.games import contract, names
from caramba.language import languages, words
from server_kit import Running, serving

PAGE = "<!doctype html><title>Caramba!</title>"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    folder = tmp_path_factory.mktemp("page")
    page = folder / "built"
    (page / "assets").mkdir(parents=True)
    (page / "index.html").write_text(PAGE)
    (page / "icon.svg").write_text("<svg/>")
    (page / "assets" / "main-1a2b.js").write_text("let a;")
    (folder / "secret").write_text("secret")
    with serving(folder, page=page) as running:
        yield running


# Files


@pytest.mark.parametrize("path", ["/", "/t/abc", "/t/abc/replay", "/rules", "/rules/x", "/t/"])
def test_every_address_of_the_page_is_the_page(server: Running, path: str) -> None:
    answer = server.get(path)
    assert (answer.status_code, answer.text) == (200, PAGE)
    assert answer.headers["content-type"].startswith("text/html")
    assert answer.headers["cache-control"] == "no-cache"
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    again = server.get(path, headers={"If-None-Match": answer.headers["etag"]})
    assert again.status_code == 304
    assert server.ask("HEAD", path).status_code == 200


def test_assets_are_kept_for_ever_and_other_files_are_not(server: Running) -> None:
    script = server.get("/assets/main-1a2b.js")
    assert (script.text, "javascript" in script.headers["content-type"]) == ("let a;", True)
    assert script.headers["cache-control"] == "public, max-age=31536000, immutable"
    icon = server.get("/icon.svg")
    assert (icon.text, icon.headers["cache-control"]) == ("<svg/>", "no-cache")


@pytest.mark.parametrize(
    "path",
    [
        "/nowhere",
        "/assets/",
        "/assets/other.js",
        "/assets/%2e%2e/%2e%2e/secret",
        "/assets/..%2f..%2fsecret",
        "/assets/x%00",
        "/secret",
        "/api/nowhere",
    ],
)
def test_nothing_else_is_there(server: Running, path: str) -> None:
    answer = server.get(path)
    assert (answer.status_code, answer.json()["code"]) == (404, "missing")
    assert "immutable" not in answer.headers.get("cache-control", "")


def test_the_interface_is_what_it_is_without_a_page(server: Running, tmp_path: Path) -> None:
    with serving(tmp_path) as bare:
        assert bare.get("/").json()["code"] == bare.get("/t/x").json()["code"] == "missing"
        for method, path in (("GET", "/api/tables/x/seats"), ("POST", "/api/x"), ("PUT", "/api")):
            both = [it.ask(method, path, content=b"{}") for it in (server, bare)]
            assert both[0].status_code == both[1].status_code in (404, 405)
            assert both[0].json() == both[1].json()


def test_the_page_is_no_socket(server: Running) -> None:
    with pytest.raises(InvalidStatus):
        connect(f"ws://{server.address}/t/x")


# Texts


def test_all_texts_of_a_language_are_for_the_page(server: Running) -> None:
    answer = server.get("/api/words/fr")
    assert answer.headers["cache-control"] == "public, max-age=300"
    texts = answer.json()
    assert texts["there is no such table"] == words("fr").gettext("there is no such table")
    assert texts["{n} point"] == ["{n} point", "{n} points"]
    assert "" not in texts
    assert server.get("/api/words/en").json() == {}
    unknown = server.get("/api/words/xx", headers={"Accept-Language": "fr"})
    assert (unknown.status_code, unknown.headers["cache-control"]) == (404, "no-store")
    assert unknown.json()["reason"] == "nous ne parlons pas cette langue"


@pytest.mark.parametrize("lang", languages())
@pytest.mark.parametrize("game", names())
def test_every_rule_can_be_linked_to(server: Running, game: str, lang: str) -> None:
    path = f"/api/games/{game}/rules?lang={lang}"
    plain, html = server.get(path), server.get(f"{path}&format=html")
    name = "RULES.md" if lang == "en" else f"RULES.{lang}.md"
    assert plain.text == (contract.load(game).folder / name).read_text()
    assert html.headers["content-type"].startswith("text/html")
    rules = re.findall(r"^- \*\*([A-Z]\d\d)\*\*", plain.text, re.MULTILINE)
    assert re.findall(r'<li>\s*(?:<p>)?<strong id="(\w+)">', html.text) == rules
    assert html.text.count(" id=") == len(rules)
    assert ("<table>" in html.text) == ("|---" in plain.text)
    assert server.get(f"{path}&format=pdf").status_code == 400
