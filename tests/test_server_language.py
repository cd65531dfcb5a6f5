"""What is refused is explained in the language of who asked."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from caramba import server as package
from caramba.language import words
from caramba.server.http.accepting import best_language
from caramba.server.tables.refusal import Refusal
from caramba.wire import PROTOCOL
from server_kit import Running, serving


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with serving(tmp_path_factory.mktemp("language")) as running:
        yield running


def test_a_refusal_is_a_sentence_with_gaps_in_any_language() -> None:
    refusal = Refusal("illegal", "{name} does not agree", name="{Ana}")
    assert str(refusal) == "{Ana} does not agree"
    assert refusal.text(words("fr")) == "{Ana} n’est pas d’accord"
    assert str(Refusal("invalid", "what is {this}?")) == "what is {this}?"


def test_on_the_socket_it_is_the_language_of_hello(server: Running) -> None:
    made = server.make("race", 2)
    stranger = server.player(made["table"], made["token"], protocol=99, language="fr")
    assert stranger.welcome["reason"] == "ce serveur parle le protocole 4\xa0; rechargez la page"
    unheard = server.player(made["table"], language="fr")
    assert unheard.ask(type="leave")["reason"] == "vous regardez seulement"
    unheard.say(type="hello", protocol=PROTOCOL, language="xx")
    unheard.hear("welcome")
    assert unheard.ask(type="leave")["reason"] == "you only watch"


def test_over_http_it_is_what_the_browser_likes_best(server: Running) -> None:
    def reason(path: str, accepted: str) -> str:
        return str(server.get(path, headers={"Accept-Language": accepted}).json()["reason"])

    assert reason("/api/tables/x", "fr-CH, en;q=0.9") == "cette table n’existe pas"
    assert reason("/api/tables/x", "de, it") == "there is no such table"
    assert reason("/api/games/x/rules?lang=fr", "en") == "ce jeu n’existe pas"
    assert reason("/api/games/x/rules?lang=en", "fr") == "there is no such game"
    assert reason("/nowhere", "fr") == "il n’y a rien ici"


@pytest.mark.parametrize(
    ("accepted", "best"),
    [
        ("", "en"),
        ("fr", "fr"),
        ("FR-ca", "fr"),
        ("de, fr;q=0.5, en;q=0.4", "fr"),
        ("en;q=0.3,fr; q=0.8", "fr"),
        ("fr;q=0", "en"),
        ("fr;q=much", "en"),
        ("*", "en"),
        (";;,,=", "en"),
    ],
)
def test_the_dearest_language_that_we_speak(accepted: str, best: str) -> None:
    assert best_language(accepted) == best


def test_every_refusal_can_be_translated() -> None:
    """Its message is marked for the catalogue, or comes from elsewhere; never a bare string."""
    folder = Path(package.__file__).parent
    found = 0
    for file in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Refusal":
                found += 1
                assert not isinstance(node.args[1], ast.Constant | ast.JoinedStr), file
    assert found > 40
