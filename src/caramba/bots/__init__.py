"""Players of our own. They are handed views, never the true state."""
