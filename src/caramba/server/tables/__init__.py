"""Tables: what may happen at one, and what everybody is shown of it. Nothing here waits."""
