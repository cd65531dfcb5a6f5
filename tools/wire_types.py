"""What goes over the socket and over HTTP, and the views of the games, as TypeScript for the page.

python tools/wire_types.py            write web/src/wire.ts, and view.ts of each game
python tools/wire_types.py --check    only tell whether they are up to date
"""

import ast
import inspect
import json
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent
from typing import Any, get_args, get_type_hints

import msgspec
from msgspec import inspect as types

from caramba import bodies, wire
from caramba.games import names
from caramba.games.contract import View, load

SOURCES = Path(__file__).resolve().parent.parent / "web" / "src"
CONSTANTS = ("PROTOCOL", "MAX_FRAME", "MAX_CHAT")
OURS = (wire.FromClient, bodies.Body)
"""What we send: where a field has a default, it may be left out. What comes is always whole."""
SHOWN = "Shown"
"""How structs end that show something which the server has, too: on the page it is the thing."""
KNOWN: dict[tuple[type, str], str] = {
    (wire.News, "view"): "View",
    (bodies.Replayed, "view"): "View",
}
"""What depends on the game."""
HEAD = "// Made by tools/wire_types.py from {}."


def generate() -> dict[Path, str]:
    """Every file that is made, and what stands in it."""
    folders = {game: SOURCES / "games" / game for game in names()}
    views = {folder / "view.ts": game for game, folder in folders.items() if folder.is_dir()}
    return {SOURCES / "wire.ts": _wire(), **{file: _view(game) for file, game in views.items()}}


def _wire() -> str:
    """What all games share: the messages, and what is in every view."""
    return _joined(
        HEAD.format("wire.py, bodies.py and games/contract.py"),
        "\n".join(f"export const {name} = {getattr(wire, name)};" for name in CONSTANTS),
        *_interfaces([*_messages(), *_parts(View)]),
        _union("Asked", wire.Asked, "What a client may say."),
        _union("Answer", wire.Answer, "What a server may say."),
    )


def _view(game: str) -> str:
    """What a seat may know of one game: the shared view, and what this game adds to it."""
    shared = _parts(View)
    own = [cls for cls in _parts(get_type_hints(load(game).view)["return"]) if cls not in shared]
    declared = "\n\n".join(_interfaces(own))
    used = [cls.__name__ for cls in shared if re.search(rf"\b{cls.__name__}\b", declared)]
    return _joined(
        HEAD.format(f"src/caramba/games/{game}/view.py"),
        f'import type {{ {", ".join(sorted(used))} }} from "../../wire";',
        declared,
    )


def _joined(*parts: str) -> str:
    return "\n\n".join(parts) + "\n"


def _interfaces(classes: list[type]) -> list[str]:
    """One for each class; no two may have the same name in one file."""
    (name, many), *_ = Counter(map(_name, classes)).most_common(1)
    if many > 1:
        raise TypeError(f"{many} classes are named {name}")
    return [_interface(cls) for cls in classes]


def _messages() -> list[type]:
    """The structs of wire.py and bodies.py, in their order, but for those that others build on."""
    found = [
        thing
        for module in (wire, bodies)
        for name, thing in vars(module).items()
        if not name.startswith("_")
        if isinstance(thing, type) and issubclass(thing, msgspec.Struct)
        if thing.__module__ == module.__name__
    ]
    said = (*get_args(wire.Asked), *get_args(wire.Answer))
    return [
        thing
        for thing in found
        if thing in said or not any(thing in other.__mro__[1:] for other in found)
    ]


def _parts(view: type) -> list[type]:
    """The data classes that a view is made of, what is held before what holds it."""
    found: list[type] = []

    def visit(part: Any) -> None:
        for held in _held(part):
            visit(held)
        if isinstance(part, types.DataclassType | types.StructType) and part.cls not in found:
            found.append(part.cls)

    visit(types.type_info(view))
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
    """A struct or a data class; the view of a game goes on from what all views have."""
    name, base = _name(cls), " extends View" if cls is not View and issubclass(cls, View) else ""
    doc = _comment(inspect.getdoc(cls) or "")
    return "\n".join([*doc, f"export interface {name}{base} {{", *_fields(cls), "}"])


def _name(cls: type) -> str:
    return cls.__name__.removesuffix(SHOWN)


def _fields(cls: type) -> list[str]:
    info: Any = types.type_info(cls)
    docs, known = _docs(cls), _known(cls)
    lines = [f"  type: {_literal(info.tag)};"] if getattr(info, "tag", None) else []
    for field in info.fields:
        if field.name in known:
            continue
        optional = "?" if _may_lack(cls) and not field.required else ""
        shown = KNOWN.get((cls, field.name)) or _shown(field.type)
        lines += [f"  {line}" for line in _comment(docs.get(field.name, ""))]
        lines.append(f"  {field.encode_name}{optional}: {shown};")
    return lines


def _may_lack(cls: type) -> bool:
    config = getattr(cls, "__struct_config__", None)
    return issubclass(cls, OURS) or bool(config and config.omit_defaults)


def _known(cls: type) -> set[str]:
    """What the view of a game need not say again."""
    is_own = cls is not View and issubclass(cls, View)
    return set(get_type_hints(View)) if is_own else set()


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
        case types.TupleType(item_types=items):
            return f"[{', '.join(map(_shown, items))}]"
        case types.DictType(key_type=key, value_type=value):
            return f"Record<{_shown(key)}, {_shown(value)}>"
        case types.StructType() | types.DataclassType():
            return _name(part.cls)
    raise TypeError(f"no TypeScript for {part}")


def _literal(value: Any) -> str:
    return json.dumps(value)


def main(arguments: list[str]) -> int:
    """Write the files, or check them: 0 if they are as they should be."""
    stale = [
        (file, wanted)
        for file, wanted in generate().items()
        if not file.exists() or file.read_text() != wanted
    ]
    for file, wanted in stale:
        if "--check" in arguments:
            name = file.relative_to(SOURCES)
            print(f"{name} is stale: run python tools/wire_types.py", file=sys.stderr)
        else:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(wanted)
    return int("--check" in arguments and bool(stale))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
