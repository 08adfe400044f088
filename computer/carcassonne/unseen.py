"""The tiles that no player has seen: how many of them fit into a cell, and how many close a feature there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from engine.caching import thread_safe_cache
from engine.carcassonne import TileKind, tile

Answers = tuple[tuple[int, ...], tuple[int, ...]]
"""The numbers of the kinds that fit, and of those among them that close the feature."""


class _Kinds:
    """The kinds of tiles of a pile, and which of them fit where; shared by all positions with this pile."""

    def __init__(self, ids: tuple[str, ...]) -> None:
        self.kinds = tuple(map(tile, ids))
        self.number = {tile_id: number for number, tile_id in enumerate(ids)}
        self._answers: dict[tuple[int, int], Answers] = {}

    def answers(self, wanted: int, sides: int) -> Answers:
        """Return the kinds for a cell with this constraint at which a feature is open at ``sides`` (bits)."""
        found = self._answers.get((wanted, sides))
        if found is None:
            fit = [number for number, kind in enumerate(self.kinds) if wanted in kind.fits]
            closing = [number for number in fit if _closes(self.kinds[number], wanted, sides)]
            found = self._answers[wanted, sides] = tuple(fit), tuple(closing)
        return found


def _closes(kind: TileKind, wanted: int, sides: int) -> bool:
    """Return True if a rotation fits in which the segments at ``sides`` reach no other side."""
    for rotation in kind.fits[wanted]:
        face = kind.faces[rotation // 90]
        touched = {face.side_segments[side] for side in range(4) if sides >> side & 1}
        reached = {place for index in touched if index >= 0 for place in face.segments[index].places}
        if all(sides >> place & 1 for place in reached):
            return True
    return False


@thread_safe_cache
def _kinds(ids: tuple[str, ...]) -> _Kinds:
    return _Kinds(ids)


class UnseenTiles:
    """The tiles that no player has seen, as counts; their order is not read."""

    def __init__(self, pile: Iterable[str], unseen: Iterable[str]) -> None:
        self._kinds = _kinds(tuple(sorted(set(pile))))
        left = Counter(unseen)
        self.total = left.total()
        """The number of all of them."""
        self._left = [left[kind.id] for kind in self._kinds.kinds]
        self._counted: dict[tuple[int, int], tuple[int, int]] = {}

    def counts(self, wanted: int, sides: int) -> tuple[int, int]:
        """Return how many fit into a cell, and how many of these close a feature that is open there at ``sides``."""
        found = self._counted.get((wanted, sides))
        if found is None:
            fit, closing = self._kinds.answers(wanted, sides)
            left = self._left
            found = sum([left[number] for number in fit]), sum([left[number] for number in closing])
            self._counted[wanted, sides] = found
        return found
