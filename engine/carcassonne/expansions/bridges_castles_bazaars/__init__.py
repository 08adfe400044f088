"""The box *Bridges, Castles & Bazaars* (rules BR-01 to BZ-48), and the names that other packages import.

A bridge carries a road across a tile. A castle replaces a small city and scores the next structure completed near it. A
bazaar is an auction of tiles. In one print run of the box some tiles are missing and others doubled (:mod:`.misprint`).
Codes such as BR-01 are rules of the rule digest.
"""

from typing import Final

from engine.carcassonne.box import Box, StandingOrders
from engine.carcassonne.expansions.bridges_castles_bazaars import misprint, notation, orders
from engine.carcassonne.expansions.bridges_castles_bazaars.actions import (
    CASTLE_SOURCE,
    FORMS,
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
from engine.carcassonne.expansions.bridges_castles_bazaars.auction import (
    BAZAAR,
    Bazaar,
    BidOnLot,
    BuyOrSell,
    ChooseLot,
    bazaar_of,
    highest_bid,
    limit_random_bid,
)
from engine.carcassonne.expansions.bridges_castles_bazaars.bazaars import Bazaars, still_to_lay
from engine.carcassonne.expansions.bridges_castles_bazaars.bridges import (
    Bridges,
    axes_over_fields,
    bridge_on,
    bridge_segment,
)
from engine.carcassonne.expansions.bridges_castles_bazaars.castles import Castles, ChooseCastleSource
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
from engine.carcassonne.expansions.bridges_castles_bazaars.fiefs import (
    Castle,
    castles_of,
    fief_of,
    fief_tiles,
    tokens_on,
)
from engine.carcassonne.expansions.bridges_castles_bazaars.options import BCB, PRESETS, BridgesOptions, options_of
from engine.carcassonne.expansions.bridges_castles_bazaars.orders import (
    ALWAYS,
    NEVER,
    TOWNS,
    BazaarPlan,
    bazaar_number,
    bazaar_to_plan,
    lots_not_on_offer,
)
from engine.carcassonne.expansions.bridges_castles_bazaars.towns import DecideTown, has_town_shape
from engine.carcassonne.tiles import TileSet

BOX: Final = Box(
    name=BCB,
    mechanisms=(Bridges(), Castles(), Bazaars()),
    number=8,
    years=(2010, 2017),
    offered=True,
    asks_all_players=True,
    tiles=TileSet(BCB, __name__),
    options=BridgesOptions,
    counts=misprint.counts,
    presets=PRESETS,
    forms=FORMS,
    words=(*notation.CASTLE_WORDS, *notation.BAZAAR_WORDS),
    extra_codecs=(*notation.CASTLE_CODECS, *notation.BAZAAR_CODECS),
    round_codecs=(notation.ROUND_CODEC,),
    added_segment_codecs=(notation.BRIDGE_CODEC,),
    adjust_random_action=limit_random_bid,
    standing_orders=StandingOrders(orders.may_be_ordered, orders.ordered_action, orders.check_plan, orders.may_plan),
    arrangers={"bridges": notation.BRIDGE_ARRANGER, "castles": notation.CASTLE_ARRANGER},
)
