"""Pictures of *Carcassonne: The Castle*, drawn with the sheets, pieces and themes that all games share.

The board of this game is a castle: the wall, on which the score track runs, and the ward within it, where tiles are
laid.
"""

from renderers.the_castle.board import Area, Ghost, remaining, wall_tiles
from renderers.the_castle.cards import composer, order_question, replay, turn_card, warm_up, whole_board
