"""The registry of the *boxes*, the expansions of Carcassonne. No other module of the cogs names them."""

from cogs.games.carcassonne.box import BOXES
from cogs.games.carcassonne.boxes import (
    abbey_mayor,
    abbot,
    bridges_castles_bazaars,
    fairy,
    games_quarterly,
    inns_cathedrals,
    king_robber,
    phantom,
    river,
    river_two,
    traders_builders,
)
from engine.carcassonne.expansions import (
    ABBEY_MAYOR,
    ABBOT,
    BCB,
    FAIRY,
    GAMES_QUARTERLY,
    INNS_CATHEDRALS,
    KING_ROBBER,
    PHANTOM,
    RIVER,
    RIVER_TWO,
    TRADERS_BUILDERS,
)

BOXES[BCB] = bridges_castles_bazaars.BOX
BOXES[TRADERS_BUILDERS] = traders_builders.BOX
BOXES[FAIRY] = fairy.BOX
BOXES[INNS_CATHEDRALS] = inns_cathedrals.BOX
BOXES[RIVER] = river.BOX
BOXES[KING_ROBBER] = king_robber.BOX
BOXES[PHANTOM] = phantom.BOX
BOXES[RIVER_TWO] = river_two.BOX
BOXES[ABBOT] = abbot.BOX
BOXES[GAMES_QUARTERLY] = games_quarterly.BOX
BOXES[ABBEY_MAYOR] = abbey_mayor.BOX
