"""*Inns & Cathedrals*: words for what is drawn on its tiles.

An inn stands beside a road, a cathedral in a city. Descriptions of these tiles name them.
"""

from __future__ import annotations

from typing import Final

from cogs.games.carcassonne.box import BoxPresenter
from engine.carcassonne import Segment
from engine.carcassonne.expansions.inns_cathedrals import has_cathedral, has_inn


def _drawn(segment: Segment) -> str:
    """Return the last part of the key that names a drawing: ``cathedral`` or ``inn``; empty for neither."""
    return "cathedral" if has_cathedral(segment) else "inn" if has_inn(segment) else ""


BOX: Final = BoxPresenter(drawn=_drawn)
