"""A simulated season: people who sleep, are slow or vanish play weeks of games through the bot's own host and store."""
