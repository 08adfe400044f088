"""Bridges in the text forms and arrangements."""

from __future__ import annotations

import re
from typing import Final

from engine.carcassonne.box import Addition, Arranger
from engine.carcassonne.expansions.bridges_castles_bazaars.actions import BuildBridge
from engine.carcassonne.expansions.bridges_castles_bazaars.bridges import (
    SPANS,
    bridge_segment,
    build_bridge,
    rests_on_field,
)
from engine.carcassonne.landscape import Landscape
from engine.carcassonne.segments import read_cell
from engine.carcassonne.table import Tabletop
from engine.carcassonne.tiles import Segment
from engine.geometry import Axis, Cell

_BRIDGE: Final = re.compile(r"~(-?[A-Z]{1,2}-?\d{1,3})(NS|WE)", re.ASCII)


def _write(cell: Cell, segment: Segment) -> str | None:
    """``~M12WE``, as the action that builds it."""
    return next((str(BuildBridge(cell, axis)) for axis in Axis if segment is bridge_segment(axis)), None)


def _read(land: Landscape, text: str) -> None:
    match = _BRIDGE.fullmatch(text)
    if match is None:
        raise ValueError(f"not a bridge: {text!r}")
    cell, axis = Cell.parse(match[1]), Axis(match[2])
    placed = land.placed.get(cell.square)
    if placed is None or not rests_on_field(placed, SPANS[axis]):
        raise ValueError(f"no place for a bridge: {text!r}")
    build_bridge(land, cell.square, axis)


def _arrange(position: Tabletop, text: str) -> None:
    where, axis = text.split()
    build_bridge(position.land, read_cell(where).square, Axis(axis))


ADDITION: Final = Addition("~", _write, _read)
ARRANGER: Final = Arranger(_arrange)
"""``x,y axis``."""
