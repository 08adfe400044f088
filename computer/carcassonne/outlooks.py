"""Estimate what a feature is worth: the points that it will bring, and the chance that it is completed.

A gap is an empty cell at which a feature is open. It is closed by a tile on which the feature ends; the chance of that
depends on how many unseen tiles do so (:mod:`computer.carcassonne.unseen`) and how many tiles are still drawn.
"""

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
"""The empty cells at which a feature is open, each with the sides of that cell as bits (1 << side)."""
NO_GAPS: Final[Gaps] = {}
"""The gaps of a feature without any."""
STRUCTURES: Final = frozenset({FeatureKind.CITY, FeatureKind.ROAD})
"""The kinds of features that have gaps."""
OPEN_FIELD_CELLS: Final = 6
"""The number of empty cells beside a field at which it is estimated to touch half of all new cities."""
MIDDLE_CHANCE: Final = 0.4
"""The share of the unseen tiles that is assumed to fit into a cell without neighbours, whose sides are unknown."""


WorthBonus = Callable[[str, frozenset[str], float, float], tuple[float, float]]
"""A function by which a box changes the points of a structure.

It gets the kind of the structure, the attributes drawn on it, its points when complete and its points as it lies, and
returns the last two as the box has them."""


class Outlook(NamedTuple):
    """The expected outcome of a feature.

    ``worth`` is the number of points that it is expected to bring to the players with the majority, ``chance`` is the
    probability that it is completed and its figures return. The weight of the figures may depend on the ``land``.
    """

    kind: str
    holders: tuple[Follower, ...]
    worth: float
    chance: float
    land: Landscape
    complete: bool = False


class Appraiser:
    """Estimates outlooks of features from the tiles that no player has seen."""

    def __init__(
        self, unseen: UnseenTiles, players: int, weights: Weights, bonuses: Sequence[WorthBonus], city_points: int
    ) -> None:
        self.unseen = unseen
        self.weights = weights
        self.bonuses = bonuses
        """The functions by which boxes change the points of a structure."""
        self.draws = unseen.total / players
        """The number of tiles that each player will still draw."""
        self.city_points = city_points
        """The points that a completed city brings to each field beside it."""
        self._exponent = weights["pace"] * self.draws + weights["start"] if unseen.total else 0.0
        doubt = (1 - weights["field_share"]) * min(1.0, self.draws / weights["field_horizon"])
        self._field_share = 1 - doubt
        """The part of its cities' points that a field is credited with: rivals may still take it over early in the
        game, but at the end its points are certain."""
        self._extend = weights["extend"]
        self._growth = weights["growth"]
        self._filled: dict[tuple[int, int], float] = {}
        self._covered: dict[int, float] = {-1: self._chance(MIDDLE_CHANCE * unseen.total)}

    def _chance(self, tiles: float) -> float:
        """Return the probability that one of ``tiles`` unseen tiles is laid at a given place before the game ends."""
        total = self.unseen.total
        return 1 - (1 - (min(tiles, total) / total) ** self.weights["curve"]) ** self._exponent if total else 0.0

    def chance_of_closing(self, constraint: int, sides: int) -> float:
        """Return the probability that a gap is closed, by a tile that closes it or, less likely, after extending it.

        ``constraint`` is that of the neighbours of the cell, ``sides`` are the sides (bits) at which it is open.
        """
        key = constraint, sides
        chance = self._filled.get(key)
        if chance is None:
            fit, closing = self.unseen.counts(constraint, sides)
            chance = self._filled[key] = self._chance(closing + self._extend * (fit - closing))
        return chance

    def chance_of_covering(self, constraint: int) -> float:
        """Return the probability that any tile is laid on a cell; ``constraint`` is -1 if it has no neighbours."""
        chance = self._covered.get(constraint)
        if chance is None:
            chance = self._covered[constraint] = self._chance(self.unseen.counts(constraint, 0)[0])
        return chance

    def structure(self, land: Landscape, root: SegmentNumber, gaps: Gaps, traits: frozenset[str]) -> Outlook:
        """Return the outlook of a road, city or monastery that is not complete."""
        kind = land.kind[root]
        if kind not in STRUCTURES:
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
        return Outlook(kind, land.holders[root], now + chance * (complete - now), chance, land)

    def _monastery(self, land: Landscape, root: SegmentNumber) -> Outlook:
        """Return the outlook of a monastery, or of what a box adds like it: each cell around it has to be covered."""
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
        return Outlook(land.kind[root], land.holders[root], worth, chance, land)

    def field(self, land: Landscape, root: SegmentNumber, city_worth: float, cells: int) -> Outlook:
        """Return the outlook of a field whose cities are expected to bring ``city_worth`` points.

        ``cells`` is the number of empty cells beside it: the more there are, the more cities may still come.
        """
        near = cells / (cells + OPEN_FIELD_CELLS)
        worth = self._field_share * city_worth + self.weights["field_future"] * self.unseen.total * near
        return Outlook(FeatureKind.FIELD, land.holders[root], worth, 0.0, land)
