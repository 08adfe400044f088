"""Cards (the public messages of a game), other messages about games, and private panels of several commands."""
