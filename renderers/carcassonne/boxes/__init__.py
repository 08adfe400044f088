"""The registry of the drawings of all expansions.

A box is an expansion that is sold on its own; in this package each has a module with everything that it draws.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from engine.carcassonne.expansions import BCB, FAIRY, INNS_CATHEDRALS, KING_ROBBER, RIVER, TRADERS_BUILDERS
from renderers.carcassonne.boxes.base import Drawings
from renderers.carcassonne.boxes.bridges_castles_bazaars import BridgesCastlesBazaars
from renderers.carcassonne.boxes.fairy import FairyDrawings
from renderers.carcassonne.boxes.inns_cathedrals import InnsCathedrals
from renderers.carcassonne.boxes.king_robber import KingRobberDrawings
from renderers.carcassonne.boxes.river import River
from renderers.carcassonne.boxes.traders_builders import TradersBuilders

BOXES: Final[Mapping[str, Drawings]] = MappingProxyType(
    {
        BCB: BridgesCastlesBazaars(),
        TRADERS_BUILDERS: TradersBuilders(),
        FAIRY: FairyDrawings(),
        INNS_CATHEDRALS: InnsCathedrals(),
        RIVER: River(),
        KING_ROBBER: KingRobberDrawings(),
    }
)
"""By the expansions' names in the engine, in the order in which they are painted."""
