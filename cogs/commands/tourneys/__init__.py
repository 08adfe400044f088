"""Slash commands about events (tournaments and leagues), ratings, and the ladder."""
