"""What has been seen of the pile though it lies face down: going back to a position makes nobody forget."""

from __future__ import annotations

from typing import NamedTuple

from engine.position import Position


class SeenTiles(NamedTuple):
    """Tiles that lie face down in a position and came up between it and a later one."""

    ids: tuple[str, ...]
    """In the order in which they lie in the pile."""
    are_next: bool
    """Whether they are the next to be drawn, with none before or among them that nobody has seen."""


def seen_between(before: Position, after: Position) -> SeenTiles:
    """Find the tiles that lie face down in the position before, and no longer in the one after.

    Tiles that were taken from the pile face down, and still are, are not among them.
    """
    unseen = set(after.unseen)
    seen = [at for at in before.unseen if at not in unseen]
    following = list(range(before.next_tile, before.next_tile + len(seen)))
    return SeenTiles(tuple(before.setup.pile[at] for at in seen), are_next=seen == following)
