"""The page for the browser: files from the folder in which it was built.

All texts were packed when it was built, and lie beside themselves: main.js, main.js.br, main.js.gz.
"""

from mimetypes import guess_type
from pathlib import Path
from posixpath import normpath

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, Response
from starlette.routing import Route
from starlette.staticfiles import StaticFiles

from caramba.server.http.accepting import AS_IT_IS, CODINGS, best_coding

INDEX = "index.html"
ADDRESSES = ("/", "/t/{rest:path}", "/rules", "/rules/{rest:path}")
"""Where the page finds out for itself what to show."""
ALWAYS = "public, max-age=31536000, immutable"
"""For assets: whatever changes in them changes their name."""
ASK = "no-cache"
"""For all else: kept, but not used without asking whether it has changed."""


def routes(folder: Path) -> list[Route]:
    """The page at its addresses, and all that is in its folder."""
    files = Files(directory=folder)

    async def show(request: Request) -> Response:
        return await files.send(INDEX, request)

    async def file(request: Request) -> Response:
        return await files.send(request.scope["path"].removeprefix("/"), request)

    entries = (
        f"/{entry.name}/{{rest:path}}" if entry.is_dir() else f"/{entry.name}"
        for entry in folder.iterdir()
        if entry.suffix not in CODINGS.values()
    )
    return [*(Route(each, show) for each in ADDRESSES), *(Route(each, file) for each in entries)]


class Files(StaticFiles):
    """The files of a folder, each in the form that who asks likes best."""

    async def send(self, path: str, request: Request) -> Response:
        """A file, whole, by its one name, as it was before it was packed."""
        if path != normpath(path) or path.endswith(tuple(CODINGS.values())):
            raise HTTPException(404)
        headers = request.scope["headers"]
        request.scope["headers"] = [each for each in headers if each[0] != b"range"]
        coding = best_coding(request, self.codings(path))
        response = await self.get_response(path + CODINGS.get(coding, ""), request.scope)
        if coding != AS_IT_IS:
            response.headers["Content-Encoding"] = coding
        if isinstance(response, FileResponse):
            response.headers["Content-Type"] = content_type(path)
        response.headers["Accept-Ranges"] = "none"
        response.headers["Vary"] = "Accept-Encoding"
        response.headers["Cache-Control"] = ALWAYS if path.startswith("assets/") else ASK
        return response

    def codings(self, path: str) -> list[str]:
        """How a file has been packed; not at all, if there can be none of that name."""
        try:
            return [name for name, end in CODINGS.items() if self.lookup_path(path + end)[1]]
        except (OSError, ValueError):
            return []


def content_type(path: str) -> str:
    """What a file is, whether it is packed or not."""
    kind = guess_type(path)[0] or "application/octet-stream"
    return f"{kind}; charset=utf-8" if kind.startswith("text/") else kind


def nowhere(folder: Path) -> Response:
    """The page at an address that there is not: it says so, in the language of who looks at it."""
    return HTMLResponse((folder / INDEX).read_bytes(), 404, {"Cache-Control": "no-store"})
