"""Commands: one module for each thing a player does, with the panels and buttons that belong to it."""
