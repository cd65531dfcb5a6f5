"""Playing in a terminal: a client like any other, that knows no rules."""
