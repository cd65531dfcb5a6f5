"""The page for the browser: files from the folder in which it was built."""

from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.staticfiles import StaticFiles

INDEX = "index.html"
ADDRESSES = ("/", "/t/{rest:path}", "/rules", "/rules/{rest:path}")
"""Where the page finds out for itself what to show."""
ALWAYS = "public, max-age=31536000, immutable"
"""For assets: whatever changes in them changes their name."""
ASK = "no-cache"
"""For all else: kept, but not used without asking whether it has changed."""


def routes(folder: Path) -> list[Route]:
    """The page at its addresses, and all that is in its folder."""
    files = StaticFiles(directory=folder)

    async def show(request: Request) -> Response:
        return await send(INDEX, request)

    async def file(request: Request) -> Response:
        return await send(request.url.path.lstrip("/"), request)

    async def send(path: str, request: Request) -> Response:
        response = await files.get_response(path, request.scope)
        response.headers["Cache-Control"] = ALWAYS if path.startswith("assets/") else ASK
        return response

    entries = (
        f"/{entry.name}/{{rest:path}}" if entry.is_dir() else f"/{entry.name}"
        for entry in folder.iterdir()
    )
    return [*(Route(each, show) for each in ADDRESSES), *(Route(each, file) for each in entries)]
