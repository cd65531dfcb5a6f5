"""Over HTTP: which games, levels and languages there are."""

from starlette.responses import HTMLResponse, PlainTextResponse, Response

from caramba.bodies import GameInfo, LevelInfo, OptionInfo
from caramba.bots.levels import DEFAULT, LEVELS
from caramba.games import names
from caramba.games.contract import Game, load, marked
from caramba.language import languages, words
from caramba.server.http import texts
from caramba.server.http.accepting import packed
from caramba.server.http.addresses import AboutGame, Spoken
from caramba.server.http.routing import Call, Endpoints, JsonAnswer
from caramba.server.tables.refusal import Refusal
from caramba.server.tables.showing import spoken
from caramba.wire import WindowShown

ENDPOINTS = Endpoints()
Words = dict[str, str | list[str]]


@ENDPOINTS.add("GET", "/games")
def list_games(_: Call, asked: Spoken) -> JsonAnswer[list[GameInfo]]:
    """The games there are: for how many, with which options and standing answers."""
    return JsonAnswer([_info(load(name), spoken(asked.lang)) for name in names()])


def _info(game: Game, language: str) -> GameInfo:
    title = words(language).gettext
    return GameInfo(
        name=game.name,
        players=list(game.players),
        options=[
            OptionInfo(name=option.name, default=option.default, help=option.help)
            for option in game.options
        ],
        windows=[
            WindowShown(name=window.phase, title=title(window.title), ask=window.ask)
            for window in game.windows
        ],
    )


@ENDPOINTS.add("GET", "/games/{game}/rules")
def rules(call: Call, asked: AboutGame) -> Response:
    """The rules of a game: as Markdown, or as a part of a page with an id on each rule."""
    if asked.game not in names():
        raise Refusal("missing", marked("there is no such game"))
    language = spoken(asked.lang)
    if asked.form == "html":
        return packed(HTMLResponse(texts.rules_as_html(asked.game, language)), call.request)
    return packed(PlainTextResponse(texts.rules(asked.game, language)), call.request)


@ENDPOINTS.add("GET", "/levels")
def list_levels(_: Call, asked: Spoken) -> JsonAnswer[list[LevelInfo]]:
    """How strong bots can be."""
    text = words(spoken(asked.lang)).gettext
    return JsonAnswer(
        [
            LevelInfo(
                name=level.name,
                title=text(level.title),
                description=text(level.description),
                default=level.name == DEFAULT,
            )
            for level in LEVELS.values()
        ]
    )


@ENDPOINTS.add("GET", "/languages")
def list_languages(_: Call) -> JsonAnswer[list[str]]:
    """The languages we speak."""
    return JsonAnswer(list(languages()))


@ENDPOINTS.add("GET", "/words/{lang}")
def list_words(call: Call, asked: Spoken) -> JsonAnswer[Words]:
    """All texts in a language, by the English text; a pair where one and many differ."""
    if asked.lang not in languages():
        raise Refusal("missing", marked("we do not speak this language"))
    answer = JsonAnswer(texts.catalogue(asked.lang), **{"Cache-Control": "public, max-age=300"})
    return packed(answer, call.request)
