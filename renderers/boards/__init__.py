"""Boards of all games: the view, the sheet to paint on, coordinates and markers, and insets beside the board."""
