"""Bridges, Castles & Bazaars (BR-01 to BZ-48)."""

from typing import Final

from engine.carcassonne.box import Beforehand, Box
from engine.carcassonne.expansions.bridges_castles_bazaars import (
    bazaar_notation,
    bridge_notation,
    castle_notation,
    misprint,
    orders,
)
from engine.carcassonne.expansions.bridges_castles_bazaars.actions import FORMS
from engine.carcassonne.expansions.bridges_castles_bazaars.auction import small_bids
from engine.carcassonne.expansions.bridges_castles_bazaars.bazaars import Bazaars
from engine.carcassonne.expansions.bridges_castles_bazaars.bridges import Bridges
from engine.carcassonne.expansions.bridges_castles_bazaars.castles import Castles
from engine.carcassonne.expansions.bridges_castles_bazaars.options import BCB, PRESETS, BridgesOptions
from engine.carcassonne.tiles import TileSet

__all__ = ["BOX", "BridgesOptions"]

BOX: Final = Box(
    name=BCB,
    mechanisms=(Bridges(), Castles(), Bazaars()),
    number=8,
    years=(2010, 2017),
    offered=True,
    asks_everybody=True,
    tiles=TileSet(BCB, __name__),
    options=BridgesOptions,
    counts=misprint.counts,
    presets=PRESETS,
    forms=FORMS,
    words=(*castle_notation.WORDS, *bazaar_notation.WORDS),
    memories=(*castle_notation.MEMORIES, *bazaar_notation.MEMORIES),
    round_memories=(castle_notation.ROUND_MEMORY,),
    additions=(bridge_notation.ADDITION,),
    tempered=small_bids,
    beforehand=Beforehand(orders.may_be_ordered, orders.ordered, orders.check_plan, orders.may_plan),
    arrangers={"bridges": bridge_notation.ARRANGER, "castles": castle_notation.ARRANGER},
)
