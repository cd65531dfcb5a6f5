"""The crew: several workers as one server. What they have to know of each other is in a Redis."""
