"""The description of the HTTP interface, for programs and for people."""

from collections.abc import Iterable
from html import escape
from typing import Any, get_args

import msgspec

from caramba import __version__
from caramba.bodies import Problem
from caramba.server.http.routing import PREFIX, Endpoint, needed

REFS = "#/components/schemas/{name}"
REFUSALS = {
    400: "It cannot be done so; the answer says why.",
    403: "Not for you.",
    404: "There is no such thing.",
    409: "Not now.",
    413: "Too large.",
    429: "Too often.",
}


def describe(endpoints: Iterable[Endpoint]) -> dict[str, Any]:
    """All of it, as OpenAPI."""
    paths: dict[str, dict[str, Any]] = {}
    for endpoint in endpoints:
        paths.setdefault(PREFIX + endpoint.path, {})[endpoint.method.lower()] = _operation(endpoint)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Caramba!",
            "summary": "Tables for three games of one name. The games themselves run over sockets.",
            "version": __version__,
        },
        "paths": paths,
        "components": {"schemas": _components(endpoints)},
    }


def _components(endpoints: Iterable[Endpoint]) -> dict[str, Any]:
    used = [kind for endpoint in endpoints for kind in (_answer(endpoint), _body(endpoint)) if kind]
    _, components = msgspec.json.schema_components([*used, Problem], ref_template=REFS)
    return components


def _operation(endpoint: Endpoint) -> dict[str, Any]:
    says = (endpoint.do.__doc__ or "").strip()
    operation: dict[str, Any] = {
        "operationId": endpoint.do.__name__,
        "summary": endpoint.do.__name__.replace("_", " ").capitalize(),
        "description": says,
        "parameters": _parameters(endpoint),
        "responses": {str(code): _content(Problem, text) for code, text in REFUSALS.items()},
    }
    operation["responses"][str(endpoint.status)] = _content(_answer(endpoint), "It is done.")
    if body := _body(endpoint):
        operation["requestBody"] = {**_content(body), "required": bool(needed(body))}
    return operation


def _answer(endpoint: Endpoint) -> Any:
    """The type of an answer that is a struct, or some; None for a file, or for nothing."""
    return next(iter(get_args(endpoint.types["return"])), None)


def _body(endpoint: Endpoint) -> Any:
    return endpoint.types.get("body")


def _content(kind: Any, description: str | None = None) -> dict[str, Any]:
    about = {"description": description} if description else {}
    if kind is None:
        return about
    ((schema,), _) = msgspec.json.schema_components([kind], ref_template=REFS)
    return {**about, "content": {"application/json": {"schema": schema}}}


def _parameters(endpoint: Endpoint) -> list[dict[str, Any]]:
    """What stands in an address."""
    asked = endpoint.types.get("asked")
    if asked is None:
        return []
    schema = msgspec.json.schema(asked)["$defs"][asked.__name__]
    return [
        {"name": name, "schema": kind, **_place(endpoint.path, name, schema["required"])}
        for name, kind in schema["properties"].items()
    ]


def _place(path: str, name: str, required: list[str]) -> dict[str, Any]:
    if f"{{{name}}}" in path:
        return {"in": "path", "required": True}
    return {"in": "query", "required": name in required}


def as_page(description: dict[str, Any]) -> str:
    """The description, for people."""
    rows = "".join(
        f"<dt><code>{method.upper()} {escape(path)}</code></dt>"
        f"<dd>{escape(endpoint['description'])}</dd>"
        for path, endpoints in description["paths"].items()
        for method, endpoint in endpoints.items()
    )
    return (
        "<!doctype html><html lang=en><meta charset=utf-8><title>Caramba! - the interface</title>"
        "<h1>Caramba! - the interface</h1><p>All of it for programs:"
        f" <a href={PREFIX}/openapi.json>openapi.json</a>.</p><dl>{rows}</dl>"
    )
