"""What an expansion can change: the hooks, all without effect here.

An expansion keeps no state of its own. What it must remember about a game it keeps in ``position.extra``, under its own
key, as immutable values.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from engine.actions import Action, Place
from engine.carcassonne.figures import Figure
from engine.events import Term
from engine.geometry import Cell
from engine.joining import Follower

if TYPE_CHECKING:
    from engine.carcassonne.landscape import Veto
    from engine.carcassonne.position import Position
    from engine.carcassonne.steps import DeployFollower, PlacementOver, PlaceTile, ScoringRound
    from engine.carcassonne.tiles import TileKind


class Expansion:
    """The hooks of one mechanism."""

    def figures(self) -> Sequence[Figure]:
        """Kinds of figures beside the ordinary followers."""
        return ()

    def pieces(self, players: int) -> Mapping[str, int]:
        """Pieces that each player gets, beside figures."""
        return {}

    def veto(self) -> Veto | None:
        """What says no to placements that would fit: asked of all of them, with aid or without; None says nothing."""
        return None

    def aided_placements(self, position: Position, player: int, tile: TileKind, at: Cell | None = None) -> list[Place]:
        """Placements that are legal only together with a piece of this expansion: everywhere, or on one cell."""
        return []

    def placement_extras(self, position: Position, step: DeployFollower) -> Sequence[Action]:
        """What a player may do beside deploying a follower."""
        return ()

    def instead_of_follower(self, position: Position, step: DeployFollower) -> Sequence[Action]:
        """What a player may do instead of deploying a follower."""
        return ()

    def perform(self, position: Position, player: int, action: Action) -> bool:
        """Carry out an action of this expansion (but for deploying figures); false when it is not its own."""
        return False

    def turn_begins(self, position: Position, player: int) -> None:
        """A player's turn begins: he has not drawn yet."""

    def tile_laid(self, position: Position, task: ScoringRound) -> None:
        """A tile lies with everything that came with it; nothing is scored yet."""

    def structures_completed(self, position: Position) -> None:
        """Something was completed (``position.current_round``): before any points are given."""

    def structures_paid(self, position: Position) -> None:
        """Put on the agenda what follows the points of the structures, before their followers go home."""

    def going_home(self, position: Position, followers: Sequence[Follower]) -> None:
        """The followers of something that was completed and paid are about to return."""

    def placement_over(self, position: Position, task: PlacementOver) -> None:
        """A placement is scored."""

    def tile_lost(self, position: Position, step: PlaceTile) -> None:
        """A player declined the tile in hand."""

    def tiles_ahead(self, position: Position) -> Sequence[TileKind]:
        """Tiles that have been turned up and wait to be placed, besides the one in hand."""
        return ()

    def set_aside(self, position: Position) -> range:
        """Which tiles of the pile have been taken from it and lie face down: asked after every action."""
        return range(0)

    def structure_worth(self, position: Position, root: int, terms: tuple[Term, ...]) -> tuple[Term, ...]:
        """What a structure is worth, given what it would be without this expansion."""
        return terms

    def field_value(self, position: Position, root: int, city_points: int) -> tuple[str, int] | None:
        """What a feature beside a field is worth to farmers: what a score calls its kind, in the plural, and points.

        None leaves it to the others.
        """
        return None

    def farmer_bonus(self, farmers: Sequence[Follower], player: int) -> tuple[str, int] | None:
        """What each thing that counts is worth to a player beyond its value, by the figures on the fields around it.

        What a score calls it, and the points.
        """
        return None

    def game_ending(self, position: Position) -> None:
        """The game is over; everything else on the table is scored."""
