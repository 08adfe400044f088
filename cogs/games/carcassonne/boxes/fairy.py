"""Words for the moves of the fairy, a figure of *The Princess & The Dragon* that other expansions use, too."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from cogs.games.carcassonne.box import BoxPresenter
from cogs.games.carcassonne.boxes.bridges_castles_bazaars.bridges_castles import castle_words
from cogs.games.carcassonne.words import place_of
from cogs.presenting.presenter import Listener
from cogs.texts import t
from cogs.words.names import segment_aloud
from engine.carcassonne import Position
from engine.carcassonne.expansions.fairy import FairyMoved, MoveFairy, castle_with_fairy, fairy_of


def _move_words(position: Position, action: MoveFairy) -> str:
    """Describe the action of moving the fairy to a figure."""
    castle = castle_with_fairy(position, action)
    place = castle_words(castle) if castle else place_of(position, action.cell, action.segment)
    return t("action.fairy", place=place)


def _fairy_moved(names: Sequence[str], event: FairyMoved) -> str:
    """Tell that a player has moved the fairy."""
    return t("story.fairy", player=names[event.player], cell=event.cell.label)


def _tell_fairy(_: Listener, position: Position) -> Iterator[str]:
    """Tell the fairy's tile, and the figure beside which she stands."""
    fairy = fairy_of(position)
    if fairy is not None:
        cell, segment = position.land.part(fairy.follower.segment)
        where = t("segment.at", segment=segment_aloud(segment), cell=cell.label)
        yield t("tell.fairy", cell=fairy.cell.label, where=where)


BOX: Final = BoxPresenter(
    unexplained=("fairy",),
    actions={MoveFairy: _move_words},
    events={FairyMoved: _fairy_moved},
    chapters={"fairy": _tell_fairy},
)
