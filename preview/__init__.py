"""The preview: the real bot on an offline Discord, played in a browser on the same machine.

``python -m preview`` needs neither a token nor a network. The package simcord simulates a Discord in memory, on which
discord.py and the bot run unchanged. A local web page shows the channel, or the thread of a game, as one of six members
sees it; "Viewing as" selects the member, and the list beside it the channel or thread.
"""

import logging

# simcord probes discord.py with a client without intents; the warning about it does not concern our bot.
logging.getLogger("discord.state").addFilter(lambda record: "Guilds intent" not in record.getMessage())
