"""Count the tiles that no player has seen: how many fit into a cell, and how many close a feature there.

The constraint of a cell encodes what the tiles around it have on their sides; it is an entry of
:attr:`engine.carcassonne.landscape.Landscape.frontier`. Which kinds of tiles fit a constraint depends on the pile
alone, so that these answers are cached for all positions with the same pile.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from engine.caching import thread_safe_cache
from engine.carcassonne import TileKind, tile

FittingKinds = tuple[tuple[int, ...], tuple[int, ...]]
"""The numbers of the kinds that fit, and of those among them that close the feature."""


class _Kinds:
    """The kinds of tiles in a pile, with a cache of those that fit each constraint."""

    def __init__(self, ids: tuple[str, ...]) -> None:
        self.kinds = tuple(map(tile, ids))
        self.number = {tile_id: number for number, tile_id in enumerate(ids)}
        self._fitting: dict[tuple[int, int], FittingKinds] = {}

    def fitting(self, constraint: int, sides: int) -> FittingKinds:
        """Return the kinds that fit a constraint, and those that close a feature open at ``sides`` (bits)."""
        kinds = self._fitting.get((constraint, sides))
        if kinds is None:
            fit = [number for number, kind in enumerate(self.kinds) if constraint in kind.fits]
            closing = [number for number in fit if _closes(self.kinds[number], constraint, sides)]
            kinds = self._fitting[constraint, sides] = tuple(fit), tuple(closing)
        return kinds


def _closes(kind: TileKind, constraint: int, sides: int) -> bool:
    """Return True if the tile fits in a rotation in which its segments at ``sides`` reach no other side."""
    for rotation in kind.fits[constraint]:
        face = kind.faces[rotation // 90]
        touched = {face.side_segments[side] for side in range(4) if sides >> side & 1}
        reached = {place for index in touched if index >= 0 for place in face.segments[index].places}
        if all(sides >> place & 1 for place in reached):
            return True
    return False


@thread_safe_cache
def _kinds(ids: tuple[str, ...]) -> _Kinds:
    """Return the kinds of tiles in a pile; cached for all positions with the same pile."""
    return _Kinds(ids)


class UnseenTiles:
    """The tiles that no player has seen, as counts by kind; their order is never read."""

    def __init__(self, pile: Iterable[str], unseen: Iterable[str]) -> None:
        self._kinds = _kinds(tuple(sorted(set(pile))))
        counts_by_id = Counter(unseen)
        self.total = counts_by_id.total()
        """The number of all of them."""
        self._counts_by_kind = [counts_by_id[kind.id] for kind in self._kinds.kinds]
        self._counted: dict[tuple[int, int], tuple[int, int]] = {}

    def counts(self, constraint: int, sides: int) -> tuple[int, int]:
        """Return how many unseen tiles fit into a cell, and how many of them close a feature open at ``sides``."""
        totals = self._counted.get((constraint, sides))
        if totals is None:
            fit, closing = self._kinds.fitting(constraint, sides)
            by_kind = self._counts_by_kind
            totals = sum([by_kind[number] for number in fit]), sum([by_kind[number] for number in closing])
            self._counted[constraint, sides] = totals
        return totals
