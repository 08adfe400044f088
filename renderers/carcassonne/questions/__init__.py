"""Pictures of the questions that an expansion asks, such as which tile of a bazaar a player bids for.

They draw the board, which imports :mod:`renderers.carcassonne.boxes`. In that package they would import each other.
"""
