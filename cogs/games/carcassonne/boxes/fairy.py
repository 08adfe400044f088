"""The fairy, as far as other boxes need it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from cogs.games.carcassonne.box import BoxPresenter
from cogs.games.carcassonne.boxes.bridges_castles_bazaars.castles import castle_words
from cogs.games.carcassonne.segments import place_of
from cogs.texts import t
from engine.carcassonne import MoveFairy, Position, castle_with_fairy
from engine.carcassonne.events import FairyMoved


def _move_words(position: Position, action: MoveFairy) -> str:
    castle = castle_with_fairy(position, action)
    place = castle_words(castle) if castle else place_of(position, action.cell, action.segment)
    return t("action.fairy", place=place)


def _moved(names: Sequence[str], event: FairyMoved) -> str:
    return t("story.fairy", player=names[event.player], cell=event.cell.label)


BOX: Final = BoxPresenter(actions={MoveFairy: _move_words}, events={FairyMoved: _moved})
