"""The castle tiles and the wall, declared."""
