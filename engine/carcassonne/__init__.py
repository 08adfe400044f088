"""The rules of Carcassonne and its expansions."""

from engine.carcassonne.actions import (
    Bid,
    BuildBridge,
    BuildCastle,
    Buy,
    ChooseSource,
    Decline,
    MoveFairy,
    PickLot,
    ScoreTown,
    SelectLot,
    Sell,
)
from engine.carcassonne.expansions import DEFAULT_EXPANSIONS, OFFERED, REGISTRY
from engine.carcassonne.expansions.auction import BidOnLot, BuyOrSell, ChooseLot, small_bids
from engine.carcassonne.expansions.castles import ChooseCastleSource
from engine.carcassonne.expansions.fairy import castle_with_fairy, fairy_of
from engine.carcassonne.expansions.fiefs import Castle, castles_of, tokens_on
from engine.carcassonne.expansions.lots import Bazaar, bazaar_of
from engine.carcassonne.expansions.towns import DecideTown
from engine.carcassonne.expansions.trade import goods_of
from engine.carcassonne.options import PRESETS, Options
from engine.carcassonne.position import Position
from engine.carcassonne.setup import GAME, PLAYERS, Setup, new_setup
from engine.carcassonne.steps import DeployFollower, PlaceTile
from engine.carcassonne.tiles import FeatureKind, Goods, Segment, TileKind, tile, tile_set
from engine.geometry import Axis

__all__ = [
    "DEFAULT_EXPANSIONS",
    "GAME",
    "OFFERED",
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
    "Goods",
    "MoveFairy",
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
    "castle_with_fairy",
    "castles_of",
    "fairy_of",
    "goods_of",
    "new_setup",
    "small_bids",
    "tile",
    "tile_set",
    "tokens_on",
]
