"""Slash commands, one module for each task of a user, with the panels and buttons that belong to the command."""
