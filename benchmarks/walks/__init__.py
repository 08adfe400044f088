"""Complexity of three walks through the code: called modules and functions, stack depth, and size of the source.

A walk is one thing that the bot does from beginning to end: a bid, a clock up to its reminder, a whole event.
"""
