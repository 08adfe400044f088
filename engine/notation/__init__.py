"""Text forms that people can read and write: of a position (like FEN in chess) and of a whole game (like PGN).

``docs/notation.md`` defines them. The modules work for every game; each game adds its own
:class:`engine.grammar.language.Notation`.
"""
