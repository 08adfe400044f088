"""Cards (the public messages of a game), other messages about games, and panels that several commands show."""
