"""Slash commands with their panels and buttons; each module is about one thing that users want to do."""
