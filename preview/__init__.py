"""The real bot on an offline Discord, played in a browser on the same machine.

`python -m preview` needs neither a token nor a network: simcord keeps a Discord in memory, and discord.py and the bot
run on it unchanged. A local web page shows one channel as one of four members sees it; "Viewing as" selects the member.
"""

import logging

# simcord probes discord.py with a client without intents; the warning about it does not concern our bot.
logging.getLogger("discord.state").addFilter(lambda record: "Guilds intent" not in record.getMessage())
