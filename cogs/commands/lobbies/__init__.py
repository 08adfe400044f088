"""From a table that is opened to its start, and once more after the game."""
