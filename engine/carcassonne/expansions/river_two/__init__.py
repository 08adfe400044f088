"""The box *The River II*: a river that forks, with a lake at a volcano, an end at a city, and a herd of pigs.

It is laid before all other tiles, from the spring to the lake (RT-01 to RT-19). Whoever lays the lake deploys nothing
and lays another tile at once. The herd of pigs raises the value of its field (IX-24). Codes such as RT-04 are rules of
the rule book.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal

from engine import options
from engine.actions import Seat
from engine.board import Follower, SegmentNumber
from engine.caching import thread_safe_cache
from engine.carcassonne.box import Box, Deck
from engine.carcassonne.expansions.river import LAKE as PLAIN_LAKE
from engine.carcassonne.expansions.river import NAME as RIVER
from engine.carcassonne.expansions.river import RIVER_ENDS, leaves_river, river_sides
from engine.carcassonne.expansions.river import SPRING as PLAIN_SPRING
from engine.carcassonne.landscape import Landscape, Veto
from engine.carcassonne.steps import Draw
from engine.carcassonne.table import Deployment, Expansion, FarmerBonus, Placement, Tabletop
from engine.carcassonne.tiles import TileKind, TileSet, tile_set
from engine.events import PlayerEvent
from engine.geometry import Square
from engine.options import option

NAME: Final = "river-two"
"""The name of the box and of its tile set."""
SPRING: Final = "r2/FIFF"
FORK: Final = "r2/IIFI"
VOLCANO: Final = "r2/FFFI"
"""The tiles laid first, second and last; the letters are the edges from north, clockwise: F a field, I the river."""
PIG_HERD: Final = "pig-herd"
"""The attribute of a field with a herd of pigs, and the term of its points."""
LAKE: Final = "lake"
MOUTH: Final = "mouth"
"""Attributes of the river on tiles where it ends: in a lake, or at a city."""
_PIG: Final = "pig"
"""The figure without which a herd counts nothing, by option ``pig_herd_needs_traders``."""


@dataclass(frozen=True, kw_only=True)
class RiverTwoOptions(options.Options):
    """The options of the River II, a part of the options of a game."""

    __slots__ = ()

    river2_last_tile: Literal["no_follower_and_again", "normal"] = option(
        "OA-15", "RT-12", "no_follower_and_again", needs=NAME
    )
    pig_herd_needs_traders: bool = option("OA-18", "RT-17", default=False, needs=NAME)


def _options_of(position: Tabletop) -> RiverTwoOptions:
    """Return the options of a position, typed as the options of this box."""
    return position.options  # type: ignore[return-value]  # the options of a game include those of every box


@dataclass(frozen=True, slots=True)
class VolcanoReached(PlayerEvent):
    """A player laid the lake at the volcano, and lays another tile (RT-12)."""


class Branches(Expansion):
    """The river has two branches, which must not meet and must not turn back (RT-04 to RT-06)."""

    def vetoes(self) -> Mapping[TileKind, Veto]:
        """Return the veto on tiles with the river, also on those of the first box."""
        return _vetoes()


def leaves_branch(land: Landscape, kind: TileKind, square: Square, rotation: int) -> bool:
    """Return True if a tile would not continue one branch, would connect both, or would bend one back (RT-06)."""
    return (land.frontier[square] & RIVER_ENDS).bit_count() != 1 or leaves_river(land, kind, square, rotation)


@thread_safe_cache
def _vetoes() -> Mapping[TileKind, Veto]:
    """Return the veto for each tile with the river."""
    kinds = (*tile_set(NAME).values(), *tile_set(RIVER).values())
    return {kind: leaves_branch for kind in kinds if river_sides(kind.faces[0].edges)}


class Lakes(Expansion):
    """Whoever lays the lake at the volcano deploys nothing and lays another tile (RT-12)."""

    def bars_figures(self, position: Tabletop, step: Deployment) -> bool:
        """Return True on the tile with the volcano."""
        return position.land.placed[step.cell.square].face.tile.id == VOLCANO and lays_again(position)

    def placement_over(self, position: Tabletop, task: Placement) -> None:
        """Let the player of the lake draw another tile, unless they have resigned since."""
        if task.tile.id == VOLCANO and lays_again(position) and not position.withdrawn[task.player]:
            position.emit(VolcanoReached(task.player))
            position.agenda.append(Draw(task.player))


def lays_again(position: Tabletop) -> bool:
    """Return True if the lake is followed by another tile (option ``river2_last_tile``)."""
    return _options_of(position).river2_last_tile == "no_follower_and_again"


def herds_count(position: Tabletop) -> bool:
    """Return True if herds raise the value of their fields at this table (option ``pig_herd_needs_traders``, RT-17)."""
    return not _options_of(position).pig_herd_needs_traders or _PIG in position.figures


class PigHerds(Expansion):
    """Each city and castle on the field of the herd brings its farmers a point more (IX-24, RT-15)."""

    def farmer_bonus(self, position: Tabletop) -> FarmerBonus | None:
        """Return the bonus of a herd; two herds on a field count once."""
        return herd_bonus(position.land, fields_with_herd(position.land)) if herds_count(position) else None


def herd_bonus(land: Landscape, fields: Collection[SegmentNumber]) -> FarmerBonus | None:
    """Return the bonus of one point for a player with a follower on one of these fields; None if there are none."""
    if not fields:
        return None

    def bonus(farmers: Sequence[Follower], player: Seat) -> tuple[str, int] | None:
        own = (entry for entry in farmers if entry.player == player and land.is_follower(entry))
        return (PIG_HERD, 1) if any(land.find(entry.segment) in fields for entry in own) else None

    return bonus


def fields_with_herd(land: Landscape) -> set[SegmentNumber]:
    """Return the fields (roots) on which a herd of pigs is drawn."""
    herds = _herd_tiles()
    return {
        land.find(number)
        for placed in land.placed.values()
        if placed.face.tile in herds
        for number, segment in land.segments(placed)
        if segment.shows(PIG_HERD) is not None
    }


@thread_safe_cache
def _herd_tiles() -> frozenset[TileKind]:
    """Return the tiles with a herd of pigs."""
    return frozenset(
        kind for kind in tile_set(NAME).values() if any(part.shows(PIG_HERD) is not None for part in kind.segments)
    )


BOX: Final = Box(
    name=NAME,
    mechanisms=(Branches(), Lakes(), PigHerds()),
    number=0,
    offered=True,
    depends_on=(RIVER,),
    tiles=TileSet(NAME, __name__, attributes=frozenset({PIG_HERD, LAKE, MOUTH})),
    options=RiverTwoOptions,
    start=SPRING,
    deck=Deck(RIVER, bottom=VOLCANO, top=FORK),
    leaves_out=MappingProxyType({RIVER: frozenset({PLAIN_SPRING, PLAIN_LAKE})}),
)
