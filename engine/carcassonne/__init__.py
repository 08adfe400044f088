"""The rules of Carcassonne and its expansions."""

from engine.carcassonne.actions import (
    Bid,
    BuildBridge,
    BuildCastle,
    Buy,
    ChooseSource,
    Decline,
    PickLot,
    ScoreTown,
    SelectLot,
    Sell,
)
from engine.carcassonne.expansions import DEFAULT_EXPANSIONS, REGISTRY
from engine.carcassonne.expansions.bazaars import Bazaar, BidOnLot, BuyOrSell, ChooseLot, bazaar_of, small_bids
from engine.carcassonne.expansions.castles import Castle, ChooseCastleSource, DecideTown, castles_of
from engine.carcassonne.options import PRESETS, Options
from engine.carcassonne.position import Position
from engine.carcassonne.setup import GAME, PLAYERS, Setup, new_setup
from engine.carcassonne.steps import DeployFollower, PlaceTile
from engine.carcassonne.tiles import FeatureKind, Segment, TileKind, tile, tile_set
from engine.geometry import Axis

__all__ = [
    "DEFAULT_EXPANSIONS",
    "GAME",
    "PLAYERS",
    "PRESETS",
    "REGISTRY",
    "Axis",
    "Bazaar",
    "Bid",
    "BidOnLot",
    "BuildBridge",
    "BuildCastle",
    "Buy",
    "BuyOrSell",
    "Castle",
    "ChooseCastleSource",
    "ChooseLot",
    "ChooseSource",
    "DecideTown",
    "Decline",
    "DeployFollower",
    "FeatureKind",
    "Options",
    "PickLot",
    "PlaceTile",
    "Position",
    "ScoreTown",
    "Segment",
    "SelectLot",
    "Sell",
    "Setup",
    "TileKind",
    "bazaar_of",
    "castles_of",
    "new_setup",
    "small_bids",
    "tile",
    "tile_set",
]
