"""The actions of Carcassonne and all its boxes by name, for those who play; inside the engine nothing asks here."""

from engine.carcassonne.expansions.bridges_castles_bazaars.actions import (
    CASTLE_SOURCE,
    Bid,
    BuildBridge,
    BuildCastle,
    Buy,
    ChooseSource,
    PickLot,
    ScoreTown,
    SelectLot,
    Sell,
)
from engine.carcassonne.expansions.fairy import MoveFairy
from engine.carcassonne.placing import Decline

__all__ = [
    "CASTLE_SOURCE",
    "Bid",
    "BuildBridge",
    "BuildCastle",
    "Buy",
    "ChooseSource",
    "Decline",
    "MoveFairy",
    "PickLot",
    "ScoreTown",
    "SelectLot",
    "Sell",
]
