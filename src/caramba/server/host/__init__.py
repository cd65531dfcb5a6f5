"""The host: all tables that are awake. Decide, keep, tell."""
