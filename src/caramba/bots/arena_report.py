"""What an arena found, for people: tables and a picture."""

from pathlib import Path
from typing import Any

from caramba.columns import Row, aligned
from caramba.games.errors import InvalidFile

Figures = dict[str, Any]
PICTURES = (".png", ".svg", ".pdf")
HEAD = [
    "bot",
    "win share",
    "95 %",
    "x fair",
    "mean points",
    "rating",
    "ms a decision",
    "p99",
    "late",
]
LUCK = (
    "Luck is what chance gave, and what those drew who decide by lot, as a network judges that sees"
    " all cards. It is nothing on average: both win shares estimate the same."
)


def text(figures: Figures) -> str:
    """The figures for the terminal."""
    intro = (
        f"{figures['game']}, {figures['players']} players, {figures['played']} games,"
        f" seed {figures['seed']}: every deal in all seatings,"
        f" at most {figures['limit']:g} s a decision"
    )
    shown = shown_names(figures["bots"])
    rows = [[shown[one["name"]], *_row(one, figures["players"])] for one in figures["standings"]]
    parts = [intro, aligned(HEAD, rows, 1)]
    if len(figures["tables"]) > 1:
        parts.append("\n".join(_table(table, shown) for table in figures["tables"]))
    if all("adjusted" in one for one in figures["standings"]):
        parts += [_without_luck(figures, shown), LUCK]
    parts.append(
        "The rating is openskill's BradleyTerryFull, winners before all others; an interval counts"
        " a deal once. Who is late with a decision forfeits the game to all others."
    )
    return "\n\n".join(parts)


def _without_luck(figures: Figures, shown: dict[str, str]) -> str:
    """What everybody would have won without luck."""
    rows: list[Row] = [
        [
            shown[one["name"]],
            _percent(one["adjusted"][0]),
            _span(one["adjusted"]),
            "" if one["saves"] is None else f"{one['saves']:.1f}",
        ]
        for one in figures["standings"]
    ]
    head = ["luck taken out", "win share", "95 %", "x fewer games"]
    return aligned(head, rows, 1)


def shown_names(bots: list[str]) -> dict[str, str]:
    """What bots are called: those of a file without its folder, if that tells them apart."""
    short = {name: name.rpartition("/")[2] for name in bots}
    return short if len(set(short.values())) == len(short) else {name: name for name in bots}


def _row(one: Figures, players: int) -> Row:
    return [
        f"{one['share'][0]:.1%}",
        _span(one["share"]),
        f"{one['share'][0] * players:.2f}",
        f"{one['points'][0]:.1f}",
        f"{one['rating']:.1f} ± {one['deviation']:.1f}",
        f"{one['median_ms']:.2f}",
        f"{one['p99_ms']:.2f}",
        f"{one['late']}",
    ]


def _span(interval: tuple[float, float | None, float | None]) -> str:
    _, low, high = interval
    return "" if low is None or high is None else f"{_percent(low)} - {_percent(high)}"


def _percent(share: float) -> str:
    """What an estimate says beyond what can be is left out."""
    return f"{min(max(share, 0), 1):.1%}"


def _table(table: Figures, shown: dict[str, str]) -> str:
    """Who had what against whom."""
    shares = (f"{shown[name]} {s[0]:.1%} ({_span(s)})" for name, s in table["share"].items())
    return f"  {' - '.join(shown[name] for name in table['bots'])}: {', '.join(shares)}"


def check_picture(file: Path) -> None:
    """Find out whether a picture can be written before all the work."""
    if file.suffix.lower() not in PICTURES:
        raise InvalidFile(f"a picture is a file {' or '.join(PICTURES)}, not {file.name!r}")
    if not file.parent.is_dir():
        raise InvalidFile(f"cannot write {file}: there is no folder {file.parent}")


def draw(figures: Figures, file: Path) -> bool:
    """Bars of win shares with their intervals; False without matplotlib, which is an extra."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        return False
    standings, shown = figures["standings"], shown_names(figures["bots"])
    names = [shown[one["name"]] for one in standings]
    shares = [one["share"] for one in standings]
    errors = [0 if high is None else high - mean for mean, _, high in shares]
    picture = Figure(figsize=(8, 1.6 + 0.45 * len(names)), layout="constrained")
    axes = picture.add_subplot()
    axes.barh(names, [s[0] for s in shares], xerr=errors, color="#2f6f8f")
    axes.axvline(1 / figures["players"], color="#c9803a", label="fair share")
    axes.invert_yaxis()
    axes.set_xlabel("win share, with 95 % interval")
    axes.set_title(
        f"{figures['game']}, {figures['players']} players, {figures['played']} games", loc="left"
    )
    axes.legend(loc="lower right")
    picture.savefig(file, dpi=120)
    return True
