"""The real bot, measured: its process and meters, games late on their way, members who click, and its database."""
