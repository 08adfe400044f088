"""The rules of Carcassonne as a library: setups, positions, actions and events."""

from engine.actions import (
    Action,
    Bid,
    BuildBridge,
    BuildCastle,
    Buy,
    ChooseSource,
    Decline,
    Deploy,
    Pass,
    PickLot,
    Place,
    Resign,
    ScoreTown,
    SelectLot,
    Sell,
    parse_action,
)
from engine.errors import EngineError, IllegalActionError, NotationError
from engine.expansions.bazaars import Bazaar, BidOnLot, BuyOrSell, ChooseLot, bazaar_of
from engine.expansions.castles import Castle, ChooseCastleSource, DecideTown, castles_of
from engine.geometry import Axis, Cell, Side
from engine.options import PRESETS, Options
from engine.position import Position, replay
from engine.setup import Setup, new_setup
from engine.steps import DeployFollower, PlaceTile
from engine.tiles import FeatureKind, Segment, TileKind, tile, tile_set

__all__ = [
    "PRESETS",
    "Action",
    "Axis",
    "Bazaar",
    "Bid",
    "BidOnLot",
    "BuildBridge",
    "BuildCastle",
    "Buy",
    "BuyOrSell",
    "Castle",
    "Cell",
    "ChooseCastleSource",
    "ChooseLot",
    "ChooseSource",
    "DecideTown",
    "Decline",
    "Deploy",
    "DeployFollower",
    "EngineError",
    "FeatureKind",
    "IllegalActionError",
    "NotationError",
    "Options",
    "Pass",
    "PickLot",
    "Place",
    "PlaceTile",
    "Position",
    "Resign",
    "ScoreTown",
    "Segment",
    "SelectLot",
    "Sell",
    "Setup",
    "Side",
    "TileKind",
    "bazaar_of",
    "castles_of",
    "new_setup",
    "parse_action",
    "replay",
    "tile",
    "tile_set",
]
