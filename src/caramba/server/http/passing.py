"""Passing on: whoever comes to one worker for a table that another has is served by that one.

Each worker listens inside, too, where only others of the crew are let in, who know its secret. They
say for whom they come: what they say is believed there, and nowhere else.
"""

import asyncio
import hmac
from collections.abc import Callable, Coroutine
from typing import Any, NamedTuple

import msgspec
from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from caramba.server import telemetry
from caramba.server.crew.crew import Crew, Worker
from caramba.server.host.awake import Awake
from caramba.server.http.connections import SOCKET
from caramba.server.http.relay import Declined, Far, reach, relay
from caramba.server.http.security import AT_TABLE
from caramba.server.tables.refusal import NotNow, Refusal

PROOF = "x-caramba-proof"
"""What shows, inside, that one is of the crew."""
CLIENT, HOST, SCHEME = "x-caramba-client", "x-caramba-host", "x-caramba-scheme"
"""For whom one comes, what they call this server, and how they came."""
HEARD = {
    "accept-encoding",
    "accept-language",
    "authorization",
    "content-type",
    "cookie",
    "origin",
    "sec-websocket-extensions",
    "sec-websocket-key",
    "sec-websocket-protocol",
    "sec-websocket-version",
}
"""Headers that a worker looks at. If others went along, too, there might be too many of them: an
introduction is added, and as many are allowed inside as outside."""
ITS_OWN = {"connection", "date", "keep-alive", "trailer", "transfer-encoding", "upgrade"}
"""Headers of an answer that belong to a connection, or are made anew for each."""
NO_BODY = ("GET", "HEAD", "OPTIONS")
MAX_BODY = 16 * 1024
TRIES = 3
"""Workers that are asked one after the other, if there turns out to be nobody."""
REACHED, ANSWERED = 2.0, 60.0
"""Seconds in which a worker has to be reached, and to answer."""
KEPT = 2.0
"""Seconds for which a connection inside is kept."""
NOT_HERE = 421
"""The status for whoever has no business inside, or meant another worker, who was here before."""
INSIDE = "caramba.inside"
"""What tells that a request has been passed on."""


class Gone(Exception):
    """The worker that something was passed on to is not there."""

    def __init__(self, unasked: bool) -> None:
        super().__init__()
        self.unasked = unasked
        """Whether it can have done nothing of it."""


class Answer(NamedTuple):
    """What another worker has answered."""

    status: int
    headers: list[tuple[bytes, bytes]]
    content: bytes


class Passing:
    """The ways to other workers."""

    def __init__(self, crew: Crew) -> None:
        import httpx

        self.crew = crew
        limits = httpx.Limits(max_keepalive_connections=20, keepalive_expiry=KEPT)
        self._transport = httpx.AsyncHTTPTransport(limits=limits, trust_env=False)

    async def close(self) -> None:
        """Let go."""
        await self._transport.aclose()

    # Being known

    def proof(self, worker: str) -> str:
        """What shows to a worker that one means it, and belongs to its crew."""
        return hmac.new(self.crew.secret.encode(), worker.encode(), "sha256").hexdigest()

    def is_proof(self, shown: str) -> bool:
        """Whether somebody may come in here, and meant this worker."""
        return hmac.compare_digest(shown.encode(), self.proof(self.crew.me.name).encode())

    def introduction(self, scope: Scope, worker: Worker) -> list[tuple[str, str]]:
        """The headers with which somebody is brought to another worker."""
        told = Headers(scope=scope)
        return [
            *((name, text) for name, text in told.items() if name in HEARD),
            (PROOF, self.proof(worker.name)),
            (CLIENT, scope["client"][0] if scope.get("client") else ""),
            (HOST, told.get("host", "")),
            (SCHEME, scope["scheme"]),
        ]

    # Requests

    async def ask(self, scope: Scope, worker: Worker, path: str, body: Any) -> Answer:
        """Ask another worker for something, on behalf of who has asked for something here."""
        asked = {**scope, "method": "POST", "raw_path": path.encode(), "query_string": b""}
        try:
            return await self.answer(asked, msgspec.json.encode(body), worker)
        except Gone:
            raise NotNow from None

    async def answer(self, scope: Scope, body: bytes, worker: Worker) -> Answer:
        """What another worker answers to a request; or Gone."""
        import httpx

        try:
            answer = await self._unless_gone(self._answer(scope, body, worker), worker)
        except (httpx.ConnectError, ConnectionRefusedError):
            answer = None
        except httpx.TransportError:
            raise Gone(unasked=False) from None
        if answer is None or answer.status == NOT_HERE:
            await self.crew.bury(worker)
            raise Gone(unasked=True)
        return answer

    async def _answer(self, scope: Scope, body: bytes, worker: Worker) -> Answer:
        import httpx

        host, port = worker.place
        path = scope["raw_path"] + (b"?" + scope["query_string"] if scope["query_string"] else b"")
        url = httpx.URL(scheme="http", host=host, port=port)
        waits = {"connect": REACHED, "read": ANSWERED, "write": REACHED, "pool": REACHED}
        given: dict[str, Any] = {} if scope["method"] in NO_BODY else {"content": body}
        told = self.introduction(scope, worker)
        headers = [(name.encode("latin-1"), text.encode("latin-1")) for name, text in told]
        exactly = {"target": path, "timeout": waits}  # the path as it came, whatever it is
        request = httpx.Request(scope["method"], url, headers=headers, extensions=exactly, **given)
        found = await self._transport.handle_async_request(request)
        try:
            content = b"".join([part async for part in found.aiter_raw()])
        finally:
            await found.aclose()
        kept = [(name, text) for name, text in found.headers.raw if _is_answered(name)]
        return Answer(found.status_code, kept, content)

    async def _unless_gone(self, work: Coroutine[Any, Any, Answer], worker: Worker) -> Answer:
        """Wait for a worker, as long as it is there."""
        with self.crew.watching(worker) as gone:
            asked, waiting = asyncio.ensure_future(work), asyncio.ensure_future(gone.wait())
            try:
                await asyncio.wait((asked, waiting), return_when=asyncio.FIRST_COMPLETED)
                if not asked.done():
                    raise Gone(unasked=False)
                return asked.result()
            finally:
                asked.cancel()
                waiting.cancel()

    # Sockets

    async def reach(self, scope: Scope, worker: Worker) -> Far:
        """A socket at another worker; or Gone."""
        path = scope["raw_path"] + (b"?" + scope["query_string"] if scope["query_string"] else b"")
        try:
            async with asyncio.timeout(REACHED):
                return await reach(worker, path, self.introduction(scope, worker))
        except (ConnectionRefusedError, Declined):
            await self.crew.bury(worker)
            raise Gone(unasked=True) from None
        except OSError:  # which TimeoutError is, too
            raise Gone(unasked=True) from None


def _is_answered(name: bytes) -> bool:
    return name.decode("latin-1").lower() not in ITS_OWN


class Inside:
    """Lets only others of the crew in where workers talk to each other, and believes them."""

    def __init__(self, app: ASGIApp, passing: Passing) -> None:
        self.app, self.passing = app, passing
        self.port = int(passing.crew.me.address.rpartition(":")[2])

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Go on as if it had come from outside, to this worker."""
        if scope["type"] == "lifespan" or scope["server"][1] != self.port:
            await self.app(scope, receive, send)
            return
        told = Headers(scope=scope)
        if not self.passing.is_proof(told.get(PROOF, "")):
            await turn_away(scope, receive, send)
            return
        brought = {"client": (told.get(CLIENT, ""), 0), "scheme": told.get(SCHEME, "http")}
        called = [(b"host", told.get(HOST, "").encode("latin-1"))]
        headers = called + [header for header in scope["headers"] if header[0] != b"host"]
        await self.app({**scope, **brought, "headers": headers, INSIDE: True}, receive, send)


async def turn_away(scope: Scope, receive: Receive, send: Send) -> None:
    """Nobody else has any business here."""
    if scope["type"] == "http":
        await PlainTextResponse("not here\n", NOT_HERE)(scope, receive, send)
    else:
        await receive()
        start = {"type": "websocket.http.response.start", "status": NOT_HERE, "headers": []}
        await send(start)
        await send({"type": "websocket.http.response.body", "body": b"not here\n"})


class PassingOn:
    """Finds out who has the table that is asked for, and has that worker answer."""

    def __init__(
        self,
        app: ASGIApp,
        passing: Passing,
        awake: Awake,
        refused: Callable[[Request, Refusal], Response],
    ) -> None:
        self.app, self.passing, self.awake, self.refused = app, passing, awake, refused

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on, or answer here: also if nobody knows whose it is, which is then said."""
        if table := self._of_whom(scope):
            handle = self._pass_request if scope["type"] == "http" else self._pass_socket
            await handle(table, scope, receive, send)
        else:
            await self.app(scope, receive, send)

    def _of_whom(self, scope: Scope) -> str | None:
        """The table whose worker has to be looked for."""
        if scope["type"] == "lifespan" or INSIDE in scope:
            return None
        asked = AT_TABLE.match(scope["path"])
        if not asked or not _fits(scope):
            return None
        is_here = asked[1] in self.awake.tables and self.passing.crew.is_sure
        return None if is_here else asked[1]

    async def _pass_request(self, table: str, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        changes = scope["method"] not in NO_BODY
        try:
            body = await request.body() if changes else b""
        except ClientDisconnect:
            return
        for _ in range(TRIES):
            if (owner := await self._owner(table)) is None:
                break
            try:
                status, headers, content = await self.passing.answer(scope, body, owner)
            except Gone as gone:
                if changes and not gone.unasked:  # it may be done: who asked has to look
                    await self.refused(request, NotNow())(scope, receive, send)
                    return
            else:
                telemetry.PASSED_ON.labels("request").inc()
                start = {"type": "http.response.start", "status": status, "headers": headers}
                await send(start)
                await send({"type": "http.response.body", "body": content})
                return
        await self.app(scope, _again(body, receive) if changes else receive, send)

    async def _pass_socket(self, table: str, scope: Scope, receive: Receive, send: Send) -> None:
        for _ in range(TRIES):
            if (owner := await self._owner(table)) is None:
                break
            try:
                far = await self.passing.reach(scope, owner)
            except Gone:
                continue
            telemetry.PASSED_ON.labels("socket").inc()
            with self.passing.crew.watching(owner) as gone:
                await relay(scope[SOCKET], far, gone)
            return
        await self.app(scope, receive, send)

    async def _owner(self, table: str) -> Worker | None:
        try:
            return await self.passing.crew.claim(table)
        except NotNow:
            return None


def _fits(scope: Scope) -> bool:
    """Whether it is short enough to be passed on; what is not is refused here.

    What comes with a question is not passed on, nor does anybody read it.
    """
    if scope["type"] == "websocket" or scope["method"] in NO_BODY:
        return True
    told = Headers(scope=scope)
    length = told.get("content-length", "0")
    return length.isdecimal() and int(length) <= MAX_BODY and "transfer-encoding" not in told


def _again(body: bytes, receive: Receive) -> Receive:
    """What has been read already, for who reads it again."""
    first: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def read() -> Message:
        return first.pop() if first else await receive()

    return read
