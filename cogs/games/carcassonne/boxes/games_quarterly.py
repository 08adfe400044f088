"""*Games Quarterly 11*: words for the pigs on one of its tiles."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from cogs.games.carcassonne.box import BoxPresenter
from cogs.texts import t
from engine import tiles
from engine.carcassonne import Position, tile
from engine.carcassonne.expansions.games_quarterly import PIG_FIELD, pigs_are_herd


def _pigs(kind: tiles.TileKind) -> Iterator[str]:
    """Name the pigs on a tile."""
    if kind is tile(PIG_FIELD):
        yield t("tile.pigs")


def _idle_pigs(_: Sequence[str], position: Position) -> str:
    """Say that the pigs on the tile to be laid do not count, as at a table where they are no herd (GQ-04)."""
    hand = position.hand
    if hand is None or hand.id != PIG_FIELD or pigs_are_herd(position):
        return ""
    return t("panel.idle_herd")


BOX: Final = BoxPresenter(parts=_pigs, details=_idle_pigs)
