"""The Discord layer of the bot: commands, buttons, panels, cards and texts; no rules and no SQL."""
