"""The position of a game of The Castle, from the first turn to the end.

The ward is the board within the castle wall. Wall tiles are bonuses that lie face down on the wall until players take
them. Codes such as TC-88 are rules of the rule digest.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Self

from engine.actions import Seat
from engine.geometry import Cell
from engine.the_castle.final import FinalScoring
from engine.the_castle.setup import Setup
from engine.the_castle.steps import NextTurn, PlaceTile, TurnOver
from engine.the_castle.table import Tabletop
from engine.the_castle.tiles import TileKind
from engine.the_castle.wall import WallTile, wall
from engine.the_castle.ward import PlacedTile
from engine.views import Feature, feature_on, features_on


class Position(Tabletop):
    """The position of a game of The Castle; see :class:`engine.position.Position`."""

    __slots__ = ()

    def __init__(self, setup: Setup, *, begin: bool = True) -> None:
        super().__init__(setup)
        if begin:
            self.agenda.append(NextTurn(Seat(setup.players - 1)))
            self.resume()

    @property
    def hand(self) -> TileKind | None:
        """The tile to place now; None at other decisions."""
        step = self.step
        return step.tile if isinstance(step, PlaceTile) else None

    def _end_early(self) -> None:
        """End the game once the placement in progress is scored."""
        turns = [index for index, item in enumerate(self.agenda) if isinstance(item, TurnOver)]
        self.agenda[:] = [FinalScoring(), *(self.agenda[turns[0] :] if turns else ())]

    def _conclude(self) -> None:
        """End the game without turning up wall tiles, since no player knows them."""
        self.wall_cleared = True
        super()._conclude()

    def veiled(self) -> Self:
        """Return a copy without hidden information, for previews: face-down tiles are sorted, and the seed is empty.

        Wall tiles that no player has seen are :attr:`WallTile.HIDDEN`, which has no effect when it is taken.
        """
        pile = self.setup.pile
        taken_places = {wall().corners.index(corner) for corner in self.taken}
        veiled = self.copy()
        veiled.setup = replace(
            self.setup,
            pile=(*pile[: self.next_tile], *sorted(pile[self.next_tile :])),
            wall_tiles=tuple(
                kind if place in taken_places else WallTile.HIDDEN for place, kind in enumerate(self.setup.wall_tiles)
            ),
            seed="",
        )
        return veiled

    # -- views ----------------------------------------------------------------------------------------------------

    def placed(self) -> Iterator[PlacedTile]:
        """Return the tiles within the wall, in the order of placing."""
        return self.ward.tiles_laid

    def tile_at(self, cell: Cell) -> PlacedTile | None:
        """Return the tile on a cell, or None."""
        return self.ward.placed.get(cell.square) if cell.square in wall().inside else None

    def open_cells(self) -> Iterator[Cell]:
        """Return the empty cells beside a tile or a start space."""
        return map(Cell.at, self.ward.frontier)

    def features(self) -> Iterator[Feature]:
        """Yield all features that include a tile; start spaces may be part of them."""
        inside = wall().inside
        for feature in features_on(self.ward):
            if any(cell.square in inside for cell, _ in feature.parts):
                yield feature

    def house_of(self, player: Seat) -> Feature | None:
        """Return the house with a player's keep, or None."""
        keep = self.keeps[player]
        if keep is None:
            return None
        cell, segment = self.ward.part(keep.segment)
        return feature_on(self.ward, cell, segment.name)

    def winners(self) -> tuple[Seat, ...]:
        """Return the seats with most points; none on a tie if option ``tc_final_tie`` is ``none`` (TC-88)."""
        best = super().winners()
        return () if len(best) > 1 and self.options.tc_final_tie == "none" else best
