"""Draws lines of text as a picture of a terminal: COMMAND | python tools/picture.py > x.svg."""

import sys
from html import escape

LINE, LETTER, MARGIN = 19, 8.2, 18
NO_BREAK = "\u00a0"  # ordinary spaces would be run together


def picture(lines: list[str]) -> str:
    """An SVG with the given lines."""
    width = int(max(map(len, lines)) * LETTER) + 2 * MARGIN
    height = len(lines) * LINE + 2 * MARGIN
    shown = [escape(line).replace(" ", NO_BREAK) for line in lines]
    texts = "\n".join(
        f'<text x="{MARGIN}" y="{MARGIN + LINE * n + 14}">{line}</text>'
        for n, line in enumerate(shown)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}"'
        f' width="{width}" height="{height}" role="img">\n'
        "<style>text{font:13.6px ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace;"
        "fill:#F8EBD7;white-space:pre}</style>\n"
        f'<rect width="{width}" height="{height}" rx="10" fill="#2A201B"/>\n{texts}\n</svg>'
    )


if __name__ == "__main__":
    print(picture(sys.stdin.read().rstrip("\n").split("\n")))
