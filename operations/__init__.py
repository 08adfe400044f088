"""Operation of the bot: settings, the log, the database, metrics, and the commands of the operator.

Nothing here knows Discord. `python -m operations --help` lists the commands; they are in ``operations.commands``.
"""
