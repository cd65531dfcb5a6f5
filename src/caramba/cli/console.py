"""What the error stream shows: complaints, progress, and that something is compiled first."""

import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from caramba.games.contract import Game


def complain(message: str) -> None:
    """One line on the error stream, whatever a file name may hold."""
    click.echo("caramba: " + "".join(c if c.isprintable() else "?" for c in message), err=True)


@contextmanager
def progress(label: str) -> Iterator[Callable[[int, int], None]]:
    """A progress bar on the error stream; where that is no terminal, a line after 2 seconds."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    if not console.is_terminal:
        yield _one_line(label)
        return
    columns = (TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task(label, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def _one_line(label: str) -> Callable[[int, int], None]:
    started, told = time.monotonic(), False

    def advance(done: int, total: int) -> None:
        nonlocal told
        if not told and time.monotonic() - started > 2:
            click.echo(f"caramba: {label} ...", err=True)
            told = True

    return advance


# Numba, interrupted while it compiles, is left in pieces: then we leave at once, and quietly.


def compile_first(game: "Game", for_bots: bool = False) -> None:
    """Compile the rules of a game unless that has been done, showing progress."""
    from caramba import warmup

    if warmup.is_ready(game, for_bots):
        return
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    with progress(f"compiling {game.name}, once") as advance:
        warmup.prepare(game, for_bots, advance)
    signal.signal(signal.SIGINT, signal.default_int_handler)


@contextmanager
def leaving_at_once(abandon: Callable[[], None]) -> Iterator[None]:
    """Interrupted in here, the program ends there and then, after `abandon`."""

    def leave(*_: object) -> None:
        abandon()
        if sys.stderr.isatty():
            os.write(2, b"\r\x1b[K\x1b[?25h")  # no bar left over, and the cursor again
        os._exit(130)

    before = signal.signal(signal.SIGINT, leave)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
