"""What the page for the browser gets: its files, all texts, and the rules to be linked to."""

import gzip
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from caramba.games import contract, names
from caramba.language import languages, words
from caramba.server.settings import built_page
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
    (page / "assets" / "main-1a2b.js.br").write_bytes(b"as brotli")
    (page / "assets" / "main-1a2b.js.gz").write_bytes(gzip.compress(b"let a;"))
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
        "/assets/main-1a2b.js.br",
        "/assets/%2e%2e/%2e%2e/secret",
        "/assets/..%2f..%2fsecret",
        "/assets/x%00",
        "/assets/" + 253 * "a",
        "/assets/" + 3000 * "a/",
        "/assets/%2e%2e/index.html",
        "/assets/%2e/main-1a2b.js",
        "/assets//main-1a2b.js",
        "/assets/main-1a2b.js/",
        "/assets/main-1a2b.js/x",
        "/assets/main-1a2b.js%3Fx",
        "/assets/%ff",
        "/secret",
        "/apidura",
    ],
)
def test_at_an_unknown_address_the_page_says_so(server: Running, path: str) -> None:
    answer = server.get(path)
    assert (answer.status_code, answer.text) == (404, PAGE)
    assert answer.headers["content-type"].startswith("text/html")
    assert answer.headers["cache-control"] == "no-store"
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert server.ask("HEAD", path).status_code == 404
    assert server.post(path, {}).json()["code"] in ("missing", "invalid")


@pytest.mark.parametrize("path", ["/api/nowhere", "/api/tables/x/nowhere"])
def test_programs_are_told_in_json_that_nothing_is_there(server: Running, path: str) -> None:
    answer = server.get(path, headers={"Accept": "text/html"})
    assert (answer.status_code, answer.json()["code"]) == (404, "missing")


# How they are sent


@pytest.mark.parametrize(
    ("accepted", "coding"),
    [
        ("gzip, deflate, br, zstd", "br"),
        ("gzip, deflate", "gzip"),
        ("br;q=0.5, gzip", "gzip"),
        ("BR; q=0.1, gzip;q=0", "br"),
        ("br;q=0, gzip;q=0", None),
        ("*", "br"),
        ("*;q=0", None),
        ("br;q=0, *", "gzip"),
        ("identity, br;q=0.9", None),
        ("identity;q=0.5, gzip", "gzip"),
        ("deflate", None),
        ("br;q=x", None),
        ("", None),
    ],
)
def test_a_file_comes_as_small_as_one_can_take_it(
    server: Running, accepted: str, coding: str | None
) -> None:
    with server.http.stream(
        "GET", "/assets/main-1a2b.js", headers={"Accept-Encoding": accepted}
    ) as answer:
        sent = b"".join(answer.iter_raw())
    expected = {"br": b"as brotli", "gzip": gzip.compress(b"let a;"), None: b"let a;"}[coding]
    assert sent[10:] == expected[10:]  # a gzip begins with the time it was made
    assert answer.headers.get("content-encoding") == coding
    assert answer.headers["content-length"] == str(len(sent))
    assert "javascript" in answer.headers["content-type"]
    assert answer.headers["vary"] == "Accept-Encoding"
    assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"


def test_each_form_of_a_file_is_known_by_its_own_tag(server: Running) -> None:
    path = "/assets/main-1a2b.js"
    tags = {
        coding: server.ask("HEAD", path, headers={"Accept-Encoding": coding}).headers["etag"]
        for coding in ("br", "gzip", "identity")
    }
    assert len(set(tags.values())) == 3
    for coding, tag in tags.items():
        again = {"Accept-Encoding": coding, "If-None-Match": tag}
        answer = server.get(path, headers=again)
        assert (answer.status_code, answer.headers["vary"]) == (304, "Accept-Encoding")


@pytest.mark.parametrize("asked", ["bytes=0-2", "bytes=5-2", "bytes=99-", "bytes=abc", "lines=1-2"])
def test_a_file_comes_whole_whatever_part_is_asked_for(server: Running, asked: str) -> None:
    answer = server.get("/icon.svg", headers={"Range": asked})
    assert (answer.status_code, answer.text) == (200, "<svg/>")
    assert answer.headers["accept-ranges"] == "none"


def test_what_has_one_form_only_is_sent_in_that(server: Running) -> None:
    icon = server.get("/icon.svg", headers={"Accept-Encoding": "br, gzip"})
    assert (icon.text, "content-encoding" in icon.headers) == ("<svg/>", False)


@pytest.mark.parametrize("accepted", ["gzip, deflate, br", "gzip, deflate"])
def test_the_first_load_is_small(tmp_path: Path, accepted: str) -> None:
    """All that the browser fetches for the home page, but fonts: under 150 kB."""
    folder = built_page()
    assert folder, "the page is not built; ./test builds it"
    with serving(tmp_path, page=folder) as running:

        def sent(path: str) -> int:
            with running.http.stream("GET", path, headers={"Accept-Encoding": accepted}) as answer:
                assert answer.status_code == 200
                return sum(map(len, answer.iter_raw()))

        found = re.findall(r'(?:src|href)="(/[^"]+)"', (folder / "index.html").read_text())
        asked = ("languages", "words/fr", "games?lang=fr", "levels?lang=fr", "tables")
        sizes = {path: sent(path) for path in ("/", *found, *(f"/api/{each}" for each in asked))}
    assert any(path.endswith(".js") for path in sizes)
    assert any(path.endswith(".css") for path in sizes)
    assert sum(sizes.values()) < 150_000, sizes


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
    assert answer.headers["vary"] == "Accept-Encoding"
    assert answer.headers["content-encoding"] == "gzip"
    texts = answer.json()
    plain = server.get("/api/words/fr", headers={"Accept-Encoding": "gzip;q=0"})
    assert (plain.json(), "content-encoding" in plain.headers) == (texts, False)
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
