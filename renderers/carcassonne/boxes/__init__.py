"""The registry of the drawings of all boxes (expansions).

In this package each box has a module with everything that it draws: its figures and pieces, and the prints on its
tiles.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

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
from renderers.carcassonne.boxes.abbey_mayor import AbbeyMayor
from renderers.carcassonne.boxes.abbot import AbbotDrawings
from renderers.carcassonne.boxes.base import Drawings
from renderers.carcassonne.boxes.bridges_castles_bazaars import BridgesCastlesBazaars
from renderers.carcassonne.boxes.fairy import FairyDrawings
from renderers.carcassonne.boxes.games_quarterly import GamesQuarterlyDrawings
from renderers.carcassonne.boxes.inns_cathedrals import InnsCathedrals
from renderers.carcassonne.boxes.king_robber import KingRobberDrawings
from renderers.carcassonne.boxes.phantom import PhantomDrawings
from renderers.carcassonne.boxes.river import River
from renderers.carcassonne.boxes.river_two import RiverTwo
from renderers.carcassonne.boxes.traders_builders import TradersBuilders

BOXES: Final[Mapping[str, Drawings]] = {
    BCB: BridgesCastlesBazaars(),
    TRADERS_BUILDERS: TradersBuilders(),
    FAIRY: FairyDrawings(),
    INNS_CATHEDRALS: InnsCathedrals(),
    RIVER: River(),
    KING_ROBBER: KingRobberDrawings(),
    PHANTOM: PhantomDrawings(),
    RIVER_TWO: RiverTwo(),
    ABBOT: AbbotDrawings(),
    GAMES_QUARTERLY: GamesQuarterlyDrawings(),
    ABBEY_MAYOR: AbbeyMayor(),
}
"""The drawings of each expansion by its name in the engine, in the order in which they are painted."""
