"""Text forms that people can read and write: of a position (think FEN) and of a whole game (think PGN).

``docs/notation.md`` is their definition. :mod:`engine.notation.positions` and :mod:`engine.notation.records` work for
every game; what a game adds is its :class:`engine.grammar.language.Notation`.
"""
