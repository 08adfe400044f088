"""Pictures of the questions that an expansion asks, such as which tile of a bazaar a player bids for.

They are drawn on the board, and the board imports :mod:`renderers.carcassonne.boxes`, so they cannot stand in that
package.
"""
