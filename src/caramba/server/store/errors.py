"""Why something could not be kept."""

from caramba.games.errors import CarambaError


class Taken(CarambaError):
    """Somebody else was quicker: the number, or the name, is taken."""


class Broken(CarambaError):
    """The database does not do what it is told."""


class Crossed(Broken):
    """The database let somebody else go first: tried again, it may well do it."""


class Locked(Broken):
    """The database does not answer at all: whatever else is to be written would wait as long."""


class Lost(Locked):
    """The file of the database is not there any more, or is another one."""
