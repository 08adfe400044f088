"""A position of The Castle: the table from the first turn to the end of the game."""

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
from engine.the_castle.ward import PlacedTile, Ward
from engine.views import Feature, feature_on, features_on


class Position(Tabletop):
    """The table of The Castle; see :class:`engine.position.Position`."""

    __slots__ = ()

    def __init__(self, setup: Setup, *, begin: bool = True) -> None:
        super().__init__(setup)
        if begin:
            self.agenda.append(NextTurn(Seat(setup.players - 1)))
            self.resume()

    @property
    def hand(self) -> TileKind | None:
        """The tile that has to be placed now."""
        step = self.step
        return step.tile if isinstance(step, PlaceTile) else None

    def _end_early(self) -> None:
        """The placement in progress is scored, then the game ends."""
        turns = [at for at, item in enumerate(self.agenda) if isinstance(item, TurnOver)]
        self.agenda[:] = [FinalScoring(), *(self.agenda[turns[0] :] if turns else ())]

    def _conclude(self) -> None:
        """No wall tile is turned up for it, as nobody knows them."""
        self.cleared = True
        super()._conclude()

    def veiled(self) -> Self:
        """A copy for thinking ahead: what lies face down is ``HIDDEN`` or in the order of its names, and no seed.

        A wall tile that is taken there is :attr:`WallTile.HIDDEN`, which asks nothing and brings nothing.
        """
        pile = self.setup.pile
        known = {wall().corners.index(corner) for corner in self.taken}
        other = self.copy()
        other.setup = replace(
            self.setup,
            pile=(*pile[: self.next_tile], *sorted(pile[self.next_tile :])),
            wall_tiles=tuple(
                kind if place in known else WallTile.HIDDEN for place, kind in enumerate(self.setup.wall_tiles)
            ),
            seed="",
        )
        return other

    # -- views ----------------------------------------------------------------------------------------------------

    def placed(self) -> Iterator[PlacedTile]:
        """The tiles within the wall, in the order of placing."""
        return self.ward.tiles_laid

    def tile_at(self, cell: Cell) -> PlacedTile | None:
        """The tile on a cell."""
        return self.ward.placed.get(cell.square) if cell.square in wall().inside else None

    def open_cells(self) -> Iterator[Cell]:
        """The empty cells beside a tile or a start space."""
        return map(Cell.at, self.ward.frontier)

    def features(self) -> Iterator[Feature]:
        """All paths, towers, houses and courts of which a tile is part; start spaces may be part of them."""
        inside = wall().inside
        for feature in features_on(self.ward):
            if any(cell.square in inside for cell, _ in feature.parts):
                yield feature

    def house_of(self, player: Seat) -> Feature | None:
        """The house on which a player's keep stands."""
        keep = self.keeps[player]
        if keep is None:
            return None
        cell, segment = self.ward.part(keep.segment)
        return feature_on(self.ward, cell, segment.name)

    def winners(self) -> tuple[Seat, ...]:
        """The seats with most points; nobody on a tie where option ``tc_final_tie`` says so (TC-88)."""
        best = super().winners()
        return () if len(best) > 1 and self.options.tc_final_tie == "none" else best

    def rebuilt(self) -> Self:
        """The same position, its features joined anew from the tiles: the slow twin of the ward."""
        other = self.copy()
        other.ward = Ward()
        for placed in self.placed():
            other.ward.place(placed.square, placed.face, placed.player)
        for followers in self.ward.holders:
            for follower in followers:
                other.ward.holders[other.ward.find(follower.segment)] += (follower,)
        other.ward.touched.clear()
        return other
