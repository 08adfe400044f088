"""Carcassonne in Discord; whatever is imported of it finds the boxes known."""

from cogs.games.carcassonne import boxes as boxes
