"""The position of a game of Carcassonne with the boxes of its setup, from the first turn to the end.

Codes such as BA-04 are rules of the rule digest.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Self

from engine.actions import NO_SEAT, Action, Seat
from engine.carcassonne.expansions import REGISTRY
from engine.carcassonne.landscape import PlacedTile
from engine.carcassonne.scoring import FinalScoring
from engine.carcassonne.setup import Setup, sorted_by_deck
from engine.carcassonne.steps import NextTurn, PlacementOver, PlaceTile, ScoringRound
from engine.carcassonne.table import Expansion, Tabletop
from engine.carcassonne.tiles import TileKind, tile
from engine.geometry import Cell
from engine.views import Feature, features_on


class Position(Tabletop):
    """The position of a game of Carcassonne; see :class:`engine.position.Position`."""

    __slots__ = ()
    setup: Setup

    def __init__(self, setup: Setup, *, begin: bool = True) -> None:
        mechanisms = (mechanism for name in setup.expansions for mechanism in REGISTRY[name].mechanisms)
        super().__init__(setup, tuple(mechanisms))
        if begin:
            self.lay_start_tile()
            self.agenda.append(NextTurn(Seat(setup.players - 1)))
            self.resume()

    def lay_start_tile(self) -> None:
        """Put the start tile on the table (BA-04)."""
        face = tile(self.setup.start_tile).faces[self.setup.start_rotation // 90]
        self.land.place(Cell(0, 0).square, face, NO_SEAT)
        self.land.touched.clear()

    @property
    def hand(self) -> TileKind | None:
        """The tile to place now; None at other decisions."""
        step = self.step
        return step.tile if isinstance(step, PlaceTile) else None

    def _end_early(self) -> None:
        """End the game once the placement in progress is scored."""
        rounds = [index for index, item in enumerate(self.agenda) if isinstance(item, ScoringRound | PlacementOver)]
        self.agenda[:] = [FinalScoring(), *(self.agenda[rounds[0] :] if rounds else ())]

    def adjust_random_action(self, action: Action, rng: Random) -> Action:
        """Let the boxes adjust a random action."""
        for name in self.setup.expansions:
            adjust = REGISTRY[name].adjust_random_action
            if adjust is not None:
                action = adjust(self, action, rng)
        return action

    # -- tiles that lie face down -------------------------------------------------------------------------------------

    @property
    def set_aside(self) -> range:
        """The indices of the tiles that were taken from the pile and still lie face down."""
        for expansion in self.hook_handlers[Expansion.set_aside]:
            indices = expansion.set_aside(self)
            if indices:
                return indices
        return range(0)

    @property
    def unseen(self) -> tuple[int, ...]:
        """The indices in the pile of the tiles that no player has seen, those set aside first."""
        return (*self.set_aside, *super().unseen)

    @property
    def face_down(self) -> tuple[str, ...]:
        """The ids of the tiles that no player has seen, in the order of the pile."""
        pile = self.setup.pile
        return tuple(pile[index] for index in self.unseen)

    def veiled(self) -> Self:
        """Return a copy without hidden information: tiles that no player has seen are sorted, and the seed is empty.

        Separate decks stay apart, since players know which tiles are drawn first and which last.
        """
        veiled, unseen = self.copy(), self.unseen
        pile = list(self.setup.pile)
        for index, tile_id in zip(unseen, sorted_by_deck(sorted(self.face_down), self.setup.expansions), strict=True):
            pile[index] = tile_id
        veiled.setup = replace(self.setup, pile=tuple(pile), seed="")
        return veiled

    # -- views ----------------------------------------------------------------------------------------------------

    def placed(self) -> Iterator[PlacedTile]:
        """Return the tiles on the table, in the order of placing."""
        return iter(self.land.placed.values())

    def tile_at(self, cell: Cell) -> PlacedTile | None:
        """Return the tile on a cell, or None."""
        return self.land.placed.get(cell.square)

    def open_cells(self) -> Iterator[Cell]:
        """Return the empty cells beside a tile."""
        return map(Cell.at, self.land.frontier)

    def features(self) -> Iterator[Feature]:
        """Return all roads, cities, fields and monasteries."""
        return features_on(self.land)
