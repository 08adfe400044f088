"""What whoever runs the bot deals with: settings, the log, the database, and what is typed beside the running bot.

No Discord. `python -m operations --help` lists the commands; each is a module of ``operations.commands``.
"""
