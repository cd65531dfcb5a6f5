"""The HTTP interface: all that is not the socket. /api/openapi.json describes it."""

from starlette.responses import HTMLResponse, JSONResponse
from starlette.routing import BaseRoute, Route

from caramba.server.http import games, history, reaching, tables
from caramba.server.http.openapi import as_page, describe
from caramba.server.http.routing import PREFIX

ENDPOINTS = [
    *games.ENDPOINTS,
    *tables.ENDPOINTS,
    *history.ENDPOINTS,
    *reaching.ENDPOINTS,
]


def routes() -> list[BaseRoute]:
    """All of it, and its description."""
    description = describe(ENDPOINTS)
    for_programs, for_people = JSONResponse(description), HTMLResponse(as_page(description))
    return [
        *(endpoint.route for endpoint in ENDPOINTS),
        Route(f"{PREFIX}/openapi.json", lambda _: for_programs),
        Route(PREFIX, lambda _: for_people),
    ]
