"""Find the tiles that players have seen although they lie face down, because a move was taken back.

An undo puts the tiles drawn since that move back into the pile, but the players remember them.
"""

from __future__ import annotations

from typing import NamedTuple

from engine.position import Position


class SeenTiles(NamedTuple):
    """Tiles that lie face down in a position and were revealed between it and a later one."""

    ids: tuple[str, ...]
    """The ids of these tiles, in the order of the pile."""
    are_next: bool
    """True if they are exactly the next tiles to be drawn, with no unseen tile before or among them."""


def seen_between(before: Position, after: Position) -> SeenTiles:
    """Return the tiles that lie face down in the earlier position but were revealed by the later one.

    Tiles that were set aside and still lie face down are not among them.
    """
    unseen = set(after.unseen)
    seen = [index for index in before.unseen if index not in unseen]
    following = list(range(before.next_tile, before.next_tile + len(seen)))
    return SeenTiles(tuple(before.setup.pile[index] for index in seen), are_next=seen == following)
