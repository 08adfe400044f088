"""Everything that the operator, the person who runs the bot, deals with.

``settings`` are read from the environment, ``logs`` writes the log, ``database`` opens the database with checks, and
``metrics_server`` answers a monitoring system. ``commands`` has the commands that ``python -m operations --help``
lists. Nothing in this package uses Discord.
"""
