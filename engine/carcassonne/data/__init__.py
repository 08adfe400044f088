"""The tiles of each set, declared."""
