"""Background work of the bot: posting cards and event messages, periodic tasks, and reactions to gateway events."""
