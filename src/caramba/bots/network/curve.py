"""How a network became better, as a picture."""

from pathlib import Path

from caramba.bots.network.kept import Origin


def draw(origin: Origin, file: Path, others: str) -> bool:
    """A line for each number of players, of wins against these others; False without matplotlib.

    For a judge, it is the error.
    """
    try:
        from matplotlib.figure import Figure
    except ImportError:
        return False
    figure = Figure(figsize=(7, 4), layout="constrained")
    axes = figure.add_subplot()
    millions = [row[0] / 1e6 for row in origin.curve]
    if origin.judges:
        axes.plot(millions, [row[2] for row in origin.curve], label="mean squared error")
    else:
        for place, players in enumerate(origin.players, 3):
            axes.plot(millions, [row[place] for row in origin.curve], label=f"{players} players")
        axes.axhline(1, color="grey", linewidth=0.8)
        axes.set_ylabel(f"wins against {others}, times the fair share")
    axes.set_xlabel("million tables" if origin.judges else "million decisions")
    axes.set_title(f"{origin.game}: {origin.seconds / 60:.0f} minutes on {origin.threads} threads")
    axes.legend()
    figure.savefig(file, dpi=120)
    return True
