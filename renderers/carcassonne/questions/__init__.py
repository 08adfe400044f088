"""Pictures of the questions of single expansions.

They are drawn on the board, which itself uses the drawings in :mod:`renderers.carcassonne.boxes`; there they would be a
circular import.
"""
