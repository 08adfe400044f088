"""Abbeys (AM-05 to AM-20): a tile that fills a gap, laid instead of drawing one.

Each player has one. It fits wherever tiles lie on all four sides, closes what it meets, and is a monastery itself. When
the pile is used up, each player who still has theirs may lay it in a turn of its own. Codes such as AM-05 are rules of
the rule digest.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from engine.actions import Action, Pass, Place, Seat
from engine.agenda import Step, Task
from engine.carcassonne.expansions.abbey_mayor.options import options_of
from engine.carcassonne.landscape import Landscape, Veto
from engine.carcassonne.steps import Draw, PlaceTile
from engine.carcassonne.table import Expansion, Tabletop
from engine.carcassonne.tiles import EDGE_KINDS, TileKind, tile
from engine.events import TurnSkipped
from engine.geometry import STEP, Cell, Square

ABBEY: Final = "abbey"
"""The name of the abbeys in the supply."""
ABBEY_TILE: Final = "am/abbey"
"""The tile of an abbey, of which no pile holds any."""


@dataclass(frozen=True, slots=True)
class UseAbbey(Action):
    """Lay the abbey instead of drawing a tile (AM-05)."""

    def __str__(self) -> str:
        return "abbey"


class Abbeys(Expansion):
    """A player may lay their abbey instead of drawing, but not instead of a tile that lies open (AM-05, AM-18)."""

    def pieces(self, players: int) -> Mapping[str, int]:
        """Return one abbey (AM-01)."""
        return {ABBEY: 1}

    def vetoes(self) -> Mapping[TileKind, Veto]:
        """Return the veto on abbeys outside gaps."""
        return {tile(ABBEY_TILE): _is_no_gap}

    def before_draw(self, position: Tabletop, player: Seat) -> None:
        """Ask a player who can lay their abbey (AM-05, AM-16)."""
        if may_lay_abbey(position, player):
            position.agenda.append(DecideAbbey(player))

    def face_up_tiles(self, position: Tabletop) -> Sequence[TileKind]:
        """Return the abbeys that players still have, without one in hand; none at the end of the game."""
        if position.is_over:
            return ()
        supplies = zip(position.supply[ABBEY], position.withdrawn, strict=True)
        left = sum(count for count, has_resigned in supplies if not has_resigned)
        return (tile(ABBEY_TILE),) * (left - isinstance(position.step, PlaceAbbey))

    def pile_used_up(self, position: Tabletop, last: Seat) -> None:
        """Let each player lay their abbey, from the left of the player of the last turn (AM-19)."""
        if options_of(position).abbey_at_end == "each_player":
            position.agenda += map(OfferAbbey, reversed(position.seats_after(last)))


def _is_no_gap(land: Landscape, _kind: TileKind, place: Square, _rotation: int) -> bool:
    """Return True unless tiles lie on all four sides of a cell; those at its corners do not matter (AM-06)."""
    return any(place + step not in land.placed for step in STEP)


def _gaps(land: Landscape) -> list[Square]:
    """Return the empty cells with tiles on all four sides; asked in every turn, so it calls nothing for each cell."""
    placed, (north, east, south, west) = land.placed, STEP
    return [
        place
        for place in land.frontier
        if place + north in placed and place + south in placed and place + east in placed and place + west in placed
    ]


def abbey_cells(position: Tabletop) -> list[Cell]:
    """Return the gaps into which an abbey fits."""
    return [*map(Cell.at, _gaps(position.land))]


def may_lay_abbey(position: Tabletop, player: Seat) -> bool:
    """Return True if a player has an abbey and there is a gap, and no river is under construction (AM-06)."""
    if not position.supply[ABBEY][player] or not _gaps(position.land):
        return False
    if not position.pile_left:
        return True
    # Tiles with an edge of their own, such as those of a river, form a deck that is drawn before all others.
    next_kind = tile(position.setup.pile[position.next_tile])
    return all(segment.kind not in EDGE_KINDS for segment in next_kind.segments)


@dataclass(frozen=True, slots=True)
class DecideAbbey(Step[Tabletop]):
    """The decision to lay the abbey instead of drawing a tile, if there is one to draw."""

    player: Seat

    def actions(self, position: Tabletop) -> Sequence[Action]:
        """Return passing, and the abbey."""
        return (Pass(), UseAbbey())

    def apply(self, position: Tabletop, action: Pass | UseAbbey) -> None:
        """Let the player lay the abbey, and draw nothing."""
        if isinstance(action, UseAbbey):
            if position.agenda[-1] == Draw(self.player):
                position.agenda.pop()
            position.turn += 1
            position.agenda.append(PlaceAbbey(self.player, tile(ABBEY_TILE), drawn=False))

    def forfeit(self, position: Tabletop) -> None:
        """Keep the abbey."""


@dataclass(frozen=True, slots=True)
class PlaceAbbey(PlaceTile):
    """Lay the abbey (AM-06); until then it stays in the player's supply."""

    def actions(self, position: Tabletop) -> Sequence[Action]:
        """Return every gap in every rotation, which all look the same."""
        return [Place(cell, face.rotation) for cell in abbey_cells(position) for face in self.tile.faces]

    def apply(self, position: Tabletop, action: Place) -> None:  # type: ignore[override]  # it cannot be declined
        """Lay it, and take it out of the supply."""
        position.supply[ABBEY][self.player] -= 1
        PlaceTile.apply(self, position, action)

    def skip(self, position: Tabletop) -> None:
        """Keep the abbey; nothing was drawn."""
        position.emit(TurnSkipped(self.player))

    def forfeit(self, position: Tabletop) -> None:
        """Keep the abbey."""


@dataclass(frozen=True, slots=True)
class OfferAbbey(Task[Tabletop]):
    """The last chance of a player to lay their abbey, after the last tile of the pile (AM-19)."""

    player: Seat

    def run(self, position: Tabletop) -> None:
        """Ask the player if there is still a gap."""
        if may_lay_abbey(position, self.player):
            position.agenda.append(DecideAbbey(self.player))
