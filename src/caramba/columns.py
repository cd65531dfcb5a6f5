"""Tables in plain text."""

Row = list[str]


def aligned(head: Row, body: list[Row], numbers_from: int) -> str:
    """Columns side by side: words to the left, numbers to the right."""
    full = [line for line in [head, *body] if len(line) == len(head)]
    widths = [max(len(line[i]) for line in full) for i in range(len(head))]
    lines = []
    for line in [head, *body]:
        cells = [
            f"{cell:>{width}}" if i >= numbers_from else f"{cell:{width}}"
            for i, (cell, width) in enumerate(zip(line, widths, strict=False))
        ]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)
