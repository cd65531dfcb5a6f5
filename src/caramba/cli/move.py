"""`caramba move`: all tables of a server, from a file to another database."""

import sys
from typing import TYPE_CHECKING

import click

from caramba.cli.console import complain, progress

if TYPE_CHECKING:
    from caramba.server.tables.kept import Kept


@click.command()
@click.argument("source", metavar="FROM")
@click.argument("target", metavar="TO")
def move(source: str, target: str) -> None:
    """Move all tables of a server from an SQLite file to another database.

    \b
    caramba move tables.db postgresql://caramba@localhost/caramba

    Stop the server first. Every table is read again where it arrived and compared, and every
    finished game is verified. The file stays as it is, and the other database must be empty; all
    arrives there, or nothing does. The password of PostgreSQL is better kept in ~/.pgpass.
    """
    from caramba.server.store.moving import move

    judge = Judge()
    with progress("moving tables") as advance:
        many = move(source, target, judge.look_at, advance)
    click.echo(f"{many} tables moved; {judge.good} finished games verified")
    if judge.other_rules:
        click.echo(f"{judge.other_rules} of other rules than these were not checked")
    for complaint in judge.complaints:
        complain(complaint)
    sys.exit(1 if judge.complaints else 0)


class Judge:
    """Looks at the games that are over."""

    def __init__(self) -> None:
        from caramba.server.settings import Settings

        self.settings = Settings(database="")
        self.good = self.other_rules = 0
        self.complaints: list[str] = []

    def look_at(self, kept: "Kept") -> None:
        """Verify a game, if it is over."""
        from caramba.games.contract import load

        if kept.table.status != "over":
            return
        if kept.table.rules != load(kept.table.game).version:
            self.other_rules += 1
        elif wrong := self._wrong(kept):
            self.complaints.append(f"{kept.table.id} is as it was, but does not verify: {wrong}")
        else:
            self.good += 1

    def _wrong(self, kept: "Kept") -> str | None:
        from caramba.games.errors import CarambaError
        from caramba.match.verify import check
        from caramba.server.tables.table import Table

        try:
            match = Table(kept, self.settings).match
            verdict = check(match.to_saved(), kept.table.id) if match else None
        except CarambaError as error:
            return str(error)
        return None if verdict is None or verdict.good else verdict.message
