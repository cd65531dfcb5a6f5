"""Draws lines of text as a picture of a terminal: COMMAND | python tools/picture.py > x.svg."""

import sys
from html import escape

LINE, LETTER, MARGIN = 19, 8.19, 18
NO_BREAK = "\u00a0"  # ordinary spaces would be run together


def picture(lines: list[str]) -> str:
    """An SVG with the given lines."""
    width = int(max(map(len, lines)) * LETTER) + 2 * MARGIN
    height = len(lines) * LINE + 2 * MARGIN
    texts = "\n".join(text(number, line) for number, line in enumerate(lines) if line.strip())
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}"'
        f' width="{width}" height="{height}" role="img">\n'
        "<style>text{font:13.6px ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace;"
        "fill:#F8EBD7}</style>\n"
        f'<rect width="{width}" height="{height}" rx="10" fill="#2A201B"/>\n{texts}\n</svg>'
    )


def text(number: int, line: str) -> str:
    """One line, where it stands."""
    indent = len(line) - len(line.lstrip())
    x, y = MARGIN + indent * LETTER, MARGIN + LINE * number + 14
    return f'<text x="{x:.1f}" y="{y}">{escape(line.strip()).replace(" ", NO_BREAK)}</text>'


if __name__ == "__main__":
    print(picture(sys.stdin.read().rstrip("\n").split("\n")))
