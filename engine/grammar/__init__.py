"""What the text forms of positions and records are made of: tags, words, and a game's own part in them.

Here nothing knows which games there are; :mod:`engine.notation` does.
"""
