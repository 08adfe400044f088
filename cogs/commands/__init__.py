"""Slash commands of players, one module for each task, with the panels and buttons that belong to it."""
