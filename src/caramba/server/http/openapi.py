"""The description of the HTTP interface, for programs and for people."""

from collections.abc import Iterable
from html import escape
from typing import Any, get_args

import msgspec

from caramba import __version__
from caramba.bodies import Problem
from caramba.server.http.routing import PREFIX, Action, needed

REFS = "#/components/schemas/{name}"
REFUSALS = {
    400: "It cannot be done so; the answer says why.",
    403: "Not for you.",
    404: "There is no such thing.",
    409: "Not now.",
    413: "Too large.",
    429: "Too often.",
}


def describe(actions: Iterable[Action]) -> dict[str, Any]:
    """All of it, as OpenAPI."""
    paths: dict[str, dict[str, Any]] = {}
    for action in actions:
        paths.setdefault(PREFIX + action.path, {})[action.method.lower()] = _operation(action)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Caramba!",
            "summary": "Tables for three games of one name. The games themselves run over sockets.",
            "version": __version__,
        },
        "paths": paths,
        "components": {"schemas": _components(actions)},
    }


def _components(actions: Iterable[Action]) -> dict[str, Any]:
    used = [kind for action in actions for kind in (_answer(action), _body(action)) if kind]
    _, components = msgspec.json.schema_components([*used, Problem], ref_template=REFS)
    return components


def _operation(action: Action) -> dict[str, Any]:
    says = (action.do.__doc__ or "").strip()
    operation: dict[str, Any] = {
        "operationId": action.do.__name__,
        "summary": action.do.__name__.replace("_", " ").capitalize(),
        "description": says,
        "parameters": _parameters(action),
        "responses": {str(code): _content(Problem, text) for code, text in REFUSALS.items()},
    }
    operation["responses"][str(action.status)] = _content(_answer(action), "It is done.")
    if body := _body(action):
        operation["requestBody"] = {**_content(body), "required": bool(needed(body))}
    return operation


def _answer(action: Action) -> Any:
    """The type of an answer that is a struct, or some; None for a file, or for nothing."""
    return next(iter(get_args(action.types["return"])), None)


def _body(action: Action) -> Any:
    return action.types.get("body")


def _content(kind: Any, description: str | None = None) -> dict[str, Any]:
    about = {"description": description} if description else {}
    if kind is None:
        return about
    ((schema,), _) = msgspec.json.schema_components([kind], ref_template=REFS)
    return {**about, "content": {"application/json": {"schema": schema}}}


def _parameters(action: Action) -> list[dict[str, Any]]:
    """What stands in an address."""
    asked = action.types.get("asked")
    if asked is None:
        return []
    schema = msgspec.json.schema(asked)["$defs"][asked.__name__]
    return [
        {"name": name, "schema": kind, **_place(action.path, name, schema["required"])}
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
        f"<dd>{escape(action['description'])}</dd>"
        for path, actions in description["paths"].items()
        for method, action in actions.items()
    )
    return (
        "<!doctype html><html lang=en><meta charset=utf-8><title>Caramba! - the interface</title>"
        "<h1>Caramba! - the interface</h1><p>All of it for programs:"
        f" <a href={PREFIX}/openapi.json>openapi.json</a>.</p><dl>{rows}</dl>"
    )
