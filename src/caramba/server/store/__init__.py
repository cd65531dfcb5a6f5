"""The store: what is kept. Only here SQL is spoken."""
