"""Operation of the bot: settings, the log, the database, metrics, and the commands of the operator.

The operator is the person who runs the bot. Nothing in this package uses Discord.

`python -m operations --help` lists the commands; they are in ``operations.commands``.
"""
