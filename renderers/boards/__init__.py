"""Parts of board pictures that all games share.

:mod:`renderers.boards.view` computes which cells a picture shows and where. :mod:`renderers.boards.sheet` paints: the
coordinates on the rim, the frames and badges of the last tiles, and enlarged tiles beside the board.
"""
