"""The box *Games Quarterly 11*: ten tiles with land, two with the river, and pigs on a field (GQ-01 to GQ-05).

The two tiles with the river are played only beside a river; the spring then replaces the other one. By IX-24 the pigs
are a herd; the publisher says that they have no effect, so a table may play without it. Codes such as GQ-02 are rules
of the rule book.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from engine import options
from engine.board import SegmentNumber
from engine.caching import thread_safe_cache
from engine.carcassonne.box import Box, Deck
from engine.carcassonne.expansions.river import NAME as RIVER
from engine.carcassonne.expansions.river import SPRING as RIVER_SPRING
from engine.carcassonne.expansions.river_two import NAME as RIVER_TWO
from engine.carcassonne.expansions.river_two import SPRING as RIVER_TWO_SPRING
from engine.carcassonne.expansions.river_two import fields_with_herd, herd_bonus, herds_count, leaves_branch
from engine.carcassonne.landscape import Landscape, Veto
from engine.carcassonne.table import Expansion, FarmerBonus, Tabletop
from engine.carcassonne.tiles import TileKind, TileSet, tile
from engine.options import option

NAME: Final = "games-quarterly"
"""The name of the box and of its tile set."""
SPRING: Final = "gq/FIFR"
"""The spring; the letters are the edges from north, clockwise: F a field, I the river, R a road."""
CITIES_AT_RIVER: Final = "gq/CICI"
"""The tile with the river between two cities."""
PIG_FIELD: Final = "gq/FFFF"
"""The tile that is a field with pigs."""
PIGS: Final = "pigs"
"""The attribute of the field with the pigs."""


@dataclass(frozen=True, kw_only=True)
class GamesQuarterlyOptions(options.Options):
    """The options of the box, a part of the options of a game."""

    __slots__ = ()

    gq11_pig_herd: bool = option("OA-19", "GQ-04", default=True, needs=NAME)
    """True if the pigs count as a herd (IX-24), False if they are a drawing."""


def pigs_are_herd(position: Tabletop) -> bool:
    """Return True if the pigs of this box count as a herd (option ``gq11_pig_herd``)."""
    values = position.options
    return isinstance(values, GamesQuarterlyOptions) and values.gq11_pig_herd


class RiverTiles(Expansion):
    """The tiles with the river keep to the rules of the rivers (GQ-02)."""

    def vetoes(self) -> Mapping[TileKind, Veto]:
        """Return the veto on the tile with the river; the spring is laid before the game."""
        return _vetoes()


@thread_safe_cache
def _vetoes() -> Mapping[TileKind, Veto]:
    """Return the veto on the tile with the river between two cities.

    The veto of a river with two branches forbids no more on a river with one, where a tile never joins two ends.
    """
    return {tile(CITIES_AT_RIVER): leaves_branch}


class PigFields(Expansion):
    """Each city and castle on the field of the pigs brings its farmers a point more (GQ-04)."""

    def farmer_bonus(self, position: Tabletop) -> FarmerBonus | None:
        """Return the bonus of the pigs, unless another herd on their field gives it."""
        land = position.land
        fields = fields_with_pigs(land) if pigs_are_herd(position) else set()
        if fields and herds_count(position):
            fields -= fields_with_herd(land)
        return herd_bonus(land, fields)


def fields_with_pigs(land: Landscape) -> set[SegmentNumber]:
    """Return the field (root) with the pigs; none if the tile does not lie."""
    kind = tile(PIG_FIELD)
    return {land.find(placed.base) for placed in land.placed.values() if placed.face.tile is kind}


BOX: Final = Box(
    name=NAME,
    mechanisms=(RiverTiles(), PigFields()),
    number=0,
    offered=True,
    depends_on=(RIVER, RIVER_TWO),
    tiles=TileSet(NAME, __name__, attributes=frozenset({PIGS})),
    options=GamesQuarterlyOptions,
    start=SPRING,
    deck=Deck(RIVER, only=frozenset({SPRING, CITIES_AT_RIVER})),
    leaves_out=MappingProxyType({RIVER: frozenset({RIVER_SPRING}), RIVER_TWO: frozenset({RIVER_TWO_SPRING})}),
)
