"""The Discord layer of the bot: commands, buttons, panels, cards and texts.

A *cog* is a group of commands, in terms of discord.py. The rules of the games and the database are in other packages.
"""
