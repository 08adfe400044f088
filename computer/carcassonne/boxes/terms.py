"""The hooks by which boxes add their terms to the evaluation; by default, none has an effect."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import NamedTuple

from computer.candidates import Candidate
from computer.carcassonne.outlooks import Outlook
from computer.weights import Weights
from engine.actions import Action, Seat
from engine.board import Follower, SegmentNumber
from engine.carcassonne import Position, TileKind
from engine.carcassonne.landscape import PlacedTile
from engine.geometry import Square


class Change(NamedTuple):
    """The changes that a placement on trial would make."""

    position: Position
    """The position before it."""
    after: Position
    """A position with the land after it; all else in it is as before."""
    mover: Seat
    tile: PlacedTile
    completed: Sequence[SegmentNumber]
    """The roots of the structures that it has completed."""
    outlooks: Mapping[SegmentNumber, Outlook]
    """The outlooks of the features that it has changed, by root."""
    outlook_before: Callable[[SegmentNumber], Outlook]
    """Return the outlook that a feature (root) had before."""
    price: Callable[[str, Seat], float]
    """Return what one more figure in the supply of a player is worth."""
    aid: Action | None
    """The piece built with the tile."""
    deployed: str | None
    """The figure that was deployed."""
    weights: Weights
    urgency: float
    """The part of a piece's price that is left, from 1 at the beginning to 0 at the end."""
    draws: float
    """The tiles that each player will still draw."""


class Question(NamedTuple):
    """A decision, with all by which its candidates are compared."""

    position: Position
    weights: Weights
    urgency: float
    """As in :class:`Change`."""
    outlook: Callable[[SegmentNumber], Outlook]
    """Return the outlook of a feature (root)."""
    price: Callable[[str, Seat], float]
    """Return what one more figure in the supply of a player is worth."""
    tile_worth: Callable[[TileKind, Seat], float]
    """Return what a tile is worth to a player who may lay it now."""
    cheapest: bool
    """True if the player always bids the least."""


FigureValue = Callable[[Follower, Outlook], float]
"""Return what a figure on a feature is worth to its player beside its part in the majority."""


class BoxTerms:
    """The terms of a box."""

    def worth(self, kind: str, traits: frozenset[str], complete: float, now: float) -> tuple[float, float]:
        """Return the points of a structure when complete and as it lies, given those without the box."""
        return complete, now

    def figure_prices(self, weights: Weights, urgency: float) -> Mapping[str, float]:
        """Return what each kind of its figures is worth in the supply."""
        return {}

    def figures_on_table(self, weights: Weights, draws: float) -> Mapping[str, FigureValue]:
        """Return functions for its figures that are worth something on the table."""
        return {}

    def changed_squares(self, aid: Action) -> Sequence[Square]:
        """Return the squares of the tiles on which an action of the box builds something."""
        return ()

    def candidates(self, question: Question) -> list[Candidate] | None:
        """Return the candidates of a decision of the box; None if it is not one of them."""
        return None

    def state(self, position: Position) -> Hashable:
        """Return what the box has on the table, as far as the worth of tiles depends on it."""
        return ()

    def add(self, parts: dict[str, float], stakes: Sequence[float], change: Change) -> None:
        """Add the other parts of the value of a change; ``stakes`` are what a point of each player is worth."""


def add_part(parts: dict[str, float], name: str, value: float) -> None:
    """Add to a part of a value."""
    if value:
        parts[name] = parts.get(name, 0.0) + value
