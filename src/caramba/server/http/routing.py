"""Requests and answers, declared as structs: a function says what it is asked, and what it answers.

Its parameters are the call; `asked`, what stands in the address; and `body`, what is sent.
"""

import asyncio
import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic, TypeVar, get_type_hints

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from caramba.bodies import Problem
from caramba.games.contract import marked
from caramba.server.crew.crew import Worker
from caramba.server.host.host import Host
from caramba.server.http.passing import Passing
from caramba.server.http.security import Limits, address_of, seat_of, token_of
from caramba.server.tables.refusal import Refusal
from caramba.server.tables.table import Table

PREFIX = "/api"
T = TypeVar("T")
Handler = TypeVar("Handler", bound=Callable[..., Any])


class JsonAnswer(Response, Generic[T]):
    """A struct, or some, as JSON."""

    media_type = "application/json"

    def __init__(self, content: T, **headers: str) -> None:
        super().__init__(content, headers=headers)

    def render(self, content: Any) -> bytes:
        """What is sent."""
        return msgspec.json.encode(content)


class Call:
    """Somebody asks for something."""

    def __init__(self, request: Request) -> None:
        self.request = request
        self.host: Host = request.app.state.host
        self.limits: Limits = request.app.state.limits

    async def ask_at(self, worker: Worker, path: str, body: Any, kind: type[T]) -> T:
        """Have another worker do something for who calls, at a table that it has."""
        passing: Passing = self.request.app.state.passing
        answer = await passing.ask(self.request.scope, worker, PREFIX + path, body)
        if answer.status < 400:
            return msgspec.json.decode(answer.content, type=kind)
        problem = msgspec.json.decode(answer.content, type=Problem)
        raise Refusal(problem.code, problem.reason)

    @property
    def address(self) -> str:
        """Where it comes from."""
        return address_of(self.request)

    @property
    def token(self) -> str:
        """The token of a seat that comes with it; empty without one."""
        return token_of(self.request) or ""

    def seat_at(self, table: Table) -> int | None:
        """The seat it comes from; None for anybody else."""
        return seat_of(table, self.request)


@dataclass(frozen=True)
class Endpoint:
    """Something that can be asked for."""

    method: str
    path: str
    status: int
    """Of the answer, if it is done."""
    do: Callable[..., Any]

    @cached_property
    def types(self) -> dict[str, Any]:
        """What it is asked, its body, and its answer (`return`)."""
        return get_type_hints(self.do)

    @property
    def route(self) -> Route:
        """How it is reached."""
        return Route(PREFIX + self.path, self.answer, methods=[self.method])

    async def answer(self, request: Request) -> Response:
        """Read the request, do it, and answer."""
        given: dict[str, Any] = {}
        if asked := self.types.get("asked"):
            given["asked"] = read_address(request, asked)
        if body := self.types.get("body"):
            given["body"] = await read_body(request, body)
        if asyncio.iscoroutinefunction(self.do):
            response = await self.do(Call(request), **given)
        else:
            response = await run_in_threadpool(self.do, Call(request), **given)
        answer: Response = response or Response()
        answer.status_code = self.status
        return answer


class Endpoints(list[Endpoint]):
    """What can be asked for, each with its address."""

    def add(self, method: str, path: str, status: int = 200) -> Callable[[Handler], Handler]:
        """Have a function do what is asked for there."""

        def put(do: Handler) -> Handler:
            self.append(Endpoint(method, path, status, do))
            return do

        return put


def read_address(request: Request, kind: type[T]) -> T:
    """What stands in an address: in its path, and after its question mark."""
    try:
        given = {**request.query_params, **request.path_params}
        return msgspec.convert(given, kind, strict=False)
    except msgspec.ValidationError as error:
        raise wrong("query", error) from None


async def read_body(request: Request, kind: type[T]) -> T:
    """What a request brings; where all of it may be left out, so may the body."""
    try:
        content = await request.body()
    except ClientDisconnect:
        raise Refusal("invalid", marked("that is not all of the body")) from None
    if not content and not needed(kind):
        return kind()
    if "json" not in request.headers.get("content-type", ""):
        raise Refusal("invalid", marked("a body is JSON, and says so: Content-Type"))
    try:
        return msgspec.convert(json.loads(content), kind)
    except (ValueError, RecursionError, msgspec.ValidationError) as error:
        raise wrong("body", error) from None


def needed(kind: Any) -> list[str]:
    """The fields of a struct that cannot be left out."""
    return [field.name for field in msgspec.structs.fields(kind) if field.required]


def wrong(where: str, error: Exception) -> Refusal:
    """What is wrong, and where: in `body.clock.move`, say."""
    what, _, place = str(error).partition(" - at `$")
    reason = f"{where}{place.rstrip('`')}: {what}"
    return Refusal("invalid", reason[:300])
