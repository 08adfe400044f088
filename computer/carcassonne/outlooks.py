"""The value of a feature: its points, the chance that it is completed, and the players who get them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple

from computer.carcassonne.unseen import UnseenTiles
from computer.weights import Weights
from engine.board import Follower, SegmentNumber
from engine.carcassonne import FeatureKind
from engine.carcassonne.landscape import Landscape
from engine.geometry import AROUND, Square

Gaps = Mapping[Square, int]
"""The empty cells at which a feature is open, each with the sides of that cell (bits)."""
NO_GAPS: Final[Gaps] = {}
OPEN_FIELD_CELLS: Final = 6
"""The number of empty cells beside a field from which on it is likely to touch half of all new cities."""
MIDDLE_CHANCE: Final = 0.4
"""The share of the unseen tiles that fits into a cell about which nothing is known yet."""


WorthBonus = Callable[[str, frozenset[str], float, float], tuple[float, float]]
"""The change of a box to the points of a structure: given its kind, the attributes drawn on it, and the points when
complete and as it lies, return these points with the box."""


class Outlook(NamedTuple):
    """The expected outcome of a feature.

    ``worth`` are the points that it is expected to bring to those with the majority, ``chance`` is the probability that
    it is completed and its figures return.
    """

    kind: str
    holders: tuple[Follower, ...]
    worth: float
    chance: float
    complete: bool = False


class Appraiser:
    """The worth of features, given the tiles that are left."""

    def __init__(
        self, unseen: UnseenTiles, players: int, weights: Weights, bonuses: Sequence[WorthBonus], city_points: int
    ) -> None:
        self.unseen = unseen
        self.weights = weights
        self.bonuses = bonuses
        """The changes of boxes to the points of a structure."""
        self.draws = unseen.total / players
        """The tiles that each player will still draw."""
        self.city_points = city_points
        """The points of a completed city to a field."""
        self._exponent = weights["pace"] * self.draws + weights["start"] if unseen.total else 0.0
        doubt = (1 - weights["field_share"]) * min(1.0, self.draws / weights["field_horizon"])
        self._field_share = 1 - doubt
        """The part of its cities that a field keeps: early others may still take it over, in the end it is certain."""
        self._extend = weights["extend"]
        self._growth = weights["growth"]
        self._filled: dict[tuple[int, int], float] = {}
        self._covered: dict[int, float] = {-1: self._chance(MIDDLE_CHANCE * unseen.total)}

    def _chance(self, tiles: float) -> float:
        """Return the probability that one of so many unseen tiles is laid at one place before the game ends."""
        total = self.unseen.total
        return 1 - (1 - min(tiles, total) / total) ** self._exponent if total else 0.0

    def chance_of_closing(self, wanted: int, sides: int) -> float:
        """Return the probability that a gap is closed: with tiles that close it, or less likely after extending it."""
        key = wanted, sides
        found = self._filled.get(key)
        if found is None:
            fit, closing = self.unseen.counts(wanted, sides)
            found = self._filled[key] = self._chance(closing + self._extend * (fit - closing))
        return found

    def chance_of_covering(self, wanted: int) -> float:
        """Return the probability that any tile is laid on a cell; ``wanted`` is -1 for a cell without neighbours."""
        found = self._covered.get(wanted)
        if found is None:
            found = self._covered[wanted] = self._chance(self.unseen.counts(wanted, 0)[0])
        return found

    def structure(self, land: Landscape, root: SegmentNumber, gaps: Gaps, traits: frozenset[str]) -> Outlook:
        """Return the outlook of a road, city or monastery that is not complete."""
        kind = land.kind[root]
        if kind == FeatureKind.MONASTERY:
            return self._monastery(land, root)
        frontier, chance = land.frontier, 1.0
        for square, sides in gaps.items():
            chance *= self.chance_of_closing(frontier[square], sides)
        size = land.tiles[root].bit_count()
        now: float = size + land.marks[root]
        complete = now + self._growth * len(gaps)
        if kind == FeatureKind.CITY:
            complete *= 2
        for bonus in self.bonuses:
            complete, now = bonus(kind, traits, complete, now)
        return Outlook(kind, land.holders[root], now + chance * (complete - now), chance)

    def _monastery(self, land: Landscape, root: SegmentNumber) -> Outlook:
        home, frontier, placed = land.home[root], land.frontier, land.placed
        worth, chance = 1.0, 1.0
        for step in AROUND:
            square = home + step
            if square in placed:
                worth += 1
            else:
                covered = self.chance_of_covering(frontier.get(Square(square), -1)) * self.weights["monastery"]
                worth += covered
                chance *= covered
        return Outlook(FeatureKind.MONASTERY, land.holders[root], worth, chance)

    def field(self, land: Landscape, root: SegmentNumber, city_worth: float, cells: int) -> Outlook:
        """Return the outlook of a field with cities that will bring so many points, beside so many empty cells."""
        near = cells / (cells + OPEN_FIELD_CELLS)
        worth = self._field_share * city_worth + self.weights["field_future"] * self.unseen.total * near
        return Outlook(FeatureKind.FIELD, land.holders[root], worth, 0.0)
