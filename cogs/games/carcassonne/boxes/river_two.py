"""*The River II*: words for the herd of pigs on a tile, and for the tile that follows the lake."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from cogs.games.carcassonne.box import BoxPresenter
from cogs.texts import t
from engine import tiles
from engine.carcassonne import Position, tile
from engine.carcassonne.expansions.river_two import PIG_HERD, VolcanoReached, herds_count


def _herd(kind: tiles.TileKind) -> Iterator[str]:
    """Name the herd of pigs on a tile; its field is always the larger one."""
    if any(segment.shows(PIG_HERD) is not None for segment in tile(kind.id).segments):
        yield t("tile.herd")


def _another_tile(names: Sequence[str], event: VolcanoReached) -> str:
    """Tell that a player lays another tile after the lake."""
    return t("story.another_tile", player=names[event.player])


def _idle_herd(_: Sequence[str], position: Position) -> str:
    """Say that the herd on the tile to be laid does not count at this table (RT-17)."""
    if position.hand is None or herds_count(position):
        return ""
    return t("panel.idle_herd") if any(_herd(position.hand)) else ""


BOX: Final = BoxPresenter(events={VolcanoReached: _another_tile}, parts=_herd, details=_idle_herd)
