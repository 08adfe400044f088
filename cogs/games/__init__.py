"""The games, each with its words, its buttons and its pictures."""
