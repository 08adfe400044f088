"""The topics of the first lesson that belong to this box, and the moments at which they come up."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from cogs.presenting.lesson_topics import Topic
from cogs.presenting.turn import placements, position_with
from engine.carcassonne import FeatureKind, PlaceTile, Position
from engine.carcassonne.expansions.bridges_castles_bazaars import (
    BAZAAR,
    BazaarOpened,
    BidOnLot,
    BridgeBuilt,
    BuyOrSell,
    CastleBuilt,
    ChooseLot,
    DecideTown,
    has_town_shape,
)
from engine.events import Event

_AUCTION_STEPS: Final = (ChooseLot, BidOnLot, BuyOrSell)
"""The decisions in a bazaar."""
_LAST_TILES: Final = 3
"""The tiles left in the pile at which castles are explained if no learner could have built one before."""


def _bridge_happens(_: Position, events: Sequence[Event]) -> bool:
    """Return True if somebody has built a bridge."""
    return any(isinstance(event, BridgeBuilt) for event in events)


def _bridge_helps(position: Position) -> bool:
    """Return True if there are spots where the tile of the learner fits only with a bridge."""
    return isinstance(position.step, PlaceTile) and bool(placements(position, aided=True))


def _castle_happens(position: Position, events: Sequence[Event]) -> bool:
    """Return True if the learner may build a castle now, or somebody has built one."""
    return isinstance(position.step, DecideTown) or any(isinstance(event, CastleBuilt) for event in events)


def _may_close_town(position: Position) -> bool:
    """Return True if the tile of the learner can complete a small city, of which a castle can be made.

    So that castles are explained in any case, it also returns True near the end.
    """
    step = position.step
    if not isinstance(step, PlaceTile):
        return False
    if position.pile_left <= _LAST_TILES:
        return True
    for place in placements(position) if any(segment.cap for segment in step.tile.segments) else ():
        after = position_with(position, place)
        complete = (
            city.parts[0] for city in after.features_at(place.cell) if city.complete and city.kind == FeatureKind.CITY
        )
        land = after.land
        if any(has_town_shape(after, land.find(land.number_of(cell, segment.name))) for cell, segment in complete):
            return True
    return False


def _bazaar_happens(position: Position, events: Sequence[Event]) -> bool:
    """Return True if the learner is asked in a bazaar, or one was opened."""
    return isinstance(position.step, _AUCTION_STEPS) or any(isinstance(event, BazaarOpened) for event in events)


def _bazaar_drawn(position: Position) -> bool:
    """Return True if the learner is to lay a tile that opens a bazaar."""
    step = position.step
    return isinstance(step, PlaceTile) and step.drawn and BAZAAR in step.tile.flags


TOPICS: Final = (
    # Of topics that are possible at once the first is explained. Castles and bridges come up more often than bazaars.
    Topic("bazaar", _bazaar_happens, _bazaar_drawn, is_recalled=True),
    Topic("bridge", _bridge_happens, _bridge_helps, after=("follower", "road"), is_recalled=True),
    Topic("castle", _castle_happens, _may_close_town, after=("city",), is_recalled=True),
)
