"""End-to-end tests: the real bot on an offline Discord, played by clicks and commands alone."""
