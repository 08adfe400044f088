"""The hooks by which boxes (expansions) add terms to the evaluation of Carcassonne.

A term is a part of the value of an action. A subclass of :class:`BoxTerms` overrides the hooks that its box needs; the
others have no effect. A feature is named by its root, the number of one of its segments; its outlook says how many
points it is expected to bring and how likely it is to be completed. ``stakes`` says, by seat, how much a point of each
player is worth to the player who thinks: 1 for their own, less than 0 for a rival's.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from typing import NamedTuple

from computer.candidates import Candidate
from computer.carcassonne.outlooks import Outlook
from computer.weights import Weights
from engine.actions import Action, Deploy, Seat
from engine.board import Follower, SegmentNumber
from engine.carcassonne import Position, TileKind
from engine.carcassonne.landscape import PlacedTile
from engine.geometry import Cell, Square


class Change(NamedTuple):
    """The changes that a placement on trial would make."""

    position: Position
    """The position before the placement."""
    after: Position
    """A position in which the tile lies on the land, while supplies and points are still as before."""
    mover: Seat
    tile: PlacedTile
    completed: Sequence[SegmentNumber]
    """The roots of the structures that the placement completed."""
    outlooks: Mapping[SegmentNumber, Outlook]
    """The outlooks of the changed features after the placement, by root."""
    outlook_before: Callable[[SegmentNumber], Outlook]
    """A function that returns the outlook of a feature (root) before the placement."""
    price: Callable[[str, Seat], float]
    """A function that returns the value of one more figure (name) in the supply of a player."""
    value_of: Callable[[Outlook], float]
    """A function that returns the value of a feature with its figures to the player who thinks."""
    aid: Action | None
    """The action that built a piece, such as a bridge, together with the tile; None if no piece was built."""
    deployed: str | None
    """The name of the figure that was deployed; None if there was none."""
    weights: Weights
    urgency: float
    """The share of its full price that a piece is still worth, from 1 at the beginning to 0 at the end of the game."""
    draws: float
    """The number of tiles that each player will still draw."""


class Question(NamedTuple):
    """A decision that a box has to value, with the functions that it needs for that."""

    position: Position
    weights: Weights
    urgency: float
    """As in :class:`Change`."""
    outlook: Callable[[SegmentNumber], Outlook]
    """A function that returns the outlook of a feature (root)."""
    price: Callable[[str, Seat], float]
    """A function that returns the value of one more figure (name) in the supply of a player."""
    tile_worth: Callable[[TileKind, Seat], float]
    """A function that returns the value of a tile to a player who may lay it now."""
    with_figures: Callable[[Cell, Mapping[Action, Deploy | None]], list[Candidate]]
    """A function that values actions which deploy a figure on the tile just laid (its cell), or none."""
    figure_parts: Callable[[SegmentNumber, str], Mapping[str, float]]
    """A function that returns the parts of the value of a figure (name) of the player on a feature (root)."""
    cheapest: bool
    """True if the player always bids the least."""


FigureValue = Callable[[Follower, Outlook], float]
"""A function that returns the value of a figure to its player, apart from what it counts for the majority."""


class BoxTerms:
    """The terms that a box adds to the evaluation; every hook may be overridden."""

    def worth(self, kind: str, traits: frozenset[str], complete: float, now: float) -> tuple[float, float]:
        """Return the points of a structure when complete and as it lies, given the points without the box.

        ``kind`` is the kind of feature, ``traits`` are the names of the attributes drawn on it.
        """
        return complete, now

    def followers(self) -> Collection[str]:
        """Return the figures (names) of the box that may stand wherever a follower may."""
        return ()

    def second_figures(self) -> Collection[str]:
        """Return the figures (names) of the box that may follow another one on the same tile."""
        return ()

    def herd_points(self, position: Position, traits: frozenset[str]) -> float:
        """Return the points that each city brings a field besides its own, given the attributes drawn on the field."""
        return 0.0

    def figure_prices(self, weights: Weights, urgency: float) -> Mapping[str, float]:
        """Return the value of one figure of each kind of the box in a player's supply, by name.

        That of a follower is added to what every follower is worth.
        """
        return {}

    def figure_values_on_board(self, weights: Weights, draws: float) -> Mapping[str, FigureValue]:
        """Return a function for each figure (name) of the box that has a value of its own on the board."""
        return {}

    def changed_squares(self, aid: Action) -> Sequence[Square]:
        """Return the squares of the tiles that an action of the box changes; empty for other actions."""
        return ()

    def candidates(self, question: Question) -> list[Candidate] | None:
        """Return the candidates of a decision of the box; None if the decision is not the box's."""
        return None

    def instead_of_figure(self, change: Change, stakes: Sequence[float]) -> Mapping[Action, Mapping[str, float]]:
        """Return the parts that actions of the box add to a placement, which are taken instead of deploying a figure.

        Without this hook such an action is compared with deploying nothing, and no placement is credited with it.
        """
        return {}

    def state(self, position: Position) -> Hashable:
        """Return the state of the box on which the worth of tiles depends; part of a cache key."""
        return ()

    def add(self, parts: dict[str, float], stakes: Sequence[float], change: Change) -> None:
        """Add the parts of a change's value that the box contributes."""


def add_part(parts: dict[str, float], name: str, value: float) -> None:
    """Add a number to the named part of a value; 0 adds no part."""
    if value:
        parts[name] = parts.get(name, 0.0) + value
