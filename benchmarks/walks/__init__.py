"""Modules, functions and depth of the stack of three things that the bot does, and the size of the source."""
