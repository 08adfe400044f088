"""*Inns & Cathedrals*: the drawings on its tiles, in words."""

from __future__ import annotations

from typing import Final

from cogs.games.carcassonne.box import BoxPresenter
from engine.carcassonne import Segment
from engine.carcassonne.expansions.inns_cathedrals import has_cathedral, has_inn


def _drawn(segment: Segment) -> str:
    return "cathedral" if has_cathedral(segment) else "inn" if has_inn(segment) else ""


BOX: Final = BoxPresenter(drawn=_drawn)
