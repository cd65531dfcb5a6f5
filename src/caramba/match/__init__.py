"""A game being played: its log, saving, replay, undo, and fair deals."""
