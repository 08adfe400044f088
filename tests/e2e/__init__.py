"""End-to-end tests: the real bot on an offline Discord, played by clicks and commands alone.

The offline Discord is simcord, which stays in this process; some tests use the loopback server of `tests/loopback`
instead, to which the bot connects from a process of its own. `Table` is a channel with members and their game.
"""
