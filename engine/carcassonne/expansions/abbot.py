"""The box *The Abbot* (AB-01 to AB-27): gardens on tiles of later editions, and a figure that may be taken home.

A garden is complete when the eight cells around it are filled, as a monastery is. Nobody but an abbot stands in one;
he also stands on monasteries. Instead of deploying a figure, a player may take their abbot home for what his place
would bring at the end of the game. Gardens count only while this box is in play (SU-11). Codes are rules of the rule
digest.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal

from engine import options
from engine.actions import Action, Instead, Seat, constant_form
from engine.board import Follower, SegmentNumber
from engine.carcassonne.box import Box
from engine.carcassonne.scoring import structure_terms
from engine.carcassonne.table import Deployment, Expansion, Figure, Tabletop
from engine.carcassonne.tiles import SurroundedKind
from engine.events import PlayerEvent, Scored
from engine.figures import return_figure
from engine.geometry import Cell
from engine.options import Value, option

NAME: Final = "abbot"
"""The name of the box."""
ABBOT: Final = "abbot"
"""The name of the figure and of its supply."""
GARDEN: Final = SurroundedKind("garden", "G")
"""The kind of feature (AB-03, AB-09)."""


@dataclass(frozen=True, kw_only=True)
class AbbotOptions(options.Options):
    """The options of the box, a part of the options of a game."""

    __slots__ = ()

    tile_edition: Literal["c1", "c2"] = option("OA-01", "AB-02 AB-25", "c1", needs=NAME)
    """The edition of the boxes that a table plays with; gardens are printed in the second."""


@dataclass(frozen=True, slots=True)
class TakeAbbotHome(Instead):
    """Take the abbot home and score him, instead of deploying a figure (AB-12)."""

    def __str__(self) -> str:
        return "abbot-home"


@dataclass(frozen=True, slots=True)
class AbbotTakenHome(PlayerEvent):
    """A player took their abbot home from a feature on a cell; his points follow (AB-12)."""

    cell: Cell
    kind: str


def _places(position: Tabletop, _player: Seat, cell: Cell) -> Sequence[str]:
    """Return the free garden or monastery of the tile just laid (AB-05, AB-07)."""
    land = position.land
    placed = land.placed[cell.square]
    index = placed.face.surrounded
    if index < 0 or placed.face.kinds[index] not in land.surrounded or land.holders[placed.base + index]:
        return ()
    return (placed.face.segments[index].name,)


_ABBOT: Final = Figure(ABBOT, 1, places=_places)
"""The abbot, of whom each player has one (AB-01)."""


def abbot_of(position: Tabletop, player: Seat) -> tuple[SegmentNumber, Follower] | None:
    """Return the unfinished feature (root) where a player's abbot stands, and his entry there; None without one."""
    if position.supply[ABBOT][player]:
        return None
    land = position.land
    standing = ((root, figure) for root in land.unsurrounded.values() for figure in land.holders[root])
    return next((entry for entry in standing if entry[1].player == player and entry[1].figure == ABBOT), None)


class Abbots(Expansion):
    """An abbot stands in a garden or on a monastery, and may be taken home."""

    def figures(self) -> Sequence[Figure]:
        """Return one abbot."""
        return (_ABBOT,)

    def surrounded(self) -> Sequence[SurroundedKind]:
        """Return the garden."""
        return (GARDEN,)

    def instead_of_follower(self, position: Tabletop, step: Deployment) -> Sequence[Action]:
        """Return taking the abbot home, unless the tile just laid completed his place (AB-15)."""
        return () if abbot_of(position, step.player) is None else (TakeAbbotHome(),)

    def perform(self, position: Tabletop, player: Seat, action: Action) -> bool:
        """Take the abbot home for the value of his place as it lies; the place itself is not scored (AB-16)."""
        place = abbot_of(position, player) if isinstance(action, TakeAbbotHome) else None
        if place is None:
            return False
        root, abbot = place
        land = position.land
        terms, kind, cells = structure_terms(position, root), land.kind[root], land.cells(root)
        land.holders[root] = tuple(figure for figure in land.holders[root] if figure != abbot)
        position.emit(AbbotTakenHome(player, land.part(abbot.segment)[0], kind))
        position.award(Scored(player, sum(term.points for term in terms), kind, terms, cells, final=False))
        return_figure(position, abbot)
        return True


def _edition(values: options.Options) -> str:
    """Return the edition whose tiles are played (option ``tile_edition``)."""
    return "c2" if isinstance(values, AbbotOptions) and values.tile_edition == "c2" else ""


_C2: Final[Mapping[str, Value]] = MappingProxyType({"tile_edition": "c2"})
"""The options of tables with the tiles of the second edition."""

BOX: Final = Box(
    name=NAME,
    mechanisms=(Abbots(),),
    number=0,
    offered=True,
    options=AbbotOptions,
    edition=_edition,
    proposes=_C2,
    presets={"c2_hig": _C2, "c2_zmg": _C2},
    forms=(constant_form(TakeAbbotHome()),),
)
