"""Building blocks of the text forms of positions and records: tags, agenda words, and the base class for games.

Nothing here depends on the registry of games; :mod:`engine.notation` does.
"""
