"""The HTTP interface: all that is not the socket. /api/openapi.json describes it."""

from starlette.responses import HTMLResponse, JSONResponse
from starlette.routing import BaseRoute, Route

from caramba.server.http import games, history, tables
from caramba.server.http.openapi import as_page, describe
from caramba.server.http.routing import PREFIX

ACTIONS = [*games.ACTIONS, *tables.ACTIONS, *history.ACTIONS]


def routes() -> list[BaseRoute]:
    """All of it, and its description."""
    description = describe(ACTIONS)
    for_programs, for_people = JSONResponse(description), HTMLResponse(as_page(description))
    return [
        *(action.route for action in ACTIONS),
        Route(f"{PREFIX}/openapi.json", lambda _: for_programs),
        Route(PREFIX, lambda _: for_people),
    ]
