"""Pictures of *Carcassonne: The Castle*, drawn with the sheets, pieces and themes that all games share.

The board of this game is a castle: the wall, on which the score track runs, and the ward within it, where tiles are
laid. Most of these functions draw the board for a message. ``remaining`` draws the tiles that are left,
``order_question`` the features between which a player chooses, and ``wall_tiles`` the bonuses that players have taken.
A ``Ghost`` is a tile that a player is only trying out.
"""

from renderers.the_castle.board import Area, Ghost, remaining, wall_tiles
from renderers.the_castle.cards import composer, order_question, replay, turn_card, warm_up, whole_board
