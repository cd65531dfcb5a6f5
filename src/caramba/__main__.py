"""`python -m caramba` is the command line."""

from caramba.cli import run

run()
