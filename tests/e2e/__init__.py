"""Whole games through real discord.py, by clicks alone."""
