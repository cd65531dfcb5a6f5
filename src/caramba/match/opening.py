"""Saved games become matches again, step by step, every step checked."""

from caramba.games.contract import CHANCE, load
from caramba.games.errors import CarambaError, IllegalAction, InvalidFile, InvalidSetup
from caramba.match import saved
from caramba.match.fair import FairDeal
from caramba.match.match import Match


def opened(content: saved.Saved, name: str, compiled: bool = False) -> Match:
    """The match that was saved under this name."""
    match = begun(content.header, name, compiled)
    fair = content.header.fair
    if fair and fair.seed and fair.commitment != match.fair.commitment:
        raise InvalidFile(f"{name}, line 1: the seed is not the one that was committed to")
    for number, step in enumerate(content.steps):
        try:
            take(match, step)
        except CarambaError as error:
            raise InvalidFile(f"{name}, line {saved.line_of(number)}: {error}") from None
    if content.result and content.result != match.result:
        line = saved.line_of(len(content.steps))
        raise InvalidFile(f"{name}, line {line}: the result is not that of the game")
    return match


def begun(header: saved.Header, name: str, compiled: bool = False) -> Match:
    """A match before its first step, as the header of this file describes it."""
    try:
        return _begun(header, compiled)
    except CarambaError as error:
        raise InvalidFile(f"{name}, line 1: {error}") from None


def _begun(header: saved.Header, compiled: bool) -> Match:
    game, fair = load(header.game), header.fair
    if header.rules != game.version:
        raise InvalidSetup(f"rules version {header.rules}, but this plays {game.version}")
    match = Match(
        game,
        players=header.players,
        options=header.options,
        names=header.names,
        compiled=compiled,
    )
    match.taken_back = header.taken_back.copy()
    if fair and fair.seed:
        match.fair = FairDeal.from_saved(fair, header.players)
    else:
        match.sealed = fair
    return match


def take(match: Match, step: saved.Step) -> None:
    """Take a step that was saved."""
    who, text = step
    if who is not None and who not in range(match.players):
        raise IllegalAction(f"there is no seat {who}; the seats are 0 to {match.players - 1}")
    match.play(text, seat=CHANCE if who is None else who)
