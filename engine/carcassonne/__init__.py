"""The rules of Carcassonne and its expansions."""

from engine.actions import word
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
from engine.carcassonne.expansions import ASKING_EVERYBODY, DEFAULT_EXPANSIONS, OFFERED, REGISTRY
from engine.carcassonne.expansions.bridges_castles_bazaars.auction import (
    BidOnLot,
    BuyOrSell,
    ChooseLot,
    highest_bid,
    small_bids,
)
from engine.carcassonne.expansions.bridges_castles_bazaars.bazaars import still_to_lay
from engine.carcassonne.expansions.bridges_castles_bazaars.bridges import bridge_on, bridge_segment
from engine.carcassonne.expansions.bridges_castles_bazaars.castles import ChooseCastleSource
from engine.carcassonne.expansions.bridges_castles_bazaars.fiefs import Castle, castles_of, fief_of, tokens_on
from engine.carcassonne.expansions.bridges_castles_bazaars.lots import Bazaar, bazaar_of
from engine.carcassonne.expansions.bridges_castles_bazaars.orders import (
    ALWAYS,
    NEVER,
    TOWNS,
    BazaarPlan,
    bazaar_number,
    bazaar_to_plan,
    foreign_lots,
)
from engine.carcassonne.expansions.bridges_castles_bazaars.towns import DecideTown
from engine.carcassonne.expansions.fairy import castle_with_fairy, fairy_of
from engine.carcassonne.expansions.traders_builders.trade import Goods, goods_of, goods_on
from engine.carcassonne.options import PRESETS, Options
from engine.carcassonne.orders import check_plan, may_be_ordered, may_plan, ordered
from engine.carcassonne.position import Position
from engine.carcassonne.scoring import outlook
from engine.carcassonne.setup import GAME, PLAYERS, Setup, new_setup
from engine.carcassonne.steps import DeployFollower, PlaceTile
from engine.carcassonne.tiles import FeatureKind, Segment, TileKind, tile, tile_set
from engine.geometry import Axis

FORMS = (word(Decline()), *(form for box in REGISTRY.values() for form in box.forms))
"""The text forms of the actions that only Carcassonne knows."""

__all__ = [
    "ALWAYS",
    "ASKING_EVERYBODY",
    "DEFAULT_EXPANSIONS",
    "FORMS",
    "GAME",
    "NEVER",
    "OFFERED",
    "PLAYERS",
    "PRESETS",
    "REGISTRY",
    "TOWNS",
    "Axis",
    "Bazaar",
    "BazaarPlan",
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
    "bazaar_number",
    "bazaar_of",
    "bazaar_to_plan",
    "bridge_on",
    "bridge_segment",
    "castle_with_fairy",
    "castles_of",
    "check_plan",
    "fairy_of",
    "fief_of",
    "foreign_lots",
    "goods_of",
    "goods_on",
    "highest_bid",
    "may_be_ordered",
    "may_plan",
    "new_setup",
    "ordered",
    "outlook",
    "small_bids",
    "still_to_lay",
    "tile",
    "tile_set",
    "tokens_on",
]
