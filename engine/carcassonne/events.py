"""The events of all boxes by name, for those who tell of them; inside the engine nothing asks here."""

from engine.carcassonne.expansions.bridges_castles_bazaars.events import (
    BANK,
    BazaarClosed,
    BazaarDelayed,
    BazaarOpened,
    BazaarSkipped,
    BidMade,
    BidPassed,
    BridgeBuilt,
    CastleBuilt,
    LotChosen,
    LotLost,
    LotSold,
    LotsSetAside,
)
from engine.carcassonne.expansions.fairy import FairyMoved
from engine.carcassonne.expansions.traders_builders.events import GoodsTaken

__all__ = [
    "BANK",
    "BazaarClosed",
    "BazaarDelayed",
    "BazaarOpened",
    "BazaarSkipped",
    "BidMade",
    "BidPassed",
    "BridgeBuilt",
    "CastleBuilt",
    "FairyMoved",
    "GoodsTaken",
    "LotChosen",
    "LotLost",
    "LotSold",
    "LotsSetAside",
]
