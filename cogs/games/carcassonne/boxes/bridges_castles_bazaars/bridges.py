"""Bridges in words, and how the composer builds them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from cogs.games.carcassonne.box import Actions, EventWords
from cogs.presenting.turn import Piece
from cogs.texts import t
from cogs.texts.languages import by_ear
from cogs.words.names import sides
from engine import Action, Cell
from engine.carcassonne import Axis, Decline, Position
from engine.carcassonne.expansions.bridges_castles_bazaars import BridgeBuilt, BuildBridge


def axis_words(axis: Axis) -> str:
    """The line along which a bridge runs."""
    if by_ear():
        return sides(side.name for side in sorted(axis.sides))
    return t("compass.to").join(t(f"compass.{side.name}") for side in axis.sides)


def _action_words(_: Position, action: BuildBridge) -> str:
    return t("action.bridge", **_where(action))


def _built(names: Sequence[str], event: BridgeBuilt) -> str:
    return t("story.bridge", player=names[event.player], cell=event.cell.label, axis=axis_words(event.axis))


def _where(bridge: BuildBridge) -> Mapping[str, str]:
    return {"cell": bridge.cell.label, "axis": axis_words(bridge.axis)}


def trial(action: Action) -> tuple[Cell, Axis] | None:
    """A bridge that is tried out, as the renderers know it."""
    return (action.cell, action.axis) if isinstance(action, BuildBridge) else None


ACTIONS: Final[Actions] = {BuildBridge: _action_words}
EVENTS: Final[EventWords] = {BridgeBuilt: _built}
PIECE: Final = Piece(name="bridge", action=BuildBridge, words=_where, declining=Decline())
