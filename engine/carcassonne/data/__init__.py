"""The tiles of the base game, and the pile of the first lesson, declared."""
