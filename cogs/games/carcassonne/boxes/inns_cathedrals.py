"""*Inns & Cathedrals*: words for what is drawn on its tiles.

An inn stands beside a road, a cathedral in a city. Descriptions of these tiles name them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from cogs.games.carcassonne.box import BoxPresenter
from cogs.texts import t
from engine.carcassonne import Position, Segment
from engine.carcassonne.expansions import INNS_CATHEDRALS
from engine.carcassonne.expansions.inns_cathedrals import has_cathedral, has_inn


def _drawn(segment: Segment) -> str:
    """Return the last part of the key that names a drawing: ``cathedral`` or ``inn``; empty for neither."""
    return "cathedral" if has_cathedral(segment) else "inn" if has_inn(segment) else ""


def _idle_inn(_: Sequence[str], position: Position) -> str:
    """Say that the inn on the tile to be laid does not count, as at a table without this box (IX-03)."""
    hand = position.hand
    if hand is None or INNS_CATHEDRALS in position.setup.expansions or not any(map(has_inn, hand.segments)):
        return ""
    return t("panel.idle_inn")


BOX: Final = BoxPresenter(drawn=_drawn, details=_idle_inn)
