"""The bot as Discord sees it: one module for each thing a player does; no rules and no SQL."""
