"""Statements about events (tournaments and leagues): events, entries, messages to send, ratings, and the ladder."""
