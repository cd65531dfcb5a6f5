"""The games for study: many at a time."""
