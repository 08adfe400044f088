"""Games as they are stored: setup and log, who sits where, lobbies, what is to be posted, presses that were heard."""
