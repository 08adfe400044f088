"""The rules of events: formats, pairing, points, tie-breaks, ratings. Without Discord, database, clock or files."""
