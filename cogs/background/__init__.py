"""Background work of the bot: posting, looking after what is over, noticing what happens in Discord."""
