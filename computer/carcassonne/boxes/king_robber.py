"""The terms of *King & Robber Baron*: the markers for completing the largest city and the longest road.

The player who completes a feature takes its marker, even if others hold the feature. The larger the feature and the
fewer tiles are left, the more likely a holder keeps the marker to the end. Codes such as KR-11 are rules of the rule
digest.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Final, NamedTuple

from computer.carcassonne.boxes.terms import BoxTerms, Change, add_part
from engine.actions import Seat, seats
from engine.carcassonne import Position
from engine.carcassonne.expansions.king_robber import (
    EACH_OF_BOTH_POINTS,
    FEATURE_OF,
    ONE_MARKER_POINTS,
    Holding,
    Marker,
    completed_features,
    holding_of,
    options_of,
)

DRAWS_OF_DOUBT: Final = 10
"""The number of own draws for which the weight ``marker_doubt`` is stated."""
NOT_HELD: Final = Holding((), 0)
"""The holding of a marker that nobody has won yet."""


class Standing(NamedTuple):
    """The holders of a marker, and the number of completed features of its kind."""

    holding: Holding
    features: int


Standings = Mapping[Marker, Standing]
"""The standing of each marker."""


class KingRobberTerms(BoxTerms):
    """Values the King and the Robber Baron by the points that they are expected to bring at the end."""

    def state(self, position: Position) -> Hashable:
        """Return the holders of both markers."""
        return tuple(holding_of(position, marker) for marker in Marker)

    def add(self, parts: dict[str, float], stakes: Sequence[float], change: Change) -> None:
        """Add the change of what both markers are expected to bring each player, if a city or road was completed."""
        sizes = completed_sizes(change)
        if not any(sizes.values()):
            return
        position = change.position
        before = {marker: _standing(position, marker) for marker in Marker}
        after = {marker: standing_after(change, marker, sizes[marker]) for marker in Marker}
        continuous = options_of(position).king_robber_scoring == "continuous"
        for seat in seats(position.players):
            gain = _expected_points(change, after, seat) - _expected_points(change, before, seat)
            if continuous:
                # The holder before this round gets a point for each feature of it, whoever completed it (KR-11).
                gain += sum(len(sizes[marker]) for marker in Marker if seat in before[marker].holding.holders)
            add_part(parts, "markers", gain * stakes[seat])


def completed_sizes(change: Change) -> dict[Marker, list[int]]:
    """Return the tiles of each feature that was completed, by the marker for its kind."""
    land = change.after.land
    return {
        marker: [land.tiles[root].bit_count() for root in change.completed if land.kind[root] == kind]
        for marker, kind in FEATURE_OF.items()
    }


def _standing(position: Position, marker: Marker) -> Standing:
    """Return the standing of a marker in a position."""
    return Standing(holding_of(position, marker) or NOT_HELD, completed_features(position, marker))


def standing_after(change: Change, marker: Marker, sizes: Sequence[int]) -> Standing:
    """Return the standing of a marker after features of these sizes were completed (KR-03 to KR-07)."""
    holding, features = _standing(change.position, marker)
    size = max(sizes, default=0)
    if size > holding.size:
        holding = Holding((change.mover,), size)
    elif size == holding.size > 0 and options_of(change.position).king_robber_tie == "shared":
        holding = Holding(tuple(sorted({*holding.holders, change.mover})), size)
    return Standing(holding, features + len(sizes))


def _expected_points(change: Change, standings: Standings, seat: Seat) -> float:
    """Return the points that both markers are expected to bring a player (KR-11)."""
    weights, position = change.weights, change.position
    to_come = weights["marker_rate"] * change.draws * position.players
    scoring = options_of(position).king_robber_scoring
    chances = []
    points = 0.0
    for holding, features in standings.values():
        doubt = weights["marker_doubt"] * change.draws / DRAWS_OF_DOUBT
        chance = holding.size / (holding.size + doubt) if seat in holding.holders else 0.0
        chances.append(chance)
        match scoring:
            case "per_feature":
                points += chance * (features + to_come)
            case "continuous":
                points += chance * to_come
            case _:
                points += chance * ONE_MARKER_POINTS[scoring]
    if scoring in EACH_OF_BOTH_POINTS:  # KR-11: with both markers each may bring more
        first, second = chances
        points += first * second * 2 * (EACH_OF_BOTH_POINTS[scoring] - ONE_MARKER_POINTS[scoring])
    return points
