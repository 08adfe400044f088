"""Rounds of games at tables: dividing players into tables, pairing a round, and schedules of several rounds."""
