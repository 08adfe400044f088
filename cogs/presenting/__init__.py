"""Presenters: what a game says of itself to be shown and played, and the plain values in which it says it."""
