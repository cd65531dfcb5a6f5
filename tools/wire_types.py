"""What goes over the socket and over HTTP, and the views of the games, as TypeScript for the page.

python tools/wire_types.py            write web/src/wire.ts
python tools/wire_types.py --check    only tell whether it is up to date
"""

import ast
import inspect
import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent
from typing import Any, get_type_hints

import msgspec
from msgspec import inspect as types

from caramba import bodies, wire
from caramba.games import names
from caramba.games.contract import load

FILE = Path(__file__).resolve().parent.parent / "web" / "src" / "wire.ts"
CONSTANTS = ("PROTOCOL", "MAX_FRAME", "MAX_CHAT")
OURS = (wire.FromClient, bodies.Body)
"""What we send: where a field has a default, it may be left out. What comes is always whole."""
SHOWN = "Shown"
"""How structs end that show something which the server has, too: on the page it is the thing."""
KNOWN: dict[tuple[type, str], str] = {
    (wire.News, "view"): "View",
    (bodies.Replayed, "view"): "View",
    (bodies.Listed, "game"): "Game",
    (bodies.GameInfo, "name"): "Game",
}
"""What depends on which games there are."""
HEAD = "// Made by tools/wire_types.py from wire.py, bodies.py and the views of the games."


def generate() -> str:
    """All of wire.ts."""
    views = {game: get_type_hints(load(game).view)["return"] for game in names()}
    classes = [*_messages(), *_parts(list(views.values()))]
    (name, many), *_ = Counter(map(_name, classes)).most_common(1)
    if many > 1:
        raise TypeError(f"{many} classes are named {name}")
    parts = [
        HEAD,
        "\n".join(f"export const {name} = {getattr(wire, name)};" for name in CONSTANTS),
        *map(_interface, classes),
        _union("Asked", wire.Asked, "What a client may say."),
        _union("Answer", wire.Answer, "What a server may say."),
        _interface_of("Views", "What a seat may know, by game.", _fields_of_views(views)),
        "export type Game = keyof Views;\nexport type View = Views[Game];",
    ]
    return "\n\n".join(parts) + "\n"


def _messages() -> list[type]:
    """The structs of wire.py and bodies.py, in their order, but for those that others build on."""
    found = [
        thing
        for module in (wire, bodies)
        for thing in vars(module).values()
        if isinstance(thing, type) and issubclass(thing, msgspec.Struct)
        if thing.__module__ == module.__name__
    ]
    return [thing for thing in found if not any(thing in other.__mro__[1:] for other in found)]


def _parts(views: list[type]) -> list[type]:
    """The data classes that views are made of, what is held before what holds it."""
    found: list[type] = []

    def visit(part: Any) -> None:
        for held in _held(part):
            visit(held)
        if isinstance(part, types.DataclassType) and part.cls not in found:
            found.append(part.cls)

    for view in types.multi_type_info(views):
        visit(view)
    return found


def _held(part: Any) -> Iterator[Any]:
    """The types of which a type is made."""
    yield from (field.type for field in getattr(part, "fields", ()))
    yield from getattr(part, "types", ())
    for name in ("item_type", "key_type", "value_type"):
        if hasattr(part, name):
            yield getattr(part, name)


# Declarations


def _interface(cls: type) -> str:
    """A struct or a data class."""
    return _interface_of(_name(cls), inspect.getdoc(cls) or "", _fields(cls))


def _name(cls: type) -> str:
    return cls.__name__.removesuffix(SHOWN)


def _interface_of(name: str, doc: str, fields: list[str]) -> str:
    return "\n".join([*_comment(doc), f"export interface {name} {{", *fields, "}"])


def _fields(cls: type) -> list[str]:
    info: Any = types.type_info(cls)
    docs = _docs(cls)
    lines = [f"  type: {_literal(info.tag)};"] if getattr(info, "tag", None) else []
    for field in info.fields:
        optional = "?" if issubclass(cls, OURS) and not field.required else ""
        shown = KNOWN.get((cls, field.name)) or _shown(field.type)
        lines += [f"  {line}" for line in _comment(docs.get(field.name, ""))]
        lines.append(f"  {field.encode_name}{optional}: {shown};")
    return lines


def _fields_of_views(views: dict[str, type]) -> list[str]:
    return [f"  {game}: {view.__name__};" for game, view in views.items()]


def _union(name: str, union: Any, doc: str) -> str:
    members = [member.__name__ for member in union.__args__]
    return (
        "\n".join([*_comment(doc), f"export type {name} =", *(f"  | {m}" for m in members)]) + ";"
    )


def _docs(cls: type) -> dict[str, str]:
    """What stands below the fields of a class, and of those it is made from."""
    docs: dict[str, str] = {}
    for base in reversed(cls.__mro__):
        if base.__module__.startswith("caramba."):
            (tree,) = ast.parse(dedent(inspect.getsource(base))).body
            assert isinstance(tree, ast.ClassDef)
            for field, below in zip(tree.body, tree.body[1:], strict=False):
                if isinstance(field, ast.AnnAssign) and isinstance(below, ast.Expr):
                    docs[ast.unparse(field.target)] = inspect.cleandoc(
                        ast.literal_eval(below.value)
                    )
    return docs


def _comment(doc: str) -> list[str]:
    text = doc.split("\n\n")[0].replace("\n", " ").replace("None", "null")
    return [f"/** {text} */"] if text else []


# Types


def _shown(part: Any) -> str:
    """A type in TypeScript."""
    match part:
        case types.Metadata(type=described):
            return _shown(described)
        case types.AnyType():
            return "unknown"
        case types.NoneType():
            return "null"
        case types.BoolType():
            return "boolean"
        case types.IntType() | types.FloatType():
            return "number"
        case types.StrType():
            return "string"
        case types.LiteralType(values=values):
            return " | ".join(map(_literal, values))
        case types.UnionType(types=choices):
            return " | ".join(sorted(map(_shown, choices), key="null".__eq__))
        case types.ListType(item_type=item) | types.VarTupleType(item_type=item):
            inner = _shown(item)
            return f"({inner})[]" if "|" in inner else f"{inner}[]"
        case types.DictType(key_type=key, value_type=value):
            return f"Record<{_shown(key)}, {_shown(value)}>"
        case types.StructType() | types.DataclassType():
            return _name(part.cls)
    raise TypeError(f"no TypeScript for {part}")


def _literal(value: Any) -> str:
    return json.dumps(value)


def main(arguments: list[str]) -> int:
    """Write the file, or check it: 0 if it is as it should be."""
    wanted = generate()
    if "--check" in arguments:
        if FILE.exists() and FILE.read_text() == wanted:
            return 0
        print(f"{FILE.name} is stale: run python tools/wire_types.py", file=sys.stderr)
        return 1
    FILE.parent.mkdir(parents=True, exist_ok=True)
    FILE.write_text(wanted)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
