"""The castle wall in words alone: markers on the track, wall tiles, keeps and start spaces."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from cogs.games.the_castle.lying import lying
from cogs.games.the_castle.words import wall_tile_words
from cogs.texts import listed, t
from engine.actions import seats
from engine.the_castle import wall
from engine.the_castle.wall import TRACK

if TYPE_CHECKING:
    from cogs.presenting.presenter import Listener
    from engine import Cell
    from engine.the_castle import Position, StartSpace


def wall_words(listener: Listener, position: Position) -> Iterator[str]:
    """Where the markers rest, where wall tiles lie, where the keeps stand, what is drawn at the start spaces."""
    for name, points in zip(listener.names, position.scores, strict=True):
        yield t("tell.marker", player=name, space=points % TRACK)
        ahead = [(corner + space - points) % TRACK for corner in position.corners for space in (0, 1)]
        if any(ahead):
            yield t("tell.ahead", count=min(steps for steps in ahead if steps))
    corners = [t("tell.spaces", one=corner, other=corner + 1) for corner in position.corners]
    yield t("tell.wall_tiles", spaces="; ".join(corners)) if corners else t("tell.no_wall_tiles")
    yield from _keeps(listener, position)
    yield from (t("tell.start", cell=start.cell.label, drawn=_drawn(start)) for start in wall().starts)


def _keeps(listener: Listener, position: Position) -> Iterator[str]:
    for seat, name in zip(seats(position.players), listener.names, strict=True):
        house, keep = position.house_of(seat), position.keeps[seat]
        if house is not None and keep is not None:
            cells = dict.fromkeys(cell.label for cell, _ in house.parts)
            yield t("tell.keep", player=name, cells=listed(list(cells)), size=keep.size)
        else:
            yield t("tell.no_keep", player=name)


def also_seen(before: Position, after: Position) -> Iterator[str]:
    """Tell the wall tiles that were turned up between two positions."""
    for corner in after.taken:
        if corner not in before.taken:
            spaces = t("tell.spaces", one=corner, other=corner + 1)
            kind = after.setup.wall_tile_on(corner)
            yield t("undo.seen_wall_tile", tile=wall_tile_words(kind), spaces=spaces)


def edge(_: Position, cell: Cell) -> str:
    """What a cell of the wall shows, or that it lies beyond; empty within the wall."""
    start = next((start for start in wall().starts if start.cell == cell), None)
    if start is not None:
        return t("tell.start_space", drawn=_drawn(start))
    inside = cell.square in wall().inside
    return "" if inside else t("tell.wall" if any(part.cell == cell for part in wall().squares) else "tell.outside")


def _drawn(start: StartSpace) -> str:
    return f"{t(f'direction.{start.side.name}')}: {lying(start.kind, 0)}"
