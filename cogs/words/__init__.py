"""Sentences about games, tables and rules, without anything of a message."""
