"""What `bench` found, for people: a table, a page of Markdown, a picture."""

import json
import tempfile
from collections.abc import Iterable
from itertools import groupby
from pathlib import Path
from typing import Any

from caramba.columns import Row, aligned
from caramba.games.errors import InvalidFile
from caramba.research.bench import US

Figures = dict[str, Any]

HEAD = ["", "players", "", "decisions/s", "chance/s", "steps/s", "spread"]
RATIO_HEAD = ["", "players", "ratio", "spread"]
PICTURE = "bench.png"


def usable(folder: Path) -> None:
    """Make the folder, and find out whether it can be written into before all the work."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
    except OSError as error:
        raise InvalidFile(f"cannot write into {folder}: {error.strerror}") from None


def write(figures: Figures, folder: Path) -> bool:
    """Write everything into a folder; False if there can be no picture."""
    (folder / "bench.json").write_text(json.dumps(figures, indent=1) + "\n", "utf-8")
    drawn = draw(figures, folder / PICTURE)
    (folder / "bench.md").write_text(page(figures, drawn), "utf-8")
    return drawn


# Tables


def row(m: Figures) -> Row:
    """One measurement; the spread is of steps where these are counted, else of decisions."""
    name = [_game(m), str(m["players"]), m["door"]]
    if m["failed"] is not None:
        return [*name, f"failed: {m['failed']}"]
    units = [m[f"{unit}_per_second"] for unit in ("decisions", "chance_steps", "steps")]
    return [*name, *(_number(unit and unit["median"]) for unit in units), _spread(units)]


def _game(m: Figures) -> str:
    return m["game"] if m["who"] == US else f"{m['who']} {m['game'].partition('(')[0]}"


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:,.0f}"


def _spread(units: list[dict[str, float] | None]) -> str:
    most = units[-1] or units[0]
    return f"{most['min']:,.0f} - {most['max']:,.0f}" if most else ""


def rows(figures: Figures) -> list[Row]:
    """All measurements."""
    return [row(m) for m in figures["measurements"]]


def ratio_row(ratio: Figures) -> Row:
    """One ratio for one game."""
    spread = f"{ratio['min']:.3g} - {ratio['max']:.3g}"
    return [ratio["game"], str(ratio["players"]), f"{ratio['median']:.3g}", spread]


def ratios(figures: Figures) -> Iterable[tuple[str, list[Row]]]:
    """By what is divided by what: the rows."""
    for title, group in groupby(figures["ratios"], lambda ratio: str(ratio["ratio"])):
        yield title, [ratio_row(ratio) for ratio in group]


def text(figures: Figures) -> str:
    """The figures for the terminal."""
    parts = [aligned(HEAD, rows(figures), 3)]
    for title, body in ratios(figures):
        parts.append(f"{title}\n" + aligned(RATIO_HEAD, body, 2))
    parts.append(how(figures))
    return "\n\n".join(parts)


def how(figures: Figures) -> str:
    """How it was measured, and where."""
    machine = figures["machine"]
    versions = ", ".join(f"{name} {number}" for name, number in figures["versions"].items())
    at = f" at commit {figures['commit']}" if figures["commit"] else ""
    plain = "" if figures["compiled"] else ", not compiled,"
    return (
        f"Random play, {figures['repeats']} times {figures['seconds']:g} s each, in turn; medians,"
        " and in the spread the least and the most. One thread unless said.\n"
        f"Caramba {figures['caramba']}{at}{plain} on {machine['cpu']}, {machine['cores']} cores,"
        f" {machine['system']}, load {machine['load']}.\n"
        f"{versions}."
    )


# Markdown


def page(figures: Figures, with_picture: bool) -> str:
    """The figures as a page."""
    parts = ["# Speed of random play", how(figures)]
    if with_picture:
        parts.append(f"![Decisions a second]({PICTURE})")
    for who, group in groupby(rows_by_owner(figures), lambda pair: pair[0]):
        title = "Every door" if who == US else "Other software"
        parts += [f"## {title}", markdown(HEAD, [line for _, line in group], 3)]
    parts += ["## Ratios", "Medians of the ratios within each repeat."]
    for title, body in ratios(figures):
        parts += [f"### {title}", markdown(RATIO_HEAD, body, 2)]
    return "\n\n".join(parts) + "\n"


def rows_by_owner(figures: Figures) -> list[tuple[str, Row]]:
    """All measurements, with whether they are ours."""
    return [(US if m["who"] == US else "others", row(m)) for m in figures["measurements"]]


def markdown(head: Row, body: list[Row], numbers_from: int) -> str:
    """A table in Markdown."""
    rule = ["---:" if i >= numbers_from else "---" for i in range(len(head))]
    lines = [head, rule, *body]
    return "\n".join("| " + " | ".join(_cell(cell) for cell in line) + " |" for line in lines)


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


# The picture


def draw(figures: Figures, file: Path) -> bool:
    """Bars of decisions a second; False without matplotlib, which is an extra."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        return False
    bars = shown(figures)
    middle = [m["decisions_per_second"]["median"] for m in bars]
    low = [m["decisions_per_second"]["median"] - m["decisions_per_second"]["min"] for m in bars]
    high = [m["decisions_per_second"]["max"] - m["decisions_per_second"]["median"] for m in bars]
    colors = ["#2f6f8f" if m["who"] == US else "#c9803a" for m in bars]
    picture = Figure(figsize=(10, 1.5 + 0.22 * len(bars)), layout="constrained")
    axes = picture.add_subplot()
    axes.margins(y=0.01)
    axes.barh([_label(m) for m in bars], middle, xerr=[low, high], color=colors, log=True)
    axes.invert_yaxis()
    axes.set_xlabel("decisions a second, random play (median, least and most)")
    axes.grid(axis="x", alpha=0.3)
    picture.savefig(file, dpi=120)
    return True


def shown(figures: Figures) -> list[Figures]:
    """Each game with four players, or its most below that; and the peers that played."""
    played = [m for m in figures["measurements"] if m["decisions_per_second"]]
    counts: dict[str, int] = {}
    for m in played:
        if m["who"] == US and m["players"] <= 4:
            counts[m["game"]] = max(m["players"], counts.get(m["game"], 0))
    return [m for m in played if m["who"] != US or m["players"] == counts.get(m["game"])]


def _label(m: Figures) -> str:
    return f"{_game(m)}, {m['players']} players: {m['door']}"
