"""One module for each thing a player does."""
