"""Interactions from press to answer: acknowledge, check access, run the operation, and report errors in one place."""
