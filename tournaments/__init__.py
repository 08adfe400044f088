"""The rules of events as a pure library: formats, pairing, points, tie-breaks and ratings.

Nothing in it uses Discord, a database, a clock or files.
"""
