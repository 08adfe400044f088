"""The real bot on an offline Discord, served to a browser on this machine.

`python -m preview` needs neither a token nor a network: simcord keeps a Discord in memory, discord.py and the
bot run on it unchanged, and a loopback page shows one channel to whichever of four members is chosen under
"Viewing as".
"""

import logging

# simcord tries discord.py out with a client that wants no intents at all; the warning is not about our bot.
logging.getLogger("discord.state").addFilter(lambda record: "Guilds intent" not in record.getMessage())
