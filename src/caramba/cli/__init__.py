"""The command line. Exit codes: 0 done, 1 the answer is no, 2 bad input, 130 stopped.

One module a command, or a few that belong together; a new one is listed in COMMANDS. Modules
import what a command needs when it runs, so that `--help` answers at once.
"""

import io
import os
import signal
import sys
from typing import NoReturn

import click

from caramba import __version__
from caramba.cli import arena, bench, files, move, play, rules, serve, simulate, train
from caramba.cli.console import complain
from caramba.games.errors import CarambaError

COMMANDS = (
    play.play,
    serve.serve,
    move.move,
    simulate.simulate,
    arena.arena,
    bench.bench,
    train.train,
    files.replay,
    files.verify,
    rules.rules,
    rules.compile_all,
)


@click.group(
    commands=COMMANDS,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Exit codes: 0 done, 1 the answer is no, 2 bad input. NO_COLOR=1 for no colours.",
)
@click.version_option(__version__, prog_name="caramba")
@click.pass_context
def main(context: click.Context) -> None:
    """Caramba! Three games of one name: play, replay, verify, study.

    Without a command it serves the page, for this machine and its network, and opens it.
    """
    if context.invoked_subcommand is None:
        serve.welcome(context)


def run() -> None:
    """The entry point: every error a user can make becomes one line and exit code 2."""
    _prepare_streams()
    try:
        code = main(prog_name="caramba", standalone_mode=False)
        sys.stdout.flush()
    except click.UsageError as error:
        _fail(f"{error.format_message()} See: {_command_path(error)} --help")
    except click.ClickException as error:
        _fail(error.format_message())
    except CarambaError as error:
        _fail(str(error))
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # what is left cannot be written either
        _fail(f"{error.filename or 'output'}: {error.strerror}")
    except click.Abort:
        sys.exit(130)
    sys.exit(code)


def _prepare_streams() -> None:
    """Closed streams read and write nothing; odd bytes and letters never stop a game."""
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode))  # noqa: SIM115 - for the whole run
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def _command_path(error: click.UsageError) -> str:
    return error.ctx.command_path if error.ctx else "caramba"


def _fail(message: str) -> NoReturn:
    complain(message)
    sys.exit(2)
