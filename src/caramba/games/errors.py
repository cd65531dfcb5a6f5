"""What can be wrong with what a user asked for. The message is one line that says what is right."""


class CarambaError(Exception):
    """Something the user can put right; the message is one line that says how."""


class InvalidSetup(CarambaError):
    """No such game, or not with these players or options."""


class InvalidFile(CarambaError):
    """A saved game that cannot be read, or is not one."""


class InvalidAction(CarambaError):
    """The text is not an action of this game."""


class IllegalAction(CarambaError):
    """The action is understood, but not allowed now.

    `reason` is why, for who need not be told what they did; `rule` is the id of what says so.
    """

    def __init__(self, message: str, rule: str | None = None, reason: str | None = None) -> None:
        super().__init__(f"{message} ({rule})" if rule else message)
        self.reason, self.rule = reason or message, rule
